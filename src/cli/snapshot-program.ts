// `ckpt snapshot` and `ckpt resume`: the two that agents call all day.

import type {Command} from 'commander';
import {resume} from './commands/resume.ts';
import {snapshot} from './commands/snapshot.ts';
import {all, type Definer, withOptions} from './define-program.ts';
import {resumeOptions, snapshotOptions} from './flags.ts';

export const defineSnapshot = ({world, command, finish}: Definer): void => {
  command('snapshot', 'save a checkpoint', (self: Command) =>
    withOptions(self, snapshotOptions)
      .addHelpText('after', () => example)
      .action(() => finish(snapshot(world, all(self)))),
  );
  command('resume', 'print the baton of a track as key=value lines', (self: Command) =>
    withOptions(self, resumeOptions).action(() => finish(resume(world, all(self)))),
  );
};

const example = `
Example:
  ckpt snapshot --track main --step "parser fixed" --note "42 of 42 pass" \\
    --next-cmd "npm run bench" --validation green --extra report=/tmp/r.json`;
