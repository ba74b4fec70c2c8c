// The built ckpt-run and ckpt: going back while a run is alive, asked for by its agent and from outside.

import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test, vi} from 'vitest';
import {openPlace, type Place} from '../support/run-practice.ts';

const ckpt = join(dirname(fileURLToPath(import.meta.url)), '../../dist/ckpt.cjs');
const snapshot = (label: string) =>
  `"$CKPT_BIN" snapshot --step "${label}" --next-cmd "after ${label}" --label ${label}`;
const causes = (place: Place) => place.json(/certificate\.json$/).map(({cause}) => cause);
const ask = (place: Place, words: string[]): Promise<{code: number; text: string}> =>
  new Promise((resolve) => {
    execFile(process.execPath, [ckpt, ...words], {cwd: place.dir, env: place.env}, (error, stdout, stderr) =>
      resolve({code: typeof error?.code === 'number' ? error.code : 0, text: stdout + stderr}),
    );
  });
const until = (check: () => void) => vi.waitFor(check, {timeout: 40_000, interval: 50});

test('the agent asks: its work since then is gone from the folder, and kept in the checkpoint before', async () => {
  await using place = openPlace();
  const script = place.script({
    legs: [
      [
        {call: `echo good > a.txt; ${snapshot('good')}`},
        {call: 'echo bad > a.txt; echo more > b.txt'},
        {call: '"$CKPT_BIN" restore good'},
        {think: 60_000},
      ],
      [{call: 'cat a.txt > seen.txt; ls >> seen.txt'}, {exit: 0}],
    ],
  });
  const {code} = await place.pipes(['practice', '--script', script, 'go']);
  expect(code).toBe(0);
  expect(causes(place)).toEqual(['restore']);
  expect(place.file('seen.txt')).toMatch(/^good\n/);
  expect(place.file('seen.txt')).not.toContain('b.txt');
  const baton = place.file(
    join('runtime/checkpoints/runs', String(place.json(/run\.json$/)[0]?.run), 'leg-002/baton.md'),
  );
  expect(baton).toContain('after good');
  const undone = await ask(place, ['rollback']);
  expect(undone).toMatchObject({code: 0});
  expect(place.file('a.txt')).toBe('bad\n');
  expect(place.file('b.txt')).toBe('more\n');
});

test('from outside: refused while a leg is alive; with --stop the run does it', async () => {
  await using place = openPlace();
  const script = place.script({
    legs: [
      [{call: `echo good > a.txt; ${snapshot('good')}`}, {call: 'echo bad > a.txt'}, {think: 60_000}],
      [{call: 'cp a.txt seen.txt'}, {exit: 0}],
    ],
  });
  const run = place.pipes(['practice', '--script', script, 'go']);
  await until(() => expect(place.file('a.txt')).toBe('bad\n'));
  const refused = await ask(place, ['restore', 'good']);
  expect(refused).toMatchObject({code: 64, text: expect.stringContaining('--stop')});
  expect(place.file('a.txt')).toBe('bad\n');
  const asked = await ask(place, ['restore', 'good', '--stop']);
  expect(asked).toMatchObject({code: 0, text: expect.stringContaining('leg 2 begins there')});
  expect((await run).code).toBe(0);
  expect(existsSync(join(place.dir, 'seen.txt'))).toBe(true);
  expect(place.file('seen.txt')).toBe('good\n');
  expect(causes(place)).toEqual(['restore']);
});
