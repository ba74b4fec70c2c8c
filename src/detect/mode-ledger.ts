// What the agent has turned on in the person's terminal and not turned off again.
//
// It only needs to be right about what must be undone after a death: modes, keyboard stacks, margins, colours, title.
// Incremental and chunk-split-safe; no clock, no I/O. The grammar is read by control-parser.ts.

import {type Control, controlParser, type Skim} from './control-parser.ts';
import {type Drawn, restoresOf} from './mode-restore.ts';
import {type SgrState, sgrState} from './sgr.ts';

export interface ModeLedger {
  feed(chunk: Uint8Array): void;
  /** What to write so that the terminal is as before. Modes only; with `all` also colours, title, cursor style. */
  resets(all: boolean): string;
  /** What to write after `resets` so that the terminal is as the agent had it, with what stands on its screens if given. */
  restores(drawn?: Drawn): string;
  /** Is a sequence open at the end of what was fed? */
  isInside(): boolean;
  /** Forget everything: a new agent starts on a sane terminal. */
  clear(): void;
}

export const modeLedger = (): ModeLedger => {
  let state = fresh();
  const newParser = () =>
    controlParser(
      (control) => apply(state, control),
      skimmer(() => state.pen.sgr),
    );
  let parser = newParser();
  return {
    feed: (chunk) => parser.feed(chunk),
    resets: (all) => (parser.isInside() ? CANCEL : '') + hardResets(state) + (all ? softResets(state) : ''),
    restores: (drawn) => restoresOf(state, drawn),
    isInside: () => parser.isInside(),
    clear: () => {
      state = fresh();
      parser = newParser();
    },
  };
};

/** The last letters of the sequences that applyCsi() knows. */
const known = Uint8Array.from({length: 128}, (_, byte) => ('hlmnpqrstu'.includes(String.fromCharCode(byte)) ? 1 : 0));
const SGR = 'm'.charCodeAt(0);
/** From here on: `<`, `=`, `>`, `?`. */
const FIRST_PREFIX = '<'.charCodeAt(0);

/** Colours are read in place, and what moves the cursor or erases is passed over. */
const skimmer =
  (sgr: () => SgrState): Skim =>
  (chunk, from, to) => {
    const final = chunk[to] ?? 0;
    if (final !== SGR) return known[final] === 0;
    if ((chunk[from] ?? 0) >= FIRST_PREFIX && from < to) return false;
    sgr().applyBytes(chunk, from, to);
    return true;
  };

/** Ends a half-written sequence; without it the terminal would swallow our resets as a part of that. */
const CANCEL = '\x18';

/** DEC private modes by what they are when nobody has touched them. In the order in which they are undone. */
const offByDefault = [2026, 2048, 1006, 1015, 1016, 1005, 1003, 1002, 1000, 9, 1007, 1004, 2031, 2004, 5, 1];
const onByDefault = [7, 25];
const altScreens = [1049, 1047, 47];

/** How letters come out. Saving the cursor saves it too, and so does the way into the alternate screen. */
interface Pen {
  sgr: SgrState;
  charsets: Set<string>;
  shiftedOut: boolean;
}

interface ScreenState {
  /** The flags that were pushed, the newest last. */
  kitty: number[];
  /** Those that were set in place. */
  kittyFlags: number;
  /** Empty: none. */
  margins: string;
  saved: Pen | undefined;
}

interface LedgerState {
  /** Private modes that differ from their default. */
  changed: Set<number>;
  /** The alternate screen's number, while it is shown. */
  alt: number | undefined;
  main: ScreenState;
  other: ScreenState;
  /** modifyOtherKeys; 0: off. */
  otherKeys: number;
  keypad: boolean;
  insert: boolean;
  cursorStyle: number;
  /** As bytes. Empty: none was set. */
  title: string;
  /** The title at each time when it was put aside. */
  asides: string[];
  agentState: boolean;
  progress: boolean;
  link: boolean;
  pen: Pen;
}

const newPen = (): Pen => ({sgr: sgrState(), charsets: new Set(), shiftedOut: false});

