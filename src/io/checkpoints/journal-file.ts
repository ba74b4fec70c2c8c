// journal.jsonl, read: whole lines are told, torn ones counted and left where they are. Only its end is read when only
// the end is asked for: a run of days writes tens of thousands of lines.

import {closeSync, constants, fstatSync, openSync} from 'node:fs';
import {join} from 'node:path';
import {stampOf} from '../../baton/naming.ts';
import {fail, ok, type Result} from '../../core/failure.ts';
import {bytesOf} from '../files/read-range.ts';
import {alone, asFailure, codeOf} from './checkpoint-folder.ts';

const journalName = 'journal.jsonl';

export interface JournalReading {
  /** Oldest first. */
  entries: Record<string, unknown>[];
  /** Lines that could not be read. */
  broken: number;
}

/** `last`: so many of the newest; undefined: all. What is there under that name but is no file is kept aside. */
export const readJournal = async (dir: string, last: number | undefined): Promise<Result<JournalReading>> => {
  const path = join(dir, journalName);
  try {
    return ok(readEnd(path, last));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return ok({entries: [], broken: 0});
    if (code !== 'ELOOP' && code !== 'EISDIR') return fail(asFailure(error, dir, `read ${journalName}`));
    const aside = `${journalName}.broken-${stampOf(Date.now())}`;
    const moved = await alone({dir}, `keep ${journalName} aside`, async (hands) => {
      hands.setAside(journalName, aside);
      return ok(undefined);
    });
    if (!moved.ok) return moved;
    const what = `${journalName} was ${code === 'ELOOP' ? 'a symbolic link' : 'a folder'}; it is kept as ${aside}`;
    return fail({is: 'not-found', what, fix: 'the next run begins a new journal'});
  }
};

const firstLook = 64 * 1024;

const readEnd = (path: string, last: number | undefined): JournalReading => {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const {size} = fstatSync(fd);
    for (let length = last === undefined ? size : firstLook; ; length *= 4) {
      const from = Math.max(0, size - length);
      const reading = readLines(bytesOf(fd, from, size), from > 0);
      if (last !== undefined && reading.entries.length > last)
        return {...reading, entries: reading.entries.slice(-last)};
      if (from === 0) return reading;
    }
  } finally {
    closeSync(fd);
  }
};

/** `cutIn`: we begin in the middle of the file, so the first line is half a line. */
const readLines = (bytes: Buffer, cutIn: boolean): JournalReading => {
  const lines = bytes
    .toString('utf8')
    .split('\n')
    .slice(cutIn ? 1 : 0);
  const reading: JournalReading = {entries: [], broken: 0};
  for (const line of lines.filter((text) => text.trim() !== '')) {
    const entry = parsed(line);
    if (entry === undefined) reading.broken += 1;
    else reading.entries.push(entry);
  }
  return reading;
};

const parsed = (line: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? {...value} : undefined;
  } catch {
    return undefined;
  }
};
