// The processes of a ground: found by the mark in their environment, wherever they have detached themselves to.

import {execFile} from 'node:child_process';
import {readdir, readFile} from 'node:fs/promises';
import {setTimeout as wait} from 'node:timers/promises';
import {promisify} from 'node:util';

export interface Marked {
  pid: number;
  /** Its command line, blanks between the words. */
  command: string;
}

/** Those that have `mark` (`NAME=value`) in their environment. */
export const marked = async (mark: string): Promise<Marked[]> => {
  const found = await (process.platform === 'linux' ? markedByProc(mark) : markedByPs(mark));
  return found.filter(({pid}) => pid !== process.pid);
};

/** SIGKILL to each until none is left: what was just being forked is found on the next look. */
export const endMarked = async (mark: string): Promise<void> => {
  for (let look = 0; look < 250; look += 1) {
    const left = await marked(mark);
    if (left.length === 0) return;
    for (const {pid} of left) end(pid);
    await wait(20);
  }
  throw new Error(`These processes of a proving ground do not end: ${JSON.stringify(await marked(mark))}`);
};

const end = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
};

/** A process that has ended and waits for its parent has no environment any more, so it does not count. */
const markedByProc = async (mark: string): Promise<Marked[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const read = (pid: number, name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  const found = await Promise.all(
    pids.map(async (pid) => {
      const isMarked = (await read(pid, 'environ')).split('\0').includes(mark);
      return isMarked ? [{pid, command: (await read(pid, 'cmdline')).replaceAll('\0', ' ').trim()}] : [];
    }),
  );
  return found.flat();
};

/** macOS shows the environment behind the command. */
const markedByPs = async (mark: string): Promise<Marked[]> => {
  const {stdout} = await promisify(execFile)('ps', ['-axEww', '-o', 'pid=,command='], {maxBuffer: 64_000_000});
  const lines = stdout.split('\n').filter((line) => line.split(' ').includes(mark));
  return lines.map((line) => ({pid: Number.parseInt(line, 10), command: line.replace(/^\s*\d+\s*/, '')}));
};
