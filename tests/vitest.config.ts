import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));
const forks = {pool: 'forks' as const};
const setupFiles = [fileURLToPath(new URL('support/same-cases.ts', import.meta.url))];

/** One test per class of event, for every change. `npm run test:real:full` runs them all, every row of the facts. */
const classes = ['amnesiac', 'model', 'ground', 'handoff', 'events', 'hang'];

/** pure: no disk, no clock. io: real files, ptys, processes. real: the pinned agent CLIs, one file at a time. */
export default defineConfig({
  root,
  test: {
    reporters: ['default', fileURLToPath(new URL('support/plain-line.ts', import.meta.url))],
    projects: [
      {
        root,
        test: {
          name: 'pure',
          // A bound against a hang, not a measure of speed: machines are noisy.
          testTimeout: 60_000,
          include: [
            'tests/{core,detect,fuzz,adapter,baton,config,import,run,report,cli,watch,doctor,cast,notify,install,live}/**/*.test.ts',
            'tests/*.test.ts',
          ],
          setupFiles,
          ...forks,
        },
      },
      {
        root,
        test: {
          name: 'io',
          retry: 1,
          setupFiles,
          include: ['tests/{io,e2e,practice}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          ...forks,
        },
      },
      {
        root,
        test: {
          name: 'real',
          include: process.env.CKPT_FULL ? ['tests/real/*.test.ts'] : [`tests/real/{${classes.join(',')}}.test.ts`],
          // The clocks, sockets and spinners of other people's programs: once more before it counts.
          retry: 1,
          globalSetup: ['tests/real/install.ts'],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          fileParallelism: false,
          sequence: {groupOrder: 1},
          ...forks,
        },
      },
    ],
  },
});
