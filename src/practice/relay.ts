import {readFileSync} from 'node:fs';
import type {Act, RelayPlan} from './acts.ts';
import {ApiFailure, type Body} from './body.ts';
import {openHazards} from './hazards.ts';
import {readKnowledge} from './knowledge.ts';

/** The job that ships with the tool: twelve steps, one line of the file each; two deaths and a usage limit on the way. */
export const defaultPlan: RelayPlan = {
  steps: 12,
  file: 'relay.txt',
  stepMs: 200,
  compactAfter: 4,
  crashIn: 7,
  crash: 'SIGKILL',
  limitAfter: 9,
  limitSeconds: 4,
  hazards: [],
  hazardLog: undefined,
};

export interface Relay {
  /** Goes on with what is left; returns when all is done. */
  run(): Promise<void>;
  /** The context is gone: where it stood it can only learn from the new one. */
  forget(): void;
}

/**
 * It knows only its context. Which deaths lie behind it is told by the step at which its context began: the
 * compaction comes to the one that began at 1, the crash to one that took a baton up before the crash's step, the limit
 * to one that began after. So no state file is needed, and a lost baton shows at once, as a step done twice.
 */
export const newRelay = (plan: RelayPlan, body: Body, perform: (act: Act) => Promise<void>): Relay => {
  const hazards = openHazards(plan);
  let began: number | undefined;
  let next = 1;
  let compacted = false;
  let limited = false;
  let told = false;

  const isDue = (start: number) => ({
    compaction: !compacted && plan.compactAfter !== undefined && start === 1 && next > plan.compactAfter,
    crash: next === plan.crashIn && start < next && (start > 1 || plan.compactAfter === undefined),
    limit:
      !limited &&
      plan.limitAfter !== undefined &&
      next === plan.limitAfter + 1 &&
      start < next &&
      start >= (plan.crashIn ?? (plan.compactAfter === undefined ? 1 : 2)),
  });

  const step = async (start: number): Promise<void> => {
    const crash = isDue(start).crash ? plan.crash : undefined;
    const hit = start < next ? hazards.inside(next) : undefined;
    const words = `step ${next} of ${plan.steps}: ${wordsOf(next)}`;
    body.show.begin(words);
    await body.think(plan.stepMs);
    const slow = hit?.toolMs === undefined ? '' : `sleep ${hit.toolMs / 1000}; `;
    const command = `${slow}echo "step ${next}: ${wordsOf(next)}" >> ${plan.file}`;
    const ended = await body.call(command, {crash: crash ?? hit?.inside, ms: hit?.ms});
    body.show.end(words, ended.code === 0);
    if (ended.code !== 0) throw new ApiFailure(`step ${next} failed: ${ended.output}`, {error: 'unknown', status: 400});
    next += 1;
  };

  /** True: the context is gone. */
  const compacts = async (): Promise<boolean> => (await body.compact('auto', null)) === 'done';

  const run = async (): Promise<void> => {
    while (next <= plan.steps || began === undefined) {
      began ??= next = await takeUp(body, plan);
      if (isDue(began).compaction && (await compacts())) {
        compacted = true;
        began = undefined;
        continue;
      }
      if (next > plan.steps) break;
      const act = began < next ? hazards.before(next) : undefined;
      if (act !== undefined) {
        if (!('compact' in act)) await perform(act);
        else if (await compacts()) began = undefined;
        continue;
      }
      await step(began);
      if (isDue(began).limit) {
        limited = true;
        throw limitFailure(plan.limitSeconds);
      }
    }
    if (!told) await finish(body, plan);
    else body.say(`All ${plan.steps} steps are done already.`);
    told = true;
  };

  return {
    run,
    forget: () => {
      began = undefined;
    },
  };
};

export const limitFailure = (seconds: number): ApiFailure => {
  const resetsAt = Math.ceil(Date.now() / 1000 + seconds);
  const time = new Date(resetsAt * 1000).toLocaleTimeString('en-US', {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
  });
  const text = `You've hit your 5-hour limit · resets ${time.replace(' ', '').toLowerCase()} (UTC)`;
  return new ApiFailure(text, {error: 'rate_limit', status: 429, resetsAt});
};

/** The step to begin with, from the context alone; what nobody knows is looked up first. */
const takeUp = async (body: Body, plan: RelayPlan): Promise<number> => {
  const {done, unknown} = readKnowledge(body.knows());
  if (unknown === undefined) {
    body.say(done === 0 ? 'I know of nothing done: I begin with step 1.' : `Step ${done} is done: I go on from there.`);
    return done + 1;
  }
  body.say(`Nobody knows how step ${unknown} ended: I look first.`);
  const look = await body.call(`tail -n 1 ${plan.file} | grep "step ${unknown}:"`);
  body.say(
    look.code === 0 ? `It is there: I go on with step ${unknown + 1}.` : `It is not there: I do step ${unknown}.`,
  );
  return look.code === 0 ? unknown + 1 : unknown;
};

const finish = async (body: Body, plan: RelayPlan): Promise<void> => {
  body.show.line('');
  const {text, good} = summary(plan);
  body.say(text, good ? 'good' : 'bad');
  if (!process.env.CKPT_BIN) return;
  const told = await body.call(`"$CKPT_BIN" done --note "${plan.steps} steps of the relay done"`);
  if (told.code !== 0) body.show.line(`(nobody to tell: ${told.output.trim().split('\n')[0] ?? ''})`, 'dim');
};

/** Read from the file, not from memory: the proof that no step was lost and none done twice. */
const summary = (plan: RelayPlan): {text: string; good: boolean} => {
  const counts = new Map<number, number>();
  for (const line of linesOf(plan.file)) {
    const step = Number(/^step (\d+):/.exec(line)?.[1] ?? 0);
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const all = Array.from({length: plan.steps}, (_, at) => at + 1);
  const missing = all.filter((step) => !counts.has(step));
  const repeated = all.filter((step) => (counts.get(step) ?? 0) > 1);
  if (missing.length + repeated.length === 0) {
    return {text: `${plan.file}: ${plan.steps} steps, every step exactly once.`, good: true};
  }
  const faults = [named('missing', missing), named('done more than once', repeated)].filter((fault) => fault !== '');
  return {text: `${plan.file}: ${faults.join('; ')}.`, good: false};
};

const named = (what: string, steps: number[]): string =>
  steps.length === 0 ? '' : `${what}: step${steps.length > 1 ? 's' : ''} ${steps.join(', ')}`;

const linesOf = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
};

const words = [
  'lace the shoes',
  'take the baton',
  'leave the blocks',
  'run the first bend',
  'run the back straight',
  'keep the lane',
  'run the second bend',
  'find the rhythm',
  'pass the halfway mark',
  'run the last bend',
  'run the home straight',
  'cross the line',
];

const wordsOf = (step: number): string => words[(step - 1) % words.length] ?? '';