const copyOf = ({sgr, charsets, shiftedOut}: Pen): Pen => ({sgr: sgr.copy(), charsets: new Set(charsets), shiftedOut});

const screenState = (): ScreenState => ({kitty: [], kittyFlags: 0, margins: '', saved: undefined});

const fresh = (): LedgerState => ({
  changed: new Set(),
  alt: undefined,
  main: screenState(),
  other: screenState(),
  otherKeys: 0,
  keypad: false,
  insert: false,
  cursorStyle: 0,
  title: '',
  asides: [],
  agentState: false,
  progress: false,
  link: false,
  pen: newPen(),
});

const shown = (state: LedgerState): ScreenState => (state.alt === undefined ? state.main : state.other);

const apply = (state: LedgerState, control: Control): void => {
  switch (control.is) {
    case 'csi':
      applyCsi(state, control.body, control.final);
      return;
    case 'osc':
      applyOsc(state, control.body);
      return;
    case 'esc':
      applyEsc(state, control.inter, control.final);
      return;
    case 'shift':
      state.pen.shiftedOut = control.out;
  }
};

const applyCsi = (state: LedgerState, body: string, final: string): void => {
  const screen = shown(state);
  if (final === 'm' && !/^[<=>?]/.test(body)) state.pen.sgr.apply(body);
  else if (final === 'h' || final === 'l') {
    if (body.startsWith('?')) for (const part of body.slice(1).split(';')) setMode(state, Number(part), final === 'h');
    else if (body.split(';').includes('4')) state.insert = final === 'h';
  } else if (final === 'u' && body !== '') applyKitty(screen, body);
  else if (final === 'm' && /^>4(?:;|$)/.test(body)) state.otherKeys = Number(body.split(';')[1] ?? 0);
  else if (final === 'n' && body === '>4') state.otherKeys = 0;
  else if (final === 'r' && /^[\d;]*$/.test(body)) screen.margins = /[1-9]/.test(body) ? body : '';
  else if (final === 'q' && body.endsWith(' ')) state.cursorStyle = Number(body.slice(0, -1)) || 0;
  else if (final === 'p' && body === '!') softReset(state);
  else if (body === '' && (final === 's' || final === 'u')) keepPen(state, final === 's');
  else if (final === 't' && /^22(?:;|$)/.test(body)) state.asides = [...state.asides, state.title].slice(-10);
  else if (final === 't' && /^23(?:;|$)/.test(body)) state.title = state.asides.pop() ?? state.title;
};

const setMode = (state: LedgerState, mode: number, on: boolean): void => {
  if (mode === 1048 || (mode === 1049 && on)) keepPen(state, on);
  if (altScreens.includes(mode)) showScreen(state, on ? mode : undefined);
  else if (mode === 66) state.keypad = on;
  else if (offByDefault.includes(mode) ? on : onByDefault.includes(mode) && !on) state.changed.add(mode);
  else state.changed.delete(mode);
  if (mode === 1049 && !on) keepPen(state, on);
};

/** Some terminals have one pair of margins for both screens: what was left in the other one is then owed here. */
const showScreen = (state: LedgerState, alt: number | undefined): void => {
  if (alt === undefined && state.alt !== undefined) state.main.margins ||= state.other.margins;
  state.alt = alt;
};

const keepPen = (state: LedgerState, save: boolean): void => {
  const screen = shown(state);
  if (save) screen.saved = copyOf(state.pen);
  else {
    const {sgr, charsets, shiftedOut} = screen.saved ? copyOf(screen.saved) : newPen();
    // Not every terminal brings the charsets back: both kinds are owed.
    const all = new Set([...state.pen.charsets, ...charsets]);
    state.pen = {sgr, charsets: all, shiftedOut: state.pen.shiftedOut || shiftedOut};
  }
};

/** kitty keyboard: `>n` pushes, `<n` pops, `=n;m` sets in place. Each screen has a stack of its own. */
const applyKitty = (screen: ScreenState, body: string): void => {
  const flags = Number.parseInt(body.slice(1), 10) || 0;
  if (body.startsWith('>')) screen.kitty = [...screen.kitty, flags].slice(-MOST_PUSHED);
  else if (body.startsWith('<')) {
    const left = screen.kitty.length - (flags || 1);
    // Popping more than there is clears what was set in place too.
    if (left < 0) screen.kittyFlags = 0;
    screen.kitty = screen.kitty.slice(0, Math.max(0, left));
  } else if (body.startsWith('=')) screen.kittyFlags = flags;
};

