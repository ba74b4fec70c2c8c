// The lines of a recording, one after another: it may be far larger than what one wants in memory.

import {createReadStream, lstatSync} from 'node:fs';
import {readHeader} from '../../cast/cast.ts';
import {fail, ok, type Result} from '../../core/failure.ts';
import {partPaths} from './cast-parts.ts';

/** The parts that are there, in the order in which they were recorded. */
export const castParts = async (path: string): Promise<string[]> => {
  const found: {path: string; part: number}[] = [];
  for (const part of partPaths(path)) {
    if (!isFile(part)) continue;
    for await (const line of castLines(part)) {
      const header = readHeader(line);
      if (header !== undefined) found.push({path: part, part: header.part});
      break;
    }
  }
  return found.sort((a, b) => a.part - b.part).map((one) => one.path);
};

/** A file that vanishes meanwhile just ends; a last line without its end is torn, and readEvent will say so. */
export async function* castLines(path: string): AsyncGenerator<string> {
  const stream = createReadStream(path, {encoding: 'utf8', highWaterMark: 256 * 1024});
  let rest = '';
  try {
    for await (const chunk of stream) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  } catch {
    return;
  } finally {
    stream.destroy();
  }
}

/** Of any recording: a terminal's parts one behind the other, or the one file that a session log is. */
export const recordedLines = async (path: string): Promise<Result<AsyncIterable<string>>> => {
  if (!isFile(path))
    return fail({is: 'not-found', what: `no file ${path}`, fix: 'ckpt status and ckpt why name what a run leaves'});
  const parts = await castParts(path);
  const all = async function* (): AsyncGenerator<string> {
    for (const part of parts.length === 0 ? [path] : parts) yield* castLines(part);
  };
  return ok(all());
};

const isFile = (path: string): boolean => {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
};
