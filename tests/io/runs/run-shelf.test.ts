import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {legNumber, millis, type RunId, runId} from '../../../src/core/ids.ts';
import {bornAt} from '../../../src/io/agent/processes.ts';
import {readSmall} from '../../../src/io/files/small-file.ts';
import {openRunFiles} from '../../../src/io/runs/run-files.ts';
import {openRunRegistry, registerRun, stateHome} from '../../../src/io/runs/run-registry.ts';
import {isAlive, openRunShelf, signalRun} from '../../../src/io/runs/run-shelf.ts';
import {certificateJson} from '../../watch/samples.ts';
import {tempFolder} from '../checkpoint-files-rig.ts';

const first = runId(millis(1_794_996_000_000), 'abcd');
const second = runId(millis(1_794_999_000_000), 'ef01');

/** Two runs as ckpt-run itself writes them. */
const shelfOfTwo = () => {
  const dir = tempFolder();
  const files = openRunFiles({dir, run: first});
  files.writeRun({run: first, agent: 'claude', track: 'main', state: 'working', leg: 2});
  files.writeLeg(legNumber(1), 'certificate.json', certificateJson({leg: 1, cause: 'killed'}));
  files.writeLeg(legNumber(1), 'baton.md', 'go on');
  openRunFiles({dir, run: second}).writeRun({run: second, agent: 'codex', state: 'over', leg: 1});
  return {dir, shelf: openRunShelf(dir)};
};

describe('the runs on disk', () => {
  it('are listed newest first; what is no run is left out', () => {
    const {dir, shelf} = shelfOfTwo();
    mkdirSync(join(dir, 'runs', 'tracks'));
    writeFileSync(join(dir, 'runs', 'r-nothing'), '');
    expect(shelf.ids()).toEqual([second, first]);
    expect(openRunShelf(join(dir, 'none')).ids()).toEqual([]);
  });

  it('tell who they are, and that this very process writes them', async () => {
    const {shelf} = shelfOfTwo();
    const record = shelf.record(first);
    expect(record).toMatchObject({run: first, agent: 'claude', state: 'working', leg: 2, pid: process.pid});
    expect(await isAlive(record as never)).toBe(true);
    expect(await isAlive({pid: process.pid, born: '1'})).toBe(false);
    expect(await isAlive({pid: process.pid, born: undefined})).toBe(false);
    expect(await isAlive({pid: undefined, born: '1'})).toBe(false);
  });

  it('give their legs, deaths and files', () => {
    const {dir, shelf} = shelfOfTwo();
    writeFileSync(join(dir, 'runs', first, 'leg-001', 'terminal.cast'), '{}');
    mkdirSync(join(dir, 'runs', first, 'leg-002'));
    writeFileSync(join(dir, 'runs', first, 'leg-002', 'certificate.json'), '{"cause":');
    expect(shelf.legs(first)).toEqual([1, 2]);
    expect(shelf.deaths(first)).toMatchObject([{leg: 1, cause: 'killed'}]);
    expect(shelf.death(first, 2)).toEqual({broken: 'no JSON object'});
    expect(shelf.death(first, 3)).toBeUndefined();
    expect(shelf.files(first, 1, ['certificate.json', 'nothing', 'terminal.cast'])).toEqual(
      ['certificate.json', 'terminal.cast'].map((name) => join(dir, 'runs', first, 'leg-001', name)),
    );
  });

  it('a certificate that was torn is read again when it is whole', () => {
    const {dir, shelf} = shelfOfTwo();
    const path = join(dir, 'runs', first, 'leg-001', 'certificate.json');
    writeFileSync(path, '{');
    expect(shelf.death(first, 1)).toEqual({broken: 'no JSON object'});
    writeFileSync(path, certificateJson({leg: 1}));
    expect(shelf.death(first, 1)).toMatchObject({cause: 'compaction'});
  });

  it('remember that a person stopped them, and do not fail where that cannot be written', () => {
    const {dir, shelf} = shelfOfTwo();
    expect(shelf.wasStopped(first)).toBe(false);
    shelf.markStopped(first, 0);
    expect(shelf.wasStopped(first)).toBe(true);
    openRunShelf(join(dir, 'none')).markStopped(first, 0);
  });
});

