// Which of a run's processes are work that was left running: not the agent itself, not what it keeps for itself (MCP
// servers), not the tools of its open call. Told in a line each: what it is, its pid, its ports.

import type {ProcessNote} from './checkpoint.ts';
import {cutTo, oneLine} from './clean.ts';
import {type LegFacts, openCall} from './facts.ts';

/** A process that carries the mark of the run. */
export interface MarkedProcess {
  pid: number;
  parent: number;
  /** The leg that started it. */
  leg: number;
  bornAt?: number | undefined;
  command: string;
}

export interface LegOf {
  leg: number;
  /** The process of its agent, where it is known. */
  agent: number | undefined;
  facts: LegFacts;
  /** Ours, though the agent starts it: a hook that waits is no work. */
  relay: string;
}

/** A second of doubt: birth times are coarse, and the log line of a call may be a little later than its process. */
export const DOUBT_MS = 1000;
/** Less of it at the first call, before which the agent starts what it keeps for itself. */
const START_DOUBT_MS = 200;

/**
 * Whatever earlier legs have left; of the present one what came with its calls, the open one apart. Where its log tells
 * of no call, nobody knows what is the agent's own, and so nothing of it counts.
 */
export const leftRunning = <T extends MarkedProcess>(all: T[], {leg, agent, facts, relay}: LegOf): T[] => {
  const from = facts.firstCallAt;
  const open = openCall(facts);
  const until = open === undefined ? Number.POSITIVE_INFINITY : (open.at ?? 0) - DOUBT_MS;
  const itself = agent ?? firstBorn(all, {leg, before: from});
  const ours = withThoseBelow(all, (one) => one.command.includes(relay));
  return all.filter((one) => {
    if (ours.has(one.pid) || one.pid === itself) return false;
    if (one.leg !== leg) return one.leg < leg;
    return from !== undefined && one.bornAt !== undefined && one.bornAt >= from - START_DOUBT_MS && one.bornAt < until;
  });
};

/** An agent that nobody had time to note is there before its first call; whatever is left of its calls is younger. */
const firstBorn = (
  all: MarkedProcess[],
  {leg, before}: {leg: number; before: number | undefined},
): number | undefined => {
  const born = all.flatMap((one) => (one.leg === leg && one.bornAt !== undefined ? [{...one, at: one.bornAt}] : []));
  const [eldest] = born.sort((a, b) => a.at - b.at);
  return eldest !== undefined && before !== undefined && eldest.at < before ? eldest.pid : undefined;
};

const withThoseBelow = (all: MarkedProcess[], is: (one: MarkedProcess) => boolean): Set<number> => {
  const found = new Set(all.filter(is).map(({pid}) => pid));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const {pid, parent} of all) if (found.has(parent)) found.add(pid);
  }
  return found;
};

const MOST = 10;
const COMMAND_LENGTH = 200;

/** One note for each tree: a server is often a shell, a package manager and a program below each other. */
export const processNotes = (
  left: MarkedProcess[],
  ports: ReadonlyMap<number, number[]>,
  {running}: Pick<LegFacts, 'running'>,
): ProcessNote[] => {
  const pids = new Set(left.map(({pid}) => pid));
  const roots = left.filter(({parent}) => !pids.has(parent));
  return roots.slice(-MOST).map((root): ProcessNote => {
    const below = withThoseBelow(left, ({pid}) => pid === root.pid);
    const tree = left.filter(({pid}) => below.has(pid));
    const known = running.find((command) => root.command.includes(oneLine(command)));
    const listener = tree.find(({pid}) => ports.has(pid));
    const open = [...new Set(tree.flatMap(({pid}) => ports.get(pid) ?? []))].sort((a, b) => a - b);
    return {
      command: cutTo(oneLine(known ?? listener?.command ?? root.command), COMMAND_LENGTH),
      pid: root.pid,
      ...(open.length === 0 ? {} : {ports: open}),
    };
  });
};

/** `vite --port 5173 (pid 812, port 5173)` */
export const processWords = ({command, pid, ports}: ProcessNote): string => {
  const facts = [
    ...(pid === undefined ? [] : [`pid ${pid}`]),
    ...(ports === undefined || ports.length === 0 ? [] : [`port ${ports.join(', ')}`]),
  ];
  return facts.length === 0 ? command : `${command} (${facts.join(', ')})`;
};
