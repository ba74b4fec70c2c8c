// Going back and forking, with the real CLIs.
//
//   ckpt-run ── claude | codex ── http ── scripted model
//      ▲            └─ ckpt restore (a file in the spool; for Codex from inside its sandbox)

import {execFile} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {describe, expect, test} from 'vitest';
import {claudeNew, codex} from './clis.ts';
import {scripted} from './scripted.ts';
import {openSupervised} from './supervised.ts';

const ckpt = join(dirname(fileURLToPath(import.meta.url)), '../../dist/ckpt.cjs');
const call = promisify(execFile);

/** The run saves before a risky call, outside of any sandbox: what the agent saves itself in Codex's holds no files. */
const good = ['echo good > a.txt', 'rm -rf nothing-of-that-name'];
const then = 'leg-1-before_risky_change';

describe.each([
  ['Claude Code 2.1.326', claudeNew],
  ['Codex 0.169.0', codex],
])('%s', (_, cli) => {
  test('work, restore to an earlier checkpoint, go on', async () => {
    const scenario = scripted([
      {
        when: /You are the next leg/,
        calls: ['cat a.txt > seen.txt; ls >> seen.txt', 'echo on >> a.txt', 'ckpt done --note "went on"'],
      },
      {when: /./, calls: [...good, 'echo bad > a.txt; echo more > b.txt', `ckpt restore ${then}; sleep 60`]},
    ]);
    await using ground = await openSupervised({cli: cli(), scenario});
    const {code} = await ground.pipe(ground.under(ground.headless('go back'), '--until-done')).exit;
    expect(code).toBe(0);
    expect((await ground.certificates()).map(({cause}) => cause)).toEqual(['restore']);
    expect(readFileSync(ground.path('seen.txt'), 'utf8')).toMatch(/^good\n/);
    expect(readFileSync(ground.path('seen.txt'), 'utf8')).not.toContain('b.txt');
    expect(readFileSync(ground.path('a.txt'), 'utf8')).toBe('good\non\n');
    // What was there before can be had back.
    const before = (await ground.checkpoints()).find(({trigger}) => trigger === 'pre-restore');
    const {ref} = (before?.workspace ?? {}) as {ref?: string};
    const {stdout} = await call('git', ['show', `${ref}:b.txt`], {cwd: ground.project});
    expect(stdout).toBe('more\n');
    expect(await ground.processes()).toEqual([]);
  });

  test('fork in two with different prompts: both finish, each in its own folder', async () => {
    const finishes = (word: string) => [
      `cat a.txt > ${word}.txt; echo ${word} >> ${word}.txt`,
      `ckpt done --note ${word}`,
    ];
    const scenario = scripted([
      {when: /write alpha/, calls: finishes('alpha')},
      {when: /write beta/, calls: finishes('beta')},
      {when: /./, calls: [...good, 'ckpt done --note "ready to fork"']},
    ]);
    await using ground = await openSupervised({cli: cli(), scenario});
    expect((await ground.pipe(ground.under(ground.headless('begin'), '--until-done')).exit).code).toBe(0);
    const prompts = ['--prompt', 'write alpha', '--prompt', 'write beta'];
    const {stdout} = await call(process.execPath, [ckpt, '--json', 'fork', then, ...prompts], {
      cwd: ground.project,
      env: ground.env,
    });
    const forks = JSON.parse(stdout) as {track: string; dir: string}[];
    expect(forks).toHaveLength(2);
    const options = ({track}: {track: string}) => [
      ...['--checkpoint-dir', join(ground.project, 'runtime/checkpoints')],
      ...['--track', track, '--no-set-current', '--continue', '--until-done'],
    ];
    const headless = ground.headless('').filter((word) => word !== '--' && word !== '');
    const ends = await Promise.all(
      forks.map((fork) => ground.pipe(ground.under(headless, ...options(fork)), {cwd: fork.dir}).exit),
    );
    expect(ends.map(({code}) => code)).toEqual([0, 0]);
    for (const [at, word] of ['alpha', 'beta'].entries()) {
      const dir = forks[at]?.dir ?? '';
      expect(readFileSync(join(dir, `${word}.txt`), 'utf8')).toBe(`good\n${word}\n`);
      expect(existsSync(ground.path(`${word}.txt`))).toBe(false);
    }
    const tracks = forks.map(({track}) => track);
    const compared = await call(process.execPath, [ckpt, 'compare', ...tracks], {cwd: ground.project, env: ground.env});
    expect(compared.stdout).toContain('alpha.txt');
    expect(compared.stdout).toContain('beta.txt');
  });
});
