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
}

/** Undefined where no pipe can be made: then Node's own will do. */
export const realPipe = (weAre: 'reader' | 'writer'): RealPipe | undefined => {
  const folder = mkdtempSync(join(tmpdir(), 'ckpt-run-'));
  const path = join(folder, 'pipe');
  try {
    if (spawnSync('mkfifo', ['-m', '600', path], {stdio: 'ignore'}).status !== 0) return undefined;
    // The reader's end opens at once when it does not wait; the writer's end opens when there is a reader.
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (weAre === 'reader') return {near: reader, far: openSync(path, constants.O_WRONLY)};
    const near = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    const far = openSync(path, constants.O_RDONLY);
    closeSync(reader);
    return {near, far};
  } catch {
    return undefined;
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
};
