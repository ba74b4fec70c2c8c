// Processes that carry the mark of a run in their environment, whatever became of that run.

import {execFile} from 'node:child_process';
import {readdir, readFile} from 'node:fs/promises';
import {promisify} from 'node:util';

export interface MarkedProcess {
  pid: number;
  command: string;
  run: string;
  /** The checkpoint folder of that run, where its record lies. */
  dir: string;
}

/** Ours alone: of other people's processes the system does not show the environment. */
export const markedProcesses = async (): Promise<MarkedProcess[]> =>
  (process.platform === 'linux' ? await fromProc() : await fromPs()).filter(({pid}) => pid !== process.pid);

const fromProc = async (): Promise<MarkedProcess[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const marks = marksIn((await text(`/proc/${pid}/environ`)).split('\0'));
      if (marks === undefined) return [];
      const command = (await text(`/proc/${pid}/cmdline`)).replaceAll('\0', ' ').trim();
      // A zombie has neither: it is gone but for its parent.
      return command === '' ? [] : [{pid: Number(pid), command, ...marks}];
    }),
  );
  return found.flat();
};

/** macOS: the environment stands behind the command, blanks and all. Exported for its test. */
export const markedPsLine = (line: string): MarkedProcess | undefined => {
  const [, pid, rest] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
  if (pid === undefined || rest === undefined) return undefined;
  const words = rest.split(' ');
  const marks = marksIn(words);
  if (marks === undefined) return undefined;
  const first = words.findIndex((word) => /^[A-Za-z_]\w*=/.test(word));
  return {pid: Number(pid), command: words.slice(0, first).join(' '), ...marks};
};

const marksIn = (entries: string[]): {run: string; dir: string} | undefined => {
  const value = (name: string): string | undefined =>
    entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
  const run = value('CKPT_RUN');
  const dir = value('CKPT_DIR');
  return run === undefined || run === '' || dir === undefined ? undefined : {run, dir};
};

const fromPs = async (): Promise<MarkedProcess[]> => {
  try {
    const args = ['-axEww', '-o', 'pid=,command='];
    const {stdout} = await promisify(execFile)('ps', args, {maxBuffer: 64 * 1024 * 1024});
    return stdout.split('\n').flatMap((line) => markedPsLine(line) ?? []);
  } catch {
    return [];
  }
};

const text = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return '';
  }
};
