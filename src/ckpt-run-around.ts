// What goes on around a run and decides nothing: the person's list of runs, notifications, a machine kept awake.

import {redactor, secretValues} from './baton/redact.ts';
import type {Notice} from './core/effects.ts';
import type {RunId} from './core/ids.ts';
import type {Outcome} from './core/state.ts';
import {keepAwake} from './io/machine/keep-awake.ts';
import {openNotify} from './io/machine/notify.ts';
import {registerRun} from './io/runs/run-registry.ts';
import {loadNotify} from './io/setup/config-files.ts';
import {type About, noteOfNotice, noteOfOutcome} from './notify/note.ts';

export interface AroundOptions {
  env: Record<string, string | undefined>;
  about: About & {run: RunId};
  dir: string;
  root: string;
  awake: boolean;
  /** Bell and OSC 9; undefined without a terminal. */
  ring: ((bytes: string) => void) | undefined;
  /** Something that could not be done; the run goes on. */
  tell(line: string): void;
}

export interface Around {
  notice(notice: Notice): void;
  end(outcome: Outcome): Promise<void>;
}

/** So long a last word may take to be delivered. */
const SETTLE_MS = 5000;

export const openAround = async ({env, about, dir, root, awake, ring, tell}: AroundOptions): Promise<Around> => {
  const unregistered = registerRun(env, {run: about.run, dir, root, registeredAt: Date.now()});
  if (unregistered !== undefined) tell(`ckpt runs will not show this run: ${unregistered}`);
  const config = await loadNotify(env);
  if (!config.ok) tell(`nobody will be notified: ${JSON.stringify(config.failure)}`);
  const notify = config.ok
    ? openNotify({config: config.value, env, writeTerminal: ring, redact: redactor(secretValues(env)), onFailure: tell})
    : undefined;
  const release = awake ? keepAwake(`ckpt-run ${about.agent}`) : () => {};
  let now = about;
  return {
    notice: (notice) => {
      if (notice.is === 'taking-over') now = {...about, agent: notice.agent};
      const note = noteOfNotice(notice, now, Date.now());
      if (note !== undefined) notify?.tell(note);
    },
    end: async (outcome) => {
      release();
      const note = noteOfOutcome(outcome, now, Date.now());
      if (note !== undefined) notify?.tell(note);
      await notify?.settle(SETTLE_MS);
    },
  };
};
