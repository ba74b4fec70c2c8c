// All of the changes or none, on a real disk.

import {execFileSync} from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type Agent, agents, type Scope, type Target} from '../../../src/install/agents.ts';
import {type InstallAsk, planInstall} from '../../../src/install/plan.ts';
import type {InstallPort} from '../../../src/install/ports.ts';
import {launcherText} from '../../../src/install/texts/launcher.ts';
import {planUninstall} from '../../../src/install/unplan.ts';
import {writeWhole} from '../../../src/io/files/atomic-file.ts';
import {openInstall} from '../../../src/io/setup/install-files.ts';
import {tempFolder} from '../checkpoint-files-rig.ts';

interface Rig {
  top: string;
  env: Record<string, string>;
  port(write?: (path: string, text: string) => void): InstallPort;
  target(agent: Agent, scope: Scope): Target;
}

const rig = (): Rig => {
  const top = tempFolder();
  const env = {HOME: join(top, 'home'), XDG_STATE_HOME: join(top, 'state')};
  for (const folder of ['home', 'repo', 'state/ckpt-run']) mkdirSync(join(top, folder), {recursive: true});
  return {
    top,
    env,
    port: (write) => openInstall({env, notices: () => undefined, ...(write === undefined ? {} : {write})}),
    target: (agent, scope) => ({agent, scope, root: join(top, 'repo'), home: join(top, 'home'), env}),
  };
};

const install = (port: InstallPort, target: Target, more: Partial<InstallAsk> = {}) => {
  const plan = planInstall(port, {
    target,
    ckptBin: port.launcher,
    hooks: target.agent !== 'openclaw',
    force: false,
    ...more,
  });
  if (!plan.ok) return plan;
  return port.apply({...plan.value, launcher: launcherText(process.execPath, '/opt/ckpt.js')});
};

const uninstall = (port: InstallPort, ...targets: Target[]) => {
  const plan = planUninstall(port, targets);
  return plan.ok ? port.apply(plan.value) : plan;
};

/** Every path with its kind, mode and content. */
const tree = (folder: string): string[] =>
  readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path);
      if (stat.isSymbolicLink()) return `${name} -> ${readlinkSync(path)}`;
      return `${name} ${(stat.mode & 0o7777).toString(8)} ${stat.isFile() ? readFileSync(path, 'latin1') : '/'}`;
    });

const put = (path: string, text: string, mode = 0o644): void => {
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, text);
  chmodSync(path, mode);
};

describe.each(agents)('%s', (agent) => {
  test.each(['user', 'project'] as const)(
    'in and out, %s: the tree is what it was, to the byte and the mode',
    (scope) => {
      const {top, port, target} = rig();
      put(join(top, 'home/.claude/settings.json'), '{"model":"x"}', 0o600);
      put(join(top, 'repo/.gemini/settings.json'), '{\n  "ui": {}\n}', 0o664);
      const before = tree(top);
      expect(install(port(), target(agent, scope))).toEqual({ok: true, value: undefined});
      const between = tree(top);
      expect(between).not.toEqual(before);
      install(port(), target(agent, scope));
      expect(tree(top)).toEqual(between);
      expect(uninstall(port(), target(agent, scope))).toEqual({ok: true, value: undefined});
      expect(tree(top)).toEqual(before);
    },
  );
});

test('whichever write fails, everything is as it was, and it is said', () => {
  for (let nth = 1; ; nth += 1) {
    const {top, port, target} = rig();
    put(join(top, 'home/.claude/settings.json'), '{"model":"x"}', 0o600);
    const before = tree(join(top, 'home'));
    let left = nth;
    const done = install(
      port((path, text) => {
        left -= 1;
        if (left === 0) throw Object.assign(new Error('no space left on device'), {code: 'ENOSPC'});
        writeWhole(path, text);
      }),
      target('claude', 'user'),
    );
    if (done.ok) {
      // Backup, manifest, launcher, nine texts, settings.
      expect(nth).toBe(14);
      return;
    }
    expect(done).toMatchObject({
      failure: {is: 'system', code: 'ENOSPC', message: expect.stringMatching(/everything is as it was/)},
    });
    expect(tree(join(top, 'home')), `write ${nth}`).toEqual(before);
    expect(port().manifest()).toEqual([]);
  }
});

test('an update that fails leaves the old one whole', () => {
  const {top, port, target} = rig();
  install(port(), target('codex', 'user'));
  const before = tree(top);
  let left = 6;
  const failing = port((path, text) => {
    left -= 1;
    if (left === 0) throw Object.assign(new Error('gone'), {code: 'EIO'});
    writeWhole(path, text);
  });
  const plan = planInstall(failing, {target: target('codex', 'user'), ckptBin: '/new/ckpt', hooks: true, force: false});
  expect(plan.ok && failing.apply({...plan.value, launcher: 'other'})).toMatchObject({ok: false});
  expect(tree(top)).toEqual(before);
});

