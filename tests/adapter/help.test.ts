// The tables in adapter.yaml against what the pinned CLIs say of themselves (`--help`, stored as it was printed).

import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import type {ArgvTable} from '../../src/adapter/adapter.ts';
import {builtin} from './builtin.ts';

const help = (name: string): string => readFileSync(new URL(`../fixtures/help/${name}.txt`, import.meta.url), 'utf8');

type Kind = 'value' | 'optionalValue' | 'variadic' | 'plain';

/** `  -r, --resume [value]   Resume …` → ['-r', '--resume'], optionalValue */
const flagsIn = (text: string): {names: string[]; kind: Kind}[] =>
  text.split('\n').flatMap((line) => {
    const found = /^ {2,6}((?:-\w, )?--?[\w-]+(?:, --[\w-]+)*)(?: ([<[][^>\]]*[>\]](?:\.\.\.)?))?/.exec(line);
    if (!found) return [];
    const [, names = '', value = ''] = found;
    return [{names: names.split(', '), kind: kindOf(value)}];
  });

const kindOf = (value: string): Kind => {
  if (value === '') return 'plain';
  if (value.includes('...')) return 'variadic';
  return value.startsWith('[') ? 'optionalValue' : 'value';
};

/** `  plugin|plugins   Manage …` → plugin, plugins; Codex names other names as `[aliases: e]`. */
const commandsIn = (text: string): string[] => {
  const section = /^Commands:\n([\s\S]*?)(?:\n\n|(?![\s\S]))/m.exec(text)?.[1] ?? '';
  return section.split('\n').flatMap((line) => {
    const names = /^ {2}([a-z][\w|-]*)/.exec(line)?.[1]?.split('|') ?? [];
    const alias = /\[aliases: (\w+)\]/.exec(line)?.[1];
    return alias ? [...names, alias] : names;
  });
};

const listed = (table: ArgvTable, kind: Kind): string[] =>
  kind === 'plain' ? [...table.plain, ...table.passFlags] : table[kind];

const pages = [
  ['claude', 'claude-2.1.197'],
  ['claude', 'claude-2.1.326'],
  ['codex', 'codex-0.169.0'],
  ['codex', 'codex-exec-0.169.0'],
  ['codex', 'codex-resume-0.169.0'],
  ['codex', 'codex-fork-0.169.0'],
] as const;

describe.each(pages)('%s by %s', (agent, page) => {
  const {argv} = builtin(agent);
  const flags = flagsIn(help(page));

  test('the page was understood', () => {
    expect(flags.length).toBeGreaterThan(15);
  });

  test.each(flags.map(({names, kind}) => [names.join(', '), kind, names] as const))('%s: %s', (_, kind, names) => {
    for (const name of names) expect(listed(argv, kind)).toContain(name);
  });
});

test.each([
  ['claude', 'claude-2.1.197'],
  ['claude', 'claude-2.1.326'],
  ['codex', 'codex-0.169.0'],
] as const)('every command of %s by %s is known', (agent, page) => {
  const {passWords, keepWords, dropWords} = builtin(agent).argv;
  const commands = commandsIn(help(page));
  expect(commands.length).toBeGreaterThan(10);
  expect([...passWords, ...keepWords, ...dropWords]).toEqual(expect.arrayContaining(commands));
});

test('no flag is in two lists', () => {
  for (const name of ['claude', 'codex']) {
    const {value, optionalValue, variadic, plain} = builtin(name).argv;
    const all = [...value, ...optionalValue, ...variadic, ...plain];
    expect(new Set(all).size).toBe(all.length);
  }
});
