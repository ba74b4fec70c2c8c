// What a log must show, by the script that was played: the whole of it, so that whatever else is found is invented.

import type {Task} from '../../src/baton/facts.ts';
import type {Cli} from '../real/clis.ts';
import type {Act, Job, Planted, Reply} from './job.ts';

export interface ExpectedFacts {
  goal: string;
  corrections: string[];
  edits: string[];
  reads: string[];
  /** Those that ended, in their order. */
  commands: {command: string; exit: number | 'stopped'}[];
  running: string[];
  validation: Planted['validation'];
  tasks: Task[];
  open: {command: string; outside: boolean} | null;
  deadEnds: string[];
  decisions: string[];
}

export const expectedOf = (job: Job, cli: Cli['name']): ExpectedFacts => {
  const replies = job.turns.flatMap((turn) => turn.replies);
  const acts = replies.flatMap((reply) => reply.acts ?? []);
  const open = job.end === 'killed' ? acts.at(-1) : undefined;
  const stopped = new Set(
    job.turns.flatMap((_, at) => (job.turns[at + 1]?.when === 'stopped' ? lastAct(job, at) : [])),
  );
  const ended = acts.filter((act) => act !== open);
  const whole = ended.filter((act) => !stopped.has(act));
  return {
    goal: job.turns[0]?.person ?? '',
    corrections: job.turns.slice(1).map(({person}) => person),
    edits: unique(whole.flatMap(editsOf)),
    reads: unique(whole.flatMap(readsOf)),
    commands: ended.flatMap((act) => commandOf(act, cli, stopped.has(act))),
    running: acts.flatMap((act) => ('serve' in act ? [act.serve] : [])),
    validation: job.planted.validation,
    tasks: acts.findLast((act) => 'plan' in act)?.plan ?? [],
    open: open === undefined || !('run' in open) ? null : {command: open.run, outside: job.planted.outside ?? false},
    deadEnds: job.planted.deadEnds ?? [],
    decisions: job.planted.decisions ?? [],
  };
};

const lastAct = ({turns}: Job, at: number): Act[] => {
  const reply: Reply | undefined = turns[at]?.replies.at(-1);
  const act = reply?.acts?.at(-1);
  return act === undefined ? [] : [act];
};

const editsOf = (act: Act): string[] => {
  if ('edit' in act) return [act.edit];
  if ('write' in act) return [act.write];
  return 'run' in act ? (act.writes ?? []) : [];
};

const readsOf = (act: Act): string[] => {
  if ('read' in act) return [act.read];
  return 'run' in act ? (act.reads ?? []) : [];
};

/** Codex reads by command. */
const commandOf = (act: Act, cli: Cli['name'], stopped: boolean): ExpectedFacts['commands'] => {
  if ('run' in act) return [{command: act.run, exit: stopped ? 'stopped' : (act.exit ?? 0)}];
  return 'read' in act && cli === 'codex' ? [{command: `cat ${act.read}`, exit: 0}] : [];
};

const unique = (names: string[]): string[] => [...new Set(names)].sort();
