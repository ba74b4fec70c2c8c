// A stage without a terminal: the agent has a pty of its own that nobody looks at, until somebody attaches.

import {ok} from '../../core/failure.ts';
import type {ViewerSize} from '../../live/frames.ts';
import type {Stage} from '../../ports.ts';
import {type PtyLeg, startPtyLeg} from '../agent/pty-leg.ts';
import {safeTaps} from '../agent/taps.ts';
import {onWayOut} from '../self/ways-out.ts';
import {isQuitKey} from '../terminal/keys.ts';
import {notices} from '../terminal/notices.ts';
import {ringer} from '../terminal/ring.ts';
import {openHub} from './hub.ts';
import {socketPlace} from './socket-place.ts';

/** detect/live/live-screen.ts, which io may not import. */
export interface LiveScreen {
  feed(chunk: Uint8Array): void;
  resize(cols: number, rows: number): void;
  picture(): Promise<string>;
  text(): Promise<string>;
  pending(): number;
  close(): void;
}

export interface DetachedOptions {
  size: ViewerSize;
  env: Record<string, string | undefined>;
  modes: {feed(chunk: Uint8Array): void; resets(all: boolean): string; isInside(): boolean; clear(): void};
  openScreen(
    ears: ViewerSize & {onAnswer(text: string): void; onProgress(pending: number): void; onFault(what: string): void},
  ): LiveScreen;
  /** Ctrl-C of a viewer while no agent is there. */
  onQuitKey(): void;
  onFault(what: string): void;
}

export interface DetachedStage extends Stage {
  /** Opens the live socket under this name; its path, or undefined when there can be none. */
  share(name: string): Promise<string | undefined>;
  /** What stands on the screen. */
  text(): Promise<string>;
}

export const openDetached = (options: DetachedOptions): DetachedStage => {
  const {modes, onFault} = options;
  let {size} = options;
  let leg: PtyLeg | undefined;
  let open = true;
  const screen = options.openScreen({
    ...size,
    onAnswer: (text) => leg?.pty.write(Buffer.from(text)),
    onProgress: (pending) => {
      if (pending <= LOW_WATER) leg?.pty.resume();
    },
    onFault: (what) => onFault(`the screen of the detached run: ${what}`),
  });
  const hub = openHub({
    picture: screen.picture,
    size: () => size,
    onKeys: (bytes) => {
      if (leg !== undefined) leg.pty.write(bytes);
      else if (isQuitKey(Buffer.from(bytes))) options.onQuitKey();
    },
    onSize: (wanted) => {
      size = wanted;
      screen.resize(wanted.cols, wanted.rows);
      leg?.resized(wanted);
      hub.resized();
    },
    onFault: (what) => onFault(`the live socket: ${what}`),
  });
  /** To the viewers, and onto the screen that the next one will find. */
  const show = (bytes: Uint8Array): void => {
    screen.feed(bytes);
    hub.output(bytes);
  };
  const said = notices((text) => show(Buffer.from(text)));
  const bell = ringer(modes.isInside, show);
  const undoModes = (): void => {
    show(Buffer.from(modes.resets(true)));
    modes.clear();
  };
  const close = (): void => {
    if (!open) return;
    open = false;
    wayOutOff();
    undoModes();
    said.allowed();
    hub.close();
  };
  const wayOutOff = onWayOut(close);
  return {
    kind: 'terminal',
    start: (spec, taps) => {
      if (leg !== undefined || !open) throw new Error('Internal error: a second leg on one terminal.');
      modes.clear();
      said.held();
      const started = startPtyLeg(
        {...spec, env: {TERM: 'xterm-256color', ...spec.env}, ...size, stty: ''},
        {
          onData: (chunk, pty) => {
            show(chunk);
            if (screen.pending() > HIGH_WATER) pty.pause();
            modes.feed(chunk);
            said.seen(chunk);
            bell.seen(chunk);
          },
          onState: (state) => {
            // Nobody has a shell from which it could be brought back.
            if (state === 'stopped') setTimeout(() => leg?.pty.signal('SIGCONT', 'group'), WAKE_MS).unref();
          },
          taps: safeTaps(taps, onFault),
          over: () => {
            leg = undefined;
          },
        },
      );
      if (!started.ok) return started;
      leg = started.value;
      leg.resized(size);
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
    share: async (name) => {
      try {
        const path = socketPlace(options.env, name);
        await hub.listen(path);
        return path;
      } catch (error) {
        onFault(`nobody can attach: ${error instanceof Error ? error.message : String(error)}`);
        return undefined;
      }
    },
    text: screen.text,
  };
};

/** As for a terminal: beyond the high mark the agent waits until its screen has been read. */
const HIGH_WATER = 4 * 1024 * 1024;
const LOW_WATER = 1024 * 1024;
const WAKE_MS = 250;
