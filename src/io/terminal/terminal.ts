import {ok} from '../../core/failure.ts';
import type {Stage} from '../../ports.ts';
import {type PtyLeg, startPtyLeg} from '../agent/pty-leg.ts';
import {safeTaps} from '../agent/taps.ts';
import {onWayOut} from '../self/ways-out.ts';
import {jobControl} from './job-control.ts';
import {isQuitKey, isSuspendKey} from './keys.ts';
import {notices} from './notices.ts';
import {ringer} from './ring.ts';
import {openTty} from './tty.ts';

/** What the agent has turned on in the person's terminal: detect/mode-ledger.ts, which io may not import. */
export interface Modes {
  feed(chunk: Uint8Array): void;
  resets(all: boolean): string;
  /** What to write so that the terminal is as the agent had it, after `resets`. */
  restores(): string;
  isInside(): boolean;
  clear(): void;
}

export interface TerminalOptions {
  modes: Modes;
  /** Ctrl-C while no agent is there. See `resting`. */
  onQuitKey: () => void;
  /** A tap that threw, and is off now. */
  onFault?: (what: string) => void;
}

/** Joins the person's terminal with the agent's: same bytes, same size, same keys (DESIGN §5b). */
export const openTerminal = (options: TerminalOptions): Stage => {
  const {modes} = options;
  let leg: PtyLeg | undefined;
  let open = true;
  let resting: NodeJS.Timeout | undefined;

  const tty = openTty({
    onKeys: (bytes) => {
      if (leg !== undefined) {
        if (isSuspendKey(bytes)) job.suspendTyped();
        leg.pty.write(bytes);
      } else if (isQuitKey(bytes)) options.onQuitKey();
      else if (isSuspendKey(bytes)) job.suspend();
    },
    onResize: () => leg?.resized(tty.size()),
    onProgress: (pending) => {
      if (pending <= LOW_WATER) leg?.pty.resume();
    },
  });
  const said = notices((text) => tty.write(Buffer.from(text)));
  const bell = ringer(modes.isInside, (bytes) => tty.write(bytes));
  const job = jobControl({tty, modes, agent: () => leg?.pty});
  const undoModes = (): void => {
    tty.write(Buffer.from(modes.resets(true)));
    modes.clear();
  };
  const close = (): void => {
    if (!open) return;
    open = false;
    wayOutOff();
    clearTimeout(resting);
    job.close();
    undoModes();
    said.allowed();
    tty.close();
  };
  const wayOutOff = onWayOut(close);

  return {
    kind: 'terminal',
    start: (spec, taps) => {
      if (leg !== undefined || !open) throw new Error('Internal error: a second leg on one terminal.');
      tty.raw();
      if (resting !== undefined) tty.dropTyped();
      clearTimeout(resting);
      tty.listen();
      modes.clear();
      said.held();
      const started = startPtyLeg(
        {...spec, ...tty.size(), stty: tty.settings},
        {
          onData: (chunk, pty) => {
            tty.write(chunk);
            if (tty.pending() > HIGH_WATER) pty.pause();
            modes.feed(chunk);
            said.seen(chunk);
            bell.seen(chunk);
          },
          onState: (state) => {
            // What is typed from here on is not for it any more.
            if (state === 'gone') tty.deaf();
            else job.agentState(state);
          },
          taps: safeTaps(taps, (what) => options.onFault?.(what)),
          over: () => {
            leg = undefined;
            tty.deaf();
            resting = setTimeout(tty.listen, TYPE_AHEAD_MS);
          },
        },
      );
      if (!started.ok) return started;
      leg = started.value;
      leg.resized(tty.size());
      return ok(leg.agent);
    },
    settle: () => {
      if (leg !== undefined || !open) return;
      undoModes();
      said.allowed();
    },
    tell: said.tell,
    ring: (bytes) => {
      if (open) bell.ring(bytes);
    },
    keepOutput: () => Promise.resolve(),
    close,
  };
};

/**
 * What is typed while no agent is there was meant for the one that has gone, and a stray Enter must never answer a
 * consent screen of the next: it is dropped, all but Ctrl-C and Ctrl-Z. Only what comes right after the end may be for
 * the shell: it stays in the kernel until the next leg begins, or is left to the shell when the run is over.
 */
const TYPE_AHEAD_MS = 1000;

/** Beyond the high mark the agent waits for the person's terminal, and goes on below the low one. */
const HIGH_WATER = 256 * 1024;
const LOW_WATER = 64 * 1024;
