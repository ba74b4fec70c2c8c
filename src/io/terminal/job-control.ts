import {stopOurJob} from './suspend.ts';
import type {Tty} from './tty.ts';

interface Agent {
  resize(cols: number, rows: number): void;
  signal(name: NodeJS.Signals, to: 'process' | 'group'): void;
}

export interface JobControl {
  /** The person has typed Ctrl-Z to the agent; what it makes of it is its own business. */
  suspendTyped(): void;
  /** The agent was stopped, or runs again. */
  agentState(state: 'running' | 'stopped'): void;
  /** Ctrl-Z while no agent is there. */
  suspend(): void;
  close(): void;
}

export interface JobControlOptions {
  tty: Tty;
  modes: {resets(all: boolean): string; restores(): string};
  agent(): Agent | undefined;
}

/**
 * An agent that stops (Ctrl-Z, SIGSTOP) brings the person back to the shell, and fg brings it back: the terminal is given
 * back as it was, our own job stops; when it goes on the terminal is made as the agent had it, then the agent goes on.
 */
export const jobControl = ({tty, modes, agent}: JobControlOptions): JobControl => {
  let typedAt = Number.NEGATIVE_INFINITY;
  let asleep = false;
  let open = true;

  const suspend = (): void => {
    if (asleep) return;
    asleep = true;
    // Agents that stop themselves undo their modes first, and mean to leave their title: then nothing is owed.
    const restores = modes.resets(false) === '' ? '' : modes.restores();
    tty.write(Buffer.from(modes.resets(isSurprise(restores))));
    tty.whenWritten(WRITE_MS, () => {
      if (open) sleep(restores);
    });
  };
  const sleep = (restores: string): void => {
    tty.cooked();
    // Without a listener SIGTSTP has its own effect again.
    process.off('SIGTSTP', passOn);
    stopOurJob((how) => {
      asleep = false;
      if (!open) return;
      process.on('SIGTSTP', passOn);
      tty.raw();
      tty.write(Buffer.from(restores));
      const child = agent();
      // Stopped from outside where no shell could continue us: whoever did that wants it stopped.
      const wanted = how === 'continued' || Date.now() - typedAt < TYPED_MS;
      if (child !== undefined && wanted) wake(child, isSurprise(restores));
    });
  };
  /** One that had not given its screen back did not expect the stop, and will not draw anew unless its size changes. */
  const wake = (child: Agent, redraw: boolean): void => {
    const resize = (lessRows: number): void => child.resize(tty.size().cols, Math.max(1, tty.size().rows - lessRows));
    resize(0);
    child.signal('SIGCONT', 'group');
    if (!redraw) return;
    setTimeout(() => resize(1), REDRAW_MS).unref();
    setTimeout(() => resize(0), REDRAW_MS * 2).unref();
  };
  /** `kill -TSTP` to us was meant for the whole job. */
  const passOn = (): void => {
    const child = agent();
    if (child === undefined) suspend();
    else child.signal('SIGTSTP', 'group');
  };
  process.on('SIGTSTP', passOn);

  return {
    suspendTyped: () => {
      typedAt = Date.now();
    },
    agentState: (state) => {
      if (state === 'stopped') suspend();
    },
    suspend: () => {
      typedAt = Date.now();
      suspend();
    },
    close: () => {
      open = false;
      process.off('SIGTSTP', passOn);
    },
  };
};

/** Private modes or keyboard flags were on. Margins prove nothing: vim leaves them as wide as the screen. */
const isSurprise = (restores: string): boolean =>
  ['\x1b[?', '\x1b[>', '\x1b[='].some((start) => restores.includes(start));

const WRITE_MS = 500;
/** From the key to the stop: the agent may be busy for a moment. */
const TYPED_MS = 5000;
const REDRAW_MS = 60;