/** Terminals keep fewer, and forget the oldest. */
const MOST_PUSHED = 100;

const applyOsc = (state: LedgerState, body: string): void => {
  if (/^[02];/.test(body)) state.title = body.slice(2);
  else if (body.startsWith('7501;state=')) state.agentState = !body.startsWith('7501;state=clear');
  else if (body.startsWith('9;4;')) state.progress = !/^9;4;0?(?:;|$)/.test(body);
  else if (body.startsWith('8;')) state.link = body.slice(body.indexOf(';', 2) + 1) !== '';
};

const applyEsc = (state: LedgerState, inter: string, final: string): void => {
  const {charsets} = state.pen;
  if (/^[()*+]$/.test(inter)) {
    if (final === 'B') charsets.delete(inter);
    else charsets.add(inter);
  } else if (inter !== '') return;
  else if (final === '=' || final === '>') state.keypad = final === '=';
  else if (final === '7' || final === '8') keepPen(state, final === '7');
  else if (final === 'n' || final === 'o') state.pen.shiftedOut = true;
  else if (final === 'c') {
    // What stands outside the screen outlives a full reset; so does a hidden cursor, in xterm.js.
    const {title, asides, agentState, progress} = state;
    const changed = new Set([...state.changed].filter((mode) => mode === 25));
    Object.assign(state, fresh(), {title, asides, agentState, progress, changed});
  }
};

/** DECSTR: see xterm's ctlseqs. Mouse, paste, alternate screen and keyboard stacks stay. */
const softReset = (state: LedgerState): void => {
  for (const mode of [25, 1, 7]) state.changed.delete(mode);
  Object.assign(state, {keypad: false, insert: false, pen: newPen()});
  Object.assign(shown(state), {margins: '', saved: undefined});
};

const hardResets = (state: LedgerState): string => {
  const off = offByDefault.filter((mode) => state.changed.has(mode)).map((mode) => `\x1b[?${mode}l`);
  const on = onByDefault.filter((mode) => state.changed.has(mode)).map((mode) => `\x1b[?${mode}h`);
  const alternate = state.alt === undefined ? '' : `${screenResets(state.other)}\x1b[?${state.alt}l`;
  const pens = pensAfter(state);
  const charsets = new Set(pens.flatMap((pen) => [...pen.charsets]));
  return [
    ...off,
    alternate,
    screenResets(state.main),
    state.otherKeys > 0 ? '\x1b[>4m' : '',
    state.keypad ? '\x1b>' : '',
    state.insert ? '\x1b[4l' : '',
    ...[...charsets].map((inter) => `\x1b${inter}B`),
    pens.some((pen) => pen.shiftedOut) ? '\x0f' : '',
    ...on,
  ].join('');
};

/** The way out of the alternate screen may bring back the pen from before it; not every terminal does. */
const pensAfter = ({alt, pen, main}: LedgerState): Pen[] =>
  alt === undefined || !main.saved ? [pen] : [pen, main.saved];

const screenResets = (screen: ScreenState): string =>
  (screen.kitty.length > 0 ? `\x1b[<${screen.kitty.length}u` : '') +
  (screen.kittyFlags > 0 ? '\x1b[=0;1u' : '') +
  (screen.margins !== '' ? '\x1b7\x1b[r\x1b8' : '');

const softResets = (state: LedgerState): string =>
  (state.link ? '\x1b]8;;\x1b\\' : '') +
  (pensAfter(state).every((pen) => pen.sgr.isPlain()) ? '' : '\x1b[0m') +
  (state.cursorStyle > 0 ? '\x1b[0 q' : '') +
  (state.title !== '' ? '\x1b]0;\x07' : '') +
  (state.progress ? '\x1b]9;4;0;\x07' : '') +
  (state.agentState ? '\x1b]7501;state=clear\x1b\\' : '');
