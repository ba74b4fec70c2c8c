import {readFileSync} from 'node:fs';
import type {LogReader, Sighting} from '../../src/adapter/adapter.ts';

export const fixture = (path: string): string => readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'utf8');

export const linesOf = (path: string): string[] => fixture(path).trimEnd().split('\n');

/** `limit@99`, `compaction-done:auto`, `busy`: what a reader saw, short enough for a table. */
export const short = (sighting: Sighting): string => {
  switch (sighting.type) {
    case 'limit':
      return `limit@${sighting.resetsAt}`;
    case 'compaction-done':
      return `compaction-done:${sighting.trigger}`;
    case 'compaction-started':
      return `compaction-started:${sighting.trigger}${sighting.held ? ':held' : ''}`;
    case 'fatal':
    case 'waiting-for-person':
      return `${sighting.type}:${sighting.what}`;
    default:
      return sighting.type;
  }
};

export const seenIn = (reader: LogReader, lines: string[]): string[] =>
  lines.flatMap((line) => reader.feed(line)).map(short);

/** Signals that may end a leg: a quoted marker must give none of them. */
export const lethal = (sightings: string[]): string[] => sightings.filter((text) => !/^(?:busy|idle|ready)/.test(text));
