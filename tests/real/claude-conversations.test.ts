// Leg 1 gets its conversation's id from us, unless the person names a conversation. To the person that is no difference:
// every way to begin gives the same output, code and words as bare. And whoever goes on after a supervisor that was
// killed at the very start finds the log by it.

import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type Cli, claudeNew, claudeOld} from './clis.ts';
import {keepResult} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import type {Piped} from './piped.ts';
import {ended, openSupervised, type Supervised} from './supervised.ts';
import type {OuterTerminal} from './terminal.ts';
import {stateOf} from './terminal-modes.ts';
import {until} from './until.ts';

const job = {steps: 3, file: 'job.txt'};
const goal = goalOf(job);
const theirs = '7d4f6a52-3c1e-4b7a-9f10-5e2d8c6b4a01';
const nobodys = '00000000-0000-4000-8000-000000000000';
const odd = 'Two\nlines, "quoted" \'twice\', $HOME `x` é 日本 --flag #1 ! @nobody';

interface Way {
  name: string;
  /** `id` is that of a conversation that the person has had before, bare. */
  args(id: string): string[];
  stdin?: string;
  /** The id is ours, or the person has named a conversation. */
  id: 'ours' | 'theirs' | 'old' | 'another' | 'none';
}

const p = (...flags: string[]) => ['-p', ...flags, '--', goal];
const ways: Way[] = [
  {name: 'text', args: () => p(), id: 'ours'},
  {name: 'json', args: () => p('--output-format', 'json'), id: 'ours'},
  {name: 'stream-json', args: () => p('--output-format', 'stream-json', '--verbose'), id: 'ours'},
  {name: 'the prompt on stdin', args: () => ['-p'], stdin: goal, id: 'ours'},
  {
    ...{name: 'stream-json in and out', stdin: `${JSON.stringify(message(goal))}\n`, id: 'ours'},
    args: () => ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
  },
  {name: 'a prompt of odd characters', args: () => ['-p', '--', odd], id: 'ours'},
  {name: '--no-session-persistence', args: () => p('--no-session-persistence'), id: 'none'},
  {name: '--worktree', args: () => p('--worktree', 'aside'), id: 'ours'},
  {name: '--continue, nothing there', args: () => p('--continue'), id: 'another'},
  {name: '--continue', args: () => p('--continue'), id: 'old'},
  {name: '--resume', args: (id) => p('--resume', id), id: 'old'},
  {name: '--resume=', args: (id) => p(`--resume=${id}`), id: 'old'},
  {name: '--resume, unknown', args: () => p('--resume', nobodys), id: 'none'},
  {name: '--resume --fork-session', args: (id) => p('--resume', id, '--fork-session'), id: 'another'},
  {
    ...{name: '--resume --fork-session --session-id', id: 'theirs'},
    args: (id) => p('--resume', id, '--fork-session', '--session-id', theirs),
  },
  {name: '--session-id', args: () => p('--session-id', theirs), id: 'theirs'},
  {name: '--session-id, in use', args: (id) => p('--session-id', id), id: 'none'},
  {name: '--session-id, none', args: () => p('--session-id', 'x'), id: 'none'},
  {name: '--from-pr', args: () => p('--from-pr', '1'), id: 'another'},
];

const versions: [string, Cli][] = [
  ['2.1.326', claudeNew()],
  ['2.1.197', claudeOld()],
];

