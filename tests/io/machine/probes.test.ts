import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, mkdirSync, readdirSync, realpathSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, it, onTestFinished, vi} from 'vitest';
import {examine} from '../../../src/ckpt-doctor.ts';
import {millis, runId} from '../../../src/core/ids.ts';
import type {DoctorFacts} from '../../../src/doctor/facts.ts';
import {markedProcesses, markedPsLine} from '../../../src/io/agent/leftovers.ts';
import {askProgram} from '../../../src/io/machine/ask-program.ts';
import {folderFact, lockKind, ptyProblem, relayProblem, staleLockIn, straysIn} from '../../../src/io/machine/probes.ts';
import {openRunFiles} from '../../../src/io/runs/run-files.ts';
import {packageRoot, relayPath} from '../../../src/io/setup/adapter-files.ts';
import {tempFolder} from '../checkpoint-files-rig.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const HOUR = 3_600_000;

describe('a probe', () => {
  it('opens a real terminal, and says what is wrong where there is none', async () => {
    expect(await ptyProblem(packageRoot())).toBeUndefined();
    expect(await ptyProblem(tempFolder())).toMatch(/node-pty/);
  });

  it('runs the real relay, and says what is wrong with a broken one', async () => {
    expect(await relayProblem(relayPath())).toBeUndefined();
    expect(await relayProblem(join(here, 'nothing.sh'))).toMatch(/ENOENT/);
    const silent = join(tempFolder(), 'relay.sh');
    writeFileSync(silent, '#!/bin/sh\nexit 0\n');
    chmodSync(silent, 0o755);
    expect(await relayProblem(silent)).toMatch(/dropped nothing/);
  });

  it('writes to the folder that is there, and makes none that is not', () => {
    const dir = tempFolder();
    expect(folderFact(dir)).toMatchObject({exists: true, problem: undefined, freeBytes: expect.any(Number)});
    expect(folderFact(join(dir, 'a', 'b'))).toMatchObject({exists: false, problem: undefined});
    expect(readdirSync(dir)).toEqual([]);
    writeFileSync(join(dir, 'file'), '');
    expect(folderFact(join(dir, 'file')).problem).toMatch(/ENOTDIR/);
    expect(folderFact(join(dir, 'file', 'x')).problem).toMatch(/ENOTDIR|no folder/);
  });

  it('finds the kernel’s lock, leaves nothing behind, and does not try without a folder', async () => {
    const dir = tempFolder();
    expect(await lockKind(dir)).toBe('kernel');
    expect(readdirSync(dir)).toEqual([]);
    expect(await lockKind(join(dir, 'none'))).toBe('untried');
  });

  it('finds files that killed writers left, once they are old', () => {
    const dir = tempFolder();
    for (const name of ['.LATEST.json.7.1.tmp', 'LATEST.json', 'LATEST.lock.held']) writeFileSync(join(dir, name), '');
    const now = Date.now();
    expect([straysIn(dir, now), staleLockIn(dir, now)]).toEqual([[], undefined]);
    expect(straysIn(dir, now + 2 * HOUR)).toEqual([join(dir, '.LATEST.json.7.1.tmp')]);
    expect(staleLockIn(dir, now + 2 * HOUR)).toBe(join(dir, 'LATEST.lock.held'));
    expect(straysIn(join(dir, 'none'), now)).toEqual([]);
  });

  it('asks a program, and bears one that is not there, fails, or never answers', async () => {
    expect(await askProgram({file: 'sh', args: ['-c', 'echo hi; cat']})).toEqual({code: 0, stdout: 'hi\n'});
    expect((await askProgram({file: 'sh', args: ['-c', 'exit 3']})).code).toBe(3);
    expect(await askProgram({file: '/no/such', args: []})).toEqual({code: undefined, stdout: ''});
    expect((await askProgram({file: 'sleep', args: ['600'], timeoutMs: 50})).code).toBeUndefined();
  });
});

