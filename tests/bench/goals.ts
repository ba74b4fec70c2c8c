// What we want to be true of the figures. A goal that is not reached stays in the table, with its figure and the reason.

import {at as inside, numberAt} from './figure-fields.ts';
import {round2} from './machine.ts';
import type {Figures} from './proof-section.ts';

export interface Row {
  what: string;
  measured: string;
  goal: string;
  met: boolean;
  /** Measured in the short mode. */
  quick: boolean;
  /** Of a goal that is not reached. */
  why?: string;
}

interface Goal {
  file: string;
  what: string;
  goal: string;
  /** Undefined: not measured. */
  see(figures: unknown): {measured: string; met: boolean} | undefined;
  why?: string;
}

const most =
  (path: string[], limit: number, unit: string): Goal['see'] =>
  (figures) => {
    const value = numberAt(figures, ...path);
    return value === undefined ? undefined : {measured: `${round2(value)}${unit}`, met: value <= limit};
  };
const least =
  (path: string[], limit: number, unit: string): Goal['see'] =>
  (figures) => {
    const value = numberAt(figures, ...path);
    return value === undefined ? undefined : {measured: `${round2(value)}${unit}`, met: value >= limit};
  };

const NODE = 'each chunk passes Node’s event loop twice and is copied for the screen';

