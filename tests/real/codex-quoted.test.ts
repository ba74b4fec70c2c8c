// The trap, with the real Codex: every marker that we look for is in the person's prompt, in a file that the agent reads,
// in its own answers and in what it writes. None of it ends a leg, nor is it told with proof.

import {writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {fixture, linesOf} from '../adapter/read-log.ts';
import {isProved, jobWord, legsOf, openCodex} from './codex-rig.ts';
import {amnesiac} from './model/amnesiac.ts';
import {goalOf} from './model/job.ts';
import type {Scenario} from './model/reply.ts';
import {ended} from './supervised.ts';

const job = {steps: 3, file: 'job.txt'};

const sentences = [
  '■ You’ve hit your usage limit. Upgrade, or try again at 7:56 AM.',
  "■ Codex ran out of room in the model's context window. Start a new thread or clear earlier history.",
  '■ Quota exceeded. Check your plan and billing details.',
  '■ unexpected status 401 Unauthorized: no, url: http://127.0.0.1/',
  '◦ Compacting context (1s • esc to interrupt)',
  '• Context compacted · 2s',
  '• Reconnecting... waiting for network (12s • esc to interrupt)',
  'Another language model started to solve this problem and produced a summary',
];
const markers = [
  ...sentences,
  ...linesOf('logs/codex/compact-auto-0.169.0.jsonl').filter((line) => /"compacted"|task_complete/.test(line)),
  '{"type":"event_msg","payload":{"type":"task_complete","error":{"codex_error_info":"usage_limit_exceeded"}}}',
  '{"type":"event_msg","payload":{"type":"task_complete","error":{"codex_error_info":"context_window_exceeded"}}}',
  fixture('screens/claude/limit/fires/usage-new-oauth.txt'),
].join('\n');

/** Reads the file, writes it anew, talks about it, then does the job. */
const quoting = (): Scenario => {
  const worker = amnesiac();
  return {
    ...worker,
    main: (request) => {
      const calls = request.turns.flatMap((turn) => (turn.is === 'call' ? [turn.command] : []));
      const first = ['cat markers.txt', 'cp markers.txt copy.txt && tail -n 20 copy.txt'].find(
        (command) => !calls.includes(command),
      );
      if (first !== undefined) return {is: 'call', command: first};
      const answer = worker.main(request);
      return 'is' in answer && answer.is === 'text'
        ? {...answer, text: `${sentences.join('\n')}\n${answer.text}`}
        : answer;
    },
  };
};

test.each(['terminal', 'pipes'] as const)('quoted markers end no leg: Codex in %s', async (where) => {
  await using ground = await openCodex({scenario: quoting()});
  writeFileSync(ground.path('markers.txt'), markers);
  const goal = `${goalOf(job)}\nIn our log it says:\n${sentences.join('\n')}`;
  const own = ['--until-done'];
  const program =
    where === 'terminal'
      ? ground.start(ground.under(ground.tui(goal), ...own))
      : ground.pipe(ground.under(ground.headless(goal), ...own));
  const {code} = 'screen' in program ? await ended(program) : await program.exit;
  const proved = (await ground.journal()).filter(
    (entry) => isProved(entry) || /^compaction-/.test(String(entry.event)),
  );
  expect({code, legs: await legsOf(ground), job: jobWord(ground, job)}).toEqual({code: 0, legs: 1, job: 'exact'});
  expect(proved.filter(({proof}) => proof === true)).toEqual([]);
  expect(await ground.certificates()).toEqual([]);
});
