// The first agent cannot go on: the next leg is the other agent's, with its own program, arguments and hooks.

import {expect, test} from 'vitest';
import {loadCode} from '../../adapters/code.ts';
import {summaryWords} from '../../src/report/summary.ts';
import {runLoop} from '../../src/run/run-loop.ts';
import {type RunRecord, readRunRecord} from '../../src/watch/run-record.ts';
import {builtin, parseRun} from '../adapter/builtin.ts';
import {fakeWorld} from '../fakes/world.ts';
import {SESSION, within} from './story.ts';

const begun = async () => {
  const policy = {attended: false, takeovers: ['codex']};
  const world = fakeWorld({policy, args: ['--model', 'opus', 'do the job']});
  const records: RunRecord[] = [];
  world.ports.files.writeRun = (run) => {
    const read = readRunRecord(JSON.stringify(run));
    if (!('broken' in read)) records.push(read);
  };
  const codex = {
    ...{adapter: builtin('codex'), code: await loadCode('codex'), parsed: parseRun('codex', [])},
    ...{binary: {file: '/bin/codex', args: []}, version: undefined},
  };
  const end = runLoop({...world.plan, takeovers: [codex]}, world.ports);
  await within(() => expect(world.agents).toHaveLength(1));
  world.spools.drop('leg-001', 'SessionStart', {...SESSION, source: 'startup'});
  world.spools.drop('leg-001', 'UserPromptSubmit', SESSION);
  return {...world, end, records};
};

test('refused for good: the other agent gets the baton, and everything says whose leg it is', async () => {
  const world = await begun();
  world.spools.drop('leg-001', 'StopFailure', {...SESSION, error: 'authentication_failed', last_assistant_message: ''});
  await within(() => expect(world.agents).toHaveLength(2));
  const [, second] = world.agents;
  expect(second?.spec.file).toBe('/bin/codex');
  expect(second?.spec.args).toContain('--no-daemon');
  expect(second?.spec.args).not.toContain('opus');
  expect(second?.spec.args.at(-1)).toContain('do the job');
  expect(JSON.parse(world.legFiles.get('1/certificate.json') ?? '')).toMatchObject({
    ...{agent: 'claude', cause: 'refused'},
    decision: 'codex takes over with leg 2: its provider refuses it',
  });
  expect(world.told.join('\n')).toContain('codex takes over with leg 2 and the baton: its provider refuses it');
  const started = world.journal.filter(({event}) => event === 'leg-spawned').map(({leg, agent}) => [leg, agent]);
  expect(started).toEqual([
    [1, 'claude'],
    [2, 'codex'],
  ]);
  expect(world.records.at(-1)).toMatchObject({agent: 'codex', takenOver: [{agent: 'codex', leg: 2}]});
  world.spools.drop('spool', 'done', {note: 'all of it'});
  await within(() => {
    world.advance(1000);
    expect(world.records.at(-1)?.state).toBe('over');
  });
  const {summary} = await world.end;
  expect(summary.agents).toEqual({claude: 1, codex: 1});
  expect(summaryWords(summary)).toContain('2 legs (claude 1, codex 1)');
});

test('the last one is refused too: parked, each has had its turn', async () => {
  const world = await begun();
  world.spools.drop('leg-001', 'StopFailure', {...SESSION, error: 'billing_error', last_assistant_message: ''});
  await within(() => expect(world.agents).toHaveLength(2));
  world.spools.drop('leg-002', 'SessionStart', {...SESSION, session_id: 's2', transcript_path: '/log/s2.jsonl'});
  const error = {message: 'no', codex_error_info: {http_connection_failed: {http_status_code: 401}}};
  const line = {timestamp: '2030-01-01T00:00:00Z', type: 'event_msg', payload: {type: 'task_complete', error}};
  await within(() => {
    world.log('/log/s2.jsonl', line);
    expect(world.records.at(-1)?.state).toBe('over');
  });
  expect((await world.end).outcome).toMatchObject({is: 'parked'});
  expect(world.agents).toHaveLength(2);
});
