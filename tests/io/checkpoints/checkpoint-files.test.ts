import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {type Failure, ok, type Result} from '../../../src/core/failure.ts';
import {type CheckpointId, isCheckpointId, legNumber, type RunId, type Track} from '../../../src/core/ids.ts';
import {openCheckpoints, type StoreOptions} from '../../../src/io/checkpoints/checkpoint-files.ts';
import {realDisk} from '../../../src/io/files/atomic-file.ts';
import {must, tempFolder} from '../checkpoint-files-rig.ts';
import {draftOf} from './checkpoint-files-draft.ts';

const main = 'main' as Track;
const by = {run: 'r-20261118-091500-4f2a' as RunId, leg: legNumber(2)};
const noon = Date.parse('2026-11-18T12:00:00.000Z');

const rig = (options: Partial<StoreOptions> = {}) => {
  const dir = join(tempFolder(), 'runtime', 'checkpoints');
  const told: string[] = [];
  const store = openCheckpoints({dir, notices: (line) => told.push(line), secrets: [], ...options});
  return {dir, told, store};
};

const failureOf = (result: Result<unknown>): Failure => {
  if (result.ok) throw new Error('it should have failed');
  return result.failure;
};

describe('writing', () => {
  it('leaves the four files, readable by their owner alone', async () => {
    const {dir, store} = rig({now: () => noon});
    const id = must(await store.write(draftOf({label: 'first one'})));
    expect(id).toBe('20261118T120000000Z_first-one');
    const files = readdirSync(dir).filter((name) => name !== 'LATEST.lock');
    expect(files.sort()).toEqual([
      'LATEST.json',
      'LATEST.md',
      `context_checkpoint_${id}.json`,
      `context_checkpoint_${id}.md`,
    ]);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777, name).toBe(0o600);
    const latest = JSON.parse(readFileSync(join(dir, 'LATEST.json'), 'utf8'));
    expect(latest).toMatchObject({current_track: 'main', tracks: {main: {id, step: 'a step', next_cmd: 'npm test'}}});
    expect(must(await store.read(id))).toMatchObject({...draftOf({label: 'first one'}), id, number: 1});
    expect(await store.latest(main)).toMatchObject({id});
  });

  it('gives ids that sort by their writing, in one millisecond and with a clock that goes backwards', async () => {
    let now = noon;
    const {store} = rig({now: () => now});
    const ids: string[] = [];
    for (const step of [0, 0, 0, -5000, -3_600_000, 10]) {
      now += step;
      ids.push(must(await store.write(draftOf({label: 'same'}))));
    }
    expect(new Set(ids).size).toBe(6);
    expect([...ids].sort()).toEqual(ids);
    expect((await store.latest(main))?.id).toBe(ids.at(-1));
    expect(must(await store.history()).map(({number}) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it.each([
    'a b',
    '../../x',
    'a/b\\c',
    'Spur Ä 漢字',
    '__proto__',
    '..',
    'x'.repeat(300),
    '😀'.repeat(100),
    'constructor',
  ])('takes any label and track: %s', async (name) => {
    const {dir, store} = rig();
    const track = name as Track;
    const id = must(await store.write(draftOf({track, label: name})));
    expect(isCheckpointId(id)).toBe(true);
    expect(await store.latest(track)).toMatchObject({id, track});
    expect(readdirSync(join(dir, '..'))).toEqual(['checkpoints']);
    expect(must(await store.index()).current_track).toBe(track);
  });

  it('keeps secrets out of every file', async () => {
    const {dir, store} = rig({secrets: ['hunter2hunter2']});
    const key = `sk-${'ant-'}${'a1B2'.repeat(10)}`;
    must(await store.write(draftOf({note: `key ${key}`, next_cmd: 'login hunter2hunter2', label: 'hunter2hunter2'})));
    for (const name of readdirSync(dir)) {
      expect(name).not.toContain('hunter2');
      const text = readFileSync(join(dir, name), 'utf8');
      expect(text).not.toContain(key);
      expect(text).not.toContain('hunter2');
    }
  });

  it('goes on when the folder was deleted meanwhile', async () => {
    const {dir, store} = rig();
    must(await store.write(draftOf()));
    rmSync(dir, {recursive: true});
    expect(await store.latest(main)).toBeUndefined();
    must(await store.write(draftOf()));
    expect(await store.latest(main)).toBeDefined();
  });

  it('is not stopped by the stray of a dead writer with our pid', async () => {
    const {dir, store} = rig();
    must(await store.write(draftOf()));
    for (let n = 0; n < 60; n += 1) writeFileSync(join(dir, `.LATEST.json.${process.pid}.${n}.tmp`), 'half');
    for (let n = 0; n < 5; n += 1) must(await store.write(draftOf()));
  });

  it('sweeps strays that are older than an hour, once in a while', async () => {
    const {dir, store} = rig();
    must(await store.write(draftOf()));
    const old = new Date(Date.now() - 2 * 3_600_000);
    for (const name of ['.LATEST.json.1.1.tmp', '.new.tmp', 'mine.tmp']) writeFileSync(join(dir, name), '');
    for (const name of ['.LATEST.json.1.1.tmp', 'mine.tmp', 'LATEST.lock']) utimesSync(join(dir, name), old, old);
    must(await store.write(draftOf()));
    const left = readdirSync(dir).filter((name) => name.endsWith('.tmp'));
    expect(left.sort()).toEqual(['.new.tmp', 'mine.tmp']);
  });
});

describe('faults', () => {
  const error = (code: string) => Object.assign(new Error(`${code}: made up`), {code});

  it.each(['ENOSPC', 'EACCES', 'EROFS', 'EDQUOT'])(
    '%s at any file leaves the old LATEST whole and is told',
    async (code) => {
      for (const broken of ['.json', '.md', 'LATEST.json', 'LATEST.md']) {
        let armed = false;
        const {dir, store} = rig({
          disk: {
            ...realDisk,
            rename: (from, to) => {
              if (armed && to.endsWith(broken)) throw error(code);
              realDisk.rename(from, to);
            },
          },
        });
        const first = must(await store.write(draftOf()));
        armed = true;
        expect(failureOf(await store.write(draftOf()))).toMatchObject({is: 'store-unusable', path: dir});
        armed = false;
        expect(await store.latest(main)).toBeDefined();
        const {id} = JSON.parse(readFileSync(join(dir, 'LATEST.json'), 'utf8')).tracks.main;
        if (broken !== 'LATEST.md') expect(id).toBe(first);
        must(await store.write(draftOf()));
      }
    },
  );

  it('an unknown fault is the system’s', async () => {
    const {store} = rig({
      disk: {
        ...realDisk,
        sync: () => {
          throw error('EIO');
        },
      },
    });
    expect(failureOf(await store.write(draftOf()))).toMatchObject({is: 'system', code: 'EIO'});
  });

  it('a file where the folder should be', async () => {
    const root = tempFolder();
    writeFileSync(join(root, 'runtime'), 'a file');
    const store = openCheckpoints({dir: join(root, 'runtime', 'checkpoints')});
    expect(failureOf(await store.write(draftOf()))).toMatchObject({is: 'store-unusable'});
    expect(await store.latest(main)).toBeUndefined();
  });

  it('a lock that others hold is waited for, not for ever', async () => {
    const {dir, store} = rig();
    must(await store.write(draftOf()));
    const impatient = openCheckpoints({dir, lockWaitMs: 50, lock: async () => undefined});
    expect(failureOf(await impatient.write(draftOf()))).toMatchObject({
      is: 'store-unusable',
      what: expect.stringContaining('50 ms'),
    });
  });

  it('a writer that lost its lock writes nothing more', async () => {
    const {dir} = rig();
    const store = openCheckpoints({dir, lock: async () => ({stillOurs: () => false, release: () => undefined})});
    const what = expect.stringContaining('try again');
    expect(failureOf(await store.write(draftOf()))).toMatchObject({is: 'store-unusable', what});
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('a broken LATEST.json', () => {
  it.each(['', '{"schema_version": 1, "tra', '[]', '{"current_track": "old ancestor", "tracks": {}}'])(
    '%j is kept aside, rebuilt from history, and told',
    async (text) => {
      const {dir, told, store} = rig();
      must(await store.write(draftOf({step: 'one'})));
      const side = must(await store.write(draftOf({track: 'side' as Track, set_current: false})));
      const newest = must(await store.write(draftOf({step: 'two'})));
      must(await store.consume(newest, by));
      writeFileSync(join(dir, 'LATEST.json'), text);
      expect(await store.latest(main)).toMatchObject({id: newest, step: 'two'});
      expect(told.join()).toMatch(/LATEST\.json was broken .* kept as LATEST\.json\.broken-\d{8}T\d{9}Z/);
      const aside = readdirSync(dir).filter((name) => name.startsWith('LATEST.json.broken-'));
      expect(aside.map((name) => readFileSync(join(dir, name), 'utf8'))).toEqual([text]);
      const index = must(await store.index());
      expect(index).toMatchObject({current_track: 'main', last_number: 3, last_id: newest});
      expect(index.tracks.get('side' as Track)?.id).toBe(side);
      expect(index.tracks.get(main)?.consumed_by).toMatchObject(by);
      expect(must(await store.save(draftOf())).number).toBe(4);
    },
  );

  it('one that was deleted is made anew', async () => {
    const {dir, store} = rig();
    const id = must(await store.write(draftOf()));
    rmSync(join(dir, 'LATEST.json'));
    expect((await store.latest(main))?.id).toBe(id);
    expect(existsSync(join(dir, 'LATEST.json'))).toBe(true);
  });

  it('a broken or missing checkpoint costs only itself', async () => {
    const {dir, told, store} = rig();
    const first = must(await store.write(draftOf()));
    const second = must(await store.write(draftOf()));
    writeFileSync(join(dir, `context_checkpoint_${second}.json`), '{"half');
    expect((await store.latest(main))?.id).toBe(first);
    expect(told.join()).toContain('gone or broken');
    expect(failureOf(await store.read(second))).toMatchObject({is: 'not-found'});
    expect(must(await store.history())).toHaveLength(1);
  });

  it('a number that a killed writer left behind is not given twice', async () => {
    const {dir, store} = rig();
    const first = must(await store.save(draftOf({step: 'killed before LATEST'})));
    for (const name of ['LATEST.json', 'LATEST.md']) rmSync(join(dir, name));
    writeFileSync(join(dir, 'LATEST.json'), '{"schema_version": 1, "tracks": {}}');
    const second = must(await store.save(draftOf()));
    expect([first.number, second.number]).toEqual([1, 1]);
    expect(must(await store.history()).map(({number}) => number)).toEqual([undefined, 1]);
  });
});

describe('symbolic links', () => {
  it('as LATEST.json is not followed: moved aside, rebuilt', async () => {
    const {dir, store} = rig();
    const id = must(await store.write(draftOf()));
    const outside = join(tempFolder(), 'secret.json');
    writeFileSync(outside, '{"schema_version": 1, "tracks": {}}');
    rmSync(join(dir, 'LATEST.json'));
    symlinkSync(outside, join(dir, 'LATEST.json'));
    expect((await store.latest(main))?.id).toBe(id);
    expect(lstatSync(join(dir, 'LATEST.json')).isSymbolicLink()).toBe(false);
    expect(readFileSync(outside, 'utf8')).toBe('{"schema_version": 1, "tracks": {}}');
  });

  it('as a checkpoint is refused', async () => {
    const {dir, store} = rig();
    const id = must(await store.write(draftOf()));
    const path = join(dir, `context_checkpoint_${id}.json`);
    const outside = join(tempFolder(), 'x.json');
    writeFileSync(outside, readFileSync(path));
    rmSync(path);
    symlinkSync(outside, path);
    expect(failureOf(await store.read(id))).toMatchObject({is: 'store-unusable'});
  });

  it('as the lock is refused', async () => {
    const {dir, store} = rig();
    mkdirSync(dir, {recursive: true});
    symlinkSync(join(tempFolder(), 'x'), join(dir, 'LATEST.lock'));
    expect(failureOf(await store.write(draftOf()))).toMatchObject({is: 'store-unusable'});
  });
});

describe('a baton', () => {
  it('gets the files that its writer could not save, once', async () => {
    const {dir, store} = rig();
    const id = must(await store.write({...draftOf(), extra: {workspace: 'not saved: read-only', mine: 'x'}}));
    const files = (tree: string) =>
      ok({tree, commit: 'c'.repeat(40), ref: 'refs/ckpt/main/1-a', complete: true, left_out: []});
    must(await store.complete(id, files('a'.repeat(40))));
    must(await store.complete(id, files('b'.repeat(40))));
    expect(must(await store.read(id))).toMatchObject({extra: {mine: 'x'}, workspace: {tree: 'a'.repeat(40)}});
    expect(must(await store.read(id)).extra).toEqual({mine: 'x'});
    expect(readFileSync(join(dir, `context_checkpoint_${id}.md`), 'utf8')).not.toContain('not saved');
  });

  it('is consumed once', async () => {
    const {store} = rig();
    const id = must(await store.write(draftOf()));
    must(await store.consume(id, by));
    expect(must(await store.read(id)).consumed_by).toMatchObject(by);
    expect(failureOf(await store.consume(id, {...by, leg: legNumber(3)}))).toMatchObject({
      is: 'baton-refused',
      what: expect.stringContaining(`taken up by ${by.run}, leg 2`),
    });
  });

  it('is won by one of many who ask at once', async () => {
    const {store} = rig();
    const id = must(await store.write(draftOf()));
    const asked = await Promise.all(
      Array.from({length: 10}, (_, n) => store.consume(id, {...by, leg: legNumber(n + 1)})),
    );
    expect(asked.filter((one) => one.ok)).toHaveLength(1);
  });

  it('of a closed track is refused, until the track goes on', async () => {
    const {store} = rig();
    const id = must(await store.write(draftOf()));
    must(await store.close(main, 'all done'));
    expect(failureOf(await store.consume(id, by))).toMatchObject({
      is: 'baton-refused',
      what: expect.stringContaining('closed'),
    });
    must(await store.consume(must(await store.write(draftOf())), by));
  });

  it('that is not there is not found', async () => {
    const {store} = rig();
    for (const id of ['20200101T000000000Z_x', '../../../etc/passwd', '20200101T000000000Z_..\\..\\x']) {
      expect(failureOf(await store.consume(id as CheckpointId, by))).toMatchObject({is: 'not-found'});
    }
    expect(failureOf(await store.close('nowhere' as Track, ''))).toMatchObject({is: 'not-found'});
  });
});
