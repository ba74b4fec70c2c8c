// Hooks in settings files that are the person's.

import {describe, expect, test} from 'vitest';
import type {Agent} from '../../src/install/agents.ts';
import {planInstall} from '../../src/install/plan.ts';
import {planUninstall} from '../../src/install/unplan.ts';
import {Disk, target} from './disk.ts';

const settings: [Agent, string, string][] = [
  ['claude', '/home/me/.claude/settings.json', '{\n  "model": "opus",\n  "hooks": {"PreCompact": [{"hooks": []}]}\n}'],
  ['codex', '/home/me/.codex/hooks.json', '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}\n'],
  ['gemini', '/home/me/.gemini/settings.json', '{\n  // mine\n  "ui": {"theme": "x"},\n}\n'],
  ['cursor', '/home/me/.cursor/hooks.json', '{\n\t"version": 1,\n\t"hooks": {}\n}\n'],
];

const install = (disk: Disk, agent: Agent, ckptBin = '/state/ckpt', hooks = true): void => {
  const plan = planInstall(disk, {target: target(agent, 'user'), ckptBin, hooks, force: false});
  if (!plan.ok) throw new Error(JSON.stringify(plan.failure));
  disk.apply(plan.value);
};

const uninstall = (disk: Disk, agent: Agent): void => {
  const plan = planUninstall(disk, [target(agent, 'user')]);
  if (!plan.ok) throw new Error(JSON.stringify(plan.failure));
  disk.apply(plan.value);
};

const count = (text: string | undefined): number => text?.match(/ hook \w+ (?:PreCompact|SessionStart)"/g)?.length ?? 0;

describe.each(settings)('%s', (agent, path, theirs) => {
  test('both hooks go in, and every line of the person’s stays', () => {
    const disk = new Disk({[path]: theirs});
    install(disk, agent);
    expect(count(disk.all[path])).toBe(2);
    const kept = disk.all[path]?.replace(/\s+|,/g, '') ?? '';
    for (const line of theirs.split('\n')) expect(kept).toContain(line.replace(/\s+|,|[{}[\]]+$/g, ''));
  });

  test('uninstall gives every byte back', () => {
    const disk = new Disk({[path]: theirs});
    install(disk, agent);
    install(disk, agent, '/elsewhere/ckpt');
    expect(count(disk.all[path])).toBe(2);
    uninstall(disk, agent);
    expect(disk.all).toEqual({[path]: theirs});
  });

  test('what the person has changed since stays changed; only ours goes', () => {
    const disk = new Disk({[path]: theirs});
    install(disk, agent);
    disk.files.set(path, (disk.all[path] ?? '').replace('{', '{"added": [1,  2],'));
    uninstall(disk, agent);
    expect(disk.all[path]).toContain('"added": [1,  2]');
    expect(count(disk.all[path])).toBe(0);
  });

  test('an install without --hooks keeps those that are there up to date', () => {
    const disk = new Disk({[path]: theirs});
    install(disk, agent);
    install(disk, agent, '/elsewhere/ckpt', false);
    expect(disk.all[path]).toContain('/elsewhere/ckpt');
    expect(disk.all[path]).not.toContain('/state/ckpt');
  });

  test('without --hooks the file is not touched', () => {
    const disk = new Disk({[path]: theirs});
    install(disk, agent, '/state/ckpt', false);
    expect(disk.all[path]).toBe(theirs);
  });

  test('a broken one is told with its line, and nothing is written', () => {
    const disk = new Disk({[path]: '{\n  "a" 1\n}\n'});
    const plan = planInstall(disk, {target: target(agent, 'user'), ckptBin: '/c', hooks: true, force: false});
    expect(plan).toMatchObject({ok: false, failure: {is: 'bad-config', file: path, line: 2}});
  });
});

test('a hook of the person’s own beside ours, in our very group, stays; ours goes', () => {
  const [path, disk] = ['/home/me/.claude/settings.json', new Disk()];
  install(disk, 'claude');
  disk.files.set(
    path,
    (disk.all[path] ?? '').replace('"hooks": [\n', '"hooks": [\n{"type": "command", "command": "mine"},\n'),
  );
  uninstall(disk, 'claude');
  expect(JSON.parse(disk.all[path] ?? '')).toEqual({
    hooks: {PreCompact: [{hooks: [{type: 'command', command: 'mine'}]}]},
  });
});

test('in a project they go where only this machine reads them', () => {
  const plan = planInstall(new Disk(), {target: target('claude', 'project'), ckptBin: '/c', hooks: true, force: false});
  const paths = plan.ok ? plan.value.changes.map(({path}) => path) : [];
  expect(paths).toContain('/repo/.claude/settings.local.json');
  expect(paths).not.toContain('/repo/.claude/settings.json');
});

test('an agent without hooks of ours says so before anything is written', () => {
  const plan = planInstall(new Disk(), {target: target('openclaw', 'user'), ckptBin: '/c', hooks: true, force: false});
  expect(plan).toMatchObject({ok: false, failure: {is: 'bad-usage', what: expect.stringMatching(/OpenClaw/)}});
});
