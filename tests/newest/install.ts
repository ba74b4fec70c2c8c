// The newest Claude Code, in a folder of its own: neither the pinned ones nor the person's own are touched.

import {execFile} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import type {Cli} from '../real/clis.ts';

const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'ckpt-run-newest');
const scope = join(folder, 'node_modules/@anthropic-ai');

/** vitest globalSetup. Scripts stay off: the native binary comes with the platform package. */
export default async function install(): Promise<void> {
  await mkdir(folder, {recursive: true});
  await writeFile(join(folder, 'package.json'), '{"private": true}\n');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', [...args, '@anthropic-ai/claude-code@latest'], {cwd: folder, timeout: 240_000});
  const {version} = newestClaude();
  process.stdout.write(`The newest Claude Code: ${version}\n`);
}

export const newestClaude = (): Cli => {
  const {version} = JSON.parse(readFileSync(join(scope, 'claude-code/package.json'), 'utf8')) as {version: string};
  const host = `${process.platform}-${process.arch}`;
  const places = [host, `${host}-musl`].map((suffix) => join(scope, `claude-code-${suffix}/claude`));
  const native = places.find((path) => existsSync(path));
  if (native === undefined) throw new Error(`No Claude Code ${version} at ${places.join(' or ')}`);
  return {name: 'claude-new', word: 'claude', version, native, launcher: join(scope, 'claude-code/cli-wrapper.cjs')};
};
