import {spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type CodeName, loadCode} from '../../adapters/code.ts';
import {trustedHash} from '../../adapters/codex/trust.ts';
import type {HookPlan} from '../../src/adapter/adapter.ts';
import type {Autocompact} from '../../src/adapter/autocompact.ts';
import {parseRun} from './builtin.ts';
import {fixture, short} from './read-log.ts';

const claude = await loadCode('claude');
const codex = await loadCode('codex');

const plan = (agent: string, args: string[], files: Record<string, string> = {}): HookPlan => ({
  relay: "/opt/it's here/relay.sh",
  spool: '/r/spool',
  parsed: parseRun(agent, args),
  cwd: '/w',
  allow: [],
  attended: true,
  checkpointDir: '/w/runtime/checkpoints',
  autocompact: {setting: {is: 'on'}, version: undefined, env: {}},
  readFile: (path) => files[path],
});

const seen = (code: typeof claude, name: string, payload: unknown): string[] =>
  code.readHook(name, payload).sightings.map(short);

describe('Claude Code: injecting', () => {
  const settingsOf = (args: string[], files = {}) => {
    const {args: ours, drop} = claude.hooks(plan('claude', args, files));
    return {drop, settings: ours[1] === undefined ? undefined : JSON.parse(ours[1]), ours};
  };

  test('twelve events, PreCompact held for less than its timeout, every word quoted', () => {
    const {settings, drop} = settingsOf([]);
    expect(drop).toEqual(['--settings']);
    expect(Object.keys(settings.hooks)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'PreCompact',
      'PostCompact',
      'Stop',
      'StopFailure',
      'PermissionRequest',
      'Notification',
      'SessionEnd',
    ]);
    expect(settings.hooks.PreCompact).toEqual([
      {
        hooks: [
          {
            type: 'command',
            command: `exec sh '/opt/it'\\''s here/relay.sh' '/r/spool' PreCompact hold 55`,
            timeout: 60,
          },
        ],
      },
    ]);
  });

  test('a hook that nobody answers is dropped by the agent’s own shell: whole, private, never a failure', () => {
    const dir = mkdtempSync(join(tmpdir(), "ckpt it's "));
    try {
      const {args} = claude.hooks({...plan('claude', []), spool: dir});
      const command: string = JSON.parse(args[1] ?? '').hooks.PreToolUse[0].hooks[0].command;
      const run = (text: string) =>
        spawnSync('/bin/sh', ['-c', text], {input: '{"tool_name":"Bash"}', encoding: 'utf8'});
      expect(run(command)).toMatchObject({status: 0, stdout: '', stderr: ''});
      const [name = ''] = readdirSync(dir);
      expect(name).toMatch(/^\d+\.PreToolUse\.json$/);
      expect(readFileSync(join(dir, name), 'utf8')).toBe('{"tool_name":"Bash"}');
      expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
      rmSync(dir, {recursive: true});
      expect(run(command)).toMatchObject({status: 0, stdout: '', stderr: ''});
    } finally {
      rmSync(dir, {recursive: true, force: true});
    }
  });

  test.each<[string, Autocompact, string | undefined, Record<string, string>, Record<string, string>]>([
    ['on', {is: 'on'}, '2.1.326', {}, {}],
    ['off', {is: 'off'}, '2.1.197', {}, {DISABLE_AUTO_COMPACT: '1'}],
    ['60 %', {is: 'percent', percent: 60}, '2.1.326 (Claude Code)', {}, {CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '60'}],
    ['12 %, old', {is: 'percent', percent: 12}, '2.1.197', {}, {CLAUDE_CODE_AUTO_COMPACT_WINDOW: '150600'}],
    ['12 %, unknown', {is: 'percent', percent: 12}, undefined, {}, {CLAUDE_CODE_AUTO_COMPACT_WINDOW: '150600'}],
    ['the person’s own', {is: 'off'}, '2.1.326', {CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000'}, {}],
  ])('autocompact %s', (_, setting, version, env, set) => {
    expect(claude.hooks({...plan('claude', []), autocompact: {setting, version, env}}).env).toEqual(set);
  });

  const theirs = {model: 'opus', hooks: {Stop: [{hooks: [{type: 'command', command: 'say done'}]}], Other: [1]}};

  test.each<[string, string[], Record<string, string>]>([
    ['inline', ['--settings', JSON.stringify(theirs)], {}],
    ['inline with =', [`--settings=${JSON.stringify(theirs)}`], {}],
    ['in a file', ['--settings', 'mine.json'], {'mine.json': JSON.stringify(theirs)}],
    [
      'twice: the last wins, as it does bare',
      ['--settings', '{"model":"x"}', '--settings', JSON.stringify(theirs)],
      {},
    ],
  ])('the person’s own settings are kept: %s', (_, args, files) => {
    const {settings} = settingsOf(args, files);
    expect(settings.model).toBe('opus');
    expect(settings.hooks.Other).toEqual([1]);
    expect(settings.hooks.Stop[0]).toEqual(theirs.hooks.Stop[0]);
    expect(settings.hooks.Stop).toHaveLength(2);
  });

  test('exactly the commands that were named are allowed, beside the person’s own rules', () => {
    const own = JSON.stringify({permissions: {allow: ['Read'], deny: ['Bash(rm:*)']}});
    const allow = ['/r/ckpt snapshot', '/r/ckpt done', '/with blank/ckpt task', '/r/ckpt $(x) done'];
    const {args} = claude.hooks({...plan('claude', ['--settings', own]), allow});
    expect(JSON.parse(args[1] ?? '').permissions).toEqual({
      allow: ['Read', 'Bash(/r/ckpt snapshot:*)', 'Bash(/r/ckpt done:*)'],
      deny: ['Bash(rm:*)'],
    });
    expect(settingsOf([]).settings.permissions).toBeUndefined();
  });

  test.each([
    ['a file that is not there', 'gone.json'],
    ['bad JSON', '{bad'],
    ['no object', '[1]'],
  ])('settings that cannot be read are left to the agent: %s', (_, value) => {
    expect(claude.hooks(plan('claude', ['--settings', value], {'[1]': '[1]'}))).toEqual({args: [], env: {}, drop: []});
  });

  test('settings too big for one argument are left alone', () => {
    const big = JSON.stringify({x: 'y'.repeat(130_000)});
    expect(claude.hooks(plan('claude', ['--settings', 'big.json'], {'big.json': big})).args).toEqual([]);
  });
});

describe('Codex: injecting', () => {
  const argsOf = (args: string[]) => codex.hooks(plan('codex', args)).args;

  test('eight events, and the trust that Codex computed itself for the same hook', () => {
    const plain = codex.hooks({...plan('codex', []), relay: '/r/relay.sh'});
    expect(plain.args.filter((arg) => arg === '-c')).toHaveLength(9);
    expect(plain.args).toContain(
      `hooks.PreCompact=[{hooks=[{type="command",command="exec sh '/r/relay.sh' '/r/spool' PreCompact hold 55",timeout=60}]}]`,
    );
    expect(plain.args.at(-1)).toContain(
      '"/<session-flags>/config.toml:pre_compact:0:0"={trusted_hash="sha256:HASH"}'.replace('HASH', hashOfPreCompact),
    );
  });

  test('the terminal program is kept out of the daemon; exec and --remote refuse the flag', () => {
    expect(argsOf([])[0]).toBe('--no-daemon');
    expect(argsOf(['resume', '--last'])[0]).toBe('--no-daemon');
    expect(argsOf(['exec', 'x'])).not.toContain('--no-daemon');
    expect(argsOf(['--remote', 'unix://x'])).not.toContain('--no-daemon');
    expect(argsOf(['--no-daemon'])).not.toContain('--no-daemon');
  });

  test('what the person sets by -c is left to them', () => {
    const without = argsOf(['-c', 'hooks.Stop=[]']).join('\n');
    expect(without).not.toContain('hooks.Stop=');
    expect(without).not.toContain(':stop:0:0');
    expect(without).toContain('hooks.PreCompact=');
    expect(argsOf(['--config', 'hooks.state={}'])).toEqual(['--no-daemon']);
  });

  test('what the start of a session gives is not cut, and the hash says so too', () => {
    const plain = codex.hooks({...plan('codex', []), relay: '/r/relay.sh'}).args;
    expect(plain.find((arg) => arg.startsWith('hooks.SessionStart='))).toMatch(
      /timeout=10,additionalContextLimit=0}]}]$/,
    );
    // As `hooks/list` of 0.169.0 tells it for the same hook.
    const hook = {snake: 'session_start', command: '/abs/hook.sh', timeout: 10, contextLimit: 0};
    expect(trustedHash(hook)).toBe('sha256:3ff9590d6cb83431ba6e052509250b2aa0f6d043a55138047c026d19455d26e9');
  });

  test('with nobody there no dialog offers another model; with a person there it is theirs', () => {
    const hidden = 'notice.hide_rate_limit_model_nudge=true';
    expect(argsOf([])).not.toContain(hidden);
    expect(codex.hooks({...plan('codex', []), attended: false}).args).toContain(hidden);
  });

  test('with nobody there it gives a lost network up, and the run waits; unless the person has said otherwise', () => {
    const bounded = 'features.unbounded_connection_retries=false';
    const alone = (...args: string[]) => codex.hooks({...plan('codex', args), attended: false}).args;
    expect(argsOf([])).not.toContain(bounded);
    expect(alone()).toContain(bounded);
    expect(alone('--enable', 'unbounded_connection_retries')).not.toContain(bounded);
    expect(alone('-c', 'features.unbounded_connection_retries=true')).not.toContain(bounded);
  });

  test.each<[string, string[], string, boolean]>([
    ['below the working folder', [], '/w/runtime/checkpoints', false],
    ['outside of it', [], '/elsewhere', true],
    ['beside it, with the same beginning', [], '/w-2/checkpoints', true],
    ['above a folder chosen by -C', ['-C', 'sub'], '/w/runtime/checkpoints', true],
    ['below a folder chosen by --cd', ['--cd', '/other'], '/other/checkpoints', false],
    ['outside of a read-only sandbox, which has no such thing', ['-s', 'read-only'], '/elsewhere', false],
  ])('the sandbox can write to the checkpoint folder %s', (_, args, checkpointDir, added) => {
    const ours = codex.hooks({...plan('codex', args), checkpointDir}).args;
    expect(ours.includes('--add-dir')).toBe(added);
    if (added) expect(ours[ours.indexOf('--add-dir') + 1]).toBe(checkpointDir);
  });

  test('a read-only sandbox is said, and no other', () => {
    const cautionOf = (args: string[]) => codex.caution?.(plan('codex', args));
    expect(cautionOf(['--sandbox', 'read-only'])).toMatch(/read-only sandbox/);
    expect(cautionOf(['-c', 'sandbox_mode="read-only"'])).toMatch(/read-only sandbox/);
    expect(cautionOf(['-s', 'workspace-write'])).toBeUndefined();
  });

  test('what is lost by hooks of the person’s own on the command line is said', () => {
    const hold = {risky: true, approvalMs: undefined};
    const cautionOf = (...args: string[]) => codex.caution?.({...plan('codex', args), hold});
    expect(cautionOf('-c', 'hooks.PreToolUse=[]')).toMatch(/hooks\.PreToolUse takes the place of ours: no call waits/);
    expect(cautionOf('-c', 'hooks.PreCompact=[]')).toMatch(/seen only when it is done/);
    expect(cautionOf('-c', 'hooks.state={}')).toMatch(
      /hooks\.state takes the place of ours: .*; no call waits.*; a comp/,
    );
    expect(cautionOf('-c', 'hooks.Stop=[]')).toBeUndefined();
    expect(codex.caution?.(plan('codex', ['-c', 'hooks.PreToolUse=[]']))).toBeUndefined();
  });

  test('hashes that the agent itself has told are used; no other hook is trusted by them', () => {
    const question = codex.trustQuestion?.(plan('codex', []));
    expect(question?.args.slice(0, 2)).toEqual(['app-server', '-c']);
    const key = '/<session-flags>/config.toml:stop:0:0';
    const listed = (hooks: object[]) =>
      `{"id":1,"result":{}}\n{"id":2,"result":{"data":[{"hooks":${JSON.stringify(hooks)}}]}}\n`;
    const theirs = {key: '/home/p/.codex/config.toml:stop:0:0', currentHash: 'sha256:theirs'};
    const trusted = question?.read(listed([{key, currentHash: 'sha256:told'}, theirs]));
    expect(trusted).toEqual({[key]: 'sha256:told'});
    const state = codex.hooks({...plan('codex', []), trusted}).args.at(-1);
    expect(state).toContain(`"${key}"={trusted_hash="sha256:told"}`);
    expect(state).not.toContain('theirs');
    expect(question?.read('{"id":2,"error":{"code":-1}}\nnoise')).toBeUndefined();
    expect(question?.expected[key]).toMatch(/^sha256:/);
  });

  test('nothing is trusted but our own hooks', () => {
    expect(argsOf([]).join('\n')).not.toMatch(/trust_level|bypass/);
  });
});

