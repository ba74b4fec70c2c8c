// The amnesiac job: N steps, each one line, each line one write. The file shows exactly what was done twice or never.

import {readFileSync} from 'node:fs';

export interface Job {
  steps: number;
  file: string;
}

/** What the person asks for, and all that is ever said of the job. */
export const goalOf = ({steps, file}: Job): string => `Do the amnesiac job: ${steps} steps, file ${file}.`;

export const jobIn = (text: string): Job | undefined => {
  const found = /amnesiac job: (\d+) steps, file (\S+?)\.?(?=\s|$)/.exec(text);
  return found === null ? undefined : {steps: Number(found[1]), file: found[2] ?? ''};
};

/** bash's printf hands a line to the kernel in one write, and `>>` makes it land whole at the end. */
export const stepCommand = (step: number, file: string): string => `printf 'step ${step}\\n' >> ${file}`;

/** The step that a command does, wherever the command is quoted; 0 when it does none. */
export const stepIn = (text: string): number => Number(/printf 'step (\d+)\\n' >> /.exec(text)?.[1] ?? 0);

export const checkCommand = (file: string): string => `tail -n 1 ${file}`;

export const isCheck = (command: string): boolean => command.startsWith('tail -n 1 ');

export interface Verdict {
  missing: number[];
  doubled: number[];
  /** Steps that came after a later one. */
  outOfOrder: number[];
  /** Lines that are no step of the job: torn, or somebody else's. */
  foreign: string[];
}

/** What a job that went well looks like. */
export const flawless: Verdict = {missing: [], doubled: [], outOfOrder: [], foreign: []};

/** A file that is not there is a job of which nothing was done. */
export const judge = (path: string, steps: number): Verdict => judgeText(textOf(path), steps);

export const judgeText = (text: string, steps: number): Verdict => {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  // A last line without its end is torn, whatever it reads.
  if (text !== '' && !text.endsWith('\n')) lines.push(`${lines.pop()} [no end of line]`);
  const all = Array.from({length: steps}, (_, at) => at + 1);
  const number = (line: string) => Number(/^step ([1-9]\d*)$/.exec(line)?.[1] ?? 0);
  const done = lines.map(number).filter((step) => step >= 1 && step <= steps);
  return {
    missing: all.filter((step) => !done.includes(step)),
    doubled: all.filter((step) => done.indexOf(step) !== done.lastIndexOf(step)),
    outOfOrder: done.filter((step, at) => done.slice(0, at).some((earlier) => earlier > step)),
    foreign: lines.filter((line) => !all.includes(number(line))),
  };
};

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
};
