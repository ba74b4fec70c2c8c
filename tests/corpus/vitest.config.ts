import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vitest/config';

/** Records the corpus anew with the real CLIs: `npm run corpus:record`. No part of the tests. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['tests/corpus/*.test.ts'],
    globalSetup: ['tests/real/install.ts'],
    testTimeout: 180_000,
    fileParallelism: false,
    pool: 'forks',
  },
});
