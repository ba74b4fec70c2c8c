import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vitest/config';

/** Tries the newest Claude Code, whatever it is today: `npm run test:newest`. No part of the tests, gates nothing. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['tests/newest/*.test.ts'],
    globalSetup: ['tests/newest/install.ts'],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    retry: 1,
    pool: 'forks',
  },
});
