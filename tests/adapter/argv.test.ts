import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
  firstArgs,
  namesConversation,
  parseArgv,
  promptFits,
  restartArgs,
  sessionIdArgs,
  splitProgram,
} from '../../src/adapter/argv.ts';
import {builtin, parseRun} from './builtin.ts';

const none = {hookArgs: [], drop: []};

describe('what is a run and what is passed through', () => {
  const rows: [agent: string, args: string[], kind: 'run' | 'pass'][] = [
    ['claude', [], 'run'],
    ['claude', ['fix the bug'], 'run'],
    ['claude', ['--version'], 'pass'],
    ['claude', ['-v'], 'pass'],
    ['claude', ['mcp', 'list'], 'pass'],
    ['claude', ['--model', 'opus', 'mcp', 'list'], 'pass'],
    ['claude', ['--model', 'mcp'], 'run'],
    ['claude', ['setup-token'], 'pass'],
    ['claude', ['--bg', 'do it'], 'pass'],
    ['claude', ['--cloud', 'do it'], 'pass'],
    ['claude', ['tell me about mcp'], 'run'],
    ['claude', ['-p', '--', '--help'], 'run'],
    ['codex', ['login'], 'pass'],
    ['codex', ['-c', 'model="x"', 'features', 'list'], 'pass'],
    ['codex', ['exec', 'login'], 'run'],
    ['codex', ['exec', 'review'], 'pass'],
    ['codex', ['e', 'do it'], 'run'],
    ['codex', ['exec', '--help'], 'pass'],
    ['codex', ['resume', '--last'], 'run'],
    ['codex', ['app-server'], 'pass'],
    ['generic', ['--version'], 'run'],
  ];
  test.each(rows)('%s %j: %s', (agent, args, kind) => {
    expect(parseArgv(args, builtin(agent).argv).kind).toBe(kind);
  });
});

describe('what is the prompt', () => {
  const rows: [agent: string, args: string[], prompt: string | undefined][] = [
    ['claude', ['fix it'], 'fix it'],
    ['claude', ['fix it', '--model', 'opus'], 'fix it'],
    ['claude', ['--model=opus', 'fix it'], 'fix it'],
    ['claude', ['-p', 'fix it'], 'fix it'],
    ['claude', ['--allowedTools', 'Bash', 'fix it'], undefined],
    ['claude', ['--allowedTools', 'Bash', '--', 'fix it'], 'fix it'],
    ['claude', ['--allowedTools=Bash', 'fix it'], 'fix it'],
    ['claude', ['-r', 'some-id', 'fix it'], 'fix it'],
    ['claude', ['-c', 'fix it'], 'fix it'],
    ['claude', ['-pc', 'fix it'], 'fix it'],
    ['claude', ['--not-known-yet', 'its value', 'fix it'], 'fix it'],
    ['claude', ['--not-known-yet', 'fix it'], 'fix it'],
    ['codex', ['fix it'], 'fix it'],
    ['codex', ['exec', 'fix it'], 'fix it'],
    ['codex', ['exec', '-'], '-'],
    ['codex', ['resume', 'some-id'], undefined],
    ['codex', ['resume', 'some-id', 'fix it'], 'fix it'],
    ['codex', ['resume', '--last', 'fix it'], 'fix it'],
    ['codex', ['exec', 'resume', '--last', 'fix it'], 'fix it'],
    ['codex', ['-i', 'a.png', 'b.png'], undefined],
    ['generic', ['--any', 'thing'], undefined],
  ];
  test.each(rows)('%s %j: %s', (agent, args, prompt) => {
    expect(parseRun(agent, args).prompt).toBe(prompt);
  });
});

test.each([
  ['claude', ['-p', 'x'], true, false],
  ['claude', ['x'], false, false],
  ['claude', ['-p', '--output-format', 'stream-json', 'x'], true, true],
  ['claude', ['-p', '--output-format=stream-json', 'x'], true, true],
  ['claude', ['-p', '--output-format', 'json', 'x'], true, false],
  ['codex', ['exec', '--json', 'x'], true, true],
  ['codex', ['-m', 'gpt', 'exec', 'x'], true, false],
  ['codex', ['x'], false, false],
])('%s %j: headless %s, streams %s', (agent, args, headless, streams) => {
  expect(parseRun(agent, args)).toMatchObject({headless, streams});
});

describe('a conversation that the person names is not ours to name', () => {
  const rows: [agent: string, args: string[], named: boolean][] = [
    ['claude', ['fix it'], false],
    ['claude', ['-p', '--worktree', 'aside', '--', 'fix it'], false],
    ['claude', ['--', '--resume'], false],
    ['claude', ['--model', '--resume', 'x'], false],
    ['claude', ['--resume'], true],
    ['claude', ['--resume=id', 'fix it'], true],
    ['claude', ['-pc', 'fix it'], true],
    ['claude', ['-rid'], true],
    ['claude', ['--session-id', 'id'], true],
    ['claude', ['--from-pr', '1'], true],
    ['claude', ['--teleport'], true],
    ['codex', ['fix it'], false],
    ['codex', ['resume', '--last'], true],
    ['codex', ['exec', 'resume', 'id', 'fix it'], true],
  ];
  test.each(rows)('%s %j: %s', (agent, args, named) => {
    expect(namesConversation(parseRun(agent, args), builtin(agent))).toBe(named);
  });
});

