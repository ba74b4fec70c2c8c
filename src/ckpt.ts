// `ckpt` itself, as src/io/self/quick-start.ts starts it: builds the real world and hands it to the program.

import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import packageJson from '../package.json' with {type: 'json'};
import {runCkpt} from './cli/ckpt-program.ts';
import type {Ground, GroundOptions, World} from './cli/commands/world.ts';
import {exitCodes, fail, ok, type Result} from './core/failure.ts';
import {writeAll} from './io/bytes/plain-output.ts';
import {openCheckpoints} from './io/checkpoints/checkpoint-files.ts';
import {readJournal} from './io/checkpoints/journal-file.ts';
import {readOldFolder} from './io/checkpoints/old-files.ts';
import {makeFolder, writeWhole} from './io/files/atomic-file.ts';
import {loadLock} from './io/files/latest-lock.ts';
import {quickGit} from './io/repository/quick-git.ts';
import {excludeFromCommits, findRoot, findWhere, type Where} from './io/repository/where.ts';
import {configPlaces, loadConfig} from './io/setup/config-files.ts';
import {openTreeSnapshots} from './io/tree/snapshots.ts';

const world: World = {
  env: process.env,
  ckptBin: import.meta.filename,
  version: packageJson.version,
  now: () => Date.now(),
  out: (text) => writeAll(1, text),
  err: (text) => writeAll(2, text),
  input: async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString('utf8');
  },
  open: async (options) => {
    const found = await whereIs(options);
    return found.ok ? ok(groundAt(found.value)) : found;
  },
  trees: async (ground) => (await import('./ckpt-trees.ts')).openTrees(ground),
  watch: async () => (await import('./ckpt-watch.ts')).openWatch({env: process.env, ckptBin: world.ckptBin}),
  request: (spool, name, payload) => {
    const file = join(spool, `${crypto.randomUUID().replace(/-/g, '').slice(0, 16)}.${name}.json`);
    try {
      writeWhole(file, `${JSON.stringify(payload)}\n`);
      return ok(file);
    } catch (error) {
      const {code = 'unknown', message} = error as NodeJS.ErrnoException;
      if (code === 'ENOENT')
        return fail({
          is: 'not-found',
          what: `the run's folder ${spool} is gone`,
          fix: 'the run has ended; nothing is left to be told',
        });
      return fail({is: 'system', doing: `tell the run "${name}"`, code, message});
    }
  },
  install: async () => (await import('./ckpt-install.ts')).openInstallWorld(process.env, world.err),
  oldFiles: async (folder) => readOldFolder(folder),
};

type Place = Where & {dirFrom: string};

/** A folder that was named needs no config: a half-written ckpt.yaml must not keep an agent from its checkpoint. */
const whereIs = async (options: GroundOptions): Promise<Result<Place>> => {
  const asked = {cwd: process.cwd(), env: process.env, ...options};
  const root = findRoot(asked);
  if (!root.ok) return root;
  const named = options.checkpointDir ? '--checkpoint-dir' : process.env.CKPT_DIR ? 'CKPT_DIR' : undefined;
  const config = named === undefined ? await loadConfig(root.value, process.env) : undefined;
  if (config !== undefined && !config.ok) return config;
  const where = findWhere({...asked, configuredDir: config?.value.checkpointDir});
  const from = config?.value.entries.find(({key}) => key === 'checkpointDir')?.from;
  return where.ok ? ok({...where.value, dirFrom: named ?? from ?? 'default'}) : where;
};

const groundAt = (place: Place): Ground => {
  const {root, dir, dirFrom} = place;
  return {
    root,
    dir,
    dirFrom,
    // A checkpoint is worth the wait.
    store: async () => openCheckpoints({dir, lockWaitMs: 30_000, notices: (line) => world.err(`ckpt: ${line}\n`)}),
    warmUp: loadLock,
    git: () => quickGit({root, checkpointDir: dir}),
    since: async (checkpoint) => (await import('./io/repository/git-since.ts')).gitSince(root, checkpoint),
    files: (what) => openTreeSnapshots({root, checkpointDir: dir}).take(what),
    // Only when it is about to be made: whoever took the line out later wants the folder in their commits.
    prepare: () => {
      if (!existsSync(dir)) excludeFromCommits(place);
    },
    file: (name) => smallFile(join(dir, name)),
    config: () => loadConfig({root}, process.env),
    configFiles: configPlaces({root}, process.env),
    journal: (last) => readJournal(dir, last),
  };
};

const smallFile = (path: string): ReturnType<Ground['file']> => ({
  read: () => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  },
  write: (text) => {
    try {
      makeFolder(dirname(path));
      writeWhole(path, text);
      return ok(undefined);
    } catch (error) {
      const {code = 'unknown', message} = error as NodeJS.ErrnoException;
      return fail({is: 'system', doing: `write ${path}`, code, message});
    }
  },
});

// No `await` of the top level: a script has none.
runCkpt(process.argv.slice(2), world).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    world.err(`ckpt: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = exitCodes.internal;
  },
);
