import {type ChildProcess, spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {legNumber, millis, runId} from '../../../src/core/ids.ts';
import {bornAt, openProcesses, psRow, psTicks} from '../../../src/io/agent/processes.ts';
import type {ProcessRef} from '../../../src/ports.ts';

let dir = '';
/** Everything that a test started, by pid and birth: ended by exactly that. */
const started: ProcessRef[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ckpt-proc-'));
});
afterEach(async () => {
  await openProcesses().end(started.splice(0));
  rmSync(dir, {recursive: true, force: true});
});

const within = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, {timeout: 20_000, interval: 20});

const start = async (script: string, env: Record<string, string> = {}): Promise<ChildProcess & {pid: number}> => {
  const child = spawn('sh', ['-c', script], {cwd: dir, stdio: 'ignore', env: {...process.env, ...env}});
  const {pid} = child;
  if (pid === undefined) throw new Error('sh could not be started');
  started.push({pid, born: (await bornAt(pid)) ?? '', command: 'sh'});
  return Object.assign(child, {pid});
};

const untilBelow = (pid: number, count: number): Promise<ProcessRef[]> =>
  within(async () => {
    const found = await openProcesses().descendants(pid);
    expect(found.filter(({command}) => command.startsWith('sleep'))).toHaveLength(count);
    started.push(...found);
    return found;
  });

const isGone = async (ref: ProcessRef): Promise<boolean> => (await bornAt(ref.pid)) !== ref.born;

test('descendants are found through parents, also those in a session of their own', async () => {
  const child = await start('setsid sleep 301 & sh -c "sleep 302; :" & wait');
  const found = await untilBelow(child.pid, 2);
  expect(found.map(({command}) => command).filter((command) => command.startsWith('sleep'))).toEqual(
    expect.arrayContaining(['sleep 301', 'sleep 302']),
  );
  expect(found.map(({pid}) => pid)).not.toContain(child.pid);
  for (const ref of found) expect(ref.born).toMatch(/^\d+$/);
});

test('processes of a leg are found by their environment after their parent died', async () => {
  const run = runId(millis(Date.now()), 'abcd');
  const marks = {CKPT_RUN: run, CKPT_LEG: '7'};
  const child = await start('setsid sleep 303 & echo $! > pid; exit 0', marks);
  await within(() => expect(child.exitCode).toBe(0));
  const orphan = Number(readFileSync(join(dir, 'pid'), 'utf8'));
  const found = await within(async () => {
    const refs = await openProcesses().ofLeg(run, legNumber(7));
    expect(refs.map(({command}) => command)).toEqual(['sleep 303']);
    return refs;
  });
  started.push(...found);
  expect(found[0]?.pid).toBe(orphan);
  expect(await openProcesses().ofLeg(run, legNumber(77))).toEqual([]);
  await openProcesses().end(found);
  expect(await openProcesses().ofLeg(run, legNumber(7))).toEqual([]);
});

test('processes of a run are found whatever leg has started them, with their legs, parents and ports', async () => {
  const run = runId(millis(Date.now()), 'bcde');
  const serve = `require('node:net').createServer().listen(0, '127.0.0.1', function () {
    require('node:fs').writeFileSync('port', String(this.address().port)); })`;
  const one = await start(`exec node -e "${serve}"`, {CKPT_RUN: run, CKPT_LEG: '1'});
  const two = await start('sleep 306 & wait', {CKPT_RUN: run, CKPT_LEG: '2'});
  await untilBelow(two.pid, 1);
  const port = Number(await within(() => readFileSync(join(dir, 'port'), 'utf8')));
  const {ofRun, ofLeg, ports} = openProcesses();
  const found = await ofRun(run);
  expect(found.map(({pid, leg, parent}) => ({pid, leg, parent}))).toEqual(
    expect.arrayContaining([
      {pid: one.pid, leg: 1, parent: process.pid},
      {pid: two.pid, leg: 2, parent: process.pid},
      {pid: expect.any(Number), leg: 2, parent: two.pid},
    ]),
  );
  expect(found).toHaveLength(3);
  expect((await ofLeg(run, legNumber(1))).map(({pid}) => pid)).toEqual([one.pid]);
  expect(await ports(found.map(({pid}) => pid))).toEqual(new Map([[one.pid, [port]]]));
});

