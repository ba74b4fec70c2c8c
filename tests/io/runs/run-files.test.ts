import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {legNumber, millis, runId} from '../../../src/core/ids.ts';
import {bornAt} from '../../../src/io/agent/processes.ts';
import {openRunFiles} from '../../../src/io/runs/run-files.ts';

const run = runId(millis(1_794_996_000_000), 'abcd');
let dir = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ckpt-run-files-'));
});
afterEach(() => {
  chmodSync(dir, 0o700);
  rmSync(dir, {recursive: true, force: true});
});

const journal = (): string => readFileSync(join(dir, 'journal.jsonl'), 'utf8');
const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('run.json tells who runs it, with the birth time of that process', async () => {
  const files = openRunFiles({dir, run});
  files.writeRun({agent: 'claude', state: 'working'});
  files.writeRun({agent: 'claude', state: 'over'});
  const path = join(dir, 'runs', run, 'run.json');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    agent: 'claude',
    state: 'over',
    pid: process.pid,
    born: await bornAt(process.pid),
  });
  expect(files.dir).toBe(join(dir, 'runs', run));
  expect(files.spool).toBe(join(dir, 'runs', run, 'spool'));
  expect(modeOf(path)).toBe(0o600);
  expect(modeOf(files.spool)).toBe(0o700);
});

test('each leg has its folder', () => {
  const files = openRunFiles({dir, run});
  files.writeLeg(legNumber(1), 'certificate.json', '{}');
  files.writeLeg(legNumber(12), 'baton.md', 'go on');
  expect(readFileSync(join(files.dir, 'leg-001', 'certificate.json'), 'utf8')).toBe('{}');
  expect(readFileSync(join(files.dir, 'leg-012', 'baton.md'), 'utf8')).toBe('go on');
});

test('the journal grows by one line per entry and is shared by runs', () => {
  const first = openRunFiles({dir, run});
  const second = openRunFiles({dir, run: runId(millis(1_794_996_000_000), 'ef01')});
  first.journal({n: 1, text: 'a\nb'});
  second.journal({n: 2});
  first.journal({n: 3});
  expect(journal()).toBe('{"n":1,"text":"a\\nb"}\n{"n":2}\n{"n":3}\n');
  expect(modeOf(join(dir, 'journal.jsonl'))).toBe(0o600);
});

test('a line torn by an earlier crash is closed off, not glued to', () => {
  writeFileSync(join(dir, 'journal.jsonl'), '{"n":1}\n{"n":2,"te');
  const files = openRunFiles({dir, run});
  files.journal({n: 3});
  appendFileSync(join(dir, 'journal.jsonl'), '{"half');
  files.journal({n: 4});
  expect(journal().split('\n')).toEqual(['{"n":1}', '{"n":2,"te', '{"n":3}', '{"half', '{"n":4}', '']);
});

test('a failure is told once and never thrown; when it passes, writing goes on', () => {
  const onFailure = vi.fn();
  const files = openRunFiles({dir, run, onFailure});
  mkdirSync(join(dir, 'journal.jsonl'));
  files.journal({n: 1});
  files.journal({n: 2});
  files.writeLeg(legNumber(1), 'no/such/folder', '');
  files.journal({loop: circular()});
  expect(onFailure).toHaveBeenCalledTimes(1);
  expect(onFailure.mock.calls[0]?.[0]).toMatchObject({path: join(dir, 'journal.jsonl')});
  rmSync(join(dir, 'journal.jsonl'), {recursive: true});
  files.journal({n: 3});
  expect(journal()).toBe('{"n":3}\n');
});

test('a journal that was moved away is begun again', () => {
  const files = openRunFiles({dir, run, matters: () => false});
  files.journal({n: 1});
  rmSync(join(dir, 'journal.jsonl'));
  files.journal({n: 2});
  expect(journal()).toBe('{"n":2}\n');
});

const circular = (): object => {
  const loop: {self?: object} = {};
  loop.self = loop;
  return loop;
};

test('a journal that is a link is not followed out of the folder', () => {
  const outside = join(dir, 'outside');
  writeFileSync(outside, 'theirs');
  symlinkSync(outside, join(dir, 'journal.jsonl'));
  const told: string[] = [];
  openRunFiles({dir, run, onFailure: ({what}) => told.push(what)}).journal({type: 'x'});
  expect(readFileSync(outside, 'utf8')).toBe('theirs');
  expect(told.join()).toContain('ELOOP');
});

test('drafts of a supervisor that was killed in the midst of a write are swept by the next one', () => {
  const files = openRunFiles({dir, run});
  files.writeLeg(legNumber(1), 'certificate.json', '{}');
  for (const folder of [files.dir, join(files.dir, 'leg-001')])
    writeFileSync(join(folder, '.run.json.4711.6.tmp'), '{"ha');
  openRunFiles({dir, run});
  expect(readdirSync(files.dir).sort()).toEqual(['leg-001', 'spool']);
  expect(readdirSync(join(files.dir, 'leg-001'))).toEqual(['certificate.json']);
});

test('of drafts in the checkpoint folder only those of the supervisor before us are swept', () => {
  openRunFiles({dir, run}).writeRun({state: 'working'});
  const path = join(dir, 'runs', run, 'run.json');
  writeFileSync(path, JSON.stringify({...JSON.parse(readFileSync(path, 'utf8')), pid: 4711}));
  for (const name of ['.LATEST.json.4711.6.tmp', '.LATEST.json.4712.6.tmp', 'LATEST.json.4711.6.tmp'])
    writeFileSync(join(dir, name), '{"ha');
  openRunFiles({dir, run});
  expect(readdirSync(dir).sort()).toEqual(['.LATEST.json.4712.6.tmp', 'LATEST.json.4711.6.tmp', 'runs']);
});

test('run.json that could not be written is written when there is room again, as it stands by then', async () => {
  const told: string[] = [];
  const files = openRunFiles({dir, run, onFailure: ({what}) => told.push(what)});
  // Where the file should be there is a folder: as good as a full disk, and nobody's rights matter.
  const path = join(files.dir, 'run.json');
  mkdirSync(join(path, 'in the way'), {recursive: true});
  files.writeRun({state: 'working'});
  files.writeRun({state: 'resting'});
  expect(told).toHaveLength(1);
  rmSync(path, {recursive: true});
  await vi.waitFor(() => expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({state: 'resting'}), 20_000);
});
