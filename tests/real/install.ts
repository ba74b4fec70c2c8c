import {execFile} from 'node:child_process';
import {copyFile, mkdir, mkdtemp, rename, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {type Cli, cacheFolder, claudeNew, claudeOld, codex, lockFile} from './clis.ts';

const run = promisify(execFile);

/** vitest globalSetup: the pinned CLIs are on this machine and answer with the pinned version, or nothing is tested. */
export default async function install(): Promise<void> {
  if ((await faults()).length > 0) await fill();
  const left = await faults();
  if (left.length > 0) throw new Error(`The real CLIs cannot be tested:\n${left.join('\n')}\nin ${cacheFolder()}`);
}

/** Installs beside the target, then renames: two runs at once do the work twice, but neither sees half a folder. */
async function fill(): Promise<void> {
  const target = cacheFolder();
  await mkdir(dirname(target), {recursive: true});
  const work = await mkdtemp(`${target}.`);
  try {
    await copyFile(lockFile, join(work, 'package-lock.json'));
    await copyFile(join(dirname(lockFile), 'package.json'), join(work, 'package.json'));
    await npmCi(work);
    // What stands there had faults; a good one that another run has put there meanwhile is kept.
    if ((await faults()).length > 0) await rm(target, {recursive: true, force: true});
    await rename(work, target).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(work, {recursive: true, force: true});
  }
}

/** Scripts stay off: the native binaries come with the platform packages, the scripts only link them elsewhere. */
async function npmCi(cwd: string): Promise<void> {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await run('npm', args, {cwd, timeout: 240_000, maxBuffer: 16_000_000, shell: process.platform === 'win32'});
  } catch (error) {
    throw new Error(`The pinned CLIs could not be installed: npm ${args.join(' ')} failed.\n${String(error)}`);
  }
}

async function faults(): Promise<string[]> {
  const found = await Promise.all([claudeNew, claudeOld, codex].map(fault));
  return found.filter((line) => line !== undefined);
}

async function fault(find: () => Cli): Promise<string | undefined> {
  try {
    const {name, native, version} = find();
    // From scratch: whatever the person's own agents are set to must not be read.
    const {stdout} = await run(native, ['--version'], {env: {PATH: '/usr/bin:/bin', HOME: dirname(native)}});
    return stdout.includes(version) ? undefined : `${name}: wanted ${version}, it says ${stdout.trim()}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
