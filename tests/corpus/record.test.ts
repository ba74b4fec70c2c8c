// Records the corpus anew: `npm run corpus:record`. It takes some minutes, and the real CLIs.

import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {claudeNew, claudeOld, codex} from '../real/clis.ts';
import {expectedOf} from './expected.ts';
import {jobs} from './jobs.ts';
import {neutralLog} from './neutral-log.ts';
import {play} from './play.ts';

const folder = fileURLToPath(new URL('../fixtures/corpus/', import.meta.url));
const only = process.env.ONLY?.split(',');

describe.each([claudeOld(), claudeNew(), codex()])('$name $version', (cli) => {
  test.each(jobs.filter(({name}) => only?.includes(name) ?? true))('$name', async (job) => {
    const log = neutralLog(await play(job, cli));
    const place = join(folder, `${cli.word}-${cli.version}`);
    await mkdir(place, {recursive: true});
    await writeFile(join(place, `${job.name}.jsonl`), log);
    await writeFile(
      join(place, `${job.name}.facts.json`),
      `${JSON.stringify(expectedOf(job, cli.name), undefined, 2)}\n`,
    );
    expect(log.split('\n').length).toBeGreaterThan(3);
  });
});
