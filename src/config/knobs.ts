// Everything that ckpt.yaml and the person's own config.yaml may say: one line per key, with its default.

import type {MapReader} from '../adapter/yaml-fields.ts';
import {type Trigger, triggers} from '../baton/checkpoint.ts';
import {compactionPolicies, defaultPolicy, leftoverPolicies} from '../core/policy.ts';

export interface Knob<T> {
  fallback: T;
  /** What it is for, in a few words. */
  what: string;
  /** Throws a FieldError that says what to write instead. */
  read(map: MapReader, key: string): T;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const flag = (fallback: boolean, what: string): Knob<boolean> => ({fallback, what, read: (map, key) => map.flag(key)});

const count = (fallback: number, what: string, least = 1): Knob<number> => ({
  fallback,
  what,
  read: (map, key) => {
    const value = map.count(key);
    if (value < least || value > 1_000_000) throw map.wrong(key, `a whole number from ${least} to 1000000`);
    return value;
  },
});

/** A length of time, or money: a part of a minute is one too (0.5 is half of it). */
const amount = (fallback: number, what: string, least: 'above 0' | 'from 0' = 'above 0'): Knob<number> => ({
  fallback,
  what,
  read: (map, key) => {
    const field = map.field(key);
    const value = field.is === 'scalar' ? field.value : undefined;
    const isEnough = typeof value === 'number' && (least === 'from 0' ? value >= 0 : value > 0);
    if (!isEnough || value > 1_000_000) throw map.wrong(key, `a number ${least}, up to 1000000`);
    return value;
  },
});

const percent = (fallback: number, what: string): Knob<number> => ({
  fallback,
  what,
  read: (map, key) => {
    const value = map.count(key);
    if (value < 1 || value > 100) throw map.wrong(key, 'a whole number from 1 to 100');
    return value;
  },
});

/** A number, or the word for leaving it open. */
const numberOr = <W extends string>(open: W, what: string): Knob<number | W> => ({
  fallback: open,
  what,
  read: (map, key) => {
    const field = map.field(key);
    const value = field.is === 'scalar' ? field.value : undefined;
    if (value === open) return open;
    if (typeof value !== 'number' || !(value > 0 && Number.isFinite(value))) {
      throw map.wrong(key, `a number above 0, or ${open}`);
    }
    return value;
  },
});

const word = <T extends string>(fallback: T, what: string, allowed: readonly T[]): Knob<T> => ({
  fallback,
  what,
  read: (map, key) => map.word(key, allowed),
});

/** What happens at a death, before a compaction and at the end cannot be switched off: it is what a run is for. */
const always: readonly Trigger[] = ['manual', 'agent', 'death', 'end', 'pre-compaction', 'pre-restore'];
export const choosableTriggers = triggers.filter((trigger) => !always.includes(trigger));

const triggerList: Knob<Trigger[]> = {
  fallback: choosableTriggers,
  what: 'what makes a run save one by itself',
  read: (map, key) =>
    map.texts(key).map((text) => {
      const found = choosableTriggers.find((trigger) => trigger === text);
      if (found === undefined) throw map.wrong(key, `a list of some of: ${choosableTriggers.join(', ')}`);
      return found;
    }),
};

const folder: Knob<string> = {
  fallback: 'runtime/checkpoints',
  what: 'where checkpoints are kept, from the root of the repository',
  read: (map, key) => {
    const text = map.text(key);
    if (text.trim() === '' || /\p{Cc}/u.test(text)) throw map.wrong(key, 'the path of a folder');
    return text;
  },
};

const {budget, backoff, capture, limit, overload, nudge, context, hang} = defaultPolicy;

export const knobs = {
  autoCheckpoint: flag(true, 'does a run save checkpoints by itself?'),
  intervalMinutes: count(30, 'minutes between two of them while work happens'),
  maxCheckpoints: count(200, 'automatic checkpoints that are kept; saved ones are never limited'),
  triggers: triggerList,
  checkpointDir: folder,
  'policy.onCompaction': word(defaultPolicy.onCompaction, 'what a compaction leads to', compactionPolicies),
  'policy.leftovers': word(
    defaultPolicy.leftovers,
    'what becomes of background processes when their agent ends',
    leftoverPolicies,
  ),
  'policy.maxLegs': count(defaultPolicy.maxLegs, 'agents that one run may start'),
  'policy.maxHours': amount(defaultPolicy.maxMs / HOUR, 'hours that one run may take'),
  'policy.maxTokens': numberOr('none', 'tokens that all agents of a run may use together'),
  'policy.maxCost': numberOr('none', 'dollars that they may cost, where the agent tells'),
  'policy.nudges': count(nudge.max, 'nudges without progress', 0),
  'policy.nudgeSeconds': amount(nudge.waitMs / SECOND, 'a nudge that shows no effect for so long has failed'),
  'policy.idleSeconds': amount(nudge.idleMs / SECOND, 'at its prompt before the agent is told to go on'),
  'policy.doneSeconds': amount(defaultPolicy.doneGraceMs / SECOND, 'for the turn that said ckpt done to end'),
  'policy.budget.legs': count(budget.legs, 'agents without progress until the run parks'),
  'policy.budget.minutes': amount(budget.windowMs / MINUTE, 'within so many minutes'),
  'policy.backoff.firstSeconds': amount(backoff.firstMs / SECOND, 'rest before the first restart'),
  'policy.backoff.maxMinutes': amount(backoff.maxMs / MINUTE, 'the longest rest'),
  'policy.backoff.stableMinutes': amount(backoff.stableMs / MINUTE, 'then the rests begin small again'),
  'policy.capture.againSeconds': amount(capture.againMs / SECOND, 'until a checkpoint that failed is tried again'),
  'policy.capture.giveUpSeconds': amount(
    capture.giveUpMs / SECOND,
    'a leg’s end waits so long for its checkpoint',
    'from 0',
  ),
  'policy.limit.marginSeconds': amount(limit.marginMs / SECOND, 'waited beyond the reset of a usage limit', 'from 0'),
  'policy.limit.unknownMinutes': amount(limit.unknownMs / MINUTE, 'waited when the reset is not known'),
  'policy.limit.maxWaitHours': amount(limit.maxWaitMs / HOUR, 'the longest wait for a reset'),
  'policy.limit.takeoverMinutes': amount(limit.takeoverMs / MINUTE, 'the longest with another agent to take over'),
  'policy.overload.firstSeconds': amount(overload.firstMs / SECOND, 'first wait when the provider is overloaded'),
  'policy.overload.maxMinutes': amount(overload.maxMs / MINUTE, 'the longest such wait'),
  'policy.context.percent': percent(context.share * 100, 'of the context that leads to a compaction: told to save'),
  'policy.context.windowTokens': numberOr('known', 'the context window, where nobody knows the model’s'),
  'policy.approvalMinutes': amount(defaultPolicy.approval.waitMs / MINUTE, 'that a held call waits for your word'),
  'policy.uptakeMinutes': amount(defaultPolicy.uptakeMs / MINUTE, 'for a new agent to take the baton up'),
  'policy.hang.thinkingMinutes': amount(hang.thinkingMs / MINUTE, 'nothing heard in an open turn: a hang'),
  'policy.hang.toolMinutes': amount(hang.toolMs / MINUTE, 'the same while a tool runs that does nothing'),
};

export type Key = keyof typeof knobs;
export type Values = {[K in Key]: (typeof knobs)[K] extends Knob<infer T> ? T : never};

/** In the order of the table. */
export const keys = Object.keys(knobs) as Key[];
