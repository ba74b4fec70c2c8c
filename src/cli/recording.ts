// What kind of recording a file is, of which agent, and what is in it, in the order and at the times of its making.

import {readEvent, readHeader} from '../cast/cast.ts';
import type {Recorded} from '../run/replay/replay.ts';

export type RecordingKind = {is: 'terminal' | 'log'; agent: string | undefined};

/** By its first lines; undefined when it is neither a terminal recording nor a session log that we know. */
export const recordingKind = (lines: string[]): RecordingKind | undefined => {
  const [first = ''] = lines;
  const header = readHeader(first);
  if (header !== undefined) {
    const named = /^ckpt-run (\S+)$/.exec(header.title ?? '')?.[1];
    const shown = lines.slice(1).map((line) => readEvent(line)?.data ?? '');
    return {is: 'terminal', agent: named ?? agentShown(shown.join(''))};
  }
  for (const line of lines) {
    const {type, payload, sessionId, uuid} = fieldsOf(line);
    if (type === 'session_meta' && payload !== undefined) return {is: 'log', agent: 'codex'};
    if (sessionId !== undefined || uuid !== undefined) return {is: 'log', agent: 'claude'};
  }
  return undefined;
};

const agentShown = (text: string): string | undefined => {
  // Words are drawn apart: the cursor is moved over the blanks.
  const claude = text.search(/Claude\W{0,12}(?:\d*[A-Z])?\W{0,4}Code/);
  const codex = text.search(/OpenAI\W{0,12}(?:\d*[A-Z])?\W{0,4}Codex|codex/);
  if (claude === -1 && codex === -1) return undefined;
  return codex === -1 || (claude !== -1 && claude < codex) ? 'claude' : 'codex';
};

const fieldsOf = (line: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

/** Torn lines are left out, as everywhere. */
export async function* recordedIn(kind: RecordingKind['is'], lines: AsyncIterable<string>): AsyncGenerator<Recorded> {
  yield* kind === 'terminal' ? terminalIn(lines) : logIn(lines);
}

/** A long recording has several parts one behind the other, each with its header. */
async function* terminalIn(lines: AsyncIterable<string>): AsyncGenerator<Recorded> {
  let begun = 0;
  for await (const line of lines) {
    const header = readHeader(line);
    if (header !== undefined) {
      begun = header.startedAt;
      yield {at: begun, is: 'size', cols: header.width, rows: header.height};
      continue;
    }
    const event = readEvent(line);
    if (event === undefined) continue;
    const at = begun + Math.round(event.at * 1000);
    const [, cols, rows] = event.code === 'r' ? (/^(\d+)x(\d+)$/.exec(event.data) ?? []) : [];
    if (event.code === 'o') yield {at, is: 'output', bytes: new TextEncoder().encode(event.data)};
    else if (cols !== undefined) yield {at, is: 'size', cols: Number(cols), rows: Number(rows)};
  }
}

async function* logIn(lines: AsyncIterable<string>): AsyncGenerator<Recorded> {
  let at: number | undefined;
  /** Of the lines before the first that tells its time. */
  const early: string[] = [];
  for await (const line of lines) {
    const {timestamp} = fieldsOf(line);
    const told = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
    if (Number.isNaN(told) && at === undefined) {
      early.push(line);
      continue;
    }
    at = Math.max(at ?? 0, Number.isNaN(told) ? 0 : told);
    for (const one of early.splice(0)) yield {at, is: 'line', line: one};
    yield {at, is: 'line', line};
  }
}
