// agent × scope × what is there → what is written, and out again.

import {describe, expect, test} from 'vitest';
import {type Agent, agents, type Scope, type Target} from '../../src/install/agents.ts';
import {type InstallAsk, type InstallPlan, planInstall} from '../../src/install/plan.ts';
import {commands} from '../../src/install/texts/commands.ts';
import {whoseIs} from '../../src/install/texts/mark.ts';
import {planUninstall} from '../../src/install/unplan.ts';
import {Disk, target} from './disk.ts';

const ckptBin = '/state/ckpt';

const planned = (disk: Disk, of: Target, more: Partial<InstallAsk> = {}): InstallPlan => {
  const plan = planInstall(disk, {target: of, ckptBin, hooks: false, force: false, ...more});
  if (!plan.ok) throw new Error(JSON.stringify(plan.failure));
  return plan.value;
};

const install = (disk: Disk, of: Target, more: Partial<InstallAsk> = {}): InstallPlan => {
  const plan = planned(disk, of, more);
  disk.apply(plan);
  return plan;
};

const uninstall = (disk: Disk, ...of: Target[]) => {
  const plan = planUninstall(disk, of);
  if (!plan.ok) throw new Error(JSON.stringify(plan.failure));
  disk.apply(plan.value);
  return plan.value;
};

const every: [Agent, Scope][] = agents.flatMap((agent) => [
  [agent, 'user'] as [Agent, Scope],
  [agent, 'project'] as [Agent, Scope],
]);

const names = ['checkpoint', 'checkpoints', 'restore', 'rollback', 'prune', 'rehydrate', 'reload', 'autocompact'];

test('there is a command for each name that people know', () => {
  expect(commands.map(({name}) => name)).toEqual(names);
});

describe('where each agent looks', () => {
  test.each<[Agent, Scope, one: string, protocol: string]>([
    ['claude', 'user', '/home/me/.claude/commands/checkpoint.md', '/home/me/.claude/rules/ckpt.md'],
    ['claude', 'project', '/repo/.claude/commands/checkpoint.md', '/repo/.claude/rules/ckpt.md'],
    ['codex', 'user', '/home/me/.codex/skills/checkpoint/SKILL.md', '/home/me/.codex/skills/ckpt/SKILL.md'],
    ['codex', 'project', '/repo/.agents/skills/checkpoint/SKILL.md', '/repo/.agents/skills/ckpt/SKILL.md'],
    ['cursor', 'user', '/home/me/.cursor/commands/checkpoint.md', '/home/me/.cursor/skills/ckpt/SKILL.md'],
    ['cursor', 'project', '/repo/.cursor/commands/checkpoint.md', '/repo/.cursor/rules/ckpt.mdc'],
    ['gemini', 'user', '/home/me/.gemini/commands/checkpoint.toml', '/home/me/.gemini/skills/ckpt/SKILL.md'],
    ['gemini', 'project', '/repo/.gemini/commands/checkpoint.toml', '/repo/.gemini/skills/ckpt/SKILL.md'],
    ['openclaw', 'user', '/home/me/.openclaw/skills/checkpoint/SKILL.md', '/home/me/.openclaw/skills/ckpt/SKILL.md'],
    ['openclaw', 'project', '/repo/skills/checkpoint/SKILL.md', '/repo/skills/ckpt/SKILL.md'],
    [
      ...(['opencode', 'user'] as const),
      ...([
        '/home/me/.config/opencode/commands/checkpoint.md',
        '/home/me/.config/opencode/skills/ckpt/SKILL.md',
      ] as const),
    ],
    ['opencode', 'project', '/repo/.opencode/commands/checkpoint.md', '/repo/.opencode/skills/ckpt/SKILL.md'],
  ])('%s, %s', (agent, scope, one, protocol) => {
    const disk = new Disk();
    install(disk, target(agent, scope));
    expect(disk.all).toMatchObject({
      [one]: expect.stringContaining(`${ckptBin} snapshot --step`),
      [protocol]: expect.stringContaining(`${ckptBin} resume --live`),
    });
  });

  test.each<[Agent, Target['env'], string]>([
    ['claude', {CLAUDE_CONFIG_DIR: '/c'}, '/c/commands/checkpoint.md'],
    ['codex', {CODEX_HOME: '/x'}, '/x/skills/checkpoint/SKILL.md'],
    ['gemini', {GEMINI_CLI_HOME: '/g'}, '/g/.gemini/commands/checkpoint.toml'],
    ['opencode', {XDG_CONFIG_HOME: '/xdg'}, '/xdg/opencode/commands/checkpoint.md'],
    ['opencode', {OPENCODE_CONFIG_DIR: '/o'}, '/o/commands/checkpoint.md'],
    ['openclaw', {OPENCLAW_STATE_DIR: '/oc'}, '/oc/skills/checkpoint/SKILL.md'],
    ['claude', {CLAUDE_CONFIG_DIR: 'not/absolute'}, '/home/me/.claude/commands/checkpoint.md'],
  ])('%s with %o', (agent, env, path) => {
    expect(planned(new Disk(), target(agent, 'user', env)).changes.map((one) => one.path)).toContain(path);
  });
});

