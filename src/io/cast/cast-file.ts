// terminal.cast: what a leg's terminal showed. An observer: nobody waits for it, and nothing of it throws into the path
// of the bytes. What comes in is collected, and written a few times a second.

import {StringDecoder} from 'node:string_decoder';
import type {CastCode, CastEvent} from '../../cast/cast.ts';
import {type CastParts, openCastParts} from './cast-parts.ts';

export interface CastOptions {
  /** `…/leg-003/terminal.cast` */
  path: string;
  /** On disk, all parts together. */
  maxBytes?: number;
  title?: string;
  /** `TERM`, and what else a player may want to know. */
  env?: Record<string, string>;
  /** Told once; the recording ends there, the agent goes on. */
  onFailure?: (what: string) => void;
  now?: () => number;
}

/** Fits into AgentTaps. */
export interface CastRecorder {
  onOutput(chunk: Buffer): void;
  onResize(cols: number, rows: number): void;
  /** Resolves when everything is on disk. */
  close(): Promise<void>;
}

const MAX_BYTES = 64 * 1024 * 1024;
const FLUSH_MS = 200;
const FLUSH_CHARS = 64 * 1024;
/** A disk that hangs must not take the memory: beyond this, output is dropped, and the recording says so. */
const MOST_WAITING = 8 * 1024 * 1024;

export const openCastFile = (options: CastOptions): CastRecorder => {
  const recorder = new Recorder(options);
  return {
    onOutput: (chunk) => recorder.output(chunk),
    onResize: (cols, rows) => recorder.resize(cols, rows),
    close: () => recorder.close(),
  };
};

class Recorder {
  readonly #options: CastOptions;
  readonly #decoder = new StringDecoder('utf8');
  readonly #began: number;
  readonly #parts: CastParts;
  #state: 'begun' | 'sized' | 'closed' | 'failed' = 'begun';
  /** The first one that was told, before anything was shown. */
  #size = {width: 80, height: 24};
  #waiting: CastEvent[] = [];
  /** Characters that wait to be written, and those that are being written. */
  #chars = 0;
  #writing = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #line: Promise<void> = Promise.resolve();

  constructor(options: CastOptions) {
    const {path, maxBytes = MAX_BYTES, title, env} = options;
    this.#options = options;
    this.#began = this.#now();
    const rest = {startedAt: this.#began, ...(title === undefined ? {} : {title}), ...(env === undefined ? {} : {env})};
    this.#parts = openCastParts({path, maxBytes, header: () => ({...this.#size, ...rest})});
  }

  output(chunk: Buffer): void {
    if (this.#isEnded()) return;
    // Half a character waits for its other half.
    const data = this.#decoder.write(chunk);
    if (data !== '') this.#add('o', data);
  }

  resize(width: number, height: number): void {
    if (this.#isEnded()) return;
    // The first one stands in the header.
    if (this.#state === 'sized') this.#add('r', `${width}x${height}`);
    else this.#size = {width, height};
    this.#state = 'sized';
  }

  close(): Promise<void> {
    if (this.#isEnded()) return this.#line;
    const rest = this.#decoder.end();
    if (rest !== '') this.#add('o', rest);
    this.#state = 'closed';
    this.#flush();
    this.#line = this.#line.then(() => this.#parts.close()).catch(() => undefined);
    return this.#line;
  }

  #isEnded(): boolean {
    return this.#state === 'closed' || this.#state === 'failed';
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }

  #add(code: CastCode, data: string): void {
    this.#state = 'sized';
    if (this.#chars + this.#writing + data.length > MOST_WAITING) {
      this.#dropped += data.length;
      return;
    }
    const at = (this.#now() - this.#began) / 1000;
    if (this.#dropped > 0) this.#waiting.push({at, code: 'm', data: `${this.#dropped} characters were not recorded`});
    this.#dropped = 0;
    this.#waiting.push({at, code, data});
    this.#chars += data.length;
    if (this.#chars >= FLUSH_CHARS) this.#flush();
    // The run must not stay alive for it: whoever ends the run closes this.
    else this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS).unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [events, chars] = [this.#waiting, this.#chars];
    if (events.length === 0) return;
    this.#waiting = [];
    this.#chars = 0;
    this.#writing += chars;
    this.#line = this.#line.then(async () => {
      try {
        if (this.#state !== 'failed') await this.#parts.write(events);
      } catch (error) {
        await this.#fail(error);
      }
      this.#writing -= chars;
    });
  }

  async #fail(error: unknown): Promise<void> {
    this.#state = 'failed';
    await this.#parts.close().catch(() => undefined);
    try {
      this.#options.onFailure?.(error instanceof Error ? error.message : String(error));
    } catch {
      // Whoever listens has a fault of their own; the agent goes on.
    }
  }
}
