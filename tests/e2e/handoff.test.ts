// READ THIS FIRST: the built ckpt-run, a real pty, the practice agent, real batons on disk.
//
//   test ── outer pty ── ckpt-run ── pty ── practice agent ── relay.txt

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {packageRoot} from '../../src/io/setup/adapter-files.ts';
import {openPlace} from '../support/run-practice.ts';

const exact = (text: string): number[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => Number(/^step (\d+):/.exec(line)?.[1]));
const upTo = (last: number): number[] => Array.from({length: last}, (_, at) => at + 1);

test('the whole relay: compaction, SIGKILL in a step, usage limit; every step exactly once', async () => {
  await using place = openPlace();
  const terminal = place.terminal(['--until-done', '--limit-margin', '0', 'practice']);
  expect(await terminal.exit).toEqual({code: 0, signal: undefined});
  expect(exact(place.file('relay.txt'))).toEqual(upTo(12));
  expect(terminal.screen()).toContain('every step exactly once');
  const deaths = place.json(/certificate\.json$/);
  expect(deaths.map(({leg, cause}) => [leg, cause])).toEqual([
    [1, 'compaction'],
    [2, 'killed'],
  ]);
  // The limit was waited out in the same leg: it killed nobody.
  expect(place.journal().map(({event}) => event)).toEqual(expect.arrayContaining(['limit', 'done-asked']));
  expect(terminal.modes()).toMatchObject({changed: [], alternate: false, kitty: []});
});

test('the same through pipes: the result on stdout is the last leg’s alone, our words are on stderr', async () => {
  await using place = openPlace();
  const {code, stdout, stderr} = await place.pipes(['--until-done', '--limit-margin', '0', 'practice', '-p', 'Run.']);
  expect(code).toBe(0);
  expect(stdout).toBe('relay.txt: 12 steps, every step exactly once.\n');
  expect(exact(place.file('relay.txt'))).toEqual(upTo(12));
  expect(stderr).toContain('leg 1 ended');
  expect(place.json(/certificate\.json$/).map(({cause}) => cause)).toEqual(['compaction', 'killed', 'limit']);
});

test('a crash with an exit code after ready is handed on; the agent’s clean end is not', async () => {
  await using place = openPlace();
  const script = place.script({
    legs: [
      [{say: 'one'}, {call: 'echo 1 >> work.txt', crash: 3}],
      [{call: 'echo 2 >> work.txt'}, {exit: 0}],
    ],
  });
  const {code} = await place.pipes(['practice', '--script', script, 'go']);
  expect(code).toBe(0);
  expect(place.file('work.txt')).toBe('1\n2\n');
  expect(place.json(/certificate\.json$/)).toMatchObject([{cause: 'crashed', exit: {code: 3}}]);
});

test('an agent that prints every marker of all adapters, and our own batons, goes on', async () => {
  await using place = openPlace();
  const root = join(packageRoot(), 'tests', 'fixtures', 'screens');
  const screens = readdirSync(root, {recursive: true, encoding: 'utf8'}).filter((name) => /fires\/.*\.txt$/.test(name));
  expect(screens.length).toBeGreaterThan(20);
  const print = screens.map((name) => ({
    print: `${readFileSync(join(root, name), 'utf8').replaceAll('\n', '\r\n')}\r\n`,
  }));
  const waits = print.flatMap((act) => [act, {think: 30}]);
  const script = place.script([
    ...waits,
    {think: 600},
    {call: 'echo alive > alive.txt'},
    {say: 'still here'},
    {exit: 0},
  ]);
  const terminal = place.terminal(['--until-done', 'practice', '--script', script, 'print it all']);
  expect(await terminal.exit).toEqual({code: 0, signal: undefined});
  expect(place.file('alive.txt')).toBe('alive\n');
  expect(place.json(/certificate\.json$/)).toEqual([]);
  expect(place.journal().filter(({event}) => event === 'leg-spawned')).toHaveLength(1);
});

test('a storm of dying agents ends after the budget and is parked with the numbers', async () => {
  await using place = openPlace();
  const script = place.script([{think: 10}, {crash: 1}]);
  const {code, stderr} = await place.pipes(['practice', '--script', script, 'go']);
  expect(code).toBe(75);
  expect(stderr).toContain('5 legs without progress in 15 min');
  expect(place.journal().filter(({event}) => event === 'leg-spawned')).toHaveLength(5);
});

test('SIGTERM to ckpt-run: the agent ends, a checkpoint is there, nothing is restarted', async () => {
  await using place = openPlace();
  const script = place.script([{call: 'echo 1 > work.txt'}, {think: 60_000}]);
  const terminal = place.terminal(['practice', '--script', script, 'go']);
  await expect.poll(() => place.file('work.txt'), {timeout: 20_000}).toBe('1\n');
  terminal.kill('SIGTERM');
  expect(await terminal.exit).toEqual({code: 143, signal: undefined});
  expect(place.json(/context_checkpoint_.*\.json$/)).toMatchObject([{trigger: 'end', run: expect.any(String)}]);
  expect(place.journal().filter(({event}) => event === 'leg-spawned')).toHaveLength(1);
});

