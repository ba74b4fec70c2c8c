import {execFileSync} from 'node:child_process';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import {join} from 'node:path';
import type {LegNumber, RunId} from '../../core/ids.ts';
import type {RunFiles} from '../../ports.ts';
import {makeFolder, writeWhole} from '../files/atomic-file.ts';

export interface RunFilesOptions {
  /** The checkpoint folder. */
  dir: string;
  run: RunId;
  /** More that run.json tells: where to attach. */
  about?: object;
  /** Which journal entries must survive a power cut; all of them unless told. */
  matters?: (entry: object) => boolean;
  /** Told once, at the first failure: the run goes on without what could not be written. */
  onFailure?: (failure: {path: string; what: string}) => void;
}

/** What one run leaves behind. Nothing here throws once it is open: a full disk must not end the agent. */
export const openRunFiles = (options: RunFilesOptions): RunFiles => {
  const dir = join(options.dir, 'runs', options.run);
  const spool = join(dir, 'spool');
  const journal = join(options.dir, 'journal.jsonl');
  makeFolder(spool);
  sweepDrafts(dir);
  sweepStore(options.dir, pidIn(join(dir, 'run.json')));
  const self = {pid: process.pid, born: ownBirth(), ...options.about};

  let failed = false;
  const guarded = (path: string, act: () => void): boolean => {
    try {
      act();
      return true;
    } catch (error) {
      if (!failed) options.onFailure?.({path, what: error instanceof Error ? error.message : String(error)});
      failed = true;
      return false;
    }
  };

  return {
    dir,
    spool,
    writeRun: untilWritten((run) => {
      const path = join(dir, 'run.json');
      return guarded(path, () => writeWhole(path, `${JSON.stringify({...run, ...self}, undefined, 2)}\n`));
    }),
    writeLeg: (leg, name, content) => {
      const folder = join(dir, legFolder(leg));
      return guarded(join(folder, name), () => {
        makeFolder(folder);
        writeWhole(join(folder, name), content);
      });
    },
    journal: (entry) => void guarded(journal, () => appendLine(journal, entry, options.matters?.(entry) ?? true)),
  };
};

const AGAIN_MS = 500;

/** The newest state is what the next start goes by: a spell of a full disk must not leave it behind for hours. */
const untilWritten = (write: (run: object) => boolean): ((run: object) => void) => {
  let again: NodeJS.Timeout | undefined;
  const attempt = (run: object): void => {
    clearTimeout(again);
    again = write(run) ? undefined : setTimeout(attempt, AGAIN_MS, run).unref();
  };
  return attempt;
};

/** A supervisor that was killed in the midst of a write left its draft. Nobody but the run's own writes here. */
const sweepDrafts = (dir: string): void => {
  const legs = readdirSync(dir).filter((name) => name.startsWith('leg-'));
  for (const folder of [dir, ...legs.map((name) => join(dir, name))]) {
    try {
      for (const name of readdirSync(folder)) {
        if (name.startsWith('.') && name.endsWith('.tmp')) unlinkSync(join(folder, name));
      }
    } catch {
      // Gone meanwhile, or not ours to remove: a draft harms nobody.
    }
  }
};

/** In the checkpoint folder others write too: only what bears the pid of the supervisor before us is nobody's. */
const sweepStore = (dir: string, pid: number | undefined): void => {
  if (pid === undefined || pid === process.pid) return;
  const isItsDraft = new RegExp(`^\\..+\\.${pid}\\.\\d+\\.tmp$`);
  try {
    for (const name of readdirSync(dir)) if (isItsDraft.test(name)) unlinkSync(join(dir, name));
  } catch {
    // As above.
  }
};

const pidIn = (path: string): number | undefined => {
  try {
    const {pid} = JSON.parse(readFileSync(path, 'utf8'));
    return Number.isInteger(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
};

/** `leg-001`: also names the folder that the recorder writes terminal.cast into. */
export const legFolder = (leg: LegNumber): string => `leg-${String(leg).padStart(3, '0')}`;

const LINE_FEED = 0x0a;

/**
 * One write with O_APPEND per line: several runs share this file, and the kernel puts whole writes one behind the
 * other. It is opened anew each time, so that a journal moved away or pruned meanwhile is simply begun again.
 */
const appendLine = (path: string, entry: object, matters: boolean): void => {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const fd = openSync(path, flags, 0o600);
  try {
    const torn = endsTorn(fd);
    const line = Buffer.from(`${torn ? '\n' : ''}${JSON.stringify(entry)}\n`);
    const written = writeSync(fd, line);
    if (written !== line.length) throw new Error(`only ${written} of ${line.length} bytes could be written`);
    if (matters) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
};

/** A crash or a full disk may have left half a line: ours must not be glued to it. */
const endsTorn = (fd: number): boolean => {
  const {size} = fstatSync(fd);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  return last[0] !== LINE_FEED;
};

/** Told in the same words as io/agent/processes.ts: with it a later start tells a live run from a reused pid. */
const ownBirth = (): string | undefined => {
  try {
    if (process.platform !== 'linux') {
      const env = {...process.env, LC_ALL: 'C', TZ: 'UTC'};
      const told = execFileSync('ps', ['-o', 'lstart=', '-p', `${process.pid}`], {env, encoding: 'utf8'});
      return told.trim().replace(/\s+/g, ' ');
    }
    const stat = readFileSync('/proc/self/stat', 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
};
