// A server that a finished call has started: it outlives its agent's death, the baton lists it, the end names it.

import {expect, test} from 'vitest';
import {claudeNew, claudeOld, codex} from './clis.ts';
import {isFull} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import type {Scenario} from './model/reply.ts';
import {ended, openSupervised} from './supervised.ts';
import {until} from './until.ts';

const job = {steps: 8, file: 'job.txt'};
const script = 'require("node:http").createServer().listen(0, "127.0.0.1")';
/** In Codex's sandbox nothing outlives its call: it has a world of processes of its own. */
const bare = ['-s', 'danger-full-access'];

/** Its first call leaves a process behind; at step 5 it is killed while the model answers. */
const starter = (kill: () => void): Scenario => {
  const worker = amnesiac();
  let legs = 0;
  return {
    ...worker,
    main: (request) => {
      const calls = request.turns.filter((turn) => turn.is === 'call').length;
      if (calls === 0) legs += 1;
      if (calls === 0 && legs === 1) {
        return {is: 'call', command: `nohup setsid node -e '${script}' > /dev/null 2>&1 & sleep 1`};
      }
      if (calls === 5 && legs === 1) {
        kill();
        return {is: 'hang', where: 'mid-stream'};
      }
      return worker.main(request);
    },
  };
};

test.runIf(isFull).each([
  ['Claude Code, keep', claudeNew, 'keep', []],
  ['Claude Code, end', claudeNew, 'end', []],
  ['Claude Code 2.1.197, keep', claudeOld, 'keep', []],
  ['Codex without its sandbox, keep', codex, 'keep', bare],
] as const)('%s', async (_, cli, leftovers, flags) => {
  let kill: () => void = () => {};
  await using ground = await openSupervised({cli: cli(), scenario: starter(() => kill())});
  kill = async () => {
    for (const {pid} of await ground.agents()) process.kill(pid, 'SIGKILL');
  };
  const terminal = ground.start(
    ground.under(ground.tui(goalOf(job), ...flags), '--until-done', '--leftovers', leftovers),
  );
  const end = await ended(terminal);
  expect({code: end.code, verdict: judge(ground.path(job.file), job.steps)}).toEqual({code: 0, verdict: flawless});
  const [death] = await ground.checkpoints();
  const left = (await ground.processes()).filter(({command}) => command.includes(script));
  const name = `ckpt-run: still running, started by this run: `;
  if (leftovers === 'end') {
    expect([left, death?.processes]).toEqual([[], []]);
    expect(terminal.raw()).not.toContain(name);
    return;
  }
  expect(death?.processes).toEqual([
    {command: expect.stringContaining(script), pid: expect.any(Number), ports: [expect.any(Number)]},
  ]);
  const baton = ground.model.main().find(({request}) => JSON.stringify(request.turns).includes('Left running'));
  expect(JSON.stringify(baton?.request.turns)).toContain('(pid ');
  expect(left.length).toBeGreaterThan(0);
  expect(terminal.raw()).toContain(name);
  for (const {pid} of left) process.kill(pid, 'SIGKILL');
  await until('their end', async () => (await ground.processes()).length === 0);
});
