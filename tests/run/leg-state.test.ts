import {expect, test} from 'vitest';
import {state} from '../../adapters/claude/state-file.ts';
import {watchState} from '../../src/run/leg/leg-state.ts';
import {fakeClock} from '../fakes/clock.ts';

const open = () => {
  const {clock, advance} = fakeClock();
  const seen = {taken: [] as string[], followed: [] as string[], alive: 0};
  const files = new Map<string, string>();
  const logs = new Map<string, string>();
  const off = watchState({
    ...{state, env: {HOME: '/h'}, pid: 7, clock},
    readFile: (path) => files.get(path),
    findBelow: (folder, name) => logs.get(`${folder} ${name}`),
    followed: () => seen.followed.at(-1)?.split(' ')[0],
    take: ({type}) => void seen.taken.push(type),
    follow: ({id, logPath}) => void seen.followed.push(`${id} ${logPath}`),
    onAlive: () => {
      seen.alive += 1;
    },
  });
  const say = (status: string, sessionId = 's-1') =>
    files.set('/h/.claude/sessions/7.json', JSON.stringify({sessionId, status, ...times(clock.now())}));
  return {...{seen, advance, say, off}, log: (id: string) => logs.set(`/h/.claude/projects ${id}.jsonl`, `/x/${id}`)};
};
const times = (now: number) => ({startedAt: now, statusUpdatedAt: now});
const looks = (advance: (ms: number) => void, ms: number) => {
  for (let at = 0; at < ms; at += 250) advance(250);
};

test('each state is told once, when it has lasted', () => {
  const {seen, advance, say} = open();
  looks(advance, 1000);
  expect(seen).toMatchObject({taken: [], alive: 0});
  say('busy');
  looks(advance, 1500);
  expect(seen.taken).toEqual([]);
  looks(advance, 3000);
  say('idle');
  looks(advance, 2000);
  expect(seen.taken).toEqual(['busy', 'idle']);
  expect(seen.alive).toBeGreaterThan(0);
});

test('the session log is found by its name once it is there, and again after the conversation has changed', () => {
  const {seen, advance, say, log} = open();
  say('idle');
  looks(advance, 1000);
  expect(seen.followed).toEqual([]);
  log('s-1');
  looks(advance, 1000);
  say('idle', 's-2');
  log('s-2');
  looks(advance, 1000);
  expect(seen.followed).toEqual(['s-1 /x/s-1', 's-2 /x/s-2']);
});

test('nothing is looked at any more after its end', () => {
  const {seen, advance, say, off} = open();
  off();
  say('idle');
  looks(advance, 2000);
  expect(seen).toMatchObject({taken: [], alive: 0});
});
