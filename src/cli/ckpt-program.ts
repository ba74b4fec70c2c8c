// `ckpt`, called all day long by agents and hooks. The two calls that matter are understood here when their words are
// plain; everything else, and every mistake, goes to the whole program, whose library takes 10 ms to load.

import {resume} from './commands/resume.ts';
import {snapshot} from './commands/snapshot.ts';
import type {World} from './commands/world.ts';
import {told} from './finish.ts';
import {plainWords} from './plain-words.ts';

/** Runs one command line; the exit code comes back. */
export const runCkpt = async (args: string[], world: World): Promise<number> => {
  const words = plainWords(args);
  if (words?.command === 'snapshot') return told(world, snapshot(world, words.flags));
  if (words?.command === 'resume') return told(world, resume(world, words.flags));
  const {runProgram} = await import('./whole-program.ts');
  return runProgram(args, world);
};
