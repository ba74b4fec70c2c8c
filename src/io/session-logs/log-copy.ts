// A session log as a leg left it: copied line by line with the secrets out, and the hash of the original beside it.

import {createHash} from 'node:crypto';
import {createReadStream, createWriteStream, renameSync, rmSync} from 'node:fs';
import {dirname} from 'node:path';
import {createInterface} from 'node:readline';
import {PassThrough, Readable, Transform} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {type Redactor, redactAll, redactor, secretValues} from '../../baton/redact.ts';
import type {LogCopy} from '../../baton/workspace.ts';
import {fail, ok, type Result} from '../../core/failure.ts';
import {makeFolder} from '../files/atomic-file.ts';

export interface LogCopyOrder {
  from: string;
  /** Of the original: what was written after them is not ours to tell. */
  bytes: number;
  to: string;
  boundMs: number;
  env?: Record<string, string | undefined>;
}

export const copyLog = async ({
  from,
  bytes,
  to,
  boundMs,
  env = process.env,
}: LogCopyOrder): Promise<Result<LogCopy>> => {
  const draft = `${to}.${process.pid}.tmp`;
  try {
    makeFolder(dirname(to));
    const hash = createHash('sha256');
    let read = 0;
    const counted = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        hash.update(chunk);
        read += chunk.length;
        done(undefined, chunk);
      },
    });
    const signal = AbortSignal.timeout(boundMs);
    const original = bytes === 0 ? new PassThrough().end() : createReadStream(from, {end: bytes - 1});
    const copy = createWriteStream(draft, {mode: 0o600, flush: true});
    await pipeline(original, counted, redactedLines(redactor(secretValues(env))), copy, {signal});
    renameSync(draft, to);
    return ok({sha256: hash.digest('hex'), bytes: read});
  } catch (error) {
    rmSync(draft, {force: true});
    const {code = 'unknown', message} = error as NodeJS.ErrnoException;
    return fail({is: 'system', doing: 'copy the session log', code: String(code), message});
  }
};

/** Strings one by one, so that each line stays JSON; then the line as a whole, where a name may tell what its value is. */
const redactedLines = (redact: Redactor) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<string> {
    const input = Readable.from(source, {objectMode: false});
    for await (const line of createInterface({input, crlfDelay: Number.POSITIVE_INFINITY})) {
      yield `${redact(stringsOut(line, redact))}\n`;
    }
  };

const stringsOut = (line: string, redact: Redactor): string => {
  try {
    return JSON.stringify(redactAll<unknown>(JSON.parse(line), redact));
  } catch {
    return line;
  }
};