test('end asks first: a process that listens ends by itself', async () => {
  const child = await start('trap "echo asked > note; exit 0" TERM; echo up > up; while :; do sleep 0.05; done');
  await within(() => readFileSync(join(dir, 'up')));
  await openProcesses().end(started);
  await within(() => expect(child.exitCode).toBe(0));
  expect(readFileSync(join(dir, 'note'), 'utf8')).toBe('asked\n');
});

test('end forces what does not listen, and returns when it is gone', async () => {
  const child = await start('trap "" TERM; echo up > up; while :; do sleep 0.05; done');
  await within(() => readFileSync(join(dir, 'up')));
  const ref = started[0];
  if (ref === undefined) throw new Error('nothing started');
  await openProcesses().end([ref]);
  expect(await isGone(ref)).toBe(true);
  await within(() => expect(child.signalCode).toBe('SIGKILL'));
});

test('a pid whose birth time differs is another process and is left alone', async () => {
  const child = await start('exec sleep 304');
  const born = await bornAt(child.pid);
  await openProcesses().end([{pid: child.pid, born: '1', command: 'sleep 304'}]);
  expect(await bornAt(child.pid)).toBe(born);
  expect(child.exitCode).toBeNull();
  expect(child.signalCode).toBeNull();
});

test('pid 1, our own and nonsense are never touched', async () => {
  const kill = vi.spyOn(process, 'kill');
  const refs = await Promise.all(
    [1, process.pid, 0, -1, Number.NaN].map(async (pid) => ({pid, born: (await bornAt(pid)) ?? '', command: ''})),
  );
  await openProcesses().end(refs);
  expect(kill).not.toHaveBeenCalled();
  kill.mockRestore();
});

test('a name with blanks and brackets does not move the birth time', async () => {
  const child = await start('cp /bin/sleep "./a ) R 1 (b" && exec "./a ) R 1 (b" 305');
  await within(async () => {
    const ref = (await openProcesses().descendants(process.pid)).find(({pid}) => pid === child.pid);
    expect(ref?.command).toBe('./a ) R 1 (b 305');
    expect(ref?.born).toBe(started[0]?.born);
  });
});

test('a line of ps is read: columns, birth time, zombies left out', () => {
  expect(psRow(' 4711     1 Ss   Tue Nov  3 09:15:00 2026 /bin/sh -c sleep 60; echo')).toEqual({
    pid: 4711,
    parent: 1,
    born: 'Tue Nov 3 09:15:00 2026',
    bornAt: Date.UTC(2026, 10, 3, 9, 15),
    command: '/bin/sh -c sleep 60; echo',
  });
  expect(psRow(' 4712  4711 Z+   Tue Nov  3 09:15:00 2026 (sh)')).toBeUndefined();
  expect(psRow('  PID  PPID STAT STARTED COMMAND')).toBeUndefined();
});

test('who sleeps does no work, who computes does', async () => {
  const child = await start('sleep 305 & while :; do :; done');
  const sleepers = (await untilBelow(child.pid, 1)).filter(({command}) => command.startsWith('sleep'));
  const {work} = openProcesses();
  const asleep = await work(sleepers);
  const busy = started.filter(({pid}) => pid === child.pid);
  const before = await work(busy);
  await within(async () => expect(await work(busy)).toBeGreaterThan(before));
  expect(await work(sleepers)).toBe(asleep);
  expect(await work([])).toBe(0);
});

test('the time that ps tells, in hundredths of a second', () => {
  expect(['0:00.05', '12:34.56', '1-02:03:04', '01:02:03', ''].map(psTicks)).toEqual([
    5, 75_456, 9_378_400, 372_300, 0,
  ]);
});
