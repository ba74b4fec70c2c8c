// One screen of the terminal library → bytes that draw it on a fresh terminal of the same size, cell for cell.

import type {Terminal} from '../screen.ts';

type Buffer = Terminal['buffer']['active'];
type Line = NonNullable<ReturnType<Buffer['getLine']>>;
type Cell = NonNullable<ReturnType<Line['getCell']>>;

export interface Canvas {
  buffer: Buffer;
  cols: number;
  rows: number;
}

/** Clears, draws, and leaves the cursor where it stood. */
export const drawScreen = ({buffer, cols, rows}: Canvas): string => {
  const drawn = Array.from({length: rows}, (_, row) => {
    const line = buffer.getLine(buffer.baseY + row);
    return line === undefined ? '' : drawLine(line, row, cols);
  });
  return `\x1b[0m\x1b[H\x1b[2J${drawn.join('')}\x1b[0m${cursorTo({buffer, cols, rows})}`;
};

const place = (row: number, column: number): string => `\x1b[${row + 1};${column + 1}H`;

const drawLine = (line: Line, row: number, cols: number): string => {
  let drawn = '';
  let style = '';
  /** Where the cursor is; -1 when terminals may differ about that. */
  let at = -1;
  const width = Math.min(cols, line.length);
  for (let column = 0; column < width; ) {
    const cell = line.getCell(column);
    if (cell === undefined || cell.getWidth() === 0 || isBlank(cell)) {
      column += 1;
      continue;
    }
    if (at !== column) drawn += place(row, column);
    const wanted = styleOf(cell);
    if (wanted !== style) drawn += wanted;
    style = wanted;
    const empty = cell.getChars() === '' ? emptyFrom(line, column, width) : 0;
    // Erased cells are no spaces: they are erased here too, in their background.
    drawn += empty > 0 ? `\x1b[${empty}X` : cell.getChars();
    at = empty === 0 && isPlain(cell) ? column + 1 : -1;
    column += empty > 0 ? empty : cell.getWidth();
  }
  return drawn;
};

const isBlank = (cell: Cell): boolean => cell.getChars() === '' && cell.isAttributeDefault();

/** One letter of one cell, about whose width all terminals agree. */
const isPlain = (cell: Cell): boolean => cell.getWidth() === 1 && cell.getChars() < '\u0300';

/** So many erased cells of one kind. */
const emptyFrom = (line: Line, from: number, width: number): number => {
  const first = line.getCell(from);
  const style = first === undefined ? '' : styleOf(first);
  let to = from + 1;
  for (; to < width; to += 1) {
    const cell = line.getCell(to);
    if (cell === undefined || cell.getChars() !== '' || cell.getWidth() !== 1 || styleOf(cell) !== style) break;
  }
  return to - from;
};

/** A cursor behind the last column has printed there and not moved on yet: it prints again. */
const cursorTo = ({buffer, cols}: Canvas): string => {
  const {cursorX, cursorY, baseY} = buffer;
  if (cursorX < cols) return place(cursorY, cursorX);
  const line = buffer.getLine(baseY + cursorY);
  const last = line?.getCell(cols - 1);
  const column = last?.getWidth() === 0 ? cols - 2 : cols - 1;
  const cell = line?.getCell(column);
  if (cell === undefined) return place(cursorY, cols - 1);
  return `${place(cursorY, column)}${styleOf(cell)}${cell.getChars() || ' '}\x1b[0m`;
};

const styleOf = (cell: Cell): string => {
  const flags = [
    cell.isBold() ? 1 : 0,
    cell.isDim() ? 2 : 0,
    cell.isItalic() ? 3 : 0,
    cell.isUnderline() ? 4 : 0,
    cell.isBlink() ? 5 : 0,
    cell.isInverse() ? 7 : 0,
    cell.isInvisible() ? 8 : 0,
    cell.isStrikethrough() ? 9 : 0,
    cell.isOverline() ? 53 : 0,
  ].filter((flag) => flag > 0);
  const fg = colourOf(cell.getFgColorMode(), cell.getFgColor(), 30);
  const bg = colourOf(cell.getBgColorMode(), cell.getBgColor(), 40);
  return `\x1b[${[0, ...flags, ...fg, ...bg].join(';')}m`;
};

/** The library's modes: none, the 16 named ones, the 256 numbered ones, red-green-blue. */
const NAMED = 1 << 24;
const NUMBERED = 2 << 24;
const RGB = 3 << 24;

const colourOf = (mode: number, colour: number, base: 30 | 40): number[] => {
  if (mode === NAMED) return [colour < 8 ? base + colour : base + 52 + colour];
  if (mode === NUMBERED) return [base + 8, 5, colour];
  return mode === RGB ? [base + 8, 2, (colour >> 16) & 255, (colour >> 8) & 255, colour & 255] : [];
};
