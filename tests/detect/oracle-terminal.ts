// A terminal that can be asked what it is like: @xterm/headless for what it knows, and a model of the rest (keyboard
// stacks, reports) behind the same parser. It shares no code with src/detect: what it says is a second opinion.

import xterm from '@xterm/headless';

export interface OracleTerminal {
  write(data: string | Uint8Array): Promise<void>;
  /** Everything that a program may have changed, as plain data. Draws a probe at the cursor: ask last. */
  state(): Promise<object>;
  /** The visible rows of the screen that is shown. */
  text(): string;
  cursor(): {x: number; y: number};
  close(): void;
}

export const openOracle = ({cols = 80, rows = 24}: {cols?: number; rows?: number} = {}): OracleTerminal => {
  const windowOptions = {pushTitle: true, popTitle: true};
  const options = {cols, rows, scrollback: 0, allowProposedApi: true, logLevel: 'off' as const, windowOptions};
  const terminal = new xterm.Terminal(options);
  const beyond = watchBeyond(terminal);
  let answers = '';
  terminal.onData((data) => {
    answers += data;
  });
  const write = (data: string | Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      terminal.write(data, resolve);
    });
  return {
    write,
    state: async () => {
      answers = '';
      await write(`${asked.map((mode) => `\x1b[?${mode}$p`).join('')}\x1b[4$p\x1bP$qr\x1b\\`);
      const replies = answers;
      return {...beyond(), modes: {...terminal.modes}, replies, pen: await pen(terminal, write)};
    },
    text: () => {
      const {active} = terminal.buffer;
      const lines = Array.from({length: rows}, (_, row) => active.getLine(active.baseY + row)?.translateToString(true));
      return lines.join('\n').trimEnd();
    },
    cursor: () => ({x: terminal.buffer.active.cursorX, y: terminal.buffer.active.cursorY}),
    close: () => terminal.dispose(),
  };
};

/** Modes that DECRQM tells: cursor, mouse protocols and encodings, alternate screens, and those of terminal.modes. */
const asked = [1, 6, 7, 9, 25, 45, 66, 1000, 1002, 1003, 1004, 1006, 1016, 1049, 2004, 2026];

/** What the emulator reads but does not keep. Modes are sets of what is on; stacks are per screen, as kitty says. */
const watchBeyond = (terminal: xterm.Terminal): (() => object) => {
  const untold = new Set([5, 1001, 1005, 1007, 1015, 2027, 2031, 2048]);
  const on = new Set<number>();
  const stacks = {normal: [] as number[], alternate: [] as number[]};
  const flags = {normal: 0, alternate: 0};
  const told = {title: '', link: '', agent: 'clear', progress: '0', otherKeys: 0, cursorStyle: 0};
  const {parser} = terminal;
  const shown = () => terminal.buffer.active.type;
  const modes = (params: (number | number[])[], set: boolean): boolean => {
    for (const mode of params.flat()) if (untold.has(mode)) set ? on.add(mode) : on.delete(mode);
    return false;
  };
  parser.registerCsiHandler({prefix: '?', final: 'h'}, (params) => modes(params, true));
  parser.registerCsiHandler({prefix: '?', final: 'l'}, (params) => modes(params, false));
  parser.registerCsiHandler({prefix: '>', final: 'u'}, ([first = 0]) => {
    stacks[shown()].push(flags[shown()]);
    flags[shown()] = Number(first);
    return true;
  });
  parser.registerCsiHandler({prefix: '<', final: 'u'}, ([first = 1]) => {
    for (let n = Math.max(1, Number(first)); n > 0; n -= 1) flags[shown()] = stacks[shown()].pop() ?? 0;
    return true;
  });
  parser.registerCsiHandler({prefix: '=', final: 'u'}, ([first = 0, second = 1]) => {
    const [value, how] = [Number(first), Number(second)];
    flags[shown()] = how === 3 ? flags[shown()] & ~value : how === 2 ? flags[shown()] | value : value;
    return true;
  });
  parser.registerCsiHandler({prefix: '>', final: 'm'}, ([first, second = 0]) => {
    if (first === 4) told.otherKeys = Number(second);
    return true;
  });
  parser.registerCsiHandler({prefix: '>', final: 'n'}, ([first]) => {
    if (first === 4) told.otherKeys = 0;
    return true;
  });
  parser.registerCsiHandler({intermediates: ' ', final: 'q'}, ([first = 0]) => {
    told.cursorStyle = Number(first);
    return true;
  });
  parser.registerOscHandler(8, (data) => {
    told.link = data.slice(data.indexOf(';') + 1);
    return true;
  });
  parser.registerOscHandler(9, (data) => {
    const [kind, state = '0'] = data.split(';');
    if (kind === '4') told.progress = state;
    return true;
  });
  parser.registerOscHandler(7501, (data) => {
    if (data !== '?') told.agent = data.replace(/^state=([a-z]+).*$/, '$1');
    return true;
  });
  terminal.onTitleChange((text) => {
    told.title = text;
  });
  parser.registerEscHandler({final: 'c'}, () => {
    on.clear();
    for (const screen of ['normal', 'alternate'] as const) {
      stacks[screen] = [];
      flags[screen] = 0;
    }
    Object.assign(told, {link: '', otherKeys: 0, cursorStyle: 0});
    return false;
  });
  return () => ({...told, on: [...on], screen: shown(), stack: [...stacks[shown()], flags[shown()]]});
};

/** How the next letter comes out: charset, colours, attributes. `q` is a line in the drawing charset. */
const pen = async (terminal: xterm.Terminal, write: (data: string) => Promise<void>): Promise<object> => {
  await write('\rq');
  const {active} = terminal.buffer;
  const cell = active.getLine(active.baseY + active.cursorY)?.getCell(0);
  if (!cell) throw new Error('no cell under the cursor');
  return {
    glyph: cell.getChars(),
    colours: [cell.getFgColorMode(), cell.getFgColor(), cell.getBgColorMode(), cell.getBgColor()],
    attributes: [
      cell.isBold(),
      cell.isDim(),
      cell.isItalic(),
      cell.isUnderline(),
      cell.isBlink(),
      cell.isInverse(),
      cell.isInvisible(),
      cell.isStrikethrough(),
      cell.isOverline(),
    ].map((value) => value !== 0),
  };
};
