// Where a run begins: which track it holds, and whether it takes an earlier baton up (DESIGN §7).

import type {Checkpoint} from '../baton/checkpoint.ts';
import {cutTo, oneLine} from '../baton/clean.ts';
import {type Failure, fail, ok, type Result} from '../core/failure.ts';
import {type CheckpointId, type Millis, parseTrack, type Track} from '../core/ids.ts';
import {closedTrack} from '../report/refusals.ts';
import type {RunOptions} from './run-options.ts';

export interface StartStore {
  /** The checkpoint folder, absolute. */
  dir: string;
  root: string;
  inGit: boolean;
  now(): Millis;
  latest(track: Track): Promise<Checkpoint | undefined>;
  /** Undefined when a live run holds the track. */
  claim(track: Track): Promise<(() => void) | undefined>;
  ask(question: string): Promise<boolean>;
  /** Makes the folder and keeps it out of the person's commits; `new`: it was not there before. */
  prepare(): Result<'new' | 'there'>;
}

export interface RunStart {
  track: Track;
  setCurrent: boolean;
  continues: CheckpointId | undefined;
  release(): void;
}

interface Asked {
  options: RunOptions;
  prompt: string | undefined;
  terminal: boolean;
}

export const chooseStart = async (store: StartStore, asked: Asked): Promise<Result<RunStart>> => {
  const claimed = await claimTrack(store, asked.options);
  if (!claimed.ok) return claimed;
  const baton = await chooseBaton(store, asked, claimed.value.track);
  if (!baton.ok) {
    claimed.value.release();
    return baton;
  }
  return ok({...claimed.value, continues: baton.value});
};

const DEFAULT = 'main';
const MOST = 100;

const claimTrack = async (store: StartStore, options: RunOptions): Promise<Result<Omit<RunStart, 'continues'>>> => {
  if (options.track !== undefined) {
    const track = parseTrack(options.track);
    if (track === undefined) return fail(badTrack(options.track));
    const release = await claim(store, track);
    if (!release.ok) return release;
    if (release.value === undefined) return fail(heldTrack(track));
    return ok({track, setCurrent: options.setCurrent, release: release.value});
  }
  for (let number = 1; number <= MOST; number += 1) {
    const track = parseTrack(number === 1 ? DEFAULT : `${DEFAULT}-${number}`);
    if (track === undefined) break;
    const release = await claim(store, track);
    if (!release.ok) return release;
    // The second run at once does not take the person's current track away from the first.
    if (release.value !== undefined) {
      return ok({track, setCurrent: options.setCurrent && number === 1, release: release.value});
    }
  }
  return fail({is: 'bad-usage', what: `${MOST} runs are alive here`, fix: 'name a track with --track'});
};

const claim = async (store: StartStore, track: Track): Promise<Result<(() => void) | undefined>> => {
  try {
    return ok(await store.claim(track));
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return fail({is: 'store-unusable', path: store.dir, what});
  }
};

const badTrack = (text: string): Failure => ({
  is: 'bad-usage',
  what: `--track ${JSON.stringify(text.slice(0, 40))} cannot name a track`,
  fix: 'use 1 to 300 characters on one line',
});

const heldTrack = (track: Track): Failure => ({
  is: 'bad-usage',
  what: `a live run holds track "${track}"`,
  fix: 'choose another --track, or stop that run first',
});

const chooseBaton = async (
  store: StartStore,
  {options, prompt, terminal}: Asked,
  track: Track,
): Promise<Result<CheckpointId | undefined>> => {
  const mayAsk = terminal && prompt === undefined && !options.fresh && !options.dryRun && options.args.length === 0;
  if (!options.continue && !mayAsk) return ok(undefined);
  const latest = await store.latest(track);
  if (options.continue) return latest === undefined ? fail(nothing(track)) : usable(latest);
  if (latest === undefined || !usable(latest).ok) return ok(undefined);
  const yes = await store.ask(
    `Track "${track}" has a baton of ${latest.born.slice(0, 16).replace('T', ' ')}: ${cutTo(oneLine(latest.next_cmd), 100)}\nGo on from there?`,
  );
  return ok(yes ? latest.id : undefined);
};

const usable = ({id, closed, consumed_by: by, track}: Checkpoint): Result<CheckpointId> => {
  if (closed !== undefined) return fail(closedTrack(track, closed));
  if (by !== undefined) {
    return fail({
      is: 'baton-refused',
      what: `the last baton of track "${track}" was already taken up by ${by.run}, leg ${by.leg}, at ${by.at}`,
      fix: 'start without --continue, or write a new checkpoint with ckpt snapshot',
    });
  }
  return ok(id);
};

const nothing = (track: Track): Failure => ({
  is: 'not-found',
  what: `track "${track}" has no checkpoint to continue`,
  fix: 'start without --continue, or look at ckpt tracks',
});