test('what somebody changes between the look and the write is not lost', () => {
  const {top, port, target} = rig();
  const path = join(top, 'home/.claude/settings.json');
  put(path, '{}');
  const plan = planInstall(port(), {target: target('claude', 'user'), ckptBin: '/c', hooks: true, force: false});
  writeFileSync(path, '{"theirs": 1}');
  expect(plan.ok && port().apply(plan.value)).toMatchObject({
    ok: false,
    failure: {
      is: 'system',
      message: expect.stringMatching(/somebody has changed it just now; everything is as it was/),
    },
  });
  expect(readFileSync(path, 'utf8')).toBe('{"theirs": 1}');
  expect(readdirSync(join(top, 'home/.claude'))).toEqual(['settings.json']);
});

test('a settings file that is a link into the person’s dotfiles stays a link', () => {
  const {top, port, target} = rig();
  const real = join(top, 'home/dotfiles/claude.json');
  put(real, '{"model": "x"}', 0o640);
  mkdirSync(join(top, 'home/.claude'));
  symlinkSync('../dotfiles/claude.json', join(top, 'home/.claude/settings.json'));
  const before = tree(top);
  install(port(), target('claude', 'user'));
  expect(readlinkSync(join(top, 'home/.claude/settings.json'))).toBe('../dotfiles/claude.json');
  expect(readFileSync(real, 'utf8')).toContain('hook claude PreCompact');
  expect(statSync(real).mode & 0o7777).toBe(0o640);
  uninstall(port(), target('claude', 'user'));
  expect(tree(top)).toEqual(before);
});

describe('in the way', () => {
  test.each<[what: string, make: (top: string) => void, says: RegExp]>([
    [
      'a link out of the project',
      (top) => symlinkSync(join(top, 'home'), join(top, 'repo/.claude')),
      /leads out of .*repo/,
    ],
    ['a link to nowhere', (top) => symlinkSync('nowhere', join(top, 'repo/.claude')), /link to nowhere/],
    ['a file where a folder must be', (top) => put(join(top, 'repo/.claude/commands'), ''), /is no folder/],
    [
      'a folder where a file must be',
      (top) => mkdirSync(join(top, 'repo/.claude/commands/prune.md'), {recursive: true}),
      /is no file/,
    ],
    ['what is not UTF-8', (top) => put(join(top, 'repo/.claude/settings.local.json'), ''), /not UTF-8/],
  ])('%s: nothing is written', (what, make, says) => {
    const {top, port, target} = rig();
    make(top);
    if (what === 'what is not UTF-8')
      writeFileSync(join(top, 'repo/.claude/settings.local.json'), Buffer.from([0x7b, 0xff]));
    const before = tree(top);
    expect(install(port(), target('claude', 'project'))).toMatchObject({
      ok: false,
      failure: {is: 'bad-usage', what: expect.stringMatching(says)},
    });
    expect(tree(top)).toEqual(before);
  });
});

test('a broken manifest is kept aside, and uninstall still finds what is ours', () => {
  const {top, port, target} = rig();
  install(port(), target('codex', 'user'), {hooks: false});
  writeFileSync(join(top, 'state/ckpt-run/install/manifest.json'), '{"version": 1, "entr');
  expect(uninstall(port(), target('codex', 'user'))).toMatchObject({ok: true});
  expect(readdirSync(join(top, 'home'), {recursive: true})).toEqual(['.codex']);
  expect(readFileSync(join(top, 'state/ckpt-run/install/manifest.json.broken'), 'utf8')).toContain('entr');
});

test('the launcher calls ckpt whatever its path, and gives a snapshot its track', () => {
  const {top} = rig();
  const folder = join(top, `it's "odd" $HOME & é`);
  put(join(folder, 'ckpt.js'), 'console.log(process.env.CKPT_TRACK ?? "-", JSON.stringify(process.argv.slice(2)));\n');
  const launcher = join(folder, 'launch er');
  put(launcher, launcherText(process.execPath, join(folder, 'ckpt.js')), 0o755);
  const call = (env: Record<string, string>, ...args: string[]) =>
    execFileSync(launcher, args, {env: {PATH: '/usr/bin:/bin', ...env}, encoding: 'utf8'}).trim();
  expect(call({}, 'list', 'a  b', '$x')).toBe('- ["list","a  b","$x"]');
  expect(call({}, 'snapshot')).toBe('main ["snapshot"]');
  expect(call({CKPT_TRACK: 'mine'}, 'snapshot')).toBe('mine ["snapshot"]');
});
