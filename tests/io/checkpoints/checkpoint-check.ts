// What the next reader and the next writer must find in a checkpoint folder, whatever happened to the one before.

import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {readLatest} from '../../../src/baton/latest.ts';
import {readCheckpoint} from '../../../src/baton/schema.ts';
import type {CheckpointId, Track} from '../../../src/core/ids.ts';
import {openCheckpoints} from '../../../src/io/checkpoints/checkpoint-files.ts';
import {namesIn} from '../../../src/io/checkpoints/checkpoint-folder.ts';
import {must} from '../checkpoint-files-rig.ts';
import {draftOf} from './checkpoint-files-draft.ts';

export const main = 'main' as Track;

/** `acked`: what was acknowledged before, oldest first; `mayBeGone`: how many of it a prune may have taken. */
export const checkFolder = async (dir: string, acked: CheckpointId[], mayBeGone = 0): Promise<void> => {
  for (const name of namesIn(dir).filter((file) => /^context_checkpoint_.*\.json$/.test(file))) {
    expect(readCheckpoint(readFileSync(join(dir, name), 'utf8')), name).toMatchObject({ok: true, complaints: []});
  }
  if (acked.length > 0) expect(readLatest(readFileSync(join(dir, 'LATEST.json'), 'utf8'))).toHaveProperty('tracks');
  const told: string[] = [];
  const store = openCheckpoints({dir, secrets: [], notices: (line) => told.push(line)});
  const history = must(await store.history());
  const lost = acked.filter((id) => !history.some((one) => one.id === id));
  expect(lost.length).toBeLessThanOrEqual(mayBeGone);
  const latest = await store.latest(main);
  expect((latest?.id ?? '') >= (acked.at(-1) ?? '')).toBe(true);
  expect(told).toEqual([]);
  const next = must(await store.save(draftOf({step: 'next'})));
  expect(await store.latest(main)).toMatchObject({id: next.id});
  const numbers = must(await store.history()).flatMap(({number}) => number ?? []);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(next.number).toBe(Math.max(...numbers));
};
