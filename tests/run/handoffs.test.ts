// Each handoff is measured: handoff.json, the journal, the summary.

import {expect, test} from 'vitest';
import {summaryWords} from '../../src/report/summary.ts';
import {begun, call, isThere, line, pass, result, within} from './story.ts';

const read = (id: string, file: string) =>
  line({
    type: 'assistant',
    message: {id: `m${id}`, model: 'x', content: [{type: 'tool_use', id, name: 'Read', input: {file_path: file}}]},
  });
const edit = (id: string, file: string) =>
  line({
    type: 'assistant',
    message: {id: `m${id}`, model: 'x', content: [{type: 'tool_use', id, name: 'Edit', input: {file_path: file}}]},
  });

test('seconds to uptake, actions to the first edit, commands repeated, files re-read', async () => {
  // So that the log's times and the clock's are of one day.
  const world = await begun({start: Date.parse('2026-11-18T09:59:50Z'), policy: {attended: false}});
  const does = (session: string, id: string, entry: object) => {
    world.log(`/log/${session}.jsonl`, entry);
    world.log(`/log/${session}.jsonl`, result(id));
  };
  does('s1', 'b', call('b', 'npm ci --token=ghp_0123456789abcdefghijABCDEFGHIJ012345'));
  does('s1', 'c', read('c', '/project/a.ts'));
  world.agents[0]?.exit({signal: 9});
  expect(await isThere(world, 2)).toBe(true);
  const session = {session_id: 's2', transcript_path: '/log/s2.jsonl'};
  world.spools.drop('leg-002', 'SessionStart', {...session, source: 'startup'});
  world.spools.drop('leg-002', 'UserPromptSubmit', session);
  does('s2', 'd', read('d', '/project/a.ts'));
  does('s2', 'e', call('e', 'npm ci --token=ghp_0123456789abcdefghijABCDEFGHIJ012345'));
  does('s2', 'f', edit('f', '/project/b.ts'));
  await pass(world, 100);
  await within(() => expect(world.legFiles.has('2/handoff.json')).toBe(true));
  world.agents[1]?.exit();
  const {summary} = await world.end;
  const written = JSON.parse(world.legFiles.get('2/handoff.json') ?? '') as Record<string, unknown>;
  expect(written).toMatchObject({
    ...{schema_version: 1, run: world.plan.run, leg: 2, baton: world.store.written[0]?.id},
    ...{seconds_to_uptake: expect.any(Number), actions_to_first_edit: 2, files_reread: ['/project/a.ts']},
    commands_repeated: [expect.stringMatching(/^npm ci --token=.*redacted/)],
  });
  expect(world.legFiles.has('1/handoff.json')).toBe(false);
  expect(world.journal.filter(({event}) => event === 'handoff-measured')).toMatchObject([
    {
      leg: 2,
      what: expect.stringMatching(/^took up after [\d.]+ s, first edit after 2 actions, 1 command repeated, 1 file/),
    },
  ]);
  expect(summary.handoffs).toMatchObject([{leg: 2, actions_to_first_edit: 2}]);
  expect(summaryWords(summary)).toContain('median 2 actions to the first edit · 1 command repeated, 1 file re-read');
});

test('a leg that never took up is measured too', async () => {
  const world = await begun();
  world.agents[0]?.exit({signal: 9});
  expect(await isThere(world, 2)).toBe(true);
  world.agents[1]?.exit();
  const {summary} = await world.end;
  expect(summary.handoffs).toMatchObject([{leg: 2, commands_repeated: [], files_reread: []}]);
  expect(summary.handoffs[0]?.seconds_to_uptake).toBeUndefined();
});
