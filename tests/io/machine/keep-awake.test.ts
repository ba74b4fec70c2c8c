import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, it, onTestFinished, vi} from 'vitest';
import {keepAwake} from '../../../src/io/machine/keep-awake.ts';
import {openServiceNotify} from '../../../src/io/machine/service-notify.ts';
import {bundle, tempFolder} from '../checkpoint-files-rig.ts';

let bundled: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  bundled = await bundle('src/io/machine/keep-awake.ts');
});
afterAll(() => bundled.remove());

/** A stand-in of that name: notes its words and pid, then runs `body`. */
const program = (name: string, body: string) => {
  const dir = tempFolder();
  writeFileSync(join(dir, name), `#!/bin/sh\necho "$$ $*" >> '${dir}/said'\n${body}\n`);
  chmodSync(join(dir, name), 0o755);
  const said = (): string[] =>
    existsSync(join(dir, 'said')) ? readFileSync(join(dir, 'said'), 'utf8').trimEnd().split('\n') : [];
  return {env: {PATH: `${dir}:${process.env.PATH}`}, said, dir};
};

const soon = (check: () => void): Promise<void> => vi.waitFor(check, {timeout: 10_000, interval: 20});

/** As the real one: runs the command behind its options, and leaves when that does. */
const INHIBIT = 'for last; do :; done; "$last"; echo released >> "$0.end"';

it('on Linux sleep is held up as long as wanted', async () => {
  const {env, said, dir} = program('systemd-inhibit', INHIBIT);
  const release = keepAwake('claude works', {env, platform: 'linux'});
  await soon(() => expect(said()).toHaveLength(1));
  expect(said()[0]).toContain('--what=idle:sleep --who=ckpt-run --why=claude works --mode=block cat');
  expect(existsSync(join(dir, 'systemd-inhibit.end'))).toBe(false);
  release();
  release();
  await soon(() => expect(existsSync(join(dir, 'systemd-inhibit.end'))).toBe(true));
  expect(said()).toHaveLength(1);
});

it('where sleep may not be held up, idling is; where neither, nothing happens', async () => {
  const {env, said} = program('systemd-inhibit', 'exit 1');
  const release = keepAwake('x', {env, platform: 'linux'});
  onTestFinished(release);
  await soon(() => expect(said().map((line) => /--what=(\S+)/.exec(line)?.[1])).toEqual(['idle:sleep', 'idle']));
  const none = keepAwake('x', {env: {PATH: tempFolder()}, platform: 'linux'});
  none();
});

it('on macOS caffeinate watches our own process', async () => {
  const {env, said} = program('caffeinate', 'exec sleep 60');
  const release = keepAwake('x', {env, platform: 'darwin'});
  await soon(() => expect(said()).toHaveLength(1));
  expect(said()[0]).toMatch(new RegExp(` -i -w ${process.pid}$`));
  const pid = Number(said()[0]?.split(' ')[0]);
  release();
  await soon(() => expect(() => process.kill(pid, 0)).toThrow());
});

it('whatever kills the holder releases it, and it keeps nobody alive', async () => {
  const {env, said, dir} = program('systemd-inhibit', INHIBIT);
  const hold = `import(${JSON.stringify(bundled.file)}).then((m) => m.keepAwake('x', {platform: 'linux'}))`;
  const killed = spawn(process.execPath, ['-e', `${hold}; setInterval(() => {}, 1000)`], {env, stdio: 'ignore'});
  await soon(() => expect(said()).toHaveLength(1));
  killed.kill('SIGKILL');
  await soon(() => expect(existsSync(join(dir, 'systemd-inhibit.end'))).toBe(true));
  const idle = spawn(process.execPath, ['-e', hold], {env, stdio: 'ignore'});
  expect(await once(idle, 'exit')).toEqual([0, null]);
});

it('systemd is told that we are up and alive, and the agent does not inherit its line', async () => {
  const {env, said} = program('systemd-notify', 'echo "$NOTIFY_SOCKET" >> "$0.socket"');
  const own: Record<string, string | undefined> = {
    ...env,
    NOTIFY_SOCKET: '/run/x',
    WATCHDOG_USEC: '400000',
    WATCHDOG_PID: '1',
  };
  const service = openServiceNotify(own);
  expect(Object.keys(own)).toEqual(['PATH']);
  service.ready();
  const off = service.keepAlive();
  await soon(() => expect(said().filter((line) => line.endsWith(' WATCHDOG=1')).length).toBeGreaterThan(2));
  off();
  expect(said().some((line) => line.endsWith(' READY=1'))).toBe(true);
  expect(readFileSync(join(env.PATH.split(':')[0] ?? '', 'systemd-notify.socket'), 'utf8')).toMatch(/^(\/run\/x\n)+$/);
});

it('without systemd around us nothing is started', () => {
  const {env, said} = program('systemd-notify', '');
  const service = openServiceNotify({...env});
  service.ready();
  service.keepAlive()();
  expect(said()).toEqual([]);
});