describe.each(versions)('Claude Code %s', (version, cli) => {
  const open = (scenario = amnesiac()) =>
    openSupervised({cli, scenario, config: 'policy: {backoff: {firstSeconds: 0.05}}'});
  const keep = (table: string, row: string, [expected, observed]: [object, object], since: number): void =>
    keepResult('claude', {table, version, row, expected, observed, seconds: Math.round((Date.now() - since) / 1000)});

  test.each(ways)('-p, $name: as bare', async (way) => {
    const since = Date.now();
    const bare = await walk(await open(), way, (ground, args) => [ground.cli.word, ...args]);
    const wrapped = await walk(await open(), way, (ground, args) => ground.under([ground.cli.word, ...args]));
    const expected = {...bare, given: way.id === 'ours' || way.name === '--no-session-persistence', id: way.id};
    keep('conversations -p', way.name, [expected, wrapped], since);
    expect(wrapped).toEqual(expected);
  });

  test.each([
    ['a goal', ['--', goal], 'ours'],
    ['--continue, nothing there', ['--continue', '--', goal], 'none'],
    ['--resume, unknown', ['--resume', nobodys, '--', goal], 'none'],
    ['--worktree', ['--worktree', 'aside', '--', goal], 'ours'],
  ] as const)('in its terminal, %s: as bare', async (name, args, id) => {
    const since = Date.now();
    const bare = await sit(await open(), (ground) => [ground.cli.word, ...args]);
    const observed = await sit(await open(), (ground) => ground.under([ground.cli.word, ...args]));
    const expected = {...bare, id};
    keep('conversations', name, [expected, observed], since);
    expect(observed).toEqual(expected);
  });

  const moments: [string, (ground: Supervised) => boolean | Promise<boolean>][] = [
    ['the leg is noted', (ground) => existsSync(join(legOf(ground), 'start.json'))],
    ['the agent is there', async (ground) => (await ground.agents()).length > 0],
    ['it has asked the model', (ground) => ground.model.main().length > 0],
    ['its first step is done', (ground) => existsSync(ground.path(job.file))],
  ];
  test.each(
    moments.flatMap(([name, isThere]) => [
      {name, isThere, where: 'in a terminal' as const},
      {name, isThere, where: 'in pipes' as const},
    ]),
  )('SIGKILL of ckpt-run when $name, $where: one command goes on, the job exact', async ({name, isThere, where}) => {
    const since = Date.now();
    await using ground = await open(amnesiac({delayMs: 300}));
    const isTerminal = where === 'in a terminal';
    const program: OuterTerminal | Piped = isTerminal
      ? ground.start(ground.under(ground.tui(goal), '--until-done'))
      : ground.pipe(ground.under(ground.headless(goal), '--until-done'));
    await until(name, () => isThere(ground));
    program.kill('SIGKILL');
    await until('the end of ckpt-run', () => !existsSync(`/proc/${program.pid}`));
    const again = ground.under(['--continue-run']);
    const {code} = isTerminal ? await ended(ground.start(again)) : await ground.pipe(again).exit;
    const expected = {code: 0, verdict: flawless, leftovers: []};
    const observed = {
      code,
      verdict: judge(ground.path(job.file), job.steps),
      leftovers: (await ground.processes()).map(({command}) => command.slice(0, 60)),
    };
    keep('supervisor killed at the start', `${name}, ${where}`, [expected, observed], since);
    expect(observed).toEqual(expected);
  });
});

function message(text: string): object {
  return {type: 'user', message: {role: 'user', content: [{type: 'text', text}]}};
}

/** What came out, with what differs from run to run made alike, and whose the conversation's id was. */
const walk = async (
  opened: Supervised,
  {name, args, stdin}: Way,
  line: (ground: Supervised, args: string[]) => string[],
): Promise<Record<string, unknown>> => {
  await using ground = opened;
  if (name !== '--continue, nothing there') await ground.pipe(ground.headless('Hello')).exit;
  const [old = ''] = await idsIn(ground);
  const asked = ground.model.main().length;
  const {code, stdout, stderr} = await ground.pipe(line(ground, args(old)), stdin === undefined ? {} : {stdin}).exit;
  const given = givenIn(ground);
  const told = (await idsIn(ground)).filter((id) => id !== old);
  const last = ground.model.main().at(asked);
  return {
    ...{code, stdout: shape(stdout, ground), stderr: shape(ours(stderr), ground)},
    prompt: last?.request.turns.some((turn) => turn.is === 'text' && [goal, odd].includes(turn.text.trim())),
    exact: judge(ground.path(name === '--worktree' ? `.claude/worktrees/aside/${job.file}` : job.file), job.steps),
    given: given !== undefined,
    id: whose(told, {given, isOld: await wentOnWith(ground, old)}),
  };
};

