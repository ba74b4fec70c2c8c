// A recording (asciicast v2) as one stream of bytes with fixed places at which it is looked at: a quarter of a second
// after the first new output, as a leg is watched. The places belong to the recording, not to the chunks.

import {readdirSync, readFileSync} from 'node:fs';
import type {ScreenRule} from '../../src/adapter/adapter.ts';
import type {Signal} from '../../src/core/events.ts';
import {legNumber, millis} from '../../src/core/ids.ts';
import {newQuorum} from '../../src/detect/quorum.ts';
import {openScreen} from '../../src/detect/screen.ts';
import {newScreenWatch} from '../../src/detect/screen-rules.ts';
import {bytesOf} from './chunks.ts';

export interface Recording {
  name: string;
  cols: number;
  rows: number;
  bytes: Uint8Array;
  /** After so many bytes, at this time of the recording. The last one is the end. */
  looks: {after: number; at: number}[];
}

const LOOK_MS = 250;
const folder = new URL('../fixtures/recordings/', import.meta.url);

export const recordingsOf = (agent: string): string[] =>
  readdirSync(new URL(`${agent}/`, folder))
    .filter((name) => name.endsWith('.cast'))
    .map((name) => name.slice(0, -'.cast'.length))
    .sort();

export const readRecording = (agent: string, name: string): Recording => {
  const [head = '{}', ...lines] = readFileSync(new URL(`${agent}/${name}.cast`, folder), 'utf8')
    .trimEnd()
    .split('\n');
  const {width, height} = JSON.parse(head) as {width: number; height: number};
  const events = lines
    .map((line) => JSON.parse(line) as [seconds: number, kind: string, data: string])
    .filter(([, kind]) => kind === 'o')
    .map(([seconds, , data]) => ({at: Math.round(seconds * 1000), bytes: bytesOf(data)}));
  const looks: Recording['looks'] = [];
  let after = 0;
  let due: number | undefined;
  for (const event of events) {
    if (due !== undefined && event.at > due) {
      looks.push({after, at: due});
      due = undefined;
    }
    after += event.bytes.length;
    due ??= event.at + LOOK_MS;
  }
  looks.push({after, at: due ?? 0});
  const bytes = Buffer.concat(events.map((event) => event.bytes));
  return {name, cols: width, rows: height, bytes, looks};
};

/** Everything that was signalled, when the stream between two looks comes in the chunks that `split` makes of it. */
export const replay = async (
  {cols, rows, bytes, looks}: Recording,
  rules: readonly ScreenRule[],
  split: (part: Uint8Array) => Uint8Array[],
): Promise<Signal[]> => {
  const screen = openScreen({cols, rows});
  const watch = newScreenWatch(rules);
  const quorum = newQuorum(legNumber(1));
  const signals: Signal[] = [];
  let from = 0;
  for (const {after, at} of looks) {
    for (const chunk of split(bytes.subarray(from, after))) screen.feed(chunk);
    from = after;
    for (const sighting of watch.look(await screen.look())) {
      const signal = quorum.take(sighting, millis(at));
      if (signal) signals.push(signal);
    }
  }
  screen.close();
  return signals;
};
