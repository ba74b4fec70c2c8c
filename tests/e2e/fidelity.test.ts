// What the agent says and hears through the whole built ckpt-run, with the screen watched: every byte. CKPT_LONG=1 sends a
// gigabyte.
//
//     outer pty ── ckpt-run (detection on) ── inner pty ── faithful-agent

import {createHash, randomBytes} from 'node:crypto';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {openPty, type Pty} from '../../src/io/agent/pty.ts';
import {packageRoot} from '../../src/io/setup/adapter-files.ts';
import {keepFigures} from '../support/keep-figures.ts';

const isLong = process.env.CKPT_LONG === '1';
const agent = join(packageRoot(), 'tests/support/faithful-agent.mjs');
const MARK = Buffer.from('\x01mark\x01');
let dir = '';

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'ckpt-fidelity-'));
  const adapters = join(dir, 'home/.config/ckpt-run/adapters');
  mkdirSync(adapters, {recursive: true});
  // Any program, watched with Claude Code's screen rules: else the screen would not be looked at.
  const read = (name: string): string => readFileSync(join(packageRoot(), 'adapters', name, 'adapter.yaml'), 'utf8');
  const screen = /^screen:\n(?:[ #].*\n)+/m.exec(read('claude'))?.[0] ?? '';
  expect(screen).toContain('signal:');
  writeFileSync(join(adapters, 'watched.yaml'), read('generic').replace(/^name: generic$/m, 'name: watched') + screen);
});
afterAll(() => rmSync(dir, {recursive: true, force: true, maxRetries: 5}));

interface Played {
  pty: Pty;
  /** What came after the mark. */
  hash: ReturnType<typeof createHash>;
  heard(): number;
  begun: Promise<void>;
  exit: Promise<{code: number}>;
}

const news = <T>(): {told: Promise<T>; tell(value: T): void} => {
  let tell: (value: T) => void = () => undefined;
  const told = new Promise<T>((resolve) => {
    tell = resolve;
  });
  return {told, tell: (value) => tell(value)};
};

/** `want`: how many bytes behind the mark are the agent's. */
const play = (how: 'bare' | 'wrapped', words: string[], want = 0): Played => {
  const own = [process.execPath, agent, ...words];
  const wrapped = [process.execPath, join(packageRoot(), 'dist/ckpt-run.js'), '--no-record', 'watched', ...own];
  const [file = '', ...args] = how === 'bare' ? own : wrapped;
  const hash = createHash('sha256');
  let before = Buffer.alloc(0);
  let heard = -1;
  const {told: begun, tell: begin} = news<void>();
  const {told: exit, tell: end} = news<{code: number}>();
  const onData = (chunk: Buffer): void => {
    let bytes = chunk;
    if (heard < 0) {
      before = Buffer.concat([before, chunk]);
      const at = before.indexOf(MARK);
      if (at < 0) return;
      bytes = before.subarray(at + MARK.length);
      heard = 0;
      begin();
    }
    const part = bytes.subarray(0, Math.max(0, want - heard));
    hash.update(part);
    heard += part.length;
  };
  const env = {PATH: process.env.PATH ?? '', HOME: join(dir, 'home'), TERM: 'xterm-256color', LANG: 'C.UTF-8'};
  const opened = openPty(
    {file, args, env, cwd: dir, cols: 80, rows: 24, stty: ''},
    {onData, onState: () => undefined, onExit: end},
  );
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  return {pty: opened.value, hash, heard: () => heard, begun, exit};
};

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const hours = 3_600_000;

test.each(['bare', 'wrapped'] as const)(
  'what the agent says, %s: equal to the last byte',
  {timeout: hours},
  async (how) => {
    const megabytes = isLong ? 1024 : 64;
    const file = join(dir, `said-${how}`);
    const size = megabytes * 2 ** 20;
    const played = play(how, ['say', String(megabytes), file], size);
    expect(await played.exit).toMatchObject({code: 0});
    expect(played.heard()).toBe(size);
    const digest = played.hash.digest('hex');
    expect(digest).toBe(readFileSync(file, 'utf8'));
    if (isLong) keepFigures('fidelity', `said-${how}`, {megabytes, sha256: digest, equal: true});
  },
);