describe('a restart keeps the flags, drops the prompt and the conversation', () => {
  const baton = 'You take over.';
  const rows: [agent: string, args: string[], restart: string[]][] = [
    ['claude', [], ['--', baton]],
    ['claude', ['fix it'], ['--', baton]],
    ['claude', ['--model', 'opus', 'fix it', '--verbose'], ['--model', 'opus', '--verbose', '--', baton]],
    ['claude', ['-p', '--', 'fix it'], ['-p', '--', baton]],
    ['claude', ['-pc', 'fix it'], ['-p', '--', baton]],
    ['claude', ['--resume', 'id', '--fork-session', 'fix'], ['--', baton]],
    ['claude', ['--resume=id', '--session-id', 'uuid', '-c'], ['--', baton]],
    ['claude', ['--add-dir', 'a', 'b', '--', 'x'], ['--add-dir', 'a', 'b', '--', baton]],
    ['claude', ['--not-known-yet', 'v', 'fix it'], ['--not-known-yet', 'v', '--', baton]],
    ['codex', ['-m', 'gpt', 'exec', '--json', 'fix it'], ['-m', 'gpt', 'exec', '--json', '--', baton]],
    ['codex', ['exec', 'resume', 'id', 'fix it'], ['exec', '--', baton]],
    ['codex', ['resume', '--last', '--search'], ['--search', '--', baton]],
    ['codex', ['fork', 'id', '-s', 'read-only'], ['-s', 'read-only', '--', baton]],
    ['codex', ['-i', 'shot.png', '--oss', 'fix it'], ['--oss', '--', baton]],
    ['generic', ['--any', 'thing', '--', 'x'], ['--any', 'thing', '--', 'x', baton]],
  ];
  test.each(rows)('%s %j', (agent, args, restart) => {
    const added = {...none, sessionIdArgs: [], prompt: baton};
    expect(restartArgs(parseRun(agent, args), builtin(agent), added)).toEqual(restart);
  });

  test('ours stand in front, the session id behind the flags, the baton last', () => {
    const claude = builtin('claude');
    const added = {
      hookArgs: ['--settings', '{}'],
      drop: ['--settings'],
      sessionIdArgs: sessionIdArgs(claude, 'u-1'),
      prompt: baton,
    };
    expect(restartArgs(parseRun('claude', ['--settings', 'mine.json', '--verbose', 'x']), claude, added)).toEqual([
      '--settings',
      '{}',
      '--verbose',
      '--session-id',
      'u-1',
      '--',
      baton,
    ]);
  });

  test.each(['/compact', '-p', '!rm -rf /', '@file', '  /x', '# title'])(
    'a prompt that begins %s is no command',
    (prompt) => {
      const args = restartArgs(parseRun('claude', []), builtin('claude'), {...none, sessionIdArgs: [], prompt});
      expect(args.at(-1)).toBe(`Note: ${prompt}`);
    },
  );

  test('a prompt is one token, dollar signs and newlines included; a NUL is left out', () => {
    const prompt = 'a $& $1 \'\n" \0b';
    const args = restartArgs(parseRun('codex', []), builtin('codex'), {...none, sessionIdArgs: [], prompt});
    expect(args).toEqual(['--', 'a $& $1 \'\n" b']);
  });
});

test('leg 1 drops only the flag that was merged into ours', () => {
  const parsed = parseRun('claude', ['--settings', '{"a":1}', 'go', '--verbose']);
  expect(firstArgs(parsed, {hookArgs: ['--settings', '{}'], drop: ['--settings'], sessionIdArgs: []})).toEqual([
    '--settings',
    '{}',
    'go',
    '--verbose',
  ]);
});

test('a prompt is measured in bytes', () => {
  const claude = builtin('claude');
  expect(promptFits(claude, 'x'.repeat(100_000))).toBe(true);
  expect(promptFits(claude, 'é'.repeat(50_001))).toBe(false);
});

test('generic takes its program from the first word', () => {
  expect(splitProgram(builtin('generic'), ['./a', '-x'])).toEqual({program: './a', args: ['-x']});
  expect(splitProgram(builtin('claude'), ['hi'])).toEqual({program: undefined, args: ['hi']});
});

describe.each(['claude', 'codex', 'generic'])('%s: any command line', (agent) => {
  const {argv} = builtin(agent);
  const known = [
    ...argv.value,
    ...argv.optionalValue,
    ...argv.variadic,
    ...argv.plain,
    ...argv.keepWords,
    ...argv.dropWords,
  ];
  const token = fc.oneof(
    fc.constantFrom('--', '-', '', '-pc', '-mopus', '--model=opus', '--new=1', '--new', '-x', 'fix it', ...known),
    fc.string(),
  );

  test('leg 1 gives the same tokens in the same order', () => {
    fc.assert(
      fc.property(fc.array(token, {maxLength: 12}), (args) => {
        const parsed = parseArgv(args, argv);
        if (parsed.kind === 'run') expect(firstArgs(parsed, {...none, sessionIdArgs: []})).toEqual(args);
      }),
      {numRuns: 2000},
    );
  });

  test('a restart ends with the baton, and its prompt is read back as the prompt', () => {
    fc.assert(
      fc.property(fc.array(token, {maxLength: 8}), (args) => {
        // `--unknown resume`: nobody can tell the value of a flag that we do not know from a word that we do.
        fc.pre(!args.some((word, at) => word.startsWith('-') && argv.dropWords.includes(args[at + 1] ?? '')));
        const parsed = parseArgv(args, argv);
        if (parsed.kind !== 'run' || agent === 'generic') return;
        const again = restartArgs(parsed, builtin(agent), {...none, sessionIdArgs: [], prompt: 'the baton'});
        expect(again.at(-1)).toBe('the baton');
        const reparsed = parseRun(agent, again);
        expect(reparsed.prompt).toBe('the baton');
        expect(reparsed.flags.filter(({flag}) => argv.dropFlags.includes(flag))).toEqual([]);
        expect(reparsed.words.filter((word) => argv.dropWords.includes(word))).toEqual([]);
      }),
      {numRuns: 300},
    );
  });
});
