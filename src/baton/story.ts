// Step, note, next_cmd, validation: the agent's own words while they are fresh, else what the log shows.

import {callLine, endedCalls, inFlightOf, isOwnCall, isSnapshotCall, provenBy, recentOver} from './calls.ts';
import type {Checkpoint, CheckpointDraft, Provenance, Trigger} from './checkpoint.ts';
import {oneLine} from './clean.ts';
import type {ComposeInput} from './compose-input.ts';
import type {ToolCall} from './facts.ts';
import {goalOf} from './goal.ts';
import {nextAfter, overtakenPlan} from './next.ts';

interface Story {
  fields: Pick<CheckpointDraft, 'step' | 'note' | 'next_cmd' | 'validation'>;
  provenance: Record<string, Provenance>;
  /** What the agent's last snapshot had planned, if work went on since without visibly doing it. */
  overtakenPlan: string | undefined;
}

export const storyOf = (input: ComposeInput, before: Checkpoint | undefined, own: Checkpoint | undefined): Story => {
  if (own !== undefined && isFresh(input, own)) return proved(input, claimed(own));
  return nothingSince(input, before) ? carried(input, before) : observed(input, before, own);
};

/** Of this run, taken up by this run, or written by hand on its track while it ran. */
export const isOurs = (input: ComposeInput, checkpoint: Checkpoint | undefined): boolean =>
  checkpoint !== undefined &&
  checkpoint.track === input.track &&
  (checkpoint.run === input.run ||
    input.continued ||
    checkpoint.consumed_by?.run === input.run ||
    (checkpoint.run === undefined && Date.parse(checkpoint.born) >= input.runStartedAt));

const byHarness: ReadonlySet<Trigger> = new Set([
  'interval',
  'phase',
  'threshold',
  'pre-compaction',
  'death',
  'end',
  'pre-restore',
]);

export const ownSnapshot = (input: ComposeInput, before: Checkpoint | undefined): Checkpoint | undefined => {
  const candidates = [before, input.own].filter(
    (one) => one !== undefined && isOurs(input, one) && !byHarness.has(one.trigger) && !/^leg-\d+-/.test(one.label),
  );
  return candidates.sort((a, b) => ((a?.id ?? '') < (b?.id ?? '') ? 1 : -1))[0];
};

/** Fresh: nothing came after it but looking around, as far as the log of this leg shows. */
const isFresh = (input: ComposeInput, own: Checkpoint): boolean => {
  if (own.id !== input.previous?.id && own.id < (input.previous?.id ?? '')) return false;
  const {recentCalls} = input.facts;
  if (own.run === undefined || recentCalls.length === 0) return true;
  if (own.run !== input.run || own.leg !== input.leg) return false;
  const at = recentCalls.findLastIndex((call) => isSnapshotCall(call) && call.state !== 'failed');
  const wrote = recentCalls[at];
  if (wrote === undefined || !isItsWork(own, wrote)) return false;
  return recentCalls.slice(at + 1).every((call) => call.does === 'look' || isOwnCall(call));
};

/** Died in the midst of `ckpt snapshot`, the newest one on disk may be that of an earlier call. */
const DOUBT_MS = 1000;
const isItsWork = (own: Checkpoint, {at, state}: ToolCall): boolean =>
  at === undefined ? state === 'finished' : Date.parse(own.born) >= at - DOUBT_MS;

const storyFields = ['step', 'note', 'next_cmd', 'validation'] as const;
const all = (who: Provenance): Record<string, Provenance> =>
  Object.fromEntries(storyFields.map((field) => [field, who]));

const claimed = ({step, note, next_cmd, validation}: Checkpoint): Story => ({
  fields: {step, note, next_cmd, validation},
  provenance: all('claimed'),
  overtakenPlan: undefined,
});

/** A test that ran on the files as they are is surer than what is said of it. */
const proved = ({facts}: ComposeInput, story: Story): Story => {
  const proof = provenBy(facts);
  if (proof === undefined || proof.validation === 'pending' || proof.validation === 'unknown') return story;
  return {
    ...story,
    fields: {...story.fields, validation: proof.validation},
    provenance: {...story.provenance, validation: 'observed'},
  };
};

/** An earlier checkpoint of this very leg has seen all that there is to see. */
const nothingSince = (input: ComposeInput, before: Checkpoint | undefined): before is Checkpoint => {
  if (before?.run !== input.run || before.leg !== input.leg || !byHarness.has(before.trigger)) return false;
  const calls = recentOver(before.recent_calls, true, input.facts);
  const now = inFlightOf(input.facts, before.in_flight);
  return (
    calls.join('\n') === before.recent_calls.join('\n') &&
    now?.call === before.in_flight?.call &&
    now?.outcome === before.in_flight?.outcome
  );
};

const carried = (input: ComposeInput, before: Checkpoint): Story => ({
  fields: {...claimed(before).fields, note: noteOf(input, before, undefined)},
  provenance: {},
  overtakenPlan: before.extra.agent_plan,
});

/** Derived from what the log shows; a leg that did nothing hands on what it was given. */
const observed = (input: ComposeInput, before: Checkpoint | undefined, own: Checkpoint | undefined): Story => {
  const {facts, leg} = input;
  const last = endedCalls(facts).at(-1);
  const next = nextAfter({facts, before, own, hasGoal: goalOf(input, before) !== undefined});
  const proof = provenBy(facts);
  const step = last === undefined ? (before?.step ?? `leg ${leg}: nothing done yet`) : `leg ${leg}: ${callLine(last)}`;
  return {
    fields: {
      step,
      note: noteOf(input, before, own),
      next_cmd: next.text,
      validation: proof?.validation ?? (last === undefined ? (before?.validation ?? 'unknown') : stale(before)),
    },
    provenance: {...all('observed'), next_cmd: next.provenance},
    overtakenPlan: overtakenPlan({facts, before, own}),
  };
};

/** Work went on since: what was green then is not proved now. */
const stale = (before: Checkpoint | undefined): 'pending' | 'unknown' =>
  before?.validation === 'green' ? 'pending' : 'unknown';

/** How the leg ended, what the agent itself noted last, and an older call whose outcome nobody has told. */
const noteOf = (
  {death, facts, leg, trigger}: ComposeInput,
  before: Checkpoint | undefined,
  own: Checkpoint | undefined,
): string => {
  const calls = `${facts.callCount} finished call${facts.callCount === 1 ? '' : 's'}`;
  const how =
    death === undefined ? `Leg ${leg} at ${trigger}: ${calls}.` : `Leg ${leg} ended (${death.cause}) after ${calls}.`;
  const unknown = before?.in_flight?.outcome === 'unknown' && before.leg !== leg ? before.in_flight.call : undefined;
  const older =
    unknown !== undefined && (inFlightOf(facts, before?.in_flight)?.call ?? unknown) !== unknown
      ? ` Before, leg ${before?.leg ?? '?'} died during \`${unknown}\`, outcome then unknown.`
      : '';
  const words = (own ?? before)?.note ?? '';
  const noted =
    words === '' ? '' : own === undefined ? `\n${stripHow(words)}` : `\nThe agent noted before that: ${oneLine(words)}`;
  return `${how}${older}${noted}`.trimEnd();
};

/** Notes are carried on, but not the "Leg n ended" of every leg before, or they would grow without end. */
const stripHow = (note: string): string =>
  note
    .split('\n')
    .filter((line) => !/^Leg \d+ (?:ended|at) /.test(line))
    .join('\n');
