// What a prompt tells the practice agent. It has no memory and no state file: this text is all it knows.

export interface Knowledge {
  /** The highest step that is said to be finished; 0 when none is. */
  done: number;
  /** A step whose outcome nobody knows: to be checked before anything else. */
  unknown: number | undefined;
}

export const readKnowledge = (text: string): Knowledge => {
  const lines = text.split(/\r?\n/);
  const finished = [...section(lines, /Already done \(finished, do not repeat\):/), ...inFlight(lines, 'finished')];
  const done = Math.max(0, ...finished.map(stepIn));
  const unknown = Math.max(0, ...inFlight(lines, 'unknown').map(stepIn));
  return {done, unknown: unknown > done ? unknown : undefined};
};

/** The items under a title: up to the first line that is none. */
const section = (lines: string[], title: RegExp): string[] =>
  lines.flatMap((line, at) => {
    if (!title.test(line)) return [];
    const below = lines.slice(at + 1);
    const end = below.findIndex((item) => !/^\s*[-*\d]/.test(item));
    return end < 0 ? below : below.slice(0, end);
  });

/** The call stands on the line of its outcome or on the one before. */
const inFlight = (lines: string[], outcome: string): string[] =>
  lines.flatMap((line, at) => (line.includes(`outcome: ${outcome}`) ? [`${lines[at - 1] ?? ''} ${line}`] : []));

const stepIn = (line: string): number => Number(/\bstep (\d+)/.exec(line)?.[1] ?? 0);
