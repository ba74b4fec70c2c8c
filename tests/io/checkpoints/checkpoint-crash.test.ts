// A writer dies before, in the middle of, and after every call that changes the disk. The next one finds everything
// whole, and everything that had been acknowledged.

import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Result} from '../../../src/core/failure.ts';
import {type CheckpointId, legNumber, type RunId} from '../../../src/core/ids.ts';
import {type CheckpointFiles, openCheckpoints} from '../../../src/io/checkpoints/checkpoint-files.ts';
import type {Disk} from '../../../src/io/files/atomic-file.ts';
import {must, tempFolder} from '../checkpoint-files-rig.ts';
import {checkFolder, main} from './checkpoint-check.ts';
import {draftOf} from './checkpoint-files-draft.ts';
import {type DiskState, dyingDisk, failingDisk, type Moment, mostStates, PowerCutDisk} from './dying-disk.ts';

const by = {run: 'r-20261118-091500-4f2a' as RunId, leg: legNumber(2)};
const old = {
  draft: draftOf({step: 'old', set_current: false}),
  at: Date.parse('2026-04-30T03:00:00.000Z'),
  file: 'cp.md',
  content: 'x',
};

interface Act {
  name: string;
  /** Checkpoints that were acknowledged before. */
  before: number;
  /** How many of them the act itself may take away. */
  removes?: number;
  do(store: CheckpointFiles): Promise<Result<unknown>>;
}

const consume = async (store: CheckpointFiles) => {
  const newest = await store.latest(main);
  return store.consume(newest?.id ?? ('' as CheckpointId), by);
};

const acts: Act[] = [
  {name: 'the very first save', before: 0, do: (store) => store.save(draftOf({step: 'new'}))},
  {name: 'a save', before: 4, do: (store) => store.save(draftOf({step: 'new'}))},
  {name: 'a baton taken up', before: 2, do: consume},
  {name: 'a prune', before: 4, removes: 2, do: (store) => store.prune({keep: 1})},
  {name: 'an import', before: 1, do: (store) => store.adopt([old, {...old, file: 'cp2.md', at: old.at + 5}])},
];

const prepare = async (dir: string, count: number): Promise<CheckpointId[]> => {
  const store = openCheckpoints({dir, secrets: []});
  const ids: CheckpointId[] = [];
  for (let n = 0; n < count; n += 1) {
    const trigger = n === 0 ? 'manual' : 'interval';
    ids.push(must(await store.save(draftOf({step: `before ${n}`, trigger, validation: 'pending'}))).id);
  }
  return ids;
};

const attempt = async (act: Act, disk: Disk) => {
  const dir = join(tempFolder('fast'), 'deep', 'checkpoints');
  const acked = await prepare(dir, act.before);
  const done = await act.do(openCheckpoints({dir, secrets: [], disk}));
  return {dir, acked, done};
};

describe.each(acts)('$name, killed at any call', (act) => {
  it.each(['before', 'halfway', 'after'] as Moment[])('%s it', async (moment) => {
    const whole = dyingDisk(-1, moment);
    await attempt(act, whole.disk);
    expect(whole.calls()).toBeGreaterThan(8);
    for (let at = 1; at <= whole.calls(); at += 1) {
      const dying = dyingDisk(at, moment);
      const {dir, acked, done} = await attempt(act, dying.disk);
      expect(dying.died()).toBe(true);
      expect(done.ok).toBe(false);
      await checkFolder(dir, acked, act.removes);
    }
  });
});

describe.each(acts)('$name, with a disk that fails', (act) => {
  it.each(['ENOSPC', 'EIO'])('%s at any call is told, and nothing is torn', async (code) => {
    const whole = failingDisk(-1, code);
    await attempt(act, whole.disk);
    for (let at = 1; at <= whole.calls(); at += 1) {
      const {dir, acked, done} = await attempt(act, failingDisk(at, code).disk);
      if (!done.ok) expect(['store-unusable', 'system']).toContain(done.failure.is);
      await checkFolder(dir, acked, act.removes);
    }
  });
});

describe('a power cut', () => {
  /** Counts how often a state that a power cut may leave has lost something. */
  const losses = async (forget: 'nothing' | 'file-sync' | 'folder-sync'): Promise<{states: number; lost: number}> => {
    const dir = join(tempFolder('fast'), 'checkpoints');
    mkdirSync(dir);
    const cases: {state: DiskState; acked: CheckpointId[]}[] = [];
    const acked: CheckpointId[] = [];
    const note = (states: DiskState[]): void => {
      if (forget === 'nothing') expect(states.length).toBeLessThan(mostStates);
      cases.push(...states.map((state) => ({state, acked: [...acked]})));
    };
    const power = new PowerCutDisk(note, forget);
    const store = openCheckpoints({dir, secrets: [], disk: power.disk});
    for (let n = 0; n < (forget === 'nothing' ? 3 : 1); n += 1) {
      acked.push(must(await store.save(draftOf({step: `s${n}`}))).id);
      note(power.states());
    }
    let lost = 0;
    const parent = tempFolder('fast');
    for (const [at, {state, acked: promised}] of cases.entries()) {
      const after = join(parent, String(at));
      mkdirSync(after);
      for (const [name, content] of state) writeFileSync(join(after, name), content);
      if (!(await isWhole(after, promised))) lost += 1;
    }
    return {states: cases.length, lost};
  };

  const isWhole = async (dir: string, promised: CheckpointId[]): Promise<boolean> => {
    const told: string[] = [];
    const store = openCheckpoints({dir, secrets: [], notices: (line) => told.push(line)});
    const history = must(await store.history()).map(({id}) => id);
    const latest = await store.latest(main);
    return (
      promised.every((id) => history.includes(id)) && (latest?.id ?? '') >= (promised.at(-1) ?? '') && told.length === 0
    );
  };

  it('leaves, in every state that is possible, all that was acknowledged', async () => {
    const {states, lost} = await losses('nothing');
    expect(states).toBeGreaterThan(100);
    expect(lost).toBe(0);
  });

  it.each(['file-sync', 'folder-sync'] as const)('would not, without the %s', async (forget) => {
    expect((await losses(forget)).lost).toBeGreaterThan(0);
  });
});