describe.each<[CodeName, typeof claude]>([
  ['claude', claude],
  ['codex', codex],
])('%s: reading', (_, code) => {
  const base = {session_id: 's-1', transcript_path: '/log.jsonl'};
  test.each<[string, object, string[]]>([
    ['SessionStart', {source: 'startup'}, ['ready']],
    ['SessionStart', {source: 'clear'}, ['ready']],
    ['SessionStart', {source: 'compact'}, []],
    ['UserPromptSubmit', {prompt: 'x'}, ['busy']],
    ['Stop', {}, ['idle']],
    ['PreCompact', {trigger: 'auto'}, ['compaction-started:auto:held']],
    ['PreCompact', {trigger: 'manual'}, ['compaction-started:manual:held']],
    ['PostCompact', {trigger: 'auto'}, ['compaction-done:auto']],
    ['PermissionRequest', {tool_name: 'Bash'}, ['waiting-for-person:permission for Bash']],
    ['SessionEnd', {reason: 'other'}, []],
    ['SomethingNew', {}, []],
    ['PreCompact', {trigger: 'auto', agent_id: 'sub'}, []],
    ['UserPromptSubmit', {agent_id: 'sub'}, []],
  ])('%s %j → %j', (name, payload, sightings) => {
    expect(seen(code, name, {...base, ...payload})).toEqual(sightings);
  });

  test('names the conversation, but not at its end and not a subagent’s', () => {
    expect(code.readHook('SessionStart', base).session).toEqual({id: 's-1', logPath: '/log.jsonl'});
    expect(code.readHook('SessionEnd', base).session).toBeUndefined();
    expect(code.readHook('Stop', {...base, agent_id: 'x'}).session).toBeUndefined();
    expect(code.readHook('SessionStart', {session_id: 's-1', transcript_path: null}).session).toBeUndefined();
  });

  test.each([null, 'x', [], 7, {}])('a payload %j breaks nothing', (payload) => {
    expect(code.readHook('Stop', payload)).toMatchObject({session: undefined});
  });

  test('nothing is answered but a veto of PreCompact', () => {
    const nothing = {exitCode: 0, stdout: '', stderr: ''};
    expect(code.hookAnswer('PreCompact', 'allow')).toEqual(nothing);
    expect(code.hookAnswer('Stop', 'veto')).toEqual(nothing);
  });
});

