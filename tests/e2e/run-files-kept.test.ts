// The built ckpt-run: what a run's own checkpoints hold of the files and of the conversation.

import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openPlace} from '../support/run-practice.ts';

test('a death: the untracked file is in the checkpoint’s tree, the log is in the leg’s folder with its hash', async () => {
  await using place = openPlace();
  const git = (...args: string[]) => execFileSync('git', args, {cwd: place.dir, env: place.env, encoding: 'utf8'});
  git('init', '-q');
  const script = place.script({
    legs: [
      [{call: 'echo draft > untracked.txt'}, {call: 'echo 1 >> work.txt', crash: 3}],
      [{call: 'rm untracked.txt'}, {exit: 0}],
    ],
  });
  const {code} = await place.pipes(['practice', '--script', script, 'go']);
  expect(code).toBe(0);
  const [death] = place.json(/context_checkpoint_.*crashed\.json$/);
  expect(death).toMatchObject({
    trigger: 'death',
    workspace: {complete: true},
    conversation: {sha256: expect.stringMatching(/^[0-9a-f]{64}$/)},
  });
  const {workspace, conversation} = death as {
    workspace: {ref: string};
    conversation: {log_path: string; log_offset: number; sha256: string};
  };
  expect(git('show', `${workspace.ref}:untracked.txt`)).toBe('draft\n');
  const original = readFileSync(conversation.log_path).subarray(0, conversation.log_offset);
  expect(createHash('sha256').update(original).digest('hex')).toBe(conversation.sha256);
  const [run] = place.json(/run\.json$/);
  const copy = place.file(join('runtime/checkpoints/runs', String(run?.run), 'leg-001', 'session-log.jsonl'));
  expect(copy.split('\n').length).toBe(original.toString('utf8').split('\n').length);
  expect(git('status', '--short', '--untracked-files=all')).not.toContain('runtime/');
});
