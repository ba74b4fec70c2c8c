// A usage limit that ends soon, with a subscription. The new Claude Code waits and goes on by itself, half a minute to two
// after the reset: we stand aside, and take over when it does not. The old one shows a menu and stays there: the menu is
// the person's, so nothing is typed into it, and a fresh leg goes on. Only in a full walk: their pauses cannot be set.

import {describe, expect, test} from 'vitest';
import {textAt} from '../../adapters/shared/json.ts';
import {claudeNew, claudeOld} from './clis.ts';
import {isFull, keepResult} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {failuresOf} from './model/failures.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import type {Scenario} from './model/reply.ts';
import type {ModelRequest} from './model/request.ts';
import {ended, openSupervised, type Supervised} from './supervised.ts';
import {until} from './until.ts';

const job = {steps: 4, file: 'job.txt'};
const SOON_MS = 8000;
const LONG = 400_000;

/** Two steps go well; then nothing does, until the time that was told; or, for the conversation of then, never again. */
const limited = (ends: 'at its reset' | 'with its conversation'): Scenario => {
  const worker = amnesiac();
  const who = (request: ModelRequest): string => textAt(request.body, 'metadata', 'user_id') ?? '';
  let hit: {until: number; who: string} | undefined;
  return {
    ...worker,
    main: (request) => {
      if (request.main < 3) return worker.main(request);
      hit ??= {until: request.at + SOON_MS, who: who(request)};
      const isOver = ends === 'at its reset' ? request.at >= hit.until : who(request) !== hit.who;
      return isOver ? worker.main(request) : failuresOf('claude').usageLimit(Math.ceil(hit.until / 1000));
    },
  };
};

const nudge = 'the limit or overload should be over';

const observe = async (ground: Supervised, code: number | undefined) => {
  const journal = await ground.journal();
  const waits = journal.filter(({event, proof}) => event === 'limit' && proof === true);
  return {
    code,
    exact: JSON.stringify(judge(ground.path(job.file), job.steps)) === JSON.stringify(flawless),
    legs: journal.filter(({event}) => event === 'leg-spawned').length,
    deaths: (await ground.certificates()).map(({cause, evidence}) => `${cause}: ${evidence[0]?.detail}`),
    resetKnown: waits.some(({resetsAt}) => typeof resetsAt === 'number'),
    nudged: ground.model.main().some(({request}) => JSON.stringify(request.turns).includes(nudge)),
    leftovers: await ground.processes(),
  };
};

const sameLeg = {code: 0, exact: true, legs: 1, deaths: [] as string[], resetKnown: true, leftovers: []};
const freshLeg = (why: string) => ({...sameLeg, legs: 2, deaths: [`limit: ${why}`]});

interface Waking {
  row: string;
  ends: Parameters<typeof limited>[0];
  /** The person presses ESC, which calls the agent's own waiting off. */
  cancelled?: true;
  policy: string;
  expected: object;
}

const wakings: Waking[] = [
  {row: 'it wakes by itself', ends: 'at its reset', policy: '', expected: {...sameLeg, nudged: false}},
  {
    ...{row: 'the person calls its own waiting off: nudged', ends: 'at its reset', cancelled: true, policy: ''},
    expected: {...sameLeg, nudged: true},
  },
  {
    ...{row: 'three nudges in vain: a fresh leg', ends: 'with its conversation'},
    // A limit that still holds after its reset: nobody knows until when.
    policy: 'policy: {limit: {marginSeconds: 1, unknownMinutes: 0.1}, nudgeSeconds: 10}',
    expected: {...freshLeg('3 nudges in vain'), nudged: true},
  },
];

describe.runIf(isFull)('a usage limit', () => {
  const keep = (version: string, row: string, [expected, observed]: [object, object], since: number): void =>
    keepResult('claude', {
      ...{table: 'usage limit', version, row, expected, observed},
      seconds: Math.round((Date.now() - since) / 1000),
    });

  test.each(wakings)(
    'Claude Code 2.1.326: $row',
    async ({row, ends, policy, expected, cancelled}) => {
      const since = Date.now();
      const scenario = limited(ends);
      await using ground = await openSupervised({cli: claudeNew(), scenario, account: 'subscription', config: policy});
      const terminal = ground.start(ground.under(ground.tui(goalOf(job)), '--until-done'));
      if (cancelled) {
        await terminal.waitFor(/Continuing automatically at/);
        terminal.type('\x1b');
        await terminal.waitFor((screen) => !/Continuing automatically at/.test(screen));
      }
      const {code} = await ended(terminal, LONG - 10_000);
      const observed = await observe(ground, code);
      keep('2.1.326', row, [expected, observed], since);
      expect(observed).toEqual(expected);
    },
    LONG,
  );

  test('Claude Code 2.1.197: its menu is never typed into; a fresh leg goes on after the reset', async () => {
    const since = Date.now();
    const config = 'policy: {limit: {marginSeconds: 2}}';
    const scenario = limited('at its reset');
    await using ground = await openSupervised({cli: claudeOld(), scenario, account: 'subscription', config});
    const terminal = ground.start(ground.under(ground.tui(goalOf(job)), '--until-done'));
    await terminal.waitFor(/❯ 1\. Stop and wait for limit to reset/);
    let last = terminal.screen();
    await until('the end of leg 1', async () => {
      const shown = terminal.screen();
      if (/What do you want to do\?/.test(shown)) last = shown;
      return (await ground.certificates()).length > 0;
    });
    // To its last moment the menu stood there as it was drawn, and nothing was written into it.
    expect(last).toMatch(/❯ 1\. Stop and wait for limit to reset/);
    const {code} = await ended(terminal);
    const expected = {...freshLeg('a question is open on its screen: not nudged'), nudged: false};
    const observed = await observe(ground, code);
    keep('2.1.197', 'its menu is never typed into', [expected, observed], since);
    expect(observed).toEqual(expected);
  });
});