/** The keys that are ours, if any, and the line's own: nothing of the 256 may be missing. */
test('what the agent hears: all 256 values, and a paste of 4 MB', {timeout: hours}, async () => {
  const values = Buffer.from(Array.from({length: 256}, (_, value) => value));
  const paste = Buffer.concat([Buffer.from('\x1b[200~'), randomBytes(4 * 2 ** 20), Buffer.from('\x1b[201~')]);
  for (const [name, bytes] of [
    ['values', values],
    ['paste', paste],
  ] as const) {
    const file = join(dir, `heard-${name}`);
    const played = play('wrapped', ['hear', String(bytes.length), file]);
    await played.begun;
    played.pty.write(bytes);
    expect(await played.exit, name).toMatchObject({code: 0});
    expect(readFileSync(file, 'utf8'), name).toBe(sha(bytes));
  }
  if (isLong) keepFigures('fidelity', 'heard', {values: 256, pasteBytes: paste.length, equal: true});
});

/** The moves of vttest's menus: cursor, margins, screen features, character sets, double size, keyboard, reports, VT52. */
const conformance = (): Buffer => {
  const esc = (parts: string[]): string => parts.map((part) => `\x1b${part}`).join('text é日本');
  const moves = ['#8', '[9;10H', '[1J', '[18;60H', '[0J', '[1K', 'D', 'M', 'E', '[2C', '[2D', '[s', '[u', '7', '8'];
  const modes = [1, 3, 4, 5, 6, 7, 8, 12, 25, 47, 66, 67, 69, 1000, 1006, 1049, 2004, 2026].map((n) => `[?${n}h`);
  const off = modes.map((mode) => mode.replace('h', 'l'));
  const sets = ['(0', ')0', '(A', '(B', '*0', '+0', 'n', 'o', '|', '}', '~', '%G', '%@'];
  const sizes = ['#3', '#4', '#5', '#6', '[3;21r', '[r', '[?69h', '[5;60s', '[4h', '[4l', '[3@', '[3P', '[2L', '[2M'];
  const asks = ['[c', '[>c', '[=c', '[5n', '[6n', '[?15n', '[x', '[1x', 'Z', 'P$qm\x1b\\', '[18t', '[?u'];
  const strings = [
    ']0;a title\x07',
    ']8;;http://x\x1b\\',
    'Pq#0;2;0;0;0~-\x1b\\',
    '_apc\x1b\\',
    '^pm\x1b\\',
    'X\x1b\\',
  ];
  const vt52 = ['[?2l', 'A', 'B', 'C', 'D', 'H', 'I', 'J', 'K', 'Y!!', 'Z', '<', 'c', '[!p'];
  const colours = Array.from({length: 256}, (_, n) => `[38;5;${n}m\x1b[48;2;${n};0;${255 - n}m`);
  return Buffer.from(esc([...moves, ...modes, ...sizes, ...sets, ...asks, ...strings, ...colours, ...off, ...vt52]));
};

test('what terminals are tested with, and real agents’ own sessions: the same bytes bare and wrapped', async () => {
  const root = join(packageRoot(), 'tests/fixtures/recordings');
  const sessions = readdirSync(root, {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.cast'))
    .sort()
    .flatMap((name) => readFileSync(join(root, name), 'utf8').trimEnd().split('\n').slice(1))
    .map((line) => JSON.parse(line) as [number, string, string])
    .flatMap(([, kind, data]) => (kind === 'o' ? [Buffer.from(data)] : []));
  const bytes = Buffer.concat([conformance(), ...sessions, conformance()]);
  const file = join(dir, 'stream');
  writeFileSync(file, bytes);
  for (const how of ['bare', 'wrapped'] as const) {
    const played = play(how, ['show', file], bytes.length);
    expect(await played.exit, how).toMatchObject({code: 0});
    expect(played.heard(), how).toBe(bytes.length);
    expect(played.hash.digest('hex'), how).toBe(sha(bytes));
  }
  if (isLong) keepFigures('fidelity', 'streams', {bytes: bytes.length, sha256: sha(bytes), equal: true});
});

test('a thousand resizes: the last one holds', {timeout: hours}, async () => {
  const file = join(dir, 'sizes');
  const played = play('wrapped', ['sizes', file]);
  await played.begun;
  for (let n = 0; n < 1000; n += 1) {
    played.pty.resize(40 + (n % 160), 10 + (n % 60));
    if (n % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  played.pty.resize(123, 45);
  const last = (): string => (existsSync(file) ? (readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '') : '');
  await expect.poll(last, {timeout: 60_000}).toBe('123x45');
  played.pty.write(Buffer.from('q'));
  expect(await played.exit).toMatchObject({code: 0});
  if (isLong) keepFigures('fidelity', 'resizes', {resizes: 1000, lastHeld: true});
});
