// `claude -p` through pipes: stdout exactly the final leg's (text, json) or one leg after the other (stream-json), and
// with --until-done again and again until the agent has said `ckpt done`.

import {describe, expect, test} from 'vitest';
import {type Cli, claudeNew, claudeOld} from './clis.ts';
import {isFull} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import type {Scenario} from './model/reply.ts';
import {openSupervised, type Supervised} from './supervised.ts';

const job = {steps: 4, file: 'job.txt'};
const goal = goalOf(job);
const quick = 'policy: {backoff: {firstSeconds: 0.05}}';
const slow = {slow: {step: 3, seconds: 60, write: 'first'}} as const;

const legs = async (ground: Supervised): Promise<number> =>
  (await ground.journal()).filter(({event}) => event === 'leg-spawned').length;

/** Ends its turn when two steps are in its context, done or not. */
const tired = (): Scenario => {
  const worker = amnesiac();
  const isStep = (command: string): boolean => command.startsWith('printf');
  return {
    ...worker,
    main: (request) => {
      const steps = request.turns.filter((turn) => turn.is === 'call' && isStep(turn.command)).length;
      const next = worker.main(request);
      return steps >= 2 && next.is === 'call' && isStep(next.command) ? {is: 'text', text: 'Enough for now.'} : next;
    },
  };
};

const versions: [string, Cli][] = [
  ['2.1.326', claudeNew()],
  ['2.1.197', claudeOld()],
];

describe.each(isFull ? versions : versions.slice(0, 1))('Claude Code %s', (_, cli) => {
  const open = (scenario: Scenario) => openSupervised({cli, scenario, config: quick});
  /** The whole of a run whose first leg is killed in the middle of step 3. */
  const killedOnce = async (ground: Supervised, flags: string[]) => {
    const program = ground.pipe(ground.under(ground.headless(goal, ...flags)));
    await ground.untilAsleep(60);
    process.kill(await ground.agentPid(1), 'SIGKILL');
    return program.exit;
  };

  test('text: what the last leg said, and nothing else', async () => {
    await using ground = await open(amnesiac(slow));
    const {code, stdout} = await killedOnce(ground, []);
    expect({code, stdout}).toEqual({code: 0, stdout: 'All 4 steps are done.\n'});
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    expect(await legs(ground)).toBe(2);
  });

  test('json: one document, the last leg’s', async () => {
    await using ground = await open(amnesiac(slow));
    const {code, stdout} = await killedOnce(ground, ['--output-format', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({type: 'result', is_error: false, result: 'All 4 steps are done.'});
    expect(await legs(ground)).toBe(2);
  });

  test('stream-json: the lines of both legs, whole and in order', async () => {
    await using ground = await open(amnesiac(slow));
    const {code, stdout} = await killedOnce(ground, ['--output-format', 'stream-json', '--verbose']);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line) as {type: string; subtype?: string; session_id?: string});
    const begun = events.filter(({type, subtype}) => type === 'system' && subtype === 'init');
    expect(begun).toHaveLength(2);
    expect(new Set(begun.map(({session_id}) => session_id)).size).toBe(2);
    expect(events.filter(({type}) => type === 'result')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({type: 'result', result: 'All 4 steps are done.'});
  });

  test('--until-done: a turn that ends without it gets a successor, until it is said', async () => {
    await using ground = await open(tired());
    const {code, stdout} = await ground.pipe(ground.under(ground.headless(goal), '--until-done')).exit;
    expect({code, stdout}).toEqual({code: 0, stdout: 'All 4 steps are done.\n'});
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    const causes = (await ground.certificates()).map(({cause}) => cause);
    expect(causes.length).toBeGreaterThanOrEqual(1);
    expect(new Set(causes)).toEqual(new Set(['unfinished']));
  });

  test('--until-done: legs that do nothing do not go on for ever', async () => {
    await using ground = await open({main: () => ({is: 'text', text: 'I would rather not.'})});
    const {code, stderr} = await ground.pipe(ground.under(ground.headless(goal), '--until-done')).exit;
    expect(code).toBe(75);
    // The first, and three more that were told the next step.
    expect(stderr).toContain('parked: 4 legs ended without progress and without ckpt done');
    expect(await legs(ground)).toBe(4);
  });

  test('without --until-done a turn that ends is the end', async () => {
    await using ground = await open(tired());
    const {code, stdout} = await ground.pipe(ground.under(ground.headless(goal))).exit;
    expect({code, stdout}).toEqual({code: 0, stdout: 'Enough for now.\n'});
    expect(await legs(ground)).toBe(1);
  });
});
