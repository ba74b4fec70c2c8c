// What was measured against others in the same run, or against a bound: `npm run bench`.

import {at, numberAt} from './figure-fields.ts';
import {type Goal, least, most} from './goal.ts';
import {round1, round2} from './machine.ts';

const NODE =
  'the kernel gives out 4 kB at a time and a terminal takes 8 kB, each a turn of Node’s event loop; larger reads and straight writes were tried and were no faster';

/** With what the pty library reaches by itself. */
const besidePlain =
  (peer: 'Script' | 'Tmux', limit: number): Goal['see'] =>
  (figures) => {
    const [ours, plain] = ['throughputTo', 'plainTo'].map((name) => numberAt(figures, 'ratios', `${name}${peer}`));
    if (ours === undefined) return undefined;
    const alone = plain === undefined ? '' : `; node-pty without us ${round2(plain)}×`;
    return {measured: `${round2(ours)}×${alone}`, met: ours >= limit};
  };

export const speedGoals: Goal[] = [
  {
    file: 'bench-bytes',
    what: 'throughput to `script`',
    goal: '≥ 0.9×',
    see: besidePlain('Script', 0.9),
    why: NODE,
  },
  {
    file: 'bench-bytes',
    what: 'throughput to tmux',
    goal: '≥ 1.5×',
    see: besidePlain('Tmux', 1.5),
    why: NODE,
  },
  {
    file: 'bench-bytes',
    what: 'throughput to asciinema, both recording',
    goal: '≥ 1×',
    see: least(['ratios', 'wholeToAsciinema'], 1, '×'),
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
    why: 'a start of Node is 1× by itself; then 1.3 MB of code and the adapter’s YAML are read, the track is claimed and the run’s first record is synced to the disk',
  },
  {
    file: 'bench-handoff',
    what: 'handoff, death to baton at the model, over the agent’s own start',
    goal: '≤ 250 ms',
    see: most(['ms', 'over'], 250, ' ms'),
    why: 'the files are saved, the checkpoint is on disk, and the dead agent gone, before the next one is started',
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
  ...['outside git', 'in git'].map(
    (where): Goal => ({
      ...{file: 'bench-large-folders', what: `snapshot of 500,000 files ${where}`, goal: 'done, or told within 30 s'},
      see: (figures) => {
        const large = at(figures, 'large');
        const one = Array.isArray(large) ? large.find((folder) => at(folder, 'where') === where) : undefined;
        const [ms, files] = [numberAt(one, 'ms'), numberAt(one, 'files')];
        if (ms === undefined || files !== 500_000) return undefined;
        const said = at(one, 'complete') === true ? 'whole' : 'it says what is missing';
        const told = at(one, 'complete') === true || at(one, 'leftOut') !== '';
        return {measured: `${round1(ms / 1000)} s, ${said}`, met: told && ms <= 30_000};
      },
      why: 'what is being written when the time box of 20 s ends is written to its end',
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
    {
      ...{file, what: `\`ckpt resume\` at ${many} checkpoints, to \`node -e 0\``, goal: '≤ 2.5×'},
      see: most(['ratios', 'resume to node -e 0', 'value'], 2.5, '×'),
      why: 'it loads its own code',
    },
    {
      ...{file, what: `\`ckpt snapshot\` at ${many} checkpoints, to \`node -e 0\``, goal: '≤ 2.5×'},
      see: most(['ratios', 'snapshot to node -e 0', 'value'], 2.5, '×'),
      why: 'it asks git, each question a process, and syncs what it writes',
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
