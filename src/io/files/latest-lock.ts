// One writer at a time in a checkpoint folder. A kernel lock: it dies with its holder, whoever kills it, and it knows
// no pids, so that a writer in a sandbox with pids of its own takes part. ECOSYSTEM §5 has the numbers.

import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';

export const lockName = 'LATEST.lock';

export interface HeldLock {
  /** False when somebody took it for a corpse (link lock only): then nothing more may be written. */
  stillOurs(): boolean;
  release(): void;
}

/** Undefined when it could not be had in time. */
export type Locker = (dir: string, waitMs: number) => Promise<HeldLock | undefined>;

/** The kernel's lock where the addon loads and the file system knows it, else a lock by link(2). */
export const lockLatest: Locker = async (dir, waitMs) => {
  // Whoever has just had it lets the others have a look: a busy writer would take it again before any of them wakes.
  if (elapsed() - releasedAt < courtesyMs) await pause(0);
  const lock = await (kernelLock() ?? linkLock)(dir, waitMs);
  if (lock === undefined) return undefined;
  const release = (): void => {
    releasedAt = elapsed();
    lock.release();
  };
  return {stillOurs: lock.stillOurs, release};
};

const courtesyMs = 5;
/** Milliseconds, as `performance.now()` tells them, which takes one to load. */
const elapsed = (): number => process.uptime() * 1000;
let releasedAt = Number.NEGATIVE_INFINITY;

interface Addon {
  tryLock(fd: number): boolean;
}

let loaded: Addon | 'missing' | undefined;

/** To be called while there is something to wait for: it takes milliseconds. */
export const loadLock = (): void => {
  loaded ??= directly() ?? throughItsLoader() ?? 'missing';
};

const kernelLock = (): Locker | undefined => {
  loadLock();
  const addon = loaded;
  if (addon === undefined || addon === 'missing') return undefined;
  return (dir, waitMs) => withAddon(addon, dir, waitMs);
};

const load = createRequire(import.meta.filename);

/** The file that the package ships for this machine. Its own loader reads 15 files to find it: 9 ms of every snapshot. */
const directly = (): Addon | undefined => {
  try {
    const host = `${process.platform}-${process.arch}`;
    const binding = load(`fs-native-extensions/prebuilds/${host}/fs-native-extensions.node`) as {
      tryLock?: (fd: number, offset: number, length: number, exclusive: boolean) => void;
    };
    const {tryLock} = binding;
    return tryLock === undefined ? undefined : {tryLock: (fd) => isGranted(() => tryLock(fd, 0, 0, true))};
  } catch {
    return undefined;
  }
};

const isGranted = (lock: () => void): boolean => {
  try {
    lock();
    return true;
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return false;
    throw error;
  }
};

/** Wherever the file is not where we know it. The package has no types; this is the one function of it that we use. */
const throughItsLoader = (): Addon | undefined => {
  try {
    return load('fs-native-extensions') as Addon;
  } catch {
    return undefined;
  }
};

const withAddon = async (addon: Addon, dir: string, waitMs: number): Promise<HeldLock | undefined> => {
  const path = join(dir, lockName);
  const since = elapsed();
  const until = since + waitMs;
  for (;;) {
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
    try {
      const granted = await tryUntil(addon, fd, {since, until});
      // Somebody may have deleted the folder since: a lock on a file that is no longer there locks nobody out.
      if (granted && isAt(path, fd)) return {stillOurs: () => isAt(path, fd), release: () => closeSync(fd)};
      closeSync(fd);
      if (!granted && elapsed() > until) return undefined;
    } catch (error) {
      closeSync(fd);
      // A file system without such locks (some network mounts).
      if (isUnsupported(error)) return linkLock(dir, until - elapsed());
      throw error;
    }
  }
};

/** False when time is up, or now and then to see whether it is still the right file. */
const tryUntil = async (addon: Addon, fd: number, {since, until}: {since: number; until: number}): Promise<boolean> => {
  for (let turn = 0; turn < 50; turn += 1) {
    if (addon.tryLock(fd)) return true;
    if (elapsed() > until) return false;
    await pause(turn, elapsed() - since);
  }
  return false;
};

const isAt = (path: string, fd: number): boolean => {
  try {
    const [here, held] = [lstatSync(path), fstatSync(fd)];
    return here.ino === held.ino && here.dev === held.dev;
  } catch {
    return false;
  }
};

const isUnsupported = (error: unknown): boolean =>
  ['ENOSYS', 'ENOLCK', 'EOPNOTSUPP', 'ENOTSUP', 'EINVAL'].includes(codeOf(error));

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/**
 * With jitter, so that waiting writers do not march in step. Who has just come looks seldom, who has waited for long looks
 * often: where each holds the lock for long (a slow disk), chance alone would let one of many wait for ever.
 */
const pause = (turn: number, waitedMs = 0): Promise<void> =>
  new Promise((done) => setTimeout(done, Math.min(1 + turn, Math.max(3, 12 - waitedMs / 500)) * (0.5 + Math.random())));

/** A holder works for milliseconds; one that has not stirred for so long, by the file system's clock, is dead. */
const corpseMs = 5000;

/** The fallback: link(2) is atomic everywhere. Exported for its test. */
export const linkLock: Locker = async (dir, waitMs) => {
  const path = join(dir, `${lockName}.held`);
  const name = crypto.randomUUID().replace(/-/g, '').slice(0, 16);
  const mine = join(dir, `.${lockName}.${name}.tmp`);
  const since = elapsed();
  try {
    for (let turn = 0; ; turn += 1) {
      // Written anew each turn: its time is the file system's now, against which a corpse is judged.
      writeFileSync(mine, name, {mode: 0o600});
      if (linked(mine, path)) return heldLink(path, name);
      buryCorpse(dir, path, mine);
      if (elapsed() - since > waitMs) return undefined;
      await pause(turn, elapsed() - since);
    }
  } finally {
    remove(mine);
  }
};

const heldLink = (path: string, name: string): HeldLock => ({
  stillOurs: () => {
    if (contentOf(path) !== name) return false;
    utimesSync(path, new Date(), new Date());
    return true;
  },
  release: () => {
    if (contentOf(path) === name) remove(path);
  },
});

/** One thief per corpse: whoever links the grave of that very corpse may remove it, after looking once more. */
const buryCorpse = (dir: string, path: string, mine: string): void => {
  const corpse = contentOf(path);
  if (corpse === undefined || ageOf(path, mine) < corpseMs) return;
  const grave = join(dir, `.${lockName}.${corpse.replace(/[^0-9a-f]/g, '').slice(0, 16)}.grave.tmp`);
  if (!linked(mine, grave)) {
    if (ageOf(grave, mine) > corpseMs) remove(grave);
    return;
  }
  if (contentOf(path) === corpse) remove(path);
  remove(grave);
};

const linked = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
};

const ageOf = (path: string, now: string): number => {
  try {
    return lstatSync(now).mtimeMs - lstatSync(path).mtimeMs;
  } catch {
    return 0;
  }
};

const contentOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

const remove = (path: string): void => {
  try {
    unlinkSync(path);
  } catch {
    // Gone already: that is what was wanted.
  }
};
