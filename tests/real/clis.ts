import {createHash} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

/** A pinned agent CLI: its native binary, and the npm launcher that people with an npm install really start. */
export interface Cli {
  name: 'claude-new' | 'claude-old' | 'codex';
  /** The word that people type: `claude`, `codex`. */
  word: 'claude' | 'codex';
  version: string;
  native: string;
  launcher: string;
}

export const claudeNew = (): Cli => claude('claude-new', '2.1.326');
export const claudeOld = (): Cli => claude('claude-old', '2.1.197');
export const codex = (): Cli => ({
  name: 'codex',
  word: 'codex',
  version: '0.169.0',
  native: firstThere(codexTriples.map((triple) => `@openai/codex-${host()}/vendor/${triple}/bin/codex`)),
  launcher: join(modules(), 'codex/bin/codex.js'),
});

/** Named after the lock file: a changed pin is a new folder, and every clone on the machine shares one install. */
export function cacheFolder(): string {
  const lock = readFileSync(lockFile);
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, `ckpt-run-real-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`);
}

export const lockFile = fileURLToPath(new URL('package-lock.json', import.meta.url));

const modules = () => join(cacheFolder(), 'node_modules');
const host = () => `${process.platform}-${process.arch}`;
const codexTriples = ['x86_64', 'aarch64'].flatMap((cpu) => [
  `${cpu}-unknown-linux-musl`,
  `${cpu}-apple-darwin`,
  `${cpu}-pc-windows-msvc`,
]);

/** The platform package's own binary: it is there even where npm runs no install scripts. */
function claude(name: 'claude-new' | 'claude-old', version: string): Cli {
  const packages = [host(), `${host()}-musl`].map((suffix) => `@anthropic-ai/claude-code-${suffix}`);
  const native = firstThere(packages.flatMap((p) => [`${name}/node_modules/${p}/claude`, `${p}/claude`]));
  return {name, word: 'claude', version, native, launcher: join(modules(), name, 'cli-wrapper.cjs')};
}

function firstThere(candidates: string[]): string {
  const found = candidates.map((path) => join(modules(), path)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`No CLI at ${candidates.join(' or ')} in ${modules()}: was install.ts run?`);
  return found;
}
