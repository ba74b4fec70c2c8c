// The files of one recording, bounded on disk: the first part keeps the beginning for ever, then two parts take turns
// behind it, so that the beginning and the end of a leg are always there. Each part plays by itself in any player.

import {constants} from 'node:fs';
import {type FileHandle, open, unlink} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {type CastEvent, type CastHeader, eventLine, headerLine} from '../../cast/cast.ts';
import {makeFolder} from '../files/atomic-file.ts';

export interface CastParts {
  /** Events with their time since the begin of the recording. One call at a time. */
  write(events: CastEvent[]): Promise<void>;
  close(): Promise<void>;
}

export interface PartsOptions {
  path: string;
  maxBytes: number;
  /** Known when the first event comes. The size is the one before that event. */
  header(): Omit<CastHeader, 'offset' | 'part'>;
}

/** `terminal.cast` and the two that take turns behind it. */
export const partPaths = (path: string): [string, string, string] => {
  const name = basename(path).replace(/\.cast$/, '');
  return [path, join(dirname(path), `${name}.tail-1.cast`), join(dirname(path), `${name}.tail-2.cast`)];
};

interface Part {
  file: FileHandle;
  /** Which of the three files. */
  number: 0 | 1 | 2;
  offset: number;
  bytes: number;
  most: number;
  events: number;
}

export const openCastParts = ({path, maxBytes, header}: PartsOptions): CastParts => {
  const paths = partPaths(path);
  let part: Part | undefined;
  let serial = 0;
  let facts: Omit<CastHeader, 'offset' | 'part'> | undefined;

  const begin = async (number: Part['number'], offset: number): Promise<Part> => {
    await part?.file.close();
    part = undefined;
    makeFolder(dirname(path));
    const file = await openNew(paths[number]);
    facts ??= header();
    const line = headerLine({...facts, startedAt: facts.startedAt + offset * 1000, offset, part: serial});
    serial += 1;
    await file.appendFile(line);
    part = {file, number, offset, bytes: Buffer.byteLength(line), most: maxBytes / (number === 0 ? 2 : 4), events: 0};
    return part;
  };

  return {
    write: async (events) => {
      let current = part ?? (await begin(0, 0));
      let text = '';
      for (const event of events) {
        const line = eventLine({...event, at: event.at - current.offset});
        const bytes = Buffer.byteLength(line);
        // A part that is fresh takes its first event however large that is.
        if (current.bytes + bytes > current.most && current.events > 0) {
          await current.file.appendFile(text);
          current = await begin(current.number === 1 ? 2 : 1, event.at);
          text = eventLine({...event, at: 0});
        } else text += line;
        current.bytes += bytes;
        current.events += 1;
        // The next part begins with the size that the screen has by then.
        if (event.code === 'r' && facts !== undefined) facts = {...facts, ...sizeIn(event.data)};
      }
      await current.file.appendFile(text);
    },
    close: async () => {
      await part?.file.close();
      part = undefined;
    },
  };
};

const sizeIn = (data: string): {width: number; height: number} => {
  const [width = 80, height = 24] = data.split('x').map(Number);
  return {width, height};
};

/** The agent can write into this folder too: a link that it laid there must not lead our bytes elsewhere. */
const openNew = async (path: string): Promise<FileHandle> => {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0), 0o600);
};
