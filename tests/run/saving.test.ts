// Checkpoints that nobody asked for, and the word to an agent whose context is nearly full.

import {expect, test} from 'vitest';
import {begun, call, line, pass, SESSION, within} from './story.ts';

const MINUTE = 60_000;
type World = Awaited<ReturnType<typeof begun>>;
const triggers = (world: World) => world.store.written.map(({trigger}) => trigger);
const ends = async (world: World) => {
  world.agents[0]?.exit();
  await world.end;
};
const shell = (world: World, id: string, command: string, {failed = false, said = 'ok'} = {}) => {
  world.log('/log/s1.jsonl', call(id, command));
  const content = failed ? `Exit code 1\n${said}` : said;
  const block = {type: 'tool_result', tool_use_id: id, is_error: failed, content};
  world.log('/log/s1.jsonl', line({type: 'user', message: {content: [block]}}));
};

test('every half hour while work happens, and not when nothing has moved', async () => {
  const world = await begun();
  for (const moves of [true, false, true]) {
    if (moves) world.git.fingerprint = `at ${world.store.written.length}`;
    await pass(world, 30 * MINUTE, MINUTE);
  }
  expect(triggers(world)).toEqual(['interval', 'interval']);
  expect(world.journal.filter(({event}) => event === 'checkpoint-skipped')).toHaveLength(1);
  expect(world.store.retained).toEqual([200, 200]);
  await ends(world);
});

test('after a commit, seen at the next sign of life; the agent is not stopped and nothing is told', async () => {
  const world = await begun();
  await pass(world, 11_000);
  world.git.head = 'def';
  world.git.fingerprint = '2';
  shell(world, 'b', 'git commit -am "step two"');
  await pass(world, 11_000);
  expect(triggers(world)).toEqual(['phase']);
  expect(world.journal.find(({event}) => event === 'moment-seen')).toMatchObject({what: 'a commit: def'});
  expect(world.agents[0]?.stopped).toEqual([]);
  expect(world.told).toEqual([]);
  await ends(world);
});

test('when a test fails, and when it is green again', async () => {
  const world = await begun();
  const step = async (id: string, failed: boolean) => {
    world.git.fingerprint = id;
    shell(world, id, 'npx vitest run', {
      failed,
      said: failed ? 'Tests  1 failed | 2 passed (3)' : 'Tests  3 passed (3)',
    });
    await pass(world, 11_000);
  };
  await step('b', false);
  expect(triggers(world)).toEqual([]);
  await step('c', true);
  await step('d', true);
  await step('e', false);
  expect(triggers(world)).toEqual(['on_test_failure', 'phase']);
  await ends(world);
});

test('after a pull request was opened, once', async () => {
  const world = await begun();
  world.git.fingerprint = '2';
  shell(world, 'b', 'gh pr create --fill', {said: 'Creating pull request\nhttps://github.com/o/r/pull/12\n'});
  await pass(world, 11_000);
  world.git.fingerprint = '3';
  shell(world, 'c', 'ls');
  await pass(world, 11_000);
  expect(triggers(world)).toEqual(['phase']);
  expect(world.journal.find(({event}) => event === 'moment-seen')).toMatchObject({
    what: 'a pull request, issue or release',
  });
  await ends(world);
});

test('nearly full: a checkpoint, and the agent is told once, through its next hook', async () => {
  const world = await begun({policy: {context: {share: 0.85, windowTokens: 133_000}}});
  const answers = (tokens: number, id: string) =>
    world.log(
      '/log/s1.jsonl',
      line({
        type: 'assistant',
        message: {id, model: 'x', content: [{type: 'text', text: 'on it'}], usage: {input_tokens: tokens}},
      }),
    );
  world.git.fingerprint = '2';
  answers(84_000, 'm1');
  await pass(world, 11_000);
  expect(world.spools.given).toEqual([]);
  answers(86_000, 'm2');
  await pass(world, 11_000);
  answers(95_000, 'm3');
  await pass(world, 11_000);
  expect(triggers(world)).toEqual(['threshold']);
  expect(world.spools.given).toHaveLength(1);
  expect(JSON.parse(world.spools.given[0] ?? '')).toMatchObject({
    hookSpecificOutput: {
      hookEventName: 'PostToolUse',
      additionalContext: expect.stringContaining('/run/ckpt snapshot'),
    },
  });
  await ends(world);
});

test('switched off: none, and what belongs to a death or an end is made all the same', async () => {
  const world = await begun({policy: {saves: {triggers: [], intervalMs: 30 * MINUTE, keep: 200}}});
  world.git.fingerprint = '2';
  world.git.head = 'def';
  world.spools.drop('leg-001', 'PostToolUse', SESSION);
  await pass(world, 90 * MINUTE, MINUTE);
  expect(triggers(world)).toEqual([]);
  await ends(world);
  expect(triggers(world)).toEqual(['end']);
});

test('a slow one is not overtaken by the next', async () => {
  const world = await begun();
  let open: () => void = () => {};
  const door = new Promise<void>((resolve) => {
    open = resolve;
  });
  const {facts} = world.ports.workspace;
  world.ports.workspace.facts = async () => {
    await door;
    return facts();
  };
  world.git.fingerprint = '2';
  await pass(world, 95 * MINUTE, MINUTE);
  open();
  await within(() => expect(triggers(world)).toEqual(['interval']));
  await ends(world);
});
