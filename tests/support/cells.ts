// A screen as something that can be compared: every cell with its colours and attributes, the cursor, the modes.

import type xterm from '@xterm/headless';

export const cellsOfScreen = (terminal: xterm.Terminal): string[] => [...rowsOf(terminal, cellsOf), cursorOf(terminal)];

export const rowsOf = (terminal: xterm.Terminal, read: (line: xterm.IBufferLine) => string): string[] => {
  const {active} = terminal.buffer;
  return Array.from({length: terminal.rows}, (_, row) => {
    const line = active.getLine(active.baseY + row);
    return line === undefined ? '' : read(line);
  });
};

/** `a{fg,bg,flags}`, with equal neighbours joined. */
const cellsOf = (line: xterm.IBufferLine): string => {
  let shown = '';
  let before = '';
  for (let x = 0; x < line.length; x += 1) {
    const cell = line.getCell(x);
    if (cell === undefined) continue;
    const style = [
      cell.getFgColorMode(),
      cell.getFgColor(),
      cell.getBgColorMode(),
      cell.getBgColor(),
      cell.isBold(),
      cell.isDim(),
      cell.isItalic(),
      cell.isUnderline(),
      cell.isBlink(),
      cell.isInverse(),
      cell.isInvisible(),
      cell.isStrikethrough(),
      cell.isOverline(),
    ].join(',');
    shown += (style === before ? '' : `{${style}}`) + (cell.getChars() || (cell.getWidth() === 0 ? '' : ' '));
    before = style;
  }
  return shown.trimEnd();
};

const cursorOf = ({buffer, modes}: xterm.Terminal): string =>
  `${buffer.active.type} cursor ${buffer.active.cursorX},${buffer.active.cursorY} ${JSON.stringify(modes)}`;
