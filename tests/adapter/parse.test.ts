import {describe, expect, test} from 'vitest';
import {parseAdapter} from '../../src/adapter/parse.ts';

const good = `name: mine
code: none
binary:
  names: [mine]
  version-args: [--version]
  tested: ['1.0']
  install: see https://example.com
argv:
  value: [--model]
first-prompt: {args: ['{prompt}'], max-bytes: 1000}
stop:
  terminal:
    - {key: ctrl-c, wait-ms: 500}
    - {signal: SIGKILL, wait-ms: 100}
  pipes: []
exit: {clean: [0], killed: [143]}
screen:
  - {signal: limit, on: screen, pattern: '^limit'}
`;

test('a small adapter gets the defaults for what it leaves out', () => {
  const parsed = parseAdapter(good, 'mine.yaml');
  expect(parsed).toMatchObject({
    ok: true,
    value: {
      name: 'mine',
      file: 'mine.yaml',
      sessionId: undefined,
      env: {scrub: [], set: {}},
      ready: {afterMs: undefined},
      compaction: {whenHeld: 'veto'},
      limit: {wakesWithinMs: 0},
      stop: {
        terminal: [
          {key: '\x03', waitMs: 500},
          {signal: 'SIGKILL', waitMs: 100},
        ],
      },
      screen: [{signal: 'limit', on: 'screen', pattern: /^limit/mu}],
    },
  });
});

describe('each refusal names file, line, what and fix', () => {
  const rows: [title: string, from: string, to: string, line: number, what: RegExp, fix: RegExp][] = [
    ['an unknown key', 'code: none', 'kode: none', 2, /unknown key "kode"/, /known keys here: name, code/],
    ['an unknown key inside', 'value: [--model]', 'values: [--model]', 9, /"argv\.values"/, /optional-value/],
    ['a missing key', 'name: mine\n', '', 1, /"name" is missing/, /add "name:"/],
    ['a name that is no name', 'name: mine', 'name: "../x"', 1, /"name" has the wrong value/, /letters/],
    ['a text where a list should be', 'names: [mine]', 'names: mine', 4, /"binary\.names"/, /a list/],
    ['a number where a text should be', "tested: ['1.0']", 'tested: [1.0]', 6, /not a text/, /quotes/],
    ['a wake that is no time', 'code: none', 'limit: {wakes-within-ms: soon}', 2, /not a whole number/, /0 or more/],
    ['a prompt that is nowhere', "['{prompt}']", '[--prompt]', 10, /first-prompt\.args/, /exactly one item/],
    ['a size that is no number', 'max-bytes: 1000', 'max-bytes: big', 10, /not a whole number/, /0 or more/],
    ['an unknown signal of the screen', 'signal: limit', 'signal: limits', 18, /screen rule\.signal/, /one of: ready/],
    ['a bad expression', "'^limit'", "'(limit'", 18, /Unterminated group/i, /regular expression/],
    ['an unknown key of the keyboard', 'key: ctrl-c', 'key: F1', 13, /stop step\.key/, /ctrl-d/],
    ['an unknown OS signal', 'SIGKILL', 'SIGSTOP', 14, /stop step\.signal/, /SIGTERM/],
    ['broken YAML', 'exit: {clean: [0]', 'exit: {clean: [0', 16, /./, /mend the YAML/],
    ['a key twice', 'code: none', 'name: other', 2, /unique/i, /mend the YAML/],
    ['an alias', 'name: mine', 'name: *mine', 1, /alias/i, /./],
  ];
  test.each(rows)('%s', (_, from, to, line, what, fix) => {
    expect(good).toContain(from);
    const parsed = parseAdapter(good.replace(from, to), 'mine.yaml');
    if (parsed.ok || parsed.failure.is !== 'bad-config') throw new Error('was taken');
    expect(parsed.failure.file).toBe('mine.yaml');
    expect(parsed.failure.what).toMatch(what);
    expect(parsed.failure.fix).toMatch(fix);
    expect(parsed.failure.line).toBe(line);
  });

  test.each(['', '- a\n- b\n', 'just text', '\0'])('%j is no adapter', (text) => {
    expect(parseAdapter(text, 'x.yaml')).toMatchObject({ok: false, failure: {is: 'bad-config', file: 'x.yaml'}});
  });
});
