import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';

export type ChildState = 'running' | 'stopped' | 'gone';

/**
 * Tells when a child of ours stops, goes on or dies. Node knows only the last of these; but the kernel sends SIGCHLD
 * for all three, so a look is needed only then. A slow poll stands behind it. Returns its end.
 */
export const watchChild = (pid: number, changed: (state: ChildState) => void): (() => void) => {
  let last: ChildState = 'running';
  const look = (): void => {
    const state = childState(pid);
    if (state === last) return;
    last = state;
    if (state === 'gone') off();
    changed(state);
  };
  const poll = setInterval(look, POLL_MS);
  poll.unref();
  const unhear = hearChildren(look);
  // One that is gone within a millisecond has sent its signal before we listened.
  const first = setImmediate(look);
  const off = (): void => {
    clearImmediate(first);
    clearInterval(poll);
    unhear();
  };
  return off;
};

/** A zombie is gone: it will never write again. */
export const childState = (pid: number): ChildState => (process.platform === 'linux' ? linuxState(pid) : psState(pid));

const POLL_MS = 2000;

const lookers = new Set<() => void>();
const lookAll = (): void => {
  for (const look of [...lookers]) look();
};

/** One listener for all: Node warns about more than ten. */
const hearChildren = (look: () => void): (() => void) => {
  if (lookers.size === 0) process.on('SIGCHLD', lookAll);
  lookers.add(look);
  return () => {
    if (lookers.delete(look) && lookers.size === 0) process.off('SIGCHLD', lookAll);
  };
};

const linuxState = (pid: number): ChildState => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return named(stat[stat.lastIndexOf(')') + 2]);
  } catch {
    return 'gone';
  }
};

const named = (letter: string | undefined): ChildState => {
  if (letter === 'T' || letter === 't') return 'stopped';
  return letter === undefined || letter === 'Z' || letter === 'X' ? 'gone' : 'running';
};

let psEnded = 0;
let lookAgain: NodeJS.Timeout | undefined;
let psSaid: {pid: number; state: ChildState} | undefined;
/** The end of ps is itself a SIGCHLD: without a pause the look would call for the next look, for ever. */
const PS_REST_MS = 150;

/** Elsewhere (macOS) ps tells it. Whether the child is there at all is asked of the kernel, which costs nothing. */
const psState = (pid: number): ChildState => {
  try {
    process.kill(pid, 0);
  } catch {
    return 'gone';
  }
  if (psSaid?.pid === pid && Date.now() - psEnded < PS_REST_MS) {
    lookAgain ??= setTimeout(() => {
      lookAgain = undefined;
      lookAll();
    }, PS_REST_MS);
    lookAgain.unref();
    return psSaid.state;
  }
  const {stdout} = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], {encoding: 'latin1'});
  psEnded = Date.now();
  psSaid = {pid, state: named(stdout?.trim()[0])};
  return psSaid.state;
};
