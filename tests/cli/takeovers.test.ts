import {expect, test} from 'vitest';
import {loadCode} from '../../adapters/code.ts';
import {findTakeovers} from '../../src/cli/takeovers.ts';
import {fail, ok} from '../../src/core/failure.ts';
import {findAdapter} from '../../src/io/setup/adapter-files.ts';
import {builtin, parseRun} from '../adapter/builtin.ts';

const world = {
  findAdapter: (name: string) => findAdapter(name, {HOME: '/nonexistent'}),
  findBinary: ({name}: {name: string}) => ok({file: `/bin/${name}`, args: []}),
  loadCode: () => loadCode('none'),
};
const claude = (...args: string[]) => ({adapter: builtin('claude'), parsed: parseRun('claude', args)});

test('in their order, each with its own program and none of the first agent’s flags', async () => {
  const found = await findTakeovers(['codex', 'practice'], claude('--model', 'opus', 'do it'), world);
  expect(found.ok && found.value.map(({adapter, binary, parsed}) => [adapter.name, binary.file, parsed.items])).toEqual(
    [
      ['codex', '/bin/codex', []],
      ['practice', '/bin/practice', []],
    ],
  );
});

test('as headless as the first agent', async () => {
  const found = await findTakeovers(['codex'], claude('-p', 'do it'), world);
  expect(found.ok && found.value[0]?.parsed).toMatchObject({headless: true, words: ['exec']});
});

test.each<[string, string[], string[], RegExp]>([
  ['the first agent again', ['claude'], [], /--takeover claude: it is in this run already/],
  ['one twice', ['codex', 'codex'], [], /--takeover codex: it is in this run already/],
  ['any program', ['generic'], [], /--takeover generic: it names no program of its own/],
])('refused with the reason: %s', async (_, names, args, what) => {
  const found = await findTakeovers(names, claude(...args), world);
  expect(found).toMatchObject({ok: false, failure: {is: 'bad-usage', what: expect.stringMatching(what)}});
});

test('refused with the reason: one that needs a terminal, in a run that has none', async () => {
  const practice = builtin('practice');
  const bound = {...world, findAdapter: () => ok({...practice, argv: {...practice.argv, headless: []}})};
  const found = await findTakeovers(['practice'], claude('-p'), bound);
  expect(found).toMatchObject({failure: {what: expect.stringContaining('it cannot run without a terminal')}});
});

test('one that is unknown or not installed: told as such', async () => {
  expect(await findTakeovers(['nobody'], claude(), world)).toMatchObject({failure: {is: 'unknown-agent'}});
  const missing = {is: 'agent-missing' as const, agent: 'codex', looked: ['codex'], fix: 'install it'};
  const found = await findTakeovers(['codex'], claude(), {...world, findBinary: () => fail(missing)});
  expect(found).toMatchObject({failure: {is: 'agent-missing', agent: 'codex'}});
});
