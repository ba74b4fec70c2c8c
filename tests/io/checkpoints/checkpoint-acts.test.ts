// Append, prune, retain and adopt on a real folder.

import {chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {CheckpointDraft} from '../../../src/baton/checkpoint.ts';
import {fail, ok} from '../../../src/core/failure.ts';
import type {Track} from '../../../src/core/ids.ts';
import type {Foundling} from '../../../src/import/foundling.ts';
import {openCheckpoints} from '../../../src/io/checkpoints/checkpoint-files.ts';
import {readJournal} from '../../../src/io/checkpoints/journal-file.ts';
import {readOldFolder} from '../../../src/io/checkpoints/old-files.ts';
import {must, tempFolder} from '../checkpoint-files-rig.ts';
import {draftOf} from './checkpoint-files-draft.ts';

const main = 'main' as Track;

const rig = () => {
  const dir = join(tempFolder(), 'checkpoints');
  const told: string[] = [];
  return {dir, told, store: openCheckpoints({dir, secrets: [], notices: (line) => told.push(line)})};
};

const filesIn = (dir: string): string[] => readdirSync(dir).filter((name) => name.startsWith('context_checkpoint_'));

describe('appending', () => {
  it('loses no change when many change the same thing at once', async () => {
    const {store} = rig();
    const add = (n: number) =>
      store.append(main, (previous) => ok(draftOf({next_steps: [...(previous?.next_steps ?? []), String(n)]})));
    const saved = await Promise.all(Array.from({length: 20}, (_, n) => add(n)));
    expect(saved.filter((one) => !one.ok)).toEqual([]);
    const steps = (await store.latest(main))?.next_steps ?? [];
    expect(steps.map(Number).sort((a, b) => a - b)).toEqual(Array.from({length: 20}, (_, n) => n));
  });

  it('that is called off writes nothing', async () => {
    const {dir, store} = rig();
    const refused = await store.append(main, () => fail({is: 'bad-usage', what: 'no', fix: 'never'}));
    expect(refused).toMatchObject({ok: false, failure: {what: 'no'}});
    expect(filesIn(dir)).toEqual([]);
  });

  it('goes on from the one before when the newest is broken', async () => {
    const {dir, store} = rig();
    must(await store.save(draftOf({step: 'whole'})));
    const broken = must(await store.save(draftOf({step: 'broken'})));
    writeFileSync(join(dir, `context_checkpoint_${broken.id}.json`), '{');
    let seen = '';
    must(
      await store.append(main, (previous) => {
        seen = previous?.step ?? '';
        return ok(draftOf());
      }),
    );
    expect(seen).toBe('whole');
  });
});

describe('pruning', () => {
  const automatic = (n: number): CheckpointDraft =>
    draftOf({trigger: 'interval', step: `n${n}`, validation: 'pending'});

  it('removes both files, keeps the numbers, and LATEST is as before', async () => {
    const {dir, store} = rig();
    must(await store.save(draftOf({step: 'by hand', validation: 'pending'})));
    for (let n = 0; n < 6; n += 1) must(await store.save(automatic(n)));
    const before = must(await store.index());
    const dry = must(await store.prune({keep: 2}, true));
    expect(filesIn(dir)).toHaveLength(14);
    const plan = must(await store.prune({keep: 2}));
    expect(plan).toEqual(dry);
    expect(plan.remove.map(({number}) => number)).toEqual([2, 3, 4, 5]);
    expect(must(await store.history()).map(({number}) => number)).toEqual([1, 6, 7]);
    expect(filesIn(dir)).toHaveLength(6);
    expect(must(await store.index())).toEqual({...before, automatic: 2});
    expect(must(await store.save(automatic(9))).number).toBe(8);
  });

  it('is still right when LATEST must be made anew afterwards', async () => {
    const {dir, store} = rig();
    for (let n = 0; n < 6; n += 1) must(await store.save(automatic(n)));
    must(await store.prune({keep: 2}));
    const before = must(await store.index());
    rmSync(join(dir, 'LATEST.json'));
    expect(must(await store.index())).toEqual(before);
    expect(must(await store.save(automatic(7))).number).toBe(7);
  });

  it('of what is gone already does no harm', async () => {
    const {dir, store} = rig();
    for (let n = 0; n < 4; n += 1) must(await store.save(automatic(n)));
    const [md] = filesIn(dir).filter((name) => name.endsWith('.md'));
    rmSync(join(dir, md ?? ''));
    expect(must(await store.prune({keep: 1})).remove).toHaveLength(3);
    expect(filesIn(dir)).toHaveLength(2);
  });

  it('by the limit happens only beyond it, and a tenth more', async () => {
    const {store} = rig();
    for (let n = 0; n < 22; n += 1) must(await store.save(automatic(n)));
    expect(must(await store.retain(20))).toBeUndefined();
    must(await store.save(automatic(23)));
    expect(must(await store.retain(20))?.remove).toHaveLength(3);
    expect(must(await store.history())).toHaveLength(20);
    expect(must(await store.retain(3))?.remove).toHaveLength(17);
    expect(must(await store.retain(3))).toBeUndefined();
  });

  it('by the limit counts, where an older LATEST.json has no count', async () => {
    const {dir, store} = rig();
    for (let n = 0; n < 5; n += 1) must(await store.save(automatic(n)));
    const {automatic: _count, ...rest} = JSON.parse(readFileSync(join(dir, 'LATEST.json'), 'utf8'));
    writeFileSync(join(dir, 'LATEST.json'), JSON.stringify(rest));
    expect(must(await store.retain(9))?.remove).toEqual([]);
    expect(must(await store.index()).automatic).toBe(5);
  });
});

describe('adopting', () => {
  const at = Date.parse('2026-04-30T03:00:00.000Z');
  const foundling = (n: number, changes: Partial<CheckpointDraft> = {}): Foundling => ({
    draft: draftOf({step: `old ${n}`, label: 'old', set_current: false, ...changes}),
    at: at + n * 1000,
    file: `cp-${n}.md`,
    content: `content ${n}`,
  });

  it('takes each in once, at the time it was born, oldest first', async () => {
    const {store} = rig();
    const old = [foundling(2), foundling(1)];
    expect(must(await store.adopt(old))).toMatchObject({added: [{number: 1, step: 'old 1'}, {number: 2}], known: 0});
    expect(must(await store.adopt([...old, foundling(3)]))).toMatchObject({added: [{step: 'old 3'}], known: 2});
    expect(must(await store.adopt(old))).toEqual({added: [], known: 2});
    const history = must(await store.history());
    expect(history.map(({step}) => step)).toEqual(['old 1', 'old 2', 'old 3']);
    expect(history[0]).toMatchObject({born: '2026-04-30T03:00:01.000Z', extra: {imported_from: expect.any(String)}});
    expect((await store.latest(main))?.step).toBe('old 3');
  });

  it('leaves what is newer where it is: LATEST and the current track', async () => {
    const {store} = rig();
    must(await store.save(draftOf({step: 'new'})));
    must(await store.adopt([foundling(1), foundling(2, {track: 'old' as Track})]));
    const index = must(await store.index());
    expect(index.current_track).toBe('main');
    expect(index.tracks.get(main)?.step).toBe('new');
    expect(index.tracks.get('old' as Track)?.step).toBe('old 2');
    expect(must(await store.save(draftOf())).number).toBe(4);
  });

  it('keeps two of the same moment apart', async () => {
    const {store} = rig();
    const twin = {...foundling(1), file: 'twin.md'};
    expect(must(await store.adopt([foundling(1), twin])).added).toHaveLength(2);
    expect(must(await store.history())).toHaveLength(2);
  });
});

describe('the journal', () => {
  it('is read from its end, torn lines counted', async () => {
    const dir = tempFolder();
    const lines = Array.from({length: 3000}, (_, n) => JSON.stringify({type: 'busy', n, pad: 'x'.repeat(90)}));
    lines.splice(2999, 0, '{"torn', '[1]', '3');
    writeFileSync(join(dir, 'journal.jsonl'), `${lines.join('\n')}\n{"half": `);
    const few = must(await readJournal(dir, 5));
    expect(few.entries.map(({n}) => n)).toEqual([2995, 2996, 2997, 2998, 2999]);
    expect(few.broken).toBe(4);
    expect(
      must(await readJournal(dir, 2500))
        .entries.map(({n}) => n)
        .at(0),
    ).toBe(500);
    expect(must(await readJournal(dir, undefined)).entries).toHaveLength(3000);
  });

  it('that is not there is empty', async () => {
    expect(must(await readJournal(join(tempFolder(), 'none'), 5))).toEqual({entries: [], broken: 0});
  });

  it.each([
    ['a symbolic link', (path: string) => symlinkSync('/etc/passwd', path)],
    ['a folder', (path: string) => mkdirSync(path)],
  ])('that is %s is told and kept aside', async (what, make) => {
    const dir = tempFolder();
    make(join(dir, 'journal.jsonl'));
    expect(await readJournal(dir, 5)).toMatchObject({ok: false, failure: {what: expect.stringContaining(what)}});
    expect(readdirSync(dir).filter((name) => name.startsWith('journal.jsonl.broken-'))).toHaveLength(1);
    expect(must(await readJournal(dir, 5))).toEqual({entries: [], broken: 0});
  });
});

describe('the folder of another tool', () => {
  it('is read without following links', () => {
    const dir = tempFolder();
    mkdirSync(join(dir, 'checkpoints'));
    writeFileSync(join(dir, 'current.md'), 'now');
    writeFileSync(join(dir, 'checkpoints', 'cp-1.md'), 'one');
    writeFileSync(join(dir, 'checkpoints', 'cp-1.png'), 'no');
    symlinkSync('/etc/passwd', join(dir, 'checkpoints', 'cp-2.md'));
    expect(must(readOldFolder(dir)).map(({name, text}) => [name, text])).toEqual([
      ['current.md', 'now'],
      ['checkpoints/cp-1.md', 'one'],
    ]);
  });

  it('that is none is refused', () => {
    const dir = tempFolder();
    writeFileSync(join(dir, 'file'), '');
    expect(readOldFolder(join(dir, 'nowhere'))).toMatchObject({ok: false, failure: {is: 'not-found'}});
    expect(readOldFolder(join(dir, 'file'))).toMatchObject({ok: false, failure: {is: 'bad-usage'}});
  });
});

describe('a folder in which nothing can be written', () => {
  it('can still be read, with LATEST gone too', async () => {
    const {dir, told, store} = rig();
    const {id} = must(await store.save(draftOf()));
    rmSync(join(dir, 'LATEST.json'));
    const refusing = openCheckpoints({
      dir,
      notices: (line) => told.push(line),
      lock: () => Promise.reject(Object.assign(new Error('EROFS: made up'), {code: 'EROFS'})),
    });
    expect((await refusing.latest(main))?.id).toBe(id);
    expect(told.join()).toContain('worked out from the checkpoints');
    expect(await refusing.save(draftOf())).toMatchObject({
      ok: false,
      failure: {what: expect.stringContaining('read-only')},
    });
  });

  it('is told so when it may not even be looked into', async () => {
    const {dir, store} = rig();
    must(await store.save(draftOf()));
    chmodSync(dir, 0o000);
    // Root may look everywhere; anybody else gets the reason.
    const index = await store.index();
    chmodSync(dir, 0o700);
    if (process.getuid?.() === 0) expect(index.ok).toBe(true);
    else expect(index).toMatchObject({ok: false, failure: {is: 'store-unusable'}});
  });
});
