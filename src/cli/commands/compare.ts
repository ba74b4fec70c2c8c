// `ckpt diff N M`: what has changed from one checkpoint to another.

import {changesBetween, changeText} from '../../baton/diff.ts';
import {fail, ok, type Result} from '../../core/failure.ts';
import {pick} from './look.ts';
import {checkpointLine, json} from './text.ts';
import {type Common, done, type Outcome, type World} from './world.ts';

export const diff = async (world: World, wanted: [string, string | undefined], flags: Common): Outcome => {
  if (wanted[1] === undefined) {
    const fix = 'ckpt diff 3 4, or ckpt diff 3 --files for the files since then';
    return fail({is: 'bad-usage', what: 'diff needs the other checkpoint too', fix});
  }
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const all = await (await opened.value.store()).history();
  if (!all.ok) return all;
  const both = joined(pick(all.value, wanted[0]), pick(all.value, wanted[1]));
  if (!both.ok) return both;
  const [from, to] = both.value;
  const changes = changesBetween(from, to);
  if (flags.json) {
    const name = ({id, number, born}: typeof from) => ({id, number, born});
    world.out(json({from: name(from), to: name(to), changes}));
    return done;
  }
  const body = changes.length === 0 ? 'no field differs' : changes.map(changeText).join('\n');
  world.out(`--- ${checkpointLine(from)}\n+++ ${checkpointLine(to)}\n${body}\n`);
  return done;
};

const joined = <A, B>(one: Result<A>, other: Result<B>): Result<[A, B]> =>
  !one.ok ? one : !other.ok ? other : ok([one.value, other.value]);
