// `ckpt approve [run]`, `ckpt deny [run]`: a person's word to the calls that a run holds. Never the agent's own.

import {type Failure, fail} from '../../../core/failure.ts';
import {json} from '../text.ts';
import {type Common, done, type Outcome, type World} from '../world.ts';
import {choose} from './stop.ts';

export interface ApproveFlags extends Common {
  note?: string;
}

export const approve = async (
  world: World,
  said: 'approve' | 'deny',
  {run: wanted, flags}: {run: string | undefined; flags: ApproveFlags},
): Outcome => {
  if (world.env.CKPT_RUN !== undefined) return fail(notTheAgents(said));
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const chosen = await choose(world, await world.watch(), {dir: opened.value.dir, wanted, all: false});
  if (!chosen.ok) return chosen;
  const [one] = chosen.value;
  const what = /^ckpt approve or ckpt deny: (.*)$/s.exec(one?.record.waits?.for ?? '')?.[1];
  if (one === undefined || !one.alive || what === undefined) return fail(nothingHeld(one?.record.run));
  const {run} = one.record;
  const asked = world.request(`${one.shelf.folder(run)}/spool`, said, {note: flags.note ?? ''});
  if (!asked.ok) return asked;
  const words = said === 'approve' ? 'goes on' : 'is denied';
  world.out(flags.json ? json({run, said, what, file: asked.value}) : `run ${run}: ${what} ${words}\n`);
  return done;
};

const notTheAgents = (said: string): Failure => ({
  is: 'bad-usage',
  what: `ckpt ${said} is a person's word, and this is a run's own agent`,
  fix: 'say it in a terminal of your own',
});

const nothingHeld = (run: string | undefined): Failure => ({
  is: 'not-found',
  what: run === undefined ? 'no run holds a call here' : `run ${run} holds no call`,
  fix: 'ckpt status shows what waits; calls are held with ckpt-run --approve-outside-effects',
});
