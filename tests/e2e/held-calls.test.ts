// The built ckpt-run and ckpt, and an agent that honours its hooks: calls that wait before they are done.

import {execFile, execFileSync} from 'node:child_process';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test, vi} from 'vitest';
import {openPlace, type Place} from '../support/run-practice.ts';

const ckpt = join(dirname(fileURLToPath(import.meta.url)), '../../dist/ckpt.cjs');
const ask = (place: Place, words: string[], env: Record<string, string> = {}): Promise<{code: number; text: string}> =>
  new Promise((resolve) => {
    const options = {cwd: place.dir, env: {...place.env, ...env}};
    execFile(process.execPath, [ckpt, ...words], options, (error, stdout, stderr) =>
      resolve({code: typeof error?.code === 'number' ? error.code : 0, text: stdout + stderr}),
    );
  });
const until = (check: () => void) => vi.waitFor(check, {timeout: 40_000, interval: 50});
const triggers = (place: Place) => place.json(/context_checkpoint_.*\.json$/).map(({trigger}) => trigger);

test('rm -rf at the very first call: what it deletes is in the tree of the checkpoint before it', async () => {
  await using place = openPlace();
  execFileSync('git', ['init', '-q'], {cwd: place.dir, env: place.env});
  execFileSync('sh', ['-c', 'mkdir precious && echo gold > precious/untracked.txt'], {cwd: place.dir});
  const script = place.script([{call: 'rm -rf precious'}, {exit: 0}]);
  expect((await place.pipes(['practice', '--script', script, 'go'])).code).toBe(0);
  expect(place.file('precious/untracked.txt')).toBe('');
  const [before] = place.json(/context_checkpoint_.*before_risky_change\.json$/);
  const {ref} = (before?.workspace ?? {}) as {ref?: string};
  const show = ['show', `${ref}:precious/untracked.txt`];
  expect(execFileSync('git', show, {cwd: place.dir, env: place.env, encoding: 'utf8'})).toBe('gold\n');
});

test('switched off in ckpt.yaml: no checkpoint, and the agent is not held', async () => {
  await using place = openPlace();
  execFileSync('sh', ['-c', 'echo "triggers: [interval]" > ckpt.yaml; mkdir x'], {cwd: place.dir});
  const script = place.script([{call: 'rm -rf x'}, {exit: 0}]);
  expect((await place.pipes(['practice', '--script', script, 'go'])).code).toBe(0);
  expect(triggers(place)).toEqual(['end']);
  expect(place.journal().some(({event}) => event === 'call-held')).toBe(false);
});

test('a push waits for a person’s word; the agent itself cannot say it', async () => {
  await using place = openPlace();
  const script = place.script([{call: 'git push nowhere; echo yes > pushed.txt'}, {exit: 0}]);
  const run = place.pipes(['--approve-outside-effects', 'practice', '--script', script, 'go']);
  await until(() =>
    expect(place.json(/run\.json$/)[0]?.waits).toMatchObject({for: expect.stringContaining('git push')}),
  );
  expect(place.file('pushed.txt')).toBe('');
  const own = String(place.json(/run\.json$/)[0]?.run);
  expect(await ask(place, ['approve'], {CKPT_RUN: own})).toMatchObject({code: 64});
  expect(await ask(place, ['approve'])).toMatchObject({code: 0, text: expect.stringContaining('goes on')});
  const {code, stderr} = await run;
  expect(code).toBe(0);
  expect(stderr).toContain('say ckpt approve or ckpt deny within 10 min');
  expect(place.file('pushed.txt')).toBe('yes\n');
  expect(await ask(place, ['approve'])).toMatchObject({code: 66});
});

test('an agent without such a hook is not started with a promise that nobody keeps', async () => {
  await using place = openPlace();
  const {code, stderr} = await place.pipes(['--approve-outside-effects', 'generic', 'true']);
  expect(code).toBe(64);
  expect(stderr).toContain('has no hook in which a call could be held');
});
