// `ckpt done`, `ckpt handoff`: requests to the run, as plain files in its spool. No socket: Codex's sandbox refuses them.

import {fail} from '../../core/failure.ts';
import {isRunId} from '../../core/ids.ts';
import {json} from './text.ts';
import {type Common, done, type Outcome, type World} from './world.ts';

export const request = async (world: World, name: 'done' | 'handoff', flags: Common & {note?: string}): Outcome => {
  const {CKPT_RUN: run = '', CKPT_DIR: dir = ''} = world.env;
  if (!isRunId(run) || dir === '') {
    return fail({
      is: 'not-found',
      what: `there is no run here to be told "${name}" (CKPT_RUN and CKPT_DIR are not set)`,
      fix: `this works inside an agent that was started with ckpt-run; from outside: ckpt ${name === 'done' ? 'stop' : 'reload'} [run]`,
    });
  }
  const dropped = world.request(`${dir}/runs/${run}/spool`, name, {note: flags.note ?? ''});
  if (!dropped.ok) return dropped;
  const said = name === 'done' ? 'told that the work is done' : 'asked for a fresh agent';
  world.out(flags.json ? json({run, request: name, file: dropped.value}) : `run ${run} was ${said}\n`);
  return done;
};
