// Looking only: `ckpt list`, `show`, `current`, `latest`, `tracks`, `protocol`, `schema`.

import type {Checkpoint} from '../../baton/checkpoint.ts';
import {serialiseLatest} from '../../baton/latest.ts';
import {checkpointMarkdown, latestMarkdown} from '../../baton/markdown.ts';
import {safeLabel} from '../../baton/naming.ts';
import {protocolText} from '../../baton/protocol.ts';
import {withoutRun} from '../../baton/rehydrate.ts';
import {fail, ok, type Result} from '../../core/failure.ts';
import {json, listText, tracksText} from './text.ts';
import {wholeNumber} from './whole-number.ts';
import {type Common, done, newestOf, noCheckpoint, type Outcome, runOf, type World} from './world.ts';

export interface ListFlags {
  track?: string;
  last?: string;
}

export const list = async (world: World, flags: Common & ListFlags): Outcome => {
  const last = flags.last === undefined ? ok(undefined) : wholeNumber('--last', flags.last, 1);
  if (!last.ok) return last;
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const all = await (await opened.value.store()).history();
  if (!all.ok) return all;
  const asked = flags.track === undefined ? all.value : all.value.filter(({track}) => track === flags.track);
  const shown = last.value === undefined ? asked : asked.slice(-last.value);
  if (flags.json) world.out(json(shown));
  else if (shown.length === 0) world.err(`no checkpoint in ${opened.value.dir}\n`);
  else world.out(listText(shown));
  return done;
};

export const show = async (world: World, wanted: string, flags: Common): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const all = await (await opened.value.store()).history();
  if (!all.ok) return all;
  const found = pick(all.value, wanted);
  if (!found.ok) return found;
  world.out(flags.json ? json(found.value) : checkpointMarkdown(found.value));
  return done;
};

/** By id, then by number, then by label (the newest of that label). */
export const pick = (all: Checkpoint[], wanted: string): Result<Checkpoint> => {
  const found =
    all.find(({id}) => id === wanted) ??
    (/^\d+$/.test(wanted) ? all.find(({number}) => number === Number(wanted)) : undefined) ??
    all.findLast(({label, id}) => label === wanted || id.slice(20) === safeLabel(wanted));
  if (found !== undefined) return ok(found);
  const what = `no checkpoint with the number, id or label ${JSON.stringify(wanted)}`;
  return fail({is: 'not-found', what, fix: 'ckpt list shows them all'});
};

/** The active summary: the whole page of the newest checkpoint. */
export const current = async (world: World, flags: Common & {track?: string}): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const found = await newestOf(world, opened.value, flags.track);
  if (!found.ok) return found;
  world.out(flags.json ? json(found.value) : checkpointMarkdown(found.value));
  return done;
};

export const schema = async (world: World): Outcome => {
  const {checkpointJsonSchema} = await import('../../baton/schema.ts');
  world.out(json(checkpointJsonSchema()));
  return done;
};

export const latest = async (world: World, flags: Common): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const index = await (await opened.value.store()).index();
  if (!index.ok) return index;
  if (index.value.tracks.size === 0 && !flags.json) return fail(noCheckpoint(opened.value));
  world.out(flags.json ? serialiseLatest(index.value) : latestMarkdown(index.value));
  return done;
};

export const tracks = async (world: World, flags: Common): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const index = await (await opened.value.store()).index();
  if (!index.ok) return index;
  if (flags.json) {
    const entries = [...index.value.tracks].map(([track, entry]) => ({
      track,
      current: track === index.value.current_track,
      ...entry,
    }));
    world.out(json(entries));
  } else if (index.value.tracks.size === 0) world.err(`no track in ${opened.value.dir}\n`);
  else world.out(tracksText(index.value));
  return done;
};

export const protocol = async (world: World, flags: Common & {track?: string}): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const track = flags.track ?? world.env.CKPT_TRACK ?? 'main';
  const standing = protocolText({ckptBin: world.ckptBin, dir: opened.value.dir, track});
  const text = runOf(world).run === undefined ? `${standing}\n- ${withoutRun(track)}` : standing;
  world.out(flags.json ? json({protocol: text}) : `${text}\n`);
  return done;
};
