// CKPT_FULL=1 (`npm run test:real:full`) walks every row of the facts' tables; else one row of each class. What a full
// walk saw is kept in results/, so that a reader need not take our word for it.

import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

export const isFull = process.env.CKPT_FULL === '1';

export interface RowResult {
  table: string;
  version: string;
  row: string;
  expected: object;
  observed: object;
  seconds: number;
}

/** Written row by row: a walk that is broken off has still told what it saw. */
export const keepResult = (agent: string, result: RowResult): void => {
  if (!isFull) return;
  const folder = fileURLToPath(new URL('results/', import.meta.url));
  const path = `${folder}${agent}-full.json`;
  const isOther = ({table, version, row}: RowResult): boolean =>
    table !== result.table || version !== result.version || row !== result.row;
  mkdirSync(folder, {recursive: true});
  const rows = [...readRows(path).filter(isOther), result].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  writeFileSync(path, `${JSON.stringify(rows, undefined, 1)}\n`);
};

const keyOf = ({table, version, row}: RowResult): string => `${table}\n${version}\n${row}`;

const readRows = (path: string): RowResult[] => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RowResult[];
  } catch {
    return [];
  }
};
