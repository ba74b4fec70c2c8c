// Checkpoints of another tool, taken in with the time at which they were born. Killed halfway, the next try does the rest.

import {createHash} from 'node:crypto';
import {type Checkpoint, SCHEMA_VERSION} from '../../baton/checkpoint.ts';
import {rebuildLatest} from '../../baton/latest.ts';
import {redactAll, redactor, secretValues} from '../../baton/redact.ts';
import {ok, type Result} from '../../core/failure.ts';
import type {Foundling} from '../../import/foundling.ts';
import type {Shelf} from './checkpoint-shelf.ts';

export interface Adopted {
  added: Checkpoint[];
  /** Were here already. */
  known: number;
}

export const adopt = (shelf: Shelf, foundlings: Foundling[]): Promise<Result<Adopted>> =>
  shelf.alone('import checkpoints', async (hands) => {
    const before = await shelf.loadIndex(hands);
    const here = new Set((await shelf.history()).map(({extra}) => extra.imported_from));
    const fresh = foundlings.filter((one) => !here.has(markOf(one))).sort((a, b) => a.at - b.at);
    if (fresh.length === 0) return ok({added: [], known: foundlings.length});
    // The numbers are taken first: whoever comes after a killed import must not give them out again.
    const last_number = before.last_number + fresh.length;
    hands.put(...shelf.latestFiles({...before, last_number}));
    const redact = redactor(shelf.secrets ?? secretValues(process.env));
    const added = fresh.map((one, index): Checkpoint => {
      const checkpoint = {
        ...redactAll(one.draft, redact),
        track: one.draft.track,
        extra: {...redactAll(one.draft.extra, redact), imported_from: markOf(one)},
        schema_version: SCHEMA_VERSION,
        id: shelf.freeId(one.at, one.draft.label),
        number: before.last_number + 1 + index,
        born: new Date(one.at).toISOString(),
      };
      hands.put(shelf.truthOf(checkpoint), shelf.pageOf(checkpoint));
      return checkpoint;
    });
    const after = rebuildLatest(await shelf.history());
    const current_track = before.current_track ?? after.current_track;
    hands.put(...shelf.latestFiles({...after, last_number, current_track}));
    return ok({added, known: foundlings.length - fresh.length});
  });

const markOf = ({file, content}: Foundling): string =>
  `${file} ${createHash('sha256').update(content).digest('hex').slice(0, 12)}`;
