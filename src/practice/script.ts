import {readFileSync} from 'node:fs';
import type {Act, RelayPlan} from './acts.ts';
import {ApiFailure, type Body} from './body.ts';
import {defaultPlan, limitFailure, newRelay, type Relay} from './relay.ts';
import {type Crash, die} from './tool.ts';

/** Asks for a clean end: SessionEnd, terminal restored. */
export class Leave extends Error {
  readonly code: number;
  constructor(code: number) {
    super('leave');
    this.code = code;
  }
}

export interface Mind {
  early(): Promise<void>;
  /** One turn: returns when it is over; throws ApiFailure when it was refused, Leave to end. */
  turn(): Promise<void>;
  forget(): void;
  /** Is there nothing left to do? */
  isOver(): boolean;
}

/** A list of acts, or `{"legs": [[…], […]]}`: one list for each leg by CKPT_LEG, the last for all that follow. */
export const readScript = (file: string | undefined): Act[] => {
  if (file === undefined || file === '') return [{job: {}}];
  const script = JSON.parse(readFileSync(file, 'utf8')) as Act[] | {legs: Act[][]};
  if (Array.isArray(script)) return script;
  const leg = Number(process.env.CKPT_LEG ?? 1);
  return script.legs[Math.min(leg, script.legs.length) - 1] ?? [];
};

export const newMind = (acts: Act[], body: Body): Mind => {
  const late = acts.filter((act) => act.early !== true);
  let at = 0;
  let relay: Relay | undefined;

  const job = async (plan: Partial<RelayPlan>): Promise<void> => {
    relay ??= newRelay({...defaultPlan, ...withoutNulls(plan)}, body, (act) => perform(act, body, job));
    await relay.run();
    relay = undefined;
  };

  return {
    early: async () => {
      for (const act of acts.filter((one) => one.early === true)) await perform(act, body, job);
    },
    turn: async () => {
      if (at >= late.length) body.say('There is nothing left to do.');
      for (let act = late[at]; act !== undefined; act = late[at]) {
        // A job stays the current act until it is through: after a limit it goes on where it stood.
        if ('job' in act) await job(act.job);
        at += 1;
        if ('wait' in act) return;
        if (!('job' in act)) await perform(act, body, job);
      }
    },
    forget: () => relay?.forget(),
    isOver: () => at >= late.length,
  };
};

/** `"crashIn": null` switches a death of the default job off. */
const withoutNulls = (plan: Partial<RelayPlan>): Partial<RelayPlan> =>
  Object.fromEntries(Object.entries(plan).map(([key, value]) => [key, value ?? undefined]));

const FOR_EVER_MS = 2 ** 31 - 1;

const perform = async (act: Act, body: Body, job: (plan: Partial<RelayPlan>) => Promise<void>): Promise<void> => {
  if ('say' in act) body.say(act.say);
  else if ('call' in act) await showCall(act, body);
  else if ('think' in act) await body.think(act.think);
  else if ('compact' in act) await body.compact(act.compact === 'manual' ? 'manual' : 'auto', null);
  else if ('crash' in act) await die(act.crash);
  else if ('limit' in act) throw limitFailure(act.limit);
  else if ('overload' in act) {
    throw new ApiFailure('API Error: 529 Overloaded. This is a server-side issue.', {
      error: 'server_error',
      status: 529,
    });
  } else if ('fail' in act) throw new ApiFailure(act.fail.text, act.fail);
  else if ('hang' in act) await body.think(FOR_EVER_MS);
  else if ('print' in act) body.show.raw(act.print);
  else if ('modes' in act) body.show.raw(act.modes);
  else if ('exit' in act) throw new Leave(act.exit);
  else if ('job' in act) await job(act.job);
};

const showCall = async (act: {call: string; ms?: number; crash?: Crash}, body: Body): Promise<void> => {
  body.show.begin(act.call);
  const ended = await body.call(act.call, {ms: act.ms, crash: act.crash});
  body.show.end(act.call, ended.code === 0);
};
