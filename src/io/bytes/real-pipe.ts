import {spawnSync} from 'node:child_process';
import {closeSync, constants, mkdtempSync, openSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/**
 * A pipe as a shell makes it. Node gives its children sockets instead, and on those `/dev/stdin` and `/dev/stdout` cannot
 * be opened: an agent that does so works bare and would fail under us.
 */
export interface RealPipe {
  /** Non-blocking; ours. */
  near: number;
  /** Blocking; for the child. Close it once the child has it. */
  far: number;
  visitor: Visitor;
}

export interface Visitor {
  /** When we have closed our end. */
  begin(): void;
  end(): void;
}

/** Undefined where no pipe can be made: then Node's own will do. */
export const realPipe = (weAre: 'reader' | 'writer'): RealPipe | undefined => {
  const folder = mkdtempSync(join(tmpdir(), 'ckpt-run-'));
  const path = join(folder, 'pipe');
  try {
    if (spawnSync('mkfifo', ['-m', '600', path], {stdio: 'ignore'}).status !== 0) return undefined;
    // The reader's end opens at once when it does not wait; the writer's end opens when there is a reader.
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (weAre === 'reader') return {near: reader, far: openSync(path, constants.O_WRONLY), visitor: nobody};
    const near = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    const far = openSync(path, constants.O_RDONLY);
    closeSync(reader);
    return {near, far, visitor: process.platform === 'linux' ? visitorOf(path) : nobody};
  } catch {
    return undefined;
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
};

/** Elsewhere `/dev/stdin` is opened as a copy, and who writes never waits for us: we read until the end. */
const nobody: Visitor = {begin: () => undefined, end: () => undefined};

const VISIT_MS = 50;
/** Not among Node's constants: a file descriptor that only names the file. It is no reader, so a closed stdin is still seen. */
const O_PATH = 0o10000000;

/**
 * Whoever opens a pipe with a name waits until somebody has it open to write; a pipe without one is found at its end. So
 * after our end is closed a writer looks in now and then: an agent that opens `/dev/stdin` late would wait for ever.
 */
const visitorOf = (path: string): Visitor => {
  const name = openSync(path, O_PATH);
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const visit = (): void => {
    try {
      closeSync(openSync(`/proc/self/fd/${name}`, constants.O_WRONLY | constants.O_NONBLOCK));
    } catch {
      // Nobody has it open to read.
    }
  };
  return {
    begin: () => {
      if (!over) timer ??= setInterval(visit, VISIT_MS).unref();
    },
    end: () => {
      if (over) return;
      over = true;
      clearInterval(timer);
      closeSync(name);
    },
  };
};
