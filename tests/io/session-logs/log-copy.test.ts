import {createHash} from 'node:crypto';
import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {copyLog} from '../../../src/io/session-logs/log-copy.ts';

const dir = mkdtempSync(join(tmpdir(), 'ckpt-log-copy-'));
afterAll(() => rmSync(dir, {recursive: true, force: true}));

test('secrets out, every line still JSON, the hash is the original’s and covers only the bytes that were asked for', async () => {
  const key = `sk-ant-api03-${'a1B2'.repeat(20)}`;
  const lines = [
    {type: 'user', message: {content: `export DEPLOY_TOKEN=s3cr3t-and-long and ${key}`}},
    {type: 'tool', input: {password: 'hunter22-hunter22', command: 'echo "a\\nb" ünï'}},
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const from = join(dir, 'log.jsonl');
  const to = join(dir, 'leg-001', 'session-log.jsonl');
  writeFileSync(from, `${text}{"later":"not ours"}\n`);
  const bytes = Buffer.byteLength(text);
  const env = {DEPLOY_TOKEN: 's3cr3t-and-long'};
  const copied = await copyLog({from, to, bytes, boundMs: 10_000, env});
  expect(copied).toEqual({ok: true, value: {bytes, sha256: createHash('sha256').update(text).digest('hex')}});
  const copy = readFileSync(to, 'utf8');
  for (const secret of [key, 's3cr3t-and-long', 'hunter22-hunter22']) expect(copy).not.toContain(secret);
  const read = copy
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as {type: string});
  expect(read.map(({type}) => type)).toEqual(['user', 'tool']);
  expect(read[1]).toMatchObject({input: {command: 'echo "a\\nb" ünï'}});
  expect(statSync(to).mode & 0o777).toBe(0o600);
});

test('a log that is gone is said, and nothing half is left', async () => {
  const to = join(dir, 'leg-002', 'session-log.jsonl');
  const copied = await copyLog({from: join(dir, 'none.jsonl'), to, bytes: 10, boundMs: 10_000, env: {}});
  expect(copied).toMatchObject({ok: false, failure: {is: 'system', code: 'ENOENT'}});
  expect(readdirSync(join(dir, 'leg-002'))).toEqual([]);
});