describe('a small file', () => {
  it('is not read through a link, from a pipe, or when it is large', () => {
    const dir = tempFolder();
    writeFileSync(join(dir, 'secret'), 'x');
    symlinkSync(join(dir, 'secret'), join(dir, 'link'));
    execFileSync('mkfifo', [join(dir, 'pipe')]);
    writeFileSync(join(dir, 'large'), 'x'.repeat(100));
    expect(readSmall(join(dir, 'secret'))).toBe('x');
    for (const name of ['link', 'pipe', 'none', '.']) expect(readSmall(join(dir, name))).toBeUndefined();
    expect(readSmall(join(dir, 'large'), 99)).toBeUndefined();
  });
});

describe('a signal to a run', () => {
  it('reaches the very process that was meant, and no other that has its pid', async () => {
    const child = spawn('sleep', ['60'], {stdio: 'ignore'});
    const ended = once(child, 'exit');
    const pid = child.pid ?? 0;
    const born = await bornAt(pid);
    expect(await signalRun({pid, born: 'other'}, 'SIGTERM')).toBe(false);
    expect(await signalRun({pid, born}, 'SIGTERM')).toBe(true);
    expect(await ended).toEqual([null, 'SIGTERM']);
    expect(await signalRun({pid, born}, 'SIGTERM')).toBe(false);
  });
});

describe('the registry', () => {
  const pointer = (run: RunId, dir: string) => ({run, dir, root: dir, registeredAt: Date.now()});

  it('lists the runs of all repositories, newest first', () => {
    const home = tempFolder();
    const env = {XDG_STATE_HOME: home};
    const {dir} = shelfOfTwo();
    expect(registerRun(env, pointer(first, dir))).toBeUndefined();
    expect(registerRun(env, pointer(second, dir))).toBeUndefined();
    expect(
      openRunRegistry(env)
        .list()
        .map(({run}) => run),
    ).toEqual([second, first]);
    writeFileSync(join(home, 'ckpt-run', 'runs', 'torn.json'), '{"run"');
    expect(openRunRegistry(env).list()).toHaveLength(2);
  });

  it('drops what is stale and keeps what may come back', () => {
    const home = tempFolder();
    const env = {XDG_STATE_HOME: home};
    const {dir} = shelfOfTwo();
    const gone = runId(millis(1_794_000_000_000), '0001');
    for (const one of [pointer(first, dir), pointer(second, dir), pointer(gone, '/nowhere')]) registerRun(env, one);
    const runs = join(home, 'ckpt-run', 'runs');
    const age = (file: string, days: number): void => {
      const at = Date.now() / 1000 - days * 86_400;
      utimesSync(join(runs, file), at, at);
    };
    for (const run of [first, second, gone]) age(`${run}.json`, 6);
    const registry = openRunRegistry(env);
    expect(registry.prune(Date.now())).toBe(0);
    for (const run of [first, second, gone]) age(`${run}.json`, 40);
    expect(registry.prune(Date.now())).toBe(2);
    expect(registry.list().map(({run}) => run)).toEqual([first]);
  });

  it('never throws: a home that cannot be written is told in words', () => {
    const file = join(tempFolder(), 'file');
    writeFileSync(file, '');
    expect(registerRun({XDG_STATE_HOME: join(file, 'x')}, pointer(first, '/x'))).toMatch(/ENOTDIR/);
    expect(openRunRegistry({XDG_STATE_HOME: join(file, 'x')}).list()).toEqual([]);
  });

  it.each([
    [{XDG_STATE_HOME: '/s', HOME: '/h'}, '/s'],
    [{XDG_STATE_HOME: 'relative', HOME: '/h'}, '/h/.local/state'],
    [{HOME: '/h'}, '/h/.local/state'],
  ])('%j is at home in %s', (env, home) => {
    expect(stateHome(env)).toBe(home);
  });
});
