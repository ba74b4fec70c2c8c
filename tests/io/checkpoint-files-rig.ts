// Folders that go away by themselves, drafts, and our own code bundled for processes that can be killed.

import {accessSync, constants, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';
import {onTestFinished} from 'vitest';
import type {Result} from '../../src/core/failure.ts';

const repo = fileURLToPath(new URL('../..', import.meta.url));

/** `fast`: in memory where the system has that, for tests of thousands of writes whose disk is not the question. */
export const tempFolder = (where: 'disk' | 'fast' = 'disk'): string => {
  const parent = where === 'fast' && mayWrite('/dev/shm') ? '/dev/shm' : tmpdir();
  const dir = mkdtempSync(join(parent, 'ckpt-test-'));
  onTestFinished(() => rmSync(dir, {recursive: true, force: true}));
  return dir;
};

const mayWrite = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

export const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
};

/** Bundles one source file as the build does; inside node_modules, so that native packages are found. */
export const bundle = async (entry: string): Promise<{file: string; remove: () => void}> => {
  const outdir = mkdtempSync(join(repo, 'node_modules', '.ckpt-test-'));
  await build({
    absWorkingDir: repo,
    entryPoints: {program: entry},
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['node-pty', 'fs-native-extensions'],
    logLevel: 'error',
    outExtension: {'.js': '.mjs'},
    banner: {js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);"},
  });
  return {file: join(outdir, 'program.mjs'), remove: () => rmSync(outdir, {recursive: true, force: true})};
};