describe.each(every)('%s, %s', (agent, scope) => {
  const of = target(agent, scope);
  const hooks = agent !== 'openclaw';

  test('every file says whose it is; a second install changes nothing', () => {
    const disk = new Disk();
    install(disk, of, {hooks});
    const settings = /settings(?:\.local)?\.json$|hooks\.json$/;
    for (const [path, text] of disk.files) if (!settings.test(path)) expect(whoseIs(text), path).toBe('intact');
    const before = disk.all;
    expect(install(disk, of, {hooks}).changes).toEqual([]);
    expect(disk.all).toEqual(before);
  });

  test('uninstall leaves exactly what was there', () => {
    const disk = new Disk({'/repo/README.md': 'x'});
    install(disk, of, {hooks});
    expect(disk.files.size).toBeGreaterThan(9);
    uninstall(disk, of);
    expect(disk.all).toEqual({'/repo/README.md': 'x'});
    expect(disk.manifest()).toEqual([]);
  });

  test('also when the manifest is lost', () => {
    const disk = new Disk();
    install(disk, of, {hooks});
    disk.forget();
    uninstall(disk, of);
    // A settings file that we made may stay, but with nothing of ours in it.
    for (const text of disk.files.values()) expect(text).toMatch(/^\{\s*(?:"version": 1)?\s*\}\s*$/);
  });

  test('all eight can be called, each by a name of its own', () => {
    const {calls} = planned(new Disk(), of);
    expect(new Set(calls.map(({call}) => call)).size).toBe(8);
    expect(calls.filter(({instead}) => instead !== undefined)).toEqual(
      agent === 'gemini' ? [{call: '/ckpt-restore', instead: 'restore'}] : [],
    );
  });
});

describe('what is not ours', () => {
  const of = target('claude', 'user');
  const mine = '/home/me/.claude/commands/prune.md';

  test('is left alone: the nearest name is used', () => {
    const disk = new Disk({[mine]: 'my own'});
    const plan = install(disk, of);
    expect(plan.calls).toContainEqual({call: '/ckpt-prune', instead: 'prune'});
    expect(disk.all[mine]).toBe('my own');
    uninstall(disk, of);
    expect(disk.all).toEqual({[mine]: 'my own'});
  });

  test('takes its name also from another kind of file', () => {
    const disk = new Disk({'/home/me/.claude/skills/prune/SKILL.md': 'my own'});
    expect(planned(disk, of).calls).toContainEqual({call: '/ckpt-prune', instead: 'prune'});
  });

  test('when it goes, the right name comes back and the other one goes', () => {
    const disk = new Disk({[mine]: 'my own'});
    install(disk, of);
    disk.files.delete(mine);
    install(disk, of);
    expect(Object.keys(disk.all)).toContain(mine);
    expect(Object.keys(disk.all)).not.toContain('/home/me/.claude/commands/ckpt-prune.md');
  });

  test('with every name taken: nothing is written, and it is said', () => {
    const taken = ['prune', 'ckpt-prune', 'ckpt-run-prune'].map((name) => [
      `/home/me/.claude/commands/${name}.md`,
      'x',
    ]);
    const plan = planInstall(new Disk(Object.fromEntries(taken)), {target: of, ckptBin, hooks: false, force: false});
    expect(plan).toMatchObject({ok: false, failure: {is: 'bad-usage', what: expect.stringMatching(/all taken/)}});
  });

  test('a folder or a link in the way: nothing is written, and it is said', () => {
    const disk = new Disk();
    disk.blocked.set(mine, 'it is no file');
    const plan = planInstall(disk, {target: of, ckptBin, hooks: false, force: false});
    expect(plan).toMatchObject({ok: false, failure: {is: 'bad-usage', what: expect.stringMatching(/in the way/)}});
  });
});

describe('ours that the person has changed', () => {
  const of = target('claude', 'user');
  const path = '/home/me/.claude/commands/prune.md';

  test.each(['a line more', 'a word less'])('%s: it stays, at install and at uninstall', (how) => {
    const disk = new Disk();
    install(disk, of);
    const text = disk.all[path] ?? '';
    disk.files.set(path, how === 'a line more' ? `${text}and mine\n` : text.replace('old', ''));
    const changed = disk.all[path];
    expect(install(disk, of).kept).toEqual([path]);
    expect(uninstall(disk, of).kept).toEqual([path]);
    expect(disk.all).toEqual({[path]: changed});
  });

  test('--force writes it anew, and theirs is backed up', () => {
    const disk = new Disk();
    install(disk, of);
    const ours = disk.all[path];
    disk.files.set(path, `${ours}and mine\n`);
    expect(install(disk, of, {force: true}).backups).toEqual([`${ours}and mine\n`]);
    expect(disk.all[path]).toBe(ours);
  });
});
