// `npm start`: with arguments it is ckpt-run; without, the practice relay in a new folder, and a look at what it left.

import {mkdtempSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const words = process.argv.slice(2);
const practice = words.length === 0;
const terminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
const folder = practice ? mkdtempSync(join(tmpdir(), 'ckpt-run-practice-')) : process.cwd();

if (practice) {
  process.chdir(folder);
  // Without a terminal the practice agent cannot show its relay; `-p` gives its last words.
  process.argv.push('--until-done', '--limit-margin', '1', 'practice', ...(terminal ? [] : ['-p', 'Run the relay.']));
  process.stdout.write(
    'A practice agent runs a relay of twelve steps, one line of relay.txt each. It dies twice on the way,\n' +
      'of a compaction and of SIGKILL in the middle of a step, and meets a usage limit of a few seconds.\n\n',
  );
}

await import('./ckpt-run.ts');

if (practice) {
  const steps = readFileSync(join(folder, 'relay.txt'), 'utf8').trimEnd().split('\n');
  const numbers = steps.map((line) => Number(/^step (\d+):/.exec(line)?.[1]));
  const exact = numbers.length === 12 && numbers.every((number, at) => number === at + 1);
  process.stdout.write(
    `\nrelay.txt: ${numbers.join(' ')}\n${exact ? 'Every step exactly once, in order.' : 'NOT every step exactly once.'}\n` +
      `All of it is in ${folder}: relay.txt, and under runtime/checkpoints the batons (LATEST.md) and death certificates.\n`,
  );
  if (!exact) process.exitCode = 1;
}
