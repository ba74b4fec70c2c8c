// How the practice agent ends: codes, signals, what it refuses at the start, and what -p prints.

import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {newLogReader} from '../../adapters/claude/session-log.ts';
import {buildPractice, livingOf, openRig, type Rig} from './rig.ts';

let built: ReturnType<typeof buildPractice>;
beforeAll(() => {
  built = buildPractice();
});
afterAll(() => built.remove());

const id = '0b0c1d2e-3f40-4152-8364-758697a8b9ca';

describe('what is no run', () => {
  test.each<[args: string[], ended: object]>([
    [['--version'], {code: 0, stdout: '0.1.0 (Practice)\n', stderr: ''}],
    [['--nonsense'], {code: 1, stdout: '', stderr: "error: unknown option '--nonsense'\n"}],
    [['--session-id', 'x'], {code: 1, stdout: '', stderr: 'Error: Invalid session ID. Must be a valid UUID.\n'}],
    [['--settings', '{bad'], {code: 1, stdout: '', stderr: 'Error: Settings file not found: {bad\n'}],
    [['--settings', 'no/such.json'], {code: 1, stdout: '', stderr: 'Error: Settings file not found: no/such.json\n'}],
    [['--script', 'no/such.json'], {code: 1, stdout: '', stderr: expect.stringMatching(/^Error: ENOENT/)}],
  ])('%j', async (args, ended) => {
    using rig = openRig(built.program);
    expect(await rig.piped({args})).toMatchObject(ended);
    expect(rig.hookNames()).toEqual([]);
  });

  test('a session id that was used before', async () => {
    using rig = openRig(built.program);
    const launch = {args: ['--session-id', id, 'go'], acts: [{say: 'x'}]};
    expect(await rig.piped(launch)).toMatchObject({code: 0});
    expect(rig.hookCalls()[0]).toMatchObject({session_id: id});
    expect(await rig.piped(launch)).toMatchObject({code: 1, stderr: `Error: Session ID ${id} is already in use.\n`});
  });
});

const inTool = async (rig: Rig): Promise<number> => {
  await expect.poll(() => rig.file('pid'), {timeout: 20_000}).toMatch(/^\d+$/);
  return Number(rig.file('pid'));
};
const LONG_TOOL = {call: 'echo $$ > pid; sleep 1000'};

describe('signals, in the middle of a tool call', () => {
  test.each<[name: NodeJS.Signals, code: number]>([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 0],
  ])('%s: code %i, SessionEnd, the tool is ended too', async (name, code) => {
    using rig = openRig(built.program);
    const {child, ended} = rig.start({args: ['go'], acts: [LONG_TOOL], stdin: ''});
    const tool = await inTool(rig);
    child.kill(name);
    expect(await ended).toMatchObject({code, signal: null});
    expect(rig.hookNames()).toEqual(['SessionStart(startup)', 'UserPromptSubmit', 'PreToolUse', 'SessionEnd(other)']);
    await expect.poll(() => livingOf(tool), {timeout: 20_000}).toEqual([]);
    // Nothing was written behind the call that is still open.
    const reader = newLogReader();
    for (const line of rig.transcript()) reader.feed(line);
    expect(reader.facts().recentCalls.at(-1)).toMatchObject({input: LONG_TOOL.call, state: 'open'});
  });

  test.each<NodeJS.Signals>(['SIGKILL', 'SIGSEGV'])('%s: no hook, and the tool lives on', async (name) => {
    using rig = openRig(built.program);
    const {child, ended} = rig.start({args: ['go'], acts: [LONG_TOOL], stdin: ''});
    const tool = await inTool(rig);
    child.kill(name);
    try {
      expect(await ended).toMatchObject({code: null, signal: name});
      expect(rig.hookNames()).toEqual(['SessionStart(startup)', 'UserPromptSubmit', 'PreToolUse']);
      expect(livingOf(tool)).not.toEqual([]);
    } finally {
      process.kill(-tool, 'SIGKILL');
    }
  });

  test('a second signal does not cut the end short', async () => {
    using rig = openRig(built.program);
    const hooks = {SessionEnd: 'cat >> "$HOOKS"; sleep 0.3; echo whole > ended'};
    const {child, ended} = rig.start({args: ['go'], acts: [LONG_TOOL], stdin: '', hooks});
    await inTool(rig);
    child.kill('SIGTERM');
    child.kill('SIGHUP');
    expect([143, 129]).toContain((await ended).code);
    expect(rig.file('ended')).toBe('whole');
  });
});

describe('-p', () => {
  test('text: the last words on stdout, nothing else', async () => {
    using rig = openRig(built.program);
    const acts = [{say: 'I look.'}, {call: 'echo hidden'}, {say: 'Answer.'}];
    expect(await rig.piped({args: ['-p', 'go'], acts})).toEqual({
      code: 0,
      signal: null,
      stdout: 'Answer.\n',
      stderr: '',
    });
    expect(rig.hookNames().at(-1)).toBe('SessionEnd(other)');
  });

  test('the prompt may come through a pipe', async () => {
    using rig = openRig(built.program);
    await rig.piped({args: ['-p'], acts: [{say: 'x'}], stdin: 'from the pipe\n'});
    expect(rig.hookCalls()[1]).toMatchObject({hook_event_name: 'UserPromptSubmit', prompt: 'from the pipe'});
  });

  test('json: one object with the session', async () => {
    using rig = openRig(built.program);
    const args = ['-p', '--output-format', 'json', '--session-id', id, 'go'];
    const {stdout} = await rig.piped({args, acts: [{say: 'Answer.'}]});
    const result = {type: 'result', subtype: 'success', is_error: false, result: 'Answer.', session_id: id};
    expect(JSON.parse(stdout)).toEqual(result);
  });

  test('a failure: code 1, the message on stdout, is_error, and still `success`', async () => {
    using rig = openRig(built.program);
    const acts = [{overload: true as const}];
    const text = await rig.piped({args: ['-p', 'go'], acts});
    expect(text).toMatchObject({code: 1, stdout: expect.stringMatching(/^API Error: 529 Overloaded/), stderr: ''});
    const json = await rig.piped({args: ['-p', '--output-format', 'json', 'go'], acts});
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({subtype: 'success', is_error: true});
    expect(rig.hookNames()).toContain('StopFailure(server_error)');
  });

  test.each<[name: NodeJS.Signals, code: number]>([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 0],
  ])('%s: code %i', async (name, code) => {
    using rig = openRig(built.program);
    const {child, ended} = rig.start({args: ['-p', 'go'], acts: [LONG_TOOL], stdin: ''});
    await inTool(rig);
    child.kill(name);
    expect(await ended).toMatchObject({code, signal: null, stdout: ''});
  });
});
