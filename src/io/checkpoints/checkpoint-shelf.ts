// What every act on the checkpoint folder needs: reading one, reading all, LATEST as it is or made anew.

import {join} from 'node:path';
import type {Checkpoint} from '../../baton/checkpoint.ts';
import {type Latest, readLatest, rebuildLatest, serialiseLatest} from '../../baton/latest.ts';
import {checkpointMarkdown, latestMarkdown} from '../../baton/markdown.ts';
import {checkpointId, idOfJsonFile, jsonFileOf, mdFileOf, stampOf} from '../../baton/naming.ts';
import {serialiseCheckpoint, wholeCheckpoint} from '../../baton/whole.ts';
import {fail, ok, type Result} from '../../core/failure.ts';
import {type CheckpointId, isCheckpointId} from '../../core/ids.ts';
import {
  alone,
  asFailure,
  codeOf,
  type FileToPut,
  type FolderOptions,
  type Hands,
  isThere,
  namesIn,
  readInside,
} from './checkpoint-folder.ts';

export interface StoreOptions extends FolderOptions {
  /** What a person should know: a broken file kept aside, a field that could not be read. */
  notices?: (line: string) => void;
  /** Values that must never be written. Default: those of this process's secret-looking environment variables. */
  secrets?: readonly string[];
  now?: () => number;
}

export class Shelf {
  readonly dir: string;
  readonly #options: StoreOptions;

  constructor(options: StoreOptions) {
    this.dir = options.dir;
    this.#options = options;
  }

  /** As the only writer. What is asked of the disk inside is either done, or the reason comes back. */
  alone<T>(doing: string, work: (hands: Hands) => Promise<Result<T>>): Promise<Result<T>> {
    return alone(this.#options, doing, work);
  }

  async read(id: CheckpointId): Promise<Result<Checkpoint>> {
    if (!isCheckpointId(id) || id.includes('\\'))
      return fail({is: 'not-found', what: `checkpoint ${id}`, fix: 'ckpt list'});
    const file = jsonFileOf(id);
    try {
      const text = readInside(join(this.dir, file));
      const whole = wholeCheckpoint(text);
      if (whole !== undefined) return ok(whole);
      const {readCheckpoint} = await import('../../baton/schema.ts');
      const read = readCheckpoint(text);
      if (!read.ok) return fail({is: 'not-found', what: `${file} cannot be read (${read.what})`, fix: 'ckpt list'});
      for (const complaint of read.complaints) this.tell(`${file}: ${complaint}`);
      return ok(read.value);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return fail({is: 'not-found', what: `checkpoint ${id}`, fix: 'ckpt list'});
      return fail(asFailure(error, this.dir, `read ${file}`));
    }
  }

  /** Every checkpoint, oldest first. */
  async history(): Promise<Checkpoint[]> {
    const found: Checkpoint[] = [];
    for (const id of this.ids()) {
      const read = await this.read(id);
      if (read.ok) found.push(read.value);
      // Pruned since we looked: no news. Anything else is.
      else if (isThere(join(this.dir, jsonFileOf(id)))) this.tell(`${jsonFileOf(id)} cannot be read and was left out.`);
    }
    return withoutDoubles(found);
  }

  ids(): CheckpointId[] {
    return namesIn(this.dir)
      .flatMap((name) => idOfJsonFile(name) ?? [])
      .sort();
  }

  readIndex(): Latest | {broken: string} {
    try {
      return readLatest(readInside(join(this.dir, 'LATEST.json')));
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT') return {broken: 'absent'};
      if (code === 'ELOOP') return {broken: 'a symbolic link, which is not followed'};
      if (code === 'EISDIR') return {broken: 'a folder'};
      throw error;
    }
  }

  /** Under the lock: LATEST as it is, or made anew from history with the broken one kept aside. */
  async loadIndex(hands: Hands): Promise<Latest> {
    const found = this.readIndex();
    if ('tracks' in found) return found;
    if (found.broken !== 'absent') {
      const aside = `LATEST.json.broken-${stampOf(this.now())}`;
      hands.setAside('LATEST.json', aside);
      this.tell(`LATEST.json was broken (${found.broken}); kept as ${aside} and rebuilt from the checkpoints.`);
    }
    return rebuildLatest(await this.history());
  }

  /** Written before anything that names it. */
  truthOf(checkpoint: Checkpoint): FileToPut {
    return [jsonFileOf(checkpoint.id), serialiseCheckpoint(checkpoint)];
  }

  pageOf(checkpoint: Checkpoint): FileToPut {
    return [mdFileOf(checkpoint.id), checkpointMarkdown(checkpoint)];
  }

  latestFiles(latest: Latest): FileToPut[] {
    return [
      ['LATEST.json', serialiseLatest(latest)],
      ['LATEST.md', latestMarkdown(latest)],
    ];
  }

  /** At that time or, if a file is there already, in the next free millisecond. */
  freeId(at: number, label: string): CheckpointId {
    for (let time = at; ; time += 1) {
      const id = checkpointId(time, label);
      if (!isThere(join(this.dir, jsonFileOf(id)))) return id;
    }
  }

  now(): number {
    return this.#options.now?.() ?? Date.now();
  }

  get secrets(): readonly string[] | undefined {
    return this.#options.secrets;
  }

  tell(line: string): void {
    this.#options.notices?.(line);
  }
}

/** A writer killed before it reached LATEST leaves a checkpoint whose number the next one was given too: that one's it is. */
const withoutDoubles = (history: Checkpoint[]): Checkpoint[] => {
  const owners = new Map(history.map((checkpoint) => [checkpoint.number, checkpoint.id]));
  return history.map((checkpoint) => {
    const {number, ...rest} = checkpoint;
    return number === undefined || owners.get(number) === checkpoint.id ? checkpoint : rest;
  });
};