/** A process that carries the marks of a run. */
const marked = (run: string, dir: string): number => {
  const child = spawn('sleep', ['600'], {
    env: {PATH: process.env.PATH, CKPT_RUN: run, CKPT_DIR: dir, CKPT_LEG: '1'},
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return child.pid ?? 0;
};

it('processes of a run are found by the marks in their environment', async () => {
  const dir = tempFolder();
  const pid = marked('r-20200101-000000-beef', dir);
  await vi.waitFor(
    async () =>
      expect(await markedProcesses()).toContainEqual({pid, command: 'sleep 600', run: 'r-20200101-000000-beef', dir}),
    {timeout: 10_000},
  );
});

it('on macOS the marks are read from what ps prints behind the command', () => {
  expect(markedPsLine(' 4711 /bin/sleep 600 PATH=/bin CKPT_RUN=r-1 CKPT_DIR=/c HOME=/h')).toEqual({
    ...{pid: 4711, command: '/bin/sleep 600', run: 'r-1', dir: '/c'},
  });
  expect(markedPsLine(' 4711 /bin/sleep 600 PATH=/bin')).toBeUndefined();
  expect(markedPsLine('')).toBeUndefined();
});

describe('the doctor', () => {
  const repository = (): string => {
    const root = realpathSync(tempFolder());
    execFileSync('git', ['init', '-q', root]);
    return root;
  };

  /** A person with one agent on their PATH, in a home of their own. */
  const look = async (root: string, more: Partial<Parameters<typeof examine>[0]> = {}): Promise<DoctorFacts> => {
    const home = tempFolder();
    const bin = join(home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "2.1.326 (Claude Code)"\n');
    chmodSync(join(bin, 'claude'), 0o755);
    const env = {HOME: home, PATH: `${bin}:/usr/bin:/bin`};
    const facts = await examine({cwd: root, env, now: Date.now(), agent: undefined, ...more});
    if (!facts.ok) throw new Error(JSON.stringify(facts.failure));
    return facts.value;
  };

  it('sees agents with their versions, the folder, git and the sandbox', async () => {
    const root = repository();
    const facts = await look(root);
    expect(facts).toMatchObject({
      ...{pty: undefined, relay: undefined, lock: 'untried', config: [], index: undefined, strays: []},
      folder: {path: join(root, 'runtime', 'checkpoints'), exists: false, problem: undefined},
      sandbox: {insideProject: true, insideGit: false, within: false},
      git: {repository: true, ignored: false, tracked: false, exclude: {line: '/runtime/checkpoints/'}},
    });
    expect(facts.agents.map(({name, version}) => [name, version])).toEqual([
      ['claude', '2.1.326'],
      ['codex', undefined],
    ]);
    writeFileSync(facts.git.exclude?.file ?? '', `${facts.git.exclude?.line}\n`);
    expect((await look(root)).git.ignored).toBe(true);
  });

  it('looks for the agent that was named, and calls an unknown one a fault', async () => {
    const root = tempFolder();
    expect((await look(root, {agent: 'codex'})).agents).toMatchObject([{name: 'codex', named: true, file: undefined}]);
    expect((await look(root, {agent: 'wizard'})).config).toMatchObject([{is: 'unknown-agent', name: 'wizard'}]);
  });

  it('finds lost runs, their leftovers, broken records, and what the config reader refuses', async () => {
    const root = repository();
    const dir = join(root, 'runtime', 'checkpoints');
    const lost = runId(millis(Date.now()), 'dead');
    const live = runId(millis(Date.now()), 'a11e');
    const broken = runId(millis(Date.now()), '0bad');
    const record = {agent: 'claude', track: 'main', state: 'working', leg: 1};
    openRunFiles({dir, run: live}).writeRun({...record, run: live});
    for (const run of [lost, broken]) openRunFiles({dir, run});
    writeFileSync(
      join(dir, 'runs', lost, 'run.json'),
      JSON.stringify({...record, run: lost, pid: 1, born: 'long ago'}),
    );
    writeFileSync(join(dir, 'runs', broken, 'run.json'), '{');
    const [left, own] = [marked(lost, dir), marked(live, dir)];
    const stray = join(dir, '.x.tmp');
    writeFileSync(stray, '');
    utimesSync(stray, 1, 1);
    writeFileSync(join(root, 'ckpt.yaml'), 'autoCheckpoint: true\nnothing: 1\n');
    await vi.waitFor(
      async () => {
        const facts = await look(root);
        expect(facts.runs).toEqual({lost: [{run: lost, track: 'main'}], broken: [broken]});
        expect(facts.leftovers.filter(({pid}) => [left, own].includes(pid))).toEqual([
          {pid: left, command: 'sleep 600', run: lost},
        ]);
        expect(facts).toMatchObject({strays: [stray], lock: 'kernel', config: [{is: 'bad-config', line: 2}]});
      },
      {timeout: 20_000},
    );
  });

  it('looks where ckpt.yaml says that the checkpoints are', async () => {
    const root = repository();
    writeFileSync(join(root, 'ckpt.yaml'), 'checkpointDir: notes/ckpt\n');
    expect((await look(root)).folder.path).toBe(join(root, 'notes', 'ckpt'));
  });

  it('sees a folder outside the project, one inside .git, and a sandbox around us', async () => {
    const root = repository();
    expect((await look(root, {checkpointDir: tempFolder()})).sandbox).toMatchObject({insideProject: false});
    expect((await look(root, {checkpointDir: '.git/ckpt'})).sandbox).toMatchObject({insideGit: true});
    const env = {HOME: tempFolder(), PATH: '/usr/bin:/bin', CODEX_SANDBOX: 'x'};
    expect((await look(root, {env})).sandbox.within).toBe(true);
  });

  it('of a folder that is not there says so', async () => {
    const env = {HOME: tempFolder(), PATH: '/usr/bin'};
    const found = await examine({cwd: '/', env, now: 0, agent: undefined, repoRoot: join(tempFolder(), 'none')});
    expect(found).toMatchObject({ok: false, failure: {is: 'not-found'}});
  });
});
