// `ckpt reload [run]`: a checkpoint, then a fresh conversation with the baton. What `ckpt handoff` is from inside a run,
// this is from anywhere.

import {type Failure, fail} from '../../../core/failure.ts';
import {json} from '../text.ts';
import {type Common, done, type Outcome, type World} from '../world.ts';
import {choose} from './stop.ts';

export interface ReloadFlags extends Common {
  track?: string;
  note?: string;
}

export const reload = async (world: World, wanted: string | undefined, flags: ReloadFlags): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const watch = await world.watch();
  const byTrack = flags.track !== undefined && wanted === undefined;
  const chosen = await choose(world, watch, {dir: opened.value.dir, wanted, all: byTrack});
  if (!chosen.ok) return chosen;
  const [one, ...others] = chosen.value.filter(({record}) => !byTrack || record.track === flags.track);
  if (one === undefined) return fail(noneOn(flags.track ?? ''));
  if (others.length > 0) throw new Error(`Internal error: two live runs on track ${flags.track}`);
  const {shelf, record, alive} = one;
  if (record.state === 'over' || (!alive && world.env.CKPT_RUN !== record.run)) return fail(isOver(record.run));
  const asked = world.request(`${shelf.folder(record.run)}/spool`, 'handoff', {note: flags.note ?? ''});
  if (!asked.ok) return asked;
  world.out(
    flags.json
      ? json({run: record.run, track: record.track, request: 'handoff', file: asked.value})
      : `run ${record.run} (track ${record.track}) was asked for a fresh conversation\n`,
  );
  return done;
};

const noneOn = (track: string): Failure => ({
  is: 'not-found',
  what: `no live run holds track ${JSON.stringify(track)} here`,
  fix: 'ckpt status shows the live runs of this folder',
});

const isOver = (run: string): Failure => ({
  is: 'not-found',
  what: `run ${run} is over`,
  fix: 'start a new one with ckpt-run --continue',
});
