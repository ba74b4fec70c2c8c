// Gathers the facts for a checkpoint through the ports and writes it. What cannot be had makes the baton thinner, never
// absent; only a checkpoint that cannot be written is a failure.

import type {ProcessNote} from '../baton/checkpoint.ts';
import {compose} from '../baton/compose.ts';
import {type LegFacts, noFacts, openCall} from '../baton/facts.ts';
import type {Failure} from '../core/failure.ts';
import type {CheckpointId, LegNumber} from '../core/ids.ts';
import type {Death} from '../core/state.ts';
import {automaticTriggers, type CaptureTrigger} from '../core/triggers.ts';
import type {GitFacts} from '../ports.ts';
import {keepWork} from './keep-work.ts';
import type {LegWatch} from './leg/leg-watch.ts';
import type {Ports, RunPlan} from './plan.ts';

export interface CaptureInput {
  leg: LegNumber;
  trigger: CaptureTrigger;
  death: Death | undefined;
  watch: Pick<LegWatch, 'facts' | 'log' | 'settle'> | undefined;
  /** How the tree stood when the leg began. */
  before: Promise<GitFacts | undefined>;
  /** What its legs have left running; undefined when nobody can tell. */
  left?: (() => Promise<ProcessNote[]>) | undefined;
  /** How the work stood at the leg's checkpoint before this one, if there was any. */
  since?: Mark | undefined;
  /** The checkpoint of this very death, made while its agent was still there. */
  told?: {id: CheckpointId; progress: boolean} | undefined;
}

export type Captured =
  | {ok: true; id: CheckpointId; progress: boolean; moved: boolean; mark: Mark}
  /** An automatic one that would have told nothing new. */
  | {ok: true; id: undefined}
  | {ok: false; failure: Failure};

export const capture = async (plan: RunPlan, ports: Ports, input: CaptureInput): Promise<Captured> => {
  const {leg, trigger, death, watch} = input;
  await quietly(watch?.settle());
  const facts = watch?.facts() ?? noFacts;
  const log = watch?.log();
  const save = () => Promise.all([keepWork(plan, ports, {leg, trigger, death, log}), quietly(input.left?.())]);
  // What is sure to be wanted is saved while git is asked: the next agent waits for both.
  const early = maySkip(input) || input.told !== undefined ? undefined : save();
  const [git, before, previous] = await Promise.all([
    quietly(ports.workspace.facts()),
    input.before,
    quietly(ports.store.latest(plan.track)),
  ]);
  const own =
    previous?.run === plan.run && previous.leg === leg && previous.trigger === 'agent' ? previous.id : undefined;
  const mark = markOf(facts, git, own);
  const start = markOf(noFacts, before, undefined);
  const moved = hasMoved(input.since ?? start, mark);
  if (!moved && maySkip(input)) return {ok: true, id: undefined};
  if (!moved && input.told !== undefined && input.since?.calls === mark.calls) {
    return {ok: true, ...input.told, moved, mark: input.since};
  }
  const [kept, left] = await (early ?? save());
  const draft = compose({
    track: plan.track,
    trigger,
    death,
    run: plan.run,
    leg,
    runStartedAt: plan.startedAt,
    facts,
    git: git ?? {branch: undefined, head: undefined, dirty: []},
    ...(left === undefined ? {} : {processes: left}),
    previous,
    continued: plan.continues !== undefined,
    prompt: plan.prompt,
    agent: {name: plan.adapter.name, version: plan.version, logPath: log?.path, logOffset: log?.offset},
    setCurrent: plan.setCurrent,
  });
  const whole = kept(draft);
  const written = await ports.store.write(whole);
  if (!written.ok) return written;
  const holdsFiles = whole.workspace?.complete === true;
  return {ok: true, id: written.value, progress: hasMoved(start, mark), moved, mark: {...mark, holdsFiles}};
};

/** Nothing new would be told. Before a risky change the files must be in a checkpoint of this leg, moved or not. */
const maySkip = ({trigger, since}: CaptureInput): boolean =>
  automaticTriggers.some((one) => one === trigger) && (trigger !== 'before_risky_change' || since?.holdsFiles === true);

/** How the work stands at one moment. Two of them tell whether it has moved in between. */
export interface Mark {
  /** Undefined: nobody knows, and then the tree proves nothing. */
  fingerprint: string | undefined;
  edits: number;
  completed: number;
  /** How many are finished, and which one is open. */
  calls: string;
  /** Calls that were felt outside this folder. Only the last few are remembered, so by their ids. */
  outside: string[];
  /** Is it saved, with every file? */
  holdsFiles?: boolean;
  /** The agent's own checkpoint, if it has written any in this leg. */
  own: CheckpointId | undefined;
}

const markOf = (facts: LegFacts, git: GitFacts | undefined, own: CheckpointId | undefined): Mark => ({
  fingerprint: git?.fingerprint,
  edits: facts.edits.length,
  calls: `${facts.callCount} ${openCall(facts)?.id ?? ''}`,
  completed: facts.tasks.filter(({state}) => state === 'completed').length,
  outside: facts.recentCalls.filter(({state, outside}) => state === 'finished' && outside).map(({id}) => id),
  own,
});

/**
 * A changed tree, an edit, a finished task, a call that was felt outside, or a checkpoint of the agent's own. Looking
 * around is no progress: a leg that only looks and dies must not go on for ever.
 */
const hasMoved = (before: Mark, now: Mark): boolean =>
  (now.fingerprint !== undefined && before.fingerprint !== undefined && now.fingerprint !== before.fingerprint) ||
  now.edits > before.edits ||
  now.completed > before.completed ||
  now.outside.some((id) => !before.outside.includes(id)) ||
  (now.own !== undefined && now.own !== before.own);

const quietly = async <T>(work: Promise<T> | undefined): Promise<T | undefined> => {
  try {
    return await work;
  } catch {
    return undefined;
  }
};