/** The same in a terminal: how it ends, and what it leaves on the screen. */
const sit = async (opened: Supervised, line: (ground: Supervised) => string[]): Promise<Record<string, unknown>> => {
  await using ground = opened;
  const terminal = ground.start(line(ground));
  await Promise.race([terminal.waitFor(/All 3 steps are done\./), terminal.exit]);
  const isThere = (await ground.agents()).length > 0;
  const {code} = await (isThere ? ground.quit(terminal) : terminal.exit);
  const farewell = terminal
    .screen()
    .split('\n')
    .filter((text) => /claude --resume|No conversation/.test(text));
  return {
    ...{code, farewell: shape(farewell.join('\n').trim(), ground), terminal: stateOf(terminal)},
    id: whose(await idsIn(ground), {given: givenIn(ground), isOld: false}),
  };
};

const whose = ([id]: string[], {given, isOld}: {given: string | undefined; isOld: boolean}): Way['id'] => {
  if (id === undefined) return isOld ? 'old' : 'none';
  if (id === theirs) return 'theirs';
  return id === given ? 'ours' : 'another';
};

/** Is the goal in the log of the conversation of before? */
const wentOnWith = async (ground: Supervised, old: string): Promise<boolean> =>
  (await ground.logs()).some(
    (log) => log.some(({sessionId}) => sessionId === old) && JSON.stringify(log).includes('amnesiac job'),
  );

/** Of the conversations on disk, in the order in which they were begun. */
const idsIn = async (ground: Supervised): Promise<string[]> => {
  const begun = (await ground.logs()).flatMap((log) => {
    const line = log.find(({sessionId, timestamp}) => typeof sessionId === 'string' && typeof timestamp === 'string');
    return line === undefined ? [] : [{id: String(line.sessionId), at: String(line.timestamp)}];
  });
  return begun.sort((a, b) => (a.at < b.at ? -1 : 1)).map(({id}) => id);
};

const legOf = (ground: Supervised): string => {
  const runs = ground.path('runtime/checkpoints/runs');
  const [run = 'none'] = existsSync(runs) ? readdirSync(runs) : [];
  return join(runs, run, 'leg-001');
};

/** The id that we gave to leg 1. */
const givenIn = (ground: Supervised): string | undefined => {
  const path = join(legOf(ground), 'start.json');
  if (!existsSync(path)) return undefined;
  return (JSON.parse(readFileSync(path, 'utf8')) as {session_id?: string}).session_id;
};

/** Without our own lines. */
const ours = (stderr: string): string => stderr.replace(/^ckpt-run: .*\n/gm, '');

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Each kind once: told by us, the model calls `ckpt done`, which is one call more. */
const unique = (lines: object[]): string[] => [...new Set(lines.map((line) => JSON.stringify(line)))];

/** Text as it is, but for ids; of JSON lines the kinds and the names of what they hold, the model's words as they are. */
const shape = (text: string, ground: Supervised): unknown =>
  text.startsWith('{')
    ? unique(text.trimEnd().split('\n').map(shapeOfLine).filter(isNotOfHooks))
    : text.replaceAll(uuid, '<uuid>').replaceAll(ground.project, '<project>');

/** Claude Code's stream tells of every hook at the start of a session, whoever has put it there: of ours too. */
const isNotOfHooks = ({subtype}: {subtype: unknown}): boolean => !/^hook_/.test(String(subtype));

const shapeOfLine = (line: string) => {
  const {type, subtype, result, is_error, ...rest} = JSON.parse(line) as Record<string, unknown>;
  return {type, subtype, result, is_error, names: Object.keys(rest).sort().join(' ')};
};
