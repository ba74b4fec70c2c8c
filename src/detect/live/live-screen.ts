// The screen of a run that nobody has in a terminal: every byte is parsed as it comes, in order. It answers what the agent
// asks its terminal, and whoever attaches is shown it as it is.

import type {Size} from '../backlog.ts';
import {modeLedger} from '../mode-ledger.ts';
import {openTerminal, parse, type Terminal, visible} from '../screen.ts';
import {drawScreen} from './draw.ts';
import {newPen, type Pen} from './pen.ts';

export interface LiveScreen {
  feed(chunk: Uint8Array): void;
  resize(cols: number, rows: number): void;
  /** Everything that was fed before, and nothing after: what draws it on a fresh terminal of the same size. */
  picture(): Promise<string>;
  /** The visible rows as text. */
  text(): Promise<string>;
  /** Bytes that are still to be parsed. */
  pending(): number;
  close(): void;
}

export interface LiveScreenOptions extends Size {
  /** What a terminal answers. */
  onAnswer(text: string): void;
  /** Some of what was pending has been parsed. */
  onProgress(pending: number): void;
  /** The library has stumbled; the screen shows nothing new from here on. */
  onFault(what: string): void;
}

type Step = Uint8Array | Size | ((terminal: Terminal) => void);

export const openLiveScreen = ({cols, rows, onAnswer, onProgress, onFault}: LiveScreenOptions): LiveScreen => {
  const terminal = openTerminal({cols, rows});
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  const modes = modeLedger();
  const pens = watchPens(terminal);
  let steps: Step[] = [];
  let pending = 0;
  let life: 'idle' | 'parsing' | 'broken' | 'closed' = 'idle';
  terminal.onData((answer) => {
    if (answer !== '') onAnswer(answer);
  });
  const take = async (step: Step): Promise<void> => {
    if (step instanceof Uint8Array) {
      modes.feed(step);
      await parse(terminal, decoder.decode(step, {stream: true}));
      pending -= step.length;
      onProgress(pending);
    } else if (typeof step === 'function') step(terminal);
    else terminal.resize(Math.max(2, step.cols), Math.max(1, step.rows));
  };
  const work = async (): Promise<void> => {
    if (life !== 'idle') return;
    life = 'parsing';
    try {
      for (let step = steps.shift(); step !== undefined && life === 'parsing'; step = steps.shift()) await take(step);
    } catch (error) {
      life = 'broken';
      onFault(error instanceof Error ? error.message : String(error));
    }
    if (life === 'parsing') life = 'idle';
    else skipRest();
  };
  /** Nobody may wait for a screen that is broken: they get the last good one. */
  const skipRest = (): void => {
    const rest = steps;
    steps = [];
    pending = 0;
    onProgress(0);
    if (life === 'broken') for (const step of rest) if (typeof step === 'function') step(terminal);
  };
  const add = (step: Step): void => {
    steps.push(step);
    if (life === 'broken') skipRest();
    else void work();
  };
  const ask = (read: (terminal: Terminal) => string): Promise<string> =>
    new Promise((resolve) => add((from) => resolve(read(from))));
  return {
    feed: (chunk) => {
      if (life === 'closed' || life === 'broken') return;
      for (let at = 0; at < chunk.length; at += BLOCK) {
        const block = chunk.slice(at, at + BLOCK);
        pending += block.length;
        add(block);
      }
    },
    resize: (newCols, newRows) => add({cols: newCols, rows: newRows}),
    picture: () => ask((from) => modes.restores(drawBoth(from, pens))),
    text: () => ask(visible),
    pending: () => pending,
    close: () => {
      life = 'closed';
      terminal.dispose();
    },
  };
};

/** Takes the library about half a millisecond. */
const BLOCK = 8 * 1024;

const drawBoth = ({buffer, cols, rows}: Terminal, pens: Pens): {main: string; alternate: string} => {
  const isAlternate = buffer.active.type === 'alternate';
  const draw = (which: typeof buffer.active, kept: Kept, now: boolean): string =>
    (kept.saved === undefined ? '' : `\x1b[${kept.saved.y + 1};${kept.saved.x + 1}H${kept.saved.pen.sequence()}\x1b7`) +
    drawScreen({buffer: which, cols, rows}) +
    (now ? pens.now().sequence() : (kept.saved?.pen.sequence() ?? ''));
  return {
    main: draw(buffer.normal, pens.main, !isAlternate),
    alternate: isAlternate ? draw(buffer.alternate, pens.alternate, true) : '',
  };
};

interface Kept {
  saved: {x: number; y: number; pen: Pen} | undefined;
}

interface Pens {
  now(): Pen;
  main: Kept;
  alternate: Kept;
}

/** The library does not tell with which colours it would go on, nor what was saved. It only looks: `false` leaves the rest. */
const watchPens = (terminal: Terminal): Pens => {
  let pen = newPen();
  const main: Kept = {saved: undefined};
  const alternate: Kept = {saved: undefined};
  const shown = (): Kept => (terminal.buffer.active.type === 'normal' ? main : alternate);
  const keep = (): false => {
    const {cursorX: x, cursorY: y} = terminal.buffer.active;
    shown().saved = {x, y, pen: pen.copy()};
    return false;
  };
  const bring = (): false => {
    pen = shown().saved?.pen.copy() ?? newPen();
    return false;
  };
  const forget = (): false => {
    pen = newPen();
    shown().saved = undefined;
    return false;
  };
  const {parser} = terminal;
  parser.registerCsiHandler({final: 'm'}, (params) => {
    pen.apply(params);
    return false;
  });
  parser.registerEscHandler({final: '7'}, keep);
  parser.registerEscHandler({final: '8'}, bring);
  parser.registerCsiHandler({final: 's'}, keep);
  parser.registerCsiHandler({final: 'u'}, bring);
  parser.registerEscHandler({final: 'c'}, forget);
  parser.registerCsiHandler({intermediates: '!', final: 'p'}, forget);
  parser.registerCsiHandler({prefix: '?', final: 'h'}, (params) => {
    if (params.some((mode) => mode === 1048 || mode === 1049)) keep();
    return false;
  });
  parser.registerCsiHandler({prefix: '?', final: 'l'}, (params) => {
    if (params.includes(1048)) bring();
    // The way out of the alternate screen brings the main one's back.
    if (params.includes(1049)) pen = main.saved?.pen.copy() ?? newPen();
    return false;
  });
  return {now: () => pen, main, alternate};
};
