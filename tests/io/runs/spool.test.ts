import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {openSpool} from '../../../src/io/runs/spool.ts';
import type {SpoolItem} from '../../../src/ports.ts';

let dir = '';
const ends: (() => void)[] = [];

beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'ckpt-spool-')), 'spool');
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  rmSync(join(dir, '..'), {recursive: true, force: true});
});

const watchInto = (items: SpoolItem[]): (() => void) => {
  const end = openSpool(dir).watch((item) => items.push(item));
  ends.push(end);
  return end;
};

/** As the relay does it: another name first, then the rename. */
const drop = (id: string, text: string): void => {
  writeFileSync(join(dir, `${id}.tmp`), text);
  renameSync(join(dir, `${id}.tmp`), join(dir, `${id}.json`));
};

const within = (check: () => void): Promise<void> => vi.waitFor(check, {timeout: 20_000, interval: 20});

test('events and requests are taken whole, named by what follows the first dot, and deleted', async () => {
  const items: SpoolItem[] = [];
  watchInto(items);
  drop('4711.PreCompact', '{"trigger":"auto"}');
  await within(() => expect(items).toHaveLength(1));
  drop('4711.PreCompact.2', '{"trigger":"manual"}');
  await within(() => expect(items).toHaveLength(2));
  drop('k3x9.done', '');
  await within(() => expect(items).toHaveLength(3));
  const at = expect.any(Number);
  expect(items).toEqual([
    {id: '4711.PreCompact', name: 'PreCompact', payload: {trigger: 'auto'}, at},
    {id: '4711.PreCompact.2', name: 'PreCompact', payload: {trigger: 'manual'}, at},
    {id: 'k3x9.done', name: 'done', payload: {}, at},
  ]);
  expect(readdirSync(dir)).toEqual([]);
});

test('what was dropped before the watch began comes in the order of its time, not of its name', async () => {
  openSpool(dir);
  for (const [id, second] of [
    ['9.Stop', 3],
    ['5.SessionStart', 1],
    ['7.UserPromptSubmit', 2],
  ] as const) {
    drop(id, '{}');
    utimesSync(join(dir, `${id}.json`), 1_794_996_000 + second, 1_794_996_000 + second);
  }
  const items: SpoolItem[] = [];
  watchInto(items);
  await within(() => expect(items.map(({name}) => name)).toEqual(['SessionStart', 'UserPromptSubmit', 'Stop']));
});

test('bad JSON is kept aside and hurts nobody', async () => {
  const items: SpoolItem[] = [];
  watchInto(items);
  drop('1.Stop', '{"torn":');
  drop('2.Stop', '{"whole":true}');
  await within(() => expect(items.map(({id}) => id)).toEqual(['2.Stop']));
  expect(readFileSync(join(dir, 'bad', '1.Stop.json'), 'utf8')).toBe('{"torn":');
  drop('3.Stop', '{}');
  await within(() => expect(items).toHaveLength(2));
});

test('files under way, answers and folders are left alone', async () => {
  const items: SpoolItem[] = [];
  const spool = openSpool(dir);
  mkdirSync(join(dir, 'folder.json'));
  writeFileSync(join(dir, '.1.Stop.json'), '{}');
  writeFileSync(join(dir, '1.Stop.tmp'), '{}');
  spool.answer('8.PreCompact', {exitCode: 0, stdout: '', stderr: ''});
  watchInto(items);
  drop('2.Stop', '{}');
  await within(() => expect(items.map(({id}) => id)).toEqual(['2.Stop']));
  expect(readdirSync(dir).sort()).toEqual(
    ['.1.Stop.json', '1.Stop.tmp', '8.PreCompact.answer', '8.PreCompact.err', '8.PreCompact.out', 'folder.json'].sort(),
  );
});

test('an answer holds the exit code alone, and its output is there before it', async () => {
  const spool = openSpool(dir);
  spool.answer('4711.PreCompact', {exitCode: 2, stdout: 'out é', stderr: 'blocked'});
  expect(readFileSync(join(dir, '4711.PreCompact.answer'), 'utf8')).toBe('2\n');
  expect(readFileSync(join(dir, '4711.PreCompact.out'), 'utf8')).toBe('out é');
  expect(readFileSync(join(dir, '4711.PreCompact.err'), 'utf8')).toBe('blocked');
  const times = ['out', 'err', 'answer'].map((end) => statSync(join(dir, `4711.PreCompact.${end}`), {bigint: true}));
  expect(times[0]?.mtimeNs).toBeLessThanOrEqual(times[2]?.mtimeNs ?? 0n);
  expect(times[1]?.mtimeNs).toBeLessThanOrEqual(times[2]?.mtimeNs ?? 0n);
});

test('the context for the next SessionStart is replaced as a whole', () => {
  const spool = openSpool(dir);
  spool.setContext('first');
  spool.setContext('second\nline');
  expect(readFileSync(join(dir, 'context.md'), 'utf8')).toBe('second\nline');
  expect(readdirSync(dir)).toEqual(['context.md']);
});

test('after its end nothing is taken, also not the rest of a batch', async () => {
  openSpool(dir);
  drop('1.Stop', '{}');
  drop('2.Stop', '{}');
  const items: SpoolItem[] = [];
  const end = openSpool(dir).watch((item) => {
    items.push(item);
    end();
  });
  await within(() => expect(items).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(items).toHaveLength(1);
  expect(existsSync(join(dir, '2.Stop.json'))).toBe(true);
});

test('a spool folder that vanishes and comes back is taken from again', async () => {
  const items: SpoolItem[] = [];
  watchInto(items);
  rmSync(dir, {recursive: true});
  mkdirSync(dir);
  drop('1.done', '{}');
  await within(() => expect(items).toHaveLength(1));
});

test('three hundred files at once all arrive, each once', async () => {
  const items: SpoolItem[] = [];
  watchInto(items);
  for (let n = 0; n < 300; n += 1) drop(`${n}.PostToolUse`, `{"n":${n}}`);
  await within(() => expect(items).toHaveLength(300));
  expect(new Set(items.map(({id}) => id)).size).toBe(300);
});

test('the draft of a relay that was killed in the midst of its writing goes with the watch', () => {
  const end = watchInto([]);
  writeFileSync(join(dir, '.4711.PreToolUse.tmp'), '{"half');
  writeFileSync(join(dir, 'context.md'), 'stays');
  end();
  expect(readdirSync(dir)).toEqual(['context.md']);
});

test('an answer that cannot be written now is written as soon as it can', async () => {
  const spool = openSpool(dir);
  rmSync(dir, {recursive: true});
  spool.answer('4711.PreCompact', {exitCode: 0, stdout: '', stderr: ''});
  mkdirSync(dir);
  await within(() => expect(existsSync(join(dir, '4711.PreCompact.answer'))).toBe(true));
});
