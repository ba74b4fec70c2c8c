import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {checkpointJsonSchema, readCheckpoint, readSnapshotInput} from '../../src/baton/schema.ts';
import {serialiseCheckpoint} from '../../src/baton/whole.ts';
import {anyCheckpoint} from './any-checkpoint.ts';
import {sample} from './samples.ts';

describe('a checkpoint on disk', () => {
  it('comes back as it was written', () => {
    fc.assert(
      fc.property(anyCheckpoint, (checkpoint) => {
        const read = readCheckpoint(serialiseCheckpoint(checkpoint));
        expect(read).toEqual({ok: true, value: checkpoint, complaints: []});
      }),
    );
  });

  it('keeps fields it does not know, nested ones too', () => {
    const later = {...sample(), weather: {sky: 'grey'}, in_flight: {...sample().in_flight, pid: 7}};
    const read = readCheckpoint(JSON.stringify(later));
    if (!read.ok) throw new Error(read.what);
    const again = JSON.parse(serialiseCheckpoint(read.value));
    expect(again.weather).toEqual({sky: 'grey'});
    expect(again.in_flight.pid).toBe(7);
  });

  it('names the tree that holds its files, and nothing that git could take for an option', () => {
    const workspace = {
      ...{tree: 'a'.repeat(40), commit: 'b'.repeat(40), ref: 'refs/ckpt/main/x'},
      ...{left_out: [{path: 'big', why: 'too large'}], complete: false},
    };
    const read = (value: object) => readCheckpoint(JSON.stringify({...sample(), workspace: value}));
    expect(read(workspace)).toMatchObject({ok: true, complaints: [], value: {workspace}});
    for (const bad of [{tree: '--output=x'}, {commit: 'HEAD'}, {ref: 'refs/heads/main'}]) {
      const mended = read({...workspace, ...bad});
      expect(mended).toMatchObject({ok: true, complaints: [expect.stringContaining('workspace.')]});
      expect(mended).not.toHaveProperty('value.workspace');
    }
  });

  it('is read from a minimum of fields', () => {
    const {id, born, track, step} = sample();
    const read = readCheckpoint(JSON.stringify({schema_version: 1, id, born, track, step}));
    expect(read).toMatchObject({
      ok: true,
      complaints: [],
      value: {validation: 'unknown', tasks: [], set_current: true},
    });
  });

  it.each([
    ['validation', 'grün'],
    ['tasks', [{title: 'x', state: 'lost'}]],
    ['in_flight', 'git push'],
    ['recent_calls', 'one'],
  ])('says what is wrong with %s and reads the rest', (field, value) => {
    const read = readCheckpoint(JSON.stringify({...sample(), [field]: value}));
    if (!read.ok) throw new Error(read.what);
    expect(read.complaints[0]).toMatch(new RegExp(`^${field}`));
    expect(read.value.step).toBe(sample().step);
  });

  it.each([
    ['{"schema_version": 1, ', /^not JSON/],
    ['[]', /^not a JSON object/],
    ['null', /^not a JSON object/],
    [JSON.stringify({...sample(), track: ''}), /^track/],
    [JSON.stringify({...sample(), id: '../../etc/passwd'}), /^id/],
    [JSON.stringify({...sample(), step: undefined}), /^step/],
  ])('is refused when there is nothing to go on from: %s', (document, what) => {
    const read = readCheckpoint(document);
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.what).toMatch(what);
  });

  it('of a newer version is read as far as it is known, and that is said', () => {
    const read = readCheckpoint(JSON.stringify({...sample(), schema_version: 9}));
    expect(read).toMatchObject({ok: true, complaints: [expect.stringContaining('newer')]});
  });

  it('has a JSON Schema for others', () => {
    const schema = checkpointJsonSchema() as {properties: Record<string, {description?: string}>};
    expect(schema).toMatchObject({type: 'object', required: expect.arrayContaining(['id', 'step'])});
    const known = Object.keys({...sample(), consumed_by: 0, closed: 0, processes: 0, worktree: 0, workspace: 0});
    expect(Object.keys(schema.properties).sort()).toEqual(known.sort());
    expect(Object.entries(schema.properties).filter(([, {description}]) => description === undefined)).toEqual([]);
  });
});

describe('a document on stdin', () => {
  it.each([
    ['{"validation": "maybe"}', /^validation/],
    ['{"extra": {"a": []}}', /^extra/],
    ['{"step": 3}', /^step/],
    ['[1]', /^document/],
    ['', /^not JSON/],
  ])('%s is refused, saying which field', (document, what) => {
    const read = readSnapshotInput(document);
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.what).toMatch(what);
  });

  it('may hold numbers as extras', () => {
    expect(readSnapshotInput('{"extra": {"defects": 0}}')).toMatchObject({ok: true, value: {extra: {defects: '0'}}});
  });
});