test('the vetoes', () => {
  expect(claude.hookAnswer('PreCompact', 'veto')).toMatchObject({exitCode: 2, stdout: ''});
  expect(codex.hookAnswer('PreCompact', 'veto')).toEqual({
    exitCode: 0,
    stdout: '{"continue":false,"stopReason":"ckpt-run: checkpointed, handing on"}',
    stderr: '',
  });
});

describe('recorded payloads of Claude Code', () => {
  test.each(
    ['2.1.197', '2.1.326'].flatMap((version): [string, string, string[]][] => [
      ['SessionStart', `SessionStart-startup-${version}`, ['ready']],
      ['SessionStart', `SessionStart-compact-${version}`, []],
      ['UserPromptSubmit', `UserPromptSubmit-${version}`, ['busy']],
      ['PreCompact', `PreCompact-${version}`, ['compaction-started:auto:held']],
      ['PostCompact', `PostCompact-${version}`, ['compaction-done:auto']],
      ['Stop', `Stop-${version}`, ['idle']],
      ['StopFailure', `StopFailure-e529-${version}`, ['overload']],
      ['StopFailure', `StopFailure-limit-${version}`, ['limit@undefined']],
      ['StopFailure', `StopFailure-ptl-${version}`, ['context-full']],
      ['SessionEnd', `SessionEnd-${version}`, []],
    ]),
  )('%s of %s', (name, file, sightings) => {
    expect(seen(claude, name, JSON.parse(fixture(`hooks/claude/${file}.json`)))).toEqual(sightings);
  });

  test('Stop is no idle while a background agent runs; a notice 60 s later is', () => {
    const task = {id: 'x', type: 'subagent', status: 'running', agent_type: 'Explore'};
    expect(seen(claude, 'Stop', {background_tasks: [task]})).toEqual([]);
    expect(seen(claude, 'Stop', {background_tasks: [{...task, status: 'completed'}]})).toEqual(['idle']);
    expect(seen(claude, 'Notification', {notification_type: 'idle_prompt'})).toEqual(['idle']);
    expect(seen(claude, 'Notification', {notification_type: 'permission_prompt'})).toEqual([
      'waiting-for-person:permission',
    ]);
    expect(seen(claude, 'Notification', {notification_type: 'auth_success'})).toEqual([]);
  });
});

/** `currentHash` of `codex app-server` 0.169.0, hooks/list, for exactly this command and timeout. */
const hashOfPreCompact = 'b08c2702d3426fc2424bc816b850656362cf12bc8dc932d0d4f5581d6b33f570';