test('--continue takes the last baton up, once', async () => {
  await using place = openPlace();
  const script = place.script([{call: 'echo 1 > work.txt'}, {exit: 0}]);
  await place.pipes(['practice', '--script', script, 'do the work']);
  const dry = await place.pipes(['--dry-run', '--json', '--continue', 'practice']);
  expect(JSON.parse(dry.stdout)).toMatchObject({track: 'main', continues: expect.stringMatching(/leg-1-end$/)});
  const again = await place.pipes(['--continue', 'practice', '--script', script]);
  expect(again.code).toBe(0);
  expect(place.file(`runtime/checkpoints/runs/${runs(place.dir)[1]}/leg-001/baton.md`)).toContain('do the work');
  const refused = await place.pipes(['--continue', '--track', 'other', 'practice']);
  expect(refused.code).toBe(66);
  expect(refused.stderr).toContain('track "other" has no checkpoint to continue');
});

const runs = (dir: string): string[] =>
  readdirSync(join(dir, 'runtime/checkpoints/runs'))
    .filter((name) => name.startsWith('r-'))
    .sort();

test('bad words get a clear message, a documented code, and leave nothing behind', async () => {
  await using place = openPlace();
  const unknown = await place.pipes(['clod', 'hi']);
  expect(unknown).toMatchObject({code: 64, stdout: ''});
  expect(unknown.stderr).toContain('known: claude, codex, generic, practice');
  const missing = await place.pipes(['claude', 'hi']);
  expect(missing.code).toBe(127);
  expect(missing.stderr).toContain('npm install -g @anthropic-ai/claude-code');
  expect((await place.pipes(['--max-legs', '0', 'practice'])).code).toBe(64);
  expect((await place.pipes(['--on-compaction', 'panic', 'practice'])).stderr).toContain('restart, reinject, observe');
  expect((await place.pipes(['generic'])).code).toBe(64);
  expect((await place.pipes([])).code).toBe(64);
  expect(readdirSync(place.dir)).toEqual([]);
});

test('a ckpt-run inside a ckpt-run steps aside and says so', async () => {
  await using place = openPlace();
  const {code, stdout, stderr} = await place.pipes(
    ['practice', '-p', '--script', place.script([{say: 'hello'}]), 'x'],
    {
      env: {CKPT_RUN: 'r-20261118-091500-4f2a'},
    },
  );
  expect({code, stdout}).toEqual({code: 0, stdout: 'hello\n'});
  expect(stderr).toContain('already inside run r-20261118-091500-4f2a');
});

test('any program: generic watches its exit status alone', async () => {
  await using place = openPlace();
  const {code, stdout} = await place.pipes(['generic', 'sh', '-c', 'echo out; exit 7']);
  expect({code, stdout}).toEqual({code: 7, stdout: 'out\n'});
  const killed = await place.pipes(['generic', 'sh', '-c', 'kill -TERM $$']);
  expect(killed.code).toBe(143);
});

test('two runs at once get tracks of their own', async () => {
  await using place = openPlace();
  const script = place.script([{think: 1500}, {call: 'echo "$CKPT_TRACK" >> tracks.txt'}, {exit: 0}]);
  await Promise.all([1, 2].map(() => place.pipes(['practice', '--script', script, 'go'])));
  expect(place.file('tracks.txt').trim().split('\n').sort()).toEqual(['main', 'main-2']);
});

test('a checkpoint folder that cannot be made is told before anything is started', async () => {
  await using place = openPlace();
  const {code, stderr} = await place.pipes(['--checkpoint-dir', '/proc/nothing/here', 'practice', '-p', 'x']);
  expect(code).toBe(73);
  expect(stderr).toContain('/proc/nothing/here');
});

test('SIGKILL of ckpt-run in the middle of a step: one command goes on, every step exactly once', async () => {
  await using place = openPlace();
  const script = place.script([{job: {compactAfter: null, crashIn: null, limitAfter: null, stepMs: 100}}]);
  const first = place.terminal(['--until-done', 'practice', '--script', script, 'Run the relay.']);
  await expect.poll(() => exact(place.file('relay.txt')).length, {timeout: 20_000}).toBeGreaterThanOrEqual(5);
  first.kill('SIGKILL');
  await first.exit;
  const again = place.terminal(['--continue-run']);
  expect(await again.exit).toEqual({code: 0, signal: undefined});
  expect(exact(place.file('relay.txt'))).toEqual(upTo(12));
  expect(runs(place.dir)).toHaveLength(1);
  expect(place.journal().flatMap(({event, leg}) => (event === 'leg-spawned' ? [leg] : []))).toEqual([1, 2]);
  const over = await place.pipes(['--continue-run']);
  expect(over.code).toBe(66);
  expect(over.stderr).toContain('has ended: nothing is left to do');
});

test('a parked run is taken up again with a new budget; its legs are counted on', async () => {
  await using place = openPlace();
  const script = place.script({
    legs: [...Array(5).fill([{think: 10}, {crash: 1}]), [{call: 'echo ok > ok.txt'}, {exit: 0}]],
  });
  expect((await place.pipes(['practice', '--script', script, 'go'])).code).toBe(75);
  expect((await place.pipes(['--continue-run'])).code).toBe(0);
  expect(place.file('ok.txt')).toBe('ok\n');
  expect(place.journal().flatMap(({event, leg}) => (event === 'leg-spawned' ? [leg] : []))).toEqual([1, 2, 3, 4, 5, 6]);
});
