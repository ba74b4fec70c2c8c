// Hooks and transcript of whole turns: the order and the fields that facts tell of Claude Code, and what our own reader
// of Claude's transcript makes of them.

import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {newLogReader} from '../../adapters/claude/session-log.ts';
import {seenIn} from '../adapter/read-log.ts';
import {buildPractice, livingOf, openRig, type Rig} from './rig.ts';

let built: ReturnType<typeof buildPractice>;
beforeAll(() => {
  built = buildPractice();
});
afterAll(() => built.remove());

const factsOf = (rig: Rig) => {
  const reader = newLogReader();
  for (const line of rig.transcript()) reader.feed(line);
  return reader.facts();
};

test('a turn with tools: hooks in their order, each with its fields', async () => {
  using rig = openRig(built.program);
  const acts = [{say: 'I list.'}, {call: 'echo hi'}, {call: 'exit 3'}, {say: 'Done.'}];
  expect(await rig.piped({args: ['please do the work'], acts})).toMatchObject({code: 0, signal: null});
  expect(rig.hookNames()).toEqual([
    ...['SessionStart(startup)', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolBatch'],
    ...['PreToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Stop', 'SessionEnd(prompt_input_exit)'],
  ]);
  const [start, prompt, before, after, batch] = rig.hookCalls();
  const common = {session_id: start?.session_id, transcript_path: start?.transcript_path, cwd: rig.dir};
  for (const call of rig.hookCalls()) expect(call).toMatchObject(common);
  expect(start?.session_id).toMatch(/^[0-9a-f-]{36}$/);
  const project = rig.dir.replace(/[^A-Za-z0-9]/g, '-');
  expect(start?.transcript_path).toBe(`${rig.dir}/config/projects/${project}/${start?.session_id}.jsonl`);
  expect(prompt).toMatchObject({prompt: 'please do the work'});
  const tool = {tool_name: 'Bash', tool_input: {command: 'echo hi'}, tool_use_id: before?.tool_use_id};
  expect(before).toMatchObject(tool);
  expect(after).toMatchObject({...tool, tool_response: {stdout: 'hi\n'}, duration_ms: expect.any(Number)});
  expect(batch).toMatchObject({tool_calls: [tool]});
  expect(rig.hookCalls().find(({hook_event_name: name}) => name === 'PostToolUseFailure')).toMatchObject({
    error: 'Exit code 3',
    is_interrupt: false,
  });
  expect(rig.hookCalls().find(({hook_event_name: name}) => name === 'Stop')).toMatchObject({
    stop_hook_active: false,
    last_assistant_message: 'Done.',
    background_tasks: [],
  });
});

test('the transcript of that turn reads as Claude’s', async () => {
  using rig = openRig(built.program);
  const acts = [{say: 'I list.'}, {call: 'git push origin main; false'}, {call: 'true'}, {say: 'Done.'}];
  await rig.piped({args: ['please do the work'], acts});
  expect(seenIn(newLogReader(), rig.transcript())).toEqual(['idle']);
  expect(factsOf(rig)).toMatchObject({
    sessionId: rig.hookCalls()[0]?.session_id,
    agentVersion: '0.1.0',
    asks: ['please do the work'],
    lastWords: 'Done.',
    callCount: 2,
    recentCalls: [
      {name: 'Bash', input: 'git push origin main; false', state: 'failed', outside: true},
      {name: 'Bash', input: 'true', state: 'finished', outside: false},
    ],
    contextTokens: expect.any(Number),
  });
});

describe('compaction', () => {
  test('an automatic one lies inside the turn, in the order of both versions', async () => {
    using rig = openRig(built.program);
    await rig.piped({args: ['go'], acts: [{compact: 'auto'}, {say: 'Done.'}]});
    expect(rig.hookNames()).toEqual([
      ...['SessionStart(startup)', 'UserPromptSubmit', 'PreCompact(auto)', 'SubagentStop', 'SessionStart(compact)'],
      ...['PostCompact(auto)', 'Stop', 'SessionEnd(prompt_input_exit)'],
    ]);
    const calls = rig.hookCalls();
    expect(calls[2]).toMatchObject({trigger: 'auto', custom_instructions: null});
    expect(calls[3]).toMatchObject({agent_type: ''});
    expect(calls[5]).toMatchObject({trigger: 'auto', compact_summary: expect.stringMatching(/^This session is/)});
    expect(new Set(calls.map(({session_id: id}) => id)).size).toBe(1);
    expect(seenIn(newLogReader(), rig.transcript())).toEqual(['compaction-done:auto', 'idle']);
    expect(factsOf(rig)).toMatchObject({asks: ['go'], lastWords: 'Done.'});
  });

  test('the person’s own is no turn: neither prompt nor Stop', async () => {
    using rig = openRig(built.program);
    const acts = [{wait: true as const}, {say: 'Done.'}];
    expect(await rig.piped({acts, stdin: '/compact keep the baton\ngo on\n'})).toMatchObject({code: 0});
    expect(rig.hookNames()).toEqual([
      ...[
        'SessionStart(startup)',
        'PreCompact(manual)',
        'SubagentStop',
        'SessionStart(compact)',
        'PostCompact(manual)',
      ],
      ...['UserPromptSubmit', 'Stop', 'SessionEnd(prompt_input_exit)'],
    ]);
    expect(rig.hookCalls()[1]).toMatchObject({custom_instructions: 'keep the baton'});
    expect(seenIn(newLogReader(), rig.transcript())).toEqual(['compaction-done:manual', 'idle']);
  });

  test('PreCompact with exit 2 blocks it: nothing of it happens, and the turn goes on', async () => {
    using rig = openRig(built.program);
    const hooks = {PreCompact: 'cat >> "$HOOKS"; echo not now >&2; exit 2'};
    const {stdout} = await rig.piped({args: ['go'], acts: [{compact: 'auto'}, {say: 'Still here.'}], hooks});
    expect(rig.hookNames()).toEqual([
      ...['SessionStart(startup)', 'UserPromptSubmit', 'PreCompact(auto)', 'Stop', 'SessionEnd(prompt_input_exit)'],
    ]);
    expect(stdout).toContain('Still here.');
    // Silent on the screen, unlike the person's own.
    expect(stdout).not.toContain('blocked');
    expect(seenIn(newLogReader(), rig.transcript())).toEqual(['idle']);
  });

  test('the person’s own, blocked, tells why', async () => {
    using rig = openRig(built.program);
    const hooks = {PreCompact: 'cat >> "$HOOKS"; echo not now >&2; exit 2'};
    const {stdout} = await rig.piped({acts: [{wait: true}, {say: 'x'}], stdin: '/compact\n', hooks});
    expect(stdout).toContain('Compaction blocked by PreCompact hook: not now');
    expect(rig.hookNames()).toEqual(['SessionStart(startup)', 'PreCompact(manual)', 'SessionEnd(other)']);
  });
});

describe('a turn that the API refuses', () => {
  test.each<[what: string, act: object, error: string, seen: RegExp]>([
    ['usage limit', {limit: 1}, 'rate_limit', /^limit@\d+000$/],
    ['overload', {overload: true}, 'server_error', /^overload$/],
    [
      'prompt too long',
      {fail: {error: 'invalid_request', status: 400, text: 'Prompt is too long'}},
      'invalid_request',
      /^context-full$/,
    ],
    [
      'credits',
      {fail: {error: 'billing_error', status: 400, text: 'Credit balance too low'}},
      'billing_error',
      /^fatal:/,
    ],
    [
      'key',
      {fail: {error: 'authentication_failed', status: 401, text: 'Invalid API key'}},
      'authentication_failed',
      /^auth$/,
    ],
  ])('%s: StopFailure in place of Stop, the agent stays, and the log tells the same', async (_, act, error, seen) => {
    using rig = openRig(built.program);
    const {code} = await rig.piped({args: ['go'], acts: [act as never, {say: 'never said'}]});
    // Its input is at an end, so nobody can ask it anything more.
    expect(code).toBe(0);
    expect(rig.hookNames()).toEqual([
      ...['SessionStart(startup)', 'UserPromptSubmit', `StopFailure(${error})`, 'SessionEnd(other)'],
    ]);
    const told = seenIn(newLogReader(), rig.transcript());
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(seen);
    expect(factsOf(rig).lastWords).toBeUndefined();
  });

  test('a usage limit refuses every prompt until its reset, and the work goes on after it', async () => {
    using rig = openRig(built.program);
    const {child, ended} = rig.start({args: ['go'], acts: [{limit: 1}, {say: 'On I go.'}]});
    const stops = () => rig.hookNames().filter((name) => /^Stop/.test(name));
    await expect.poll(stops, {timeout: 20_000}).toHaveLength(1);
    // At most one prompt is refused in the second that is left; the last one is not.
    await expect
      .poll(
        () => {
          child.stdin?.write('again\n');
          return stops().at(-1);
        },
        {timeout: 20_000, interval: 300},
      )
      .toBe('Stop');
    expect(await ended).toMatchObject({code: 0, stdout: expect.stringContaining('On I go.')});
    const resets = seenIn(newLogReader(), rig.transcript()).filter((signal) => signal.startsWith('limit@'));
    expect(new Set(resets).size).toBe(1);
  });
});

describe('what hooks give back', () => {
  test('plain words and additionalContext of SessionStart and UserPromptSubmit are known to it', async () => {
    using rig = openRig(built.program);
    const json = JSON.stringify({hookSpecificOutput: {additionalContext: '- step 2'}});
    const hooks = {
      SessionStart: 'echo "Already done (finished, do not repeat):"; echo "- step 1"',
      UserPromptSubmit: `echo '${json}'`,
    };
    const job = {job: {steps: 3, stepMs: 1, compactAfter: null, crashIn: null, limitAfter: null}} as never;
    await rig.piped({args: ['go'], acts: [job], hooks});
    expect(rig.file('relay.txt')).toMatch(/^step 2: .*\nstep 3: .*$/);
  });

  test('matchers choose by source, trigger and tool', async () => {
    using rig = openRig(built.program);
    const command = (mark: string) => [{type: 'command', command: `echo ${mark} >> marks`}];
    const settings = {
      hooks: {
        SessionStart: [
          {matcher: 'compact', hooks: command('compact')},
          {matcher: 'startup', hooks: command('startup')},
        ],
        PreToolUse: [
          {matcher: 'Bash|Edit', hooks: command('tool')},
          {matcher: 'Write', hooks: command('never')},
        ],
      },
    };
    const args = ['--settings', JSON.stringify(settings), 'go'];
    await rig.piped({args, acts: [{call: 'true'}, {compact: 'auto'}]});
    expect(rig.file('marks').split('\n')).toEqual(['startup', 'tool', 'compact']);
  });

  test('no hook runs when the settings switch them off', async () => {
    using rig = openRig(built.program);
    const hooks = {Stop: [{hooks: [{type: 'command', command: 'touch ran'}]}]};
    const args = ['--settings', JSON.stringify({disableAllHooks: true, hooks}), 'go'];
    expect(await rig.piped({args, acts: [{say: 'x'}]})).toMatchObject({code: 0});
    expect(rig.hookNames()).toEqual([]);
    expect(rig.file('ran')).toBe('');
  });

  test('a hook that hangs at the end is cut off, with all that it started', async () => {
    using rig = openRig(built.program);
    const hooks = {SessionEnd: 'echo $$ > pid; sleep 1000 & sleep 1000'};
    expect(await rig.piped({args: ['go'], acts: [{say: 'x'}], hooks})).toMatchObject({code: 0});
    const group = Number(rig.file('pid'));
    expect(group).toBeGreaterThan(1);
    await expect.poll(() => livingOf(group), {timeout: 20_000}).toEqual([]);
  });
});
