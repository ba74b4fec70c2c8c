// A session log of days: it is read line by line, and what is kept of it does not grow with it.

import {execFile} from 'node:child_process';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {build} from 'esbuild';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {keepFigures} from '../../support/keep-figures.ts';

/** 1 GB with CKPT_LONG=1. */
const isLong = process.env.CKPT_LONG === '1';
const megabytes = isLong ? 1000 : 100;
/** Far below the log: what is piled up does not fit. */
const heapMegabytes = 40;
let folder = '';
let program = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ckpt-big-log-'));
  program = join(folder, 'big-log.mjs');
  const entry = fileURLToPath(new URL('../../support/big-log.ts', import.meta.url));
  await build({entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile: program});
});
afterAll(() => rm(folder, {recursive: true, force: true}));

describe.each(['claude', 'codex'])('a log of %s', (agent) => {
  test(`of ${megabytes} MB is read with ${heapMegabytes} MB of memory`, async () => {
    const args = [`--max-old-space-size=${heapMegabytes}`, program, agent, String(megabytes)];
    const {stdout} = await promisify(execFile)(process.execPath, args, {env: {PATH: process.env.PATH}});
    const read = JSON.parse(stdout) as Record<'bytes' | 'lines' | 'factsSize' | 'calls', number>;
    expect(read.bytes).toBeGreaterThan(megabytes * 1_000_000);
    expect(read.calls).toBeGreaterThan(1000);
    expect(read.factsSize).toBeLessThan(300_000);
    if (isLong)
      keepFigures('big-log', agent, {
        megabytes,
        heapMegabytes,
        lines: read.lines,
        factsKb: Math.round(read.factsSize / 1000),
      });
  }, 600_000);
});
