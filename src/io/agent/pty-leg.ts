// One agent on a pty: for the person's terminal (terminal/terminal.ts), and for nobody's (live/detached.ts).

import type {ExitStatus} from '../../core/events.ts';
import {ok, type Result} from '../../core/failure.ts';
import type {AgentProcess, AgentTaps} from '../../ports.ts';
import type {ChildState} from './child-state.ts';
import {openPty, type Pty, type PtySpec} from './pty.ts';
import {type Stopped, stopProcess} from './stop.ts';

export interface PtyLeg {
  pty: Pty;
  agent: AgentProcess;
  resized(size: {cols: number; rows: number}): void;
}

export interface PtyLegWorld {
  /** First of all, before the taps: the way to whoever watches. */
  onData(chunk: Buffer, pty: Pty): void;
  /** Also told when it is gone, before its last words. */
  onState(state: ChildState): void;
  taps: AgentTaps;
  over(): void;
}

export const startPtyLeg = (spec: PtySpec, {onData, onState, taps, over}: PtyLegWorld): Result<PtyLeg> => {
  let tellGone = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    tellGone = resolve;
  });
  const opened = openPty(spec, {
    onData: (chunk) => {
      onData(chunk, pty);
      taps.onOutput(chunk);
    },
    onState,
    onExit: (exit: ExitStatus) => {
      over();
      tellGone();
      taps.onExit(exit);
    },
  });
  if (!opened.ok) return opened;
  const pty = opened.value;
  let stopping: Promise<Stopped> | undefined;
  const agent: AgentProcess = {
    pid: pty.pid,
    write: (text) => pty.write(Buffer.from(text)),
    stop: (steps) => {
      const target = {gone, type: (keys: string) => pty.write(Buffer.from(keys)), signal: pty.signal};
      stopping ??= stopProcess(target, steps);
      return stopping;
    },
  };
  const resized = ({cols, rows}: {cols: number; rows: number}): void => {
    pty.resize(cols, rows);
    taps.onResize(cols, rows);
  };
  return ok({pty, agent, resized});
};