const all: Goal[] = [
  {
    file: 'soak',
    what: 'deaths of every kind, handed on',
    goal: '0 steps lost or doubled, 0 false kills, 0 orphans, 0 temp files left',
    see: (figures) => {
      const [deaths, lives, lanes] = ['deaths', 'lives', 'lanes'].map((name) => numberAt(figures, name));
      const wrong = inside(figures, 'wrong');
      if (deaths === undefined || !Array.isArray(wrong)) return undefined;
      const restarts = (lives ?? 0) - (lanes ?? 0);
      return {
        measured: `${deaths} deaths, ${restarts} of the supervisor: ${wrong.length} wrong`,
        met: wrong.length === 0,
      };
    },
  },
  {
    file: 'soak',
    what: 'deaths per minute',
    goal: '≥ 333 (10,000 in 30 min)',
    see: (figures) => {
      const [deaths, seconds] = [numberAt(figures, 'deaths'), numberAt(figures, 'seconds')];
      if (deaths === undefined || seconds === undefined) return undefined;
      const rate = Math.round((deaths * 60) / seconds);
      return {measured: `${rate}`, met: rate >= 333};
    },
    why: 'every death is a real start of Node, a dozen hook processes and a git snapshot on two shared cores',
  },
  ...['claude-terminal', 'claude-pipes', 'codex-terminal', 'codex-pipes'].map(
    (name): Goal => ({
      file: 'soak-real',
      what: `deaths of the real CLIs, ${name.replace('-', ' in ')}`,
      goal: '0 steps lost or doubled, 0 orphans',
      see: (figures) => {
        const [deaths, wrong] = [numberAt(figures, name, 'deaths'), inside(figures, name, 'wrong')];
        if (deaths === undefined || !Array.isArray(wrong)) return undefined;
        return {measured: `${deaths} deaths: ${wrong.length} wrong`, met: wrong.length === 0};
      },
    }),
  ),
  ...['output-claude', 'output-codex', 'log-claude', 'log-codex'].map(
    (name): Goal => ({
      file: 'harmless',
      what: `quotations of every marker, ${name.replace('-', ' of ')}`,
      goal: '0 deaths',
      see: (figures) => {
        const [megabytes, deaths] = [numberAt(figures, name, 'megabytes'), numberAt(figures, name, 'deaths')];
        return megabytes === undefined ? undefined : {measured: `${megabytes} MB: ${deaths} deaths`, met: deaths === 0};
      },
    }),
  ),
  {
    file: 'fuzz',
    what: 'readers given broken bytes',
    goal: '0 throws, 0 hangs',
    see: (figures) => {
      const [cases, throws] = [numberAt(figures, 'readers', 'cases'), numberAt(figures, 'readers', 'throws')];
      return cases === undefined ? undefined : {measured: `${cases} cases: ${throws} throws`, met: throws === 0};
    },
  },
  {
    file: 'fidelity',
    what: 'bytes through the whole program',
    goal: 'equal sha256',
    see: (figures) => {
      const megabytes = numberAt(figures, 'said', 'megabytes');
      return megabytes === undefined
        ? undefined
        : {measured: `${megabytes} MB: equal`, met: inside(figures, 'said', 'equal') === true};
    },
  },
  {
    file: 'bench-bytes',
    what: 'throughput to `script`',
    goal: '≥ 0.9×',
    see: least(['ratios', 'throughputToScript'], 0.9, '×'),
    why: NODE,
  },
  {
    file: 'bench-bytes',
    what: 'throughput to tmux',
    goal: '≥ 1.5×',
    see: least(['ratios', 'throughputToTmux'], 1.5, '×'),
    why: NODE,
  },
  {
    file: 'bench-bytes',
    what: 'throughput to asciinema',
    goal: '≥ 1×',
    see: least(['ratios', 'throughputToAsciinema'], 1, '×'),
    why: NODE,
  },
  {
    file: 'bench-bytes',
    what: 'CPU seconds per GB, to tmux',
    goal: '≤ 1×',
    see: (figures) => {
      const [ours, theirs] = ['stage', 'tmux'].map((name) => numberAt(figures, 'figures', name, 'cpuSecondsPerGb'));
      if (ours === undefined || theirs === undefined) return undefined;
      return {measured: `${ours} s to ${theirs} s`, met: ours <= theirs};
    },
    why: NODE,
  },
  {
    file: 'bench-bytes',
    what: 'a key there and back, p50 to tmux',
    goal: '≤ 2×',
    see: most(['ratios', 'keyP50ToTmux'], 2, '×'),
    why: NODE,
  },
  {
    file: 'bench-bytes',
    what: 'a key there and back, p99',
    goal: '≤ 2 ms',
    see: most(['figures', 'stage', 'keyP99Ms'], 2, ' ms'),
    why: 'the slowest keys fall into a look at the screen or a collection of garbage',
  },
  {
    file: 'bench-startup',
    what: 'start-up that is added to an agent, to `node -e 0`',
    goal: '≤ 1.5×',
    see: most(['wrappedToNode'], 1.5, '×'),
    why: 'besides the start of Node: its modules, the claim of the track and the first record of the run, synced to the disk',
  },
  {
    file: 'bench-handoff',
    what: 'handoff, death to baton at the model, over the agent’s own start',
    goal: '≤ 450 ms (250, and 200 until the pty library tells of an exit)',
    see: most(['ms', 'over'], 450, ' ms'),
    why: 'the checkpoint is on disk, and the dead agent gone, before the next one is started',
  },
  {
    file: 'bench-hooks',
    what: 'a hook, to `sh -c true`',
    goal: '≤ 6×',
    see: most(['ratio'], 6, '×'),
    why: 'two short forks, cat and mv',
  },
  ...(
    [
      ['bench-snapshots-1k', 'snapshot of 1,000 files, to a warm `git status`'],
      ['bench-snapshots', 'snapshot of many files, to a warm `git status`'],
    ] as const
  ).map(
    ([file, what]): Goal => ({
      ...{file, what, goal: '≤ 1.5×'},
      see: most(['ratios', 'snapshot / git status', 'value'], 1.5, '×'),
      why: 'it writes trees, and syncs them; on few files the starts of git count most',
    }),
  ),
  ...(
    [
      ['bench-ckpt-1k', '1,000'],
      ['bench-ckpt', '10,000'],
    ] as const
  ).flatMap(([file, many]): Goal[] => [
    {
      ...{file, what: `\`ckpt resume\` at ${many} checkpoints, to 10`, goal: '≤ 1.3×'},
      see: most(['ratios', 'resume, many to few', 'value'], 1.3, '×'),
      why: 'the folder has to be listed',
    },
    {
      ...{file, what: `\`ckpt snapshot\` at ${many} checkpoints, to 10`, goal: '≤ 1.3×'},
      see: most(['ratios', 'snapshot, many to few', 'value'], 1.3, '×'),
      why: 'the folder has to be listed',
    },
  ]),
  {
    file: 'bench-memory',
    what: 'memory while output floods',
    goal: '≤ 120 MB',
    see: (figures) => {
      const [late, gigabytes] = [numberAt(figures, 'rssMb', 'late'), numberAt(figures, 'gigabytes')];
      return late === undefined ? undefined : {measured: `${late} MB after ${gigabytes} GB`, met: late <= 120};
    },
    why: 'Node and the terminal emulator that watches the screen',
  },
  {
    file: 'bench-memory',
    what: 'growth from a sixteenth of it to the end',
    goal: '≤ 5 MB',
    see: most(['growthMb'], 5, ' MB'),
    why: 'the collector lets the heap wander by some MB',
  },
  {
    file: 'bench-log-tail',
    what: 'a new line in a large session log, to one of 1 MB',
    goal: '≤ 1.5×',
    see: (figures) => {
      const [ratio, megabytes] = [numberAt(figures, 'ratio'), numberAt(figures, 'megabytes')];
      return ratio === undefined ? undefined : {measured: `${ratio}× at ${megabytes} MB`, met: ratio <= 1.5};
    },
    why: 'cost of new bytes only; the rest is noise of the machine',
  },
];

export const goals = (figures: Figures): Row[] =>
  all.flatMap(({file, what, goal, see, why}) => {
    const seen = see(figures[file]);
    if (seen === undefined) return [];
    const quick = inside(figures[file], 'quick') === true;
    const reason = seen.met || why === undefined ? {} : {why};
    return [{what, goal, quick, ...seen, ...reason}];
  });
