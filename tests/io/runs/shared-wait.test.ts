import {chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {millis} from '../../../src/core/ids.ts';
import {openSharedWait, readRoom} from '../../../src/io/runs/shared-wait.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ckpt-wait-'));
});
afterEach(() => rmSync(home, {recursive: true, force: true}));

const open = (run: string, more: Record<string, string> = {}) =>
  openSharedWait({env: {HOME: home, XDG_STATE_HOME: home, ...more}, agent: 'claude', run});
const waiting = (): string => join(home, 'ckpt-run', 'waiting');
const roomFile = (): string => join(waiting(), readdirSync(waiting())[0] ?? '', 'room.json');

test('two runs share one room, across what would be two processes', async () => {
  const [a, b] = [open('a'), open('b')];
  const [due, early] = [millis(2_000_000), millis(1_000_000)];
  expect(await a.turn(due, early)).toEqual({is: 'wait', until: 2_000_000});
  expect(await b.turn(due, early)).toEqual({is: 'wait', until: 2_000_000});
  await a.turn(due, millis(1_500_000));
  await b.turn(due, millis(1_500_000));
  expect(await a.turn(due, due)).toEqual({is: 'go'});
  expect(await b.turn(due, due)).toMatchObject({is: 'wait'});
  a.opened(millis(2_001_000));
  await expect.poll(() => readRoom(readFileSync(roomFile(), 'utf8')).opened).toEqual({at: 2_001_000, last: 2_001_000});
  expect(await b.turn(due, millis(2_010_000))).toEqual({is: 'go'});
  expect(statSync(roomFile()).mode & 0o777).toBe(0o600);
});

test('twenty at once: exactly one tries', async () => {
  const due = millis(2_000_000);
  const turns = await Promise.all(Array.from({length: 20}, (_, at) => open(`r${at}`).turn(due, due)));
  expect(turns.filter(({is}) => is === 'go')).toHaveLength(1);
});

test('another account has another room', async () => {
  const due = millis(2_000_000);
  expect(await open('a').turn(due, due)).toEqual({is: 'go'});
  expect(await open('b', {CLAUDE_CONFIG_DIR: '/other'}).turn(due, due)).toEqual({is: 'go'});
});

test.each([
  '',
  'torn {',
  '[]',
  'null',
  '{"waiters":7,"probe":{"run":1},"opened":{"at":"x"}}',
  '{"waiters":[{"run":"x"}]}',
])('a room that cannot be read is an empty one: %j', async (text) => {
  const due = millis(2_000_000);
  await open('a').turn(due, millis(0));
  writeFileSync(roomFile(), text);
  expect(await open('b').turn(due, due)).toEqual({is: 'go'});
});

test('a room that cannot be entered: each waits for itself', async () => {
  const due = millis(2_000_000);
  const locked = openSharedWait({
    ...{env: {HOME: home, XDG_STATE_HOME: home}, agent: 'claude', run: 'a'},
    lock: async () => undefined,
  });
  expect(await locked.turn(due, millis(0))).toEqual({is: 'wait', until: 2_000_000});
  expect(await locked.turn(due, due)).toEqual({is: 'go'});
  mkdirSync(join(home, 'x'));
  writeFileSync(join(home, 'x', 'ckpt-run'), 'a file in its place');
  chmodSync(join(home, 'x'), 0o500);
  const nowhere = open('a', {XDG_STATE_HOME: join(home, 'x')});
  expect(await nowhere.turn(due, due)).toEqual({is: 'go'});
  expect(() => nowhere.opened(due)).not.toThrow();
  chmodSync(join(home, 'x'), 0o700);
});
