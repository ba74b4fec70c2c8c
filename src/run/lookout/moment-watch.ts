// Sees moments that are worth a checkpoint: a commit, a pull request, a test that fails or is green again, a context that is
// nearly full. Looked for when something was heard, at most every ten seconds; nothing of it is on the path of the bytes.

import type {LegFacts, TestRun} from '../../baton/facts.ts';
import type {RunEvent} from '../../core/events.ts';
import type {LegNumber} from '../../core/ids.ts';
import type {AutomaticTrigger} from '../../core/triggers.ts';
import type {Clock} from '../../ports.ts';

export interface MomentPlan {
  leg: LegNumber;
  clock: Clock;
  facts(): LegFacts;
  /** The commit that is checked out; undefined when there is none, or nobody knows. */
  head(): Promise<string | undefined>;
  /** What the conversation has cost, told when it has grown. */
  onUsage(tokens: number, dollars: number): void;
  /** Tokens of context that lead to a compaction, where that is known. */
  compactsAt(facts: LegFacts): number | undefined;
  /** Of that: what is left must be enough to write down what one knows. */
  share: number;
  post(event: Extract<RunEvent, {type: 'moment-seen'}>): void;
}

export interface MomentWatch {
  heard(): void;
  close(): void;
}

const LOOK_MS = 10_000;

type Moment = {trigger: AutomaticTrigger; what: string};

export const watchMoments = (plan: MomentPlan): MomentWatch => {
  const {clock, leg} = plan;
  const seen = newSeen(plan.share);
  let off: (() => void) | undefined;
  let closed = false;
  // How it was at the beginning is no news.
  let before = plan.head().catch(() => undefined);
  const look = async (): Promise<void> => {
    const [was, head] = await Promise.all([before, plan.head()]);
    before = Promise.resolve(head);
    const facts = plan.facts();
    const {tokens = 0, dollars = 0} = facts;
    if (!closed && seen.usage(tokens, dollars)) plan.onUsage(tokens, dollars);
    const committed = head !== undefined && was !== undefined && head !== was;
    const moments = [
      ...(committed ? [{trigger: 'phase' as const, what: `a commit: ${head.slice(0, 12)}`}] : []),
      ...seen.tests(facts.lastTest),
      ...seen.links(facts.links),
      ...seen.context(facts.contextTokens, plan.compactsAt(facts)),
    ];
    if (!closed) for (const moment of moments) plan.post({type: 'moment-seen', at: clock.now(), leg, ...moment});
  };
  return {
    heard: () => {
      if (closed) return;
      off ??= clock.after(LOOK_MS, () => {
        off = undefined;
        // A look that fails sees nothing; the next one may.
        look().catch(() => undefined);
      });
    },
    close: () => {
      closed = true;
      off?.();
    },
  };
};

/** Each thing is told when it changes. */
const newSeen = (share: number) => {
  let test: TestRun['outcome'] | undefined;
  let links = 0;
  let told = false;
  let used = 0;
  return {
    usage: (tokens: number, dollars: number): boolean => {
      const grew = tokens + dollars > used;
      used = tokens + dollars;
      return grew;
    },
    tests: (last: TestRun | undefined): Moment[] => {
      const before = test;
      if (last === undefined || last.outcome === 'unknown' || last.outcome === before) return [];
      test = last.outcome;
      if (test === 'failed') return [{trigger: 'on_test_failure', what: 'a test fails'}];
      return before === 'failed' ? [{trigger: 'phase', what: 'the tests are green again'}] : [];
    },
    links: (made: string[]): Moment[] => {
      const isNew = made.length > links;
      links = made.length;
      return isNew ? [{trigger: 'phase', what: 'a pull request, issue or release'}] : [];
    },
    context: (tokens: number | undefined, limit: number | undefined): Moment[] => {
      if (told || tokens === undefined || limit === undefined || tokens < share * limit) return [];
      told = true;
      return [{trigger: 'threshold', what: `${tokens} of ${limit} tokens: a compaction is near`}];
    },
  };
};
