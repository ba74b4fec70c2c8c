// Turns on again what mode-ledger.ts has turned off: for an agent that was stopped and goes on.

interface ScreenModes {
  kitty: number[];
  kittyFlags: number;
  margins: string;
}

/** The part of the ledger's state that an agent cannot know to be lost. */
export interface RestorableModes {
  changed: ReadonlySet<number>;
  alt: number | undefined;
  main: ScreenModes;
  other: ScreenModes;
  otherKeys: number;
  keypad: boolean;
  insert: boolean;
  cursorStyle: number;
  /** As bytes. */
  title: string;
}

/** What stands on the two screens, as it is drawn. An agent that was only stopped draws itself. */
export interface Drawn {
  main: string;
  alternate: string;
}

const nothing: Drawn = {main: '', alternate: ''};

export const restoresOf = (modes: RestorableModes, drawn = nothing): string =>
  [
    screenRestores(modes.main),
    drawn.main,
    // From here on the alternate screen is shown, if it was; its keyboard stack and margins are its own.
    modes.alt === undefined ? '' : `\x1b[?${modes.alt}h${screenRestores(modes.other)}${drawn.alternate}`,
    ...[...modes.changed].map((mode) => `\x1b[?${mode}${onByDefault.has(mode) ? 'l' : 'h'}`),
    modes.otherKeys > 0 ? `\x1b[>4;${modes.otherKeys}m` : '',
    modes.keypad ? '\x1b=' : '',
    modes.insert ? '\x1b[4h' : '',
    modes.cursorStyle > 0 ? `\x1b[${modes.cursorStyle} q` : '',
    modes.title === '' ? '' : `\x1b]0;${asText(modes.title)}\x07`,
  ].join('');

const onByDefault = new Set([7, 25]);

const screenRestores = ({kitty, kittyFlags, margins}: ScreenModes): string =>
  kitty.map((flags) => `\x1b[>${flags}u`).join('') +
  (kittyFlags > 0 ? `\x1b[=${kittyFlags};1u` : '') +
  (margins === '' ? '' : `\x1b7\x1b[${margins}r\x1b8`);

/** One character per byte → what the bytes mean. */
const asText = (bytes: string): string =>
  new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
