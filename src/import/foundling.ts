// A checkpoint that another tool wrote, on its way to become ours.

import type {CheckpointDraft} from '../baton/checkpoint.ts';
import {parseTrack, type Track} from '../core/ids.ts';

/** A file of the other tool's folder. */
export interface OldFile {
  /** Below that folder, with `/`. */
  name: string;
  text: string;
  /** When it was last written, in milliseconds since 1970. */
  changedAt: number;
}

export interface Foundling {
  draft: CheckpointDraft;
  /** When it was born, in milliseconds since 1970. */
  at: number;
  /** Its file and what was in it: by these it is known again. */
  file: string;
  content: string;
}

export interface Found {
  foundlings: Foundling[];
  /** What could not be read, each with its file. */
  complaints: string[];
}

/** Everything that the other tool may not know. */
export const emptyDraft = (track: Track): CheckpointDraft => ({
  track,
  label: '',
  trigger: 'manual',
  step: '',
  note: '',
  next_cmd: '',
  validation: 'unknown',
  goal: undefined,
  current_task: undefined,
  active_files: [],
  decisions_made: [],
  tried_failed: [],
  next_steps: [],
  tasks: [],
  artifacts: [],
  in_flight: undefined,
  recent_calls: [],
  last_words: undefined,
  extra: {},
  branch: undefined,
  head: undefined,
  dirty_files: [],
  run: undefined,
  leg: undefined,
  conversation: undefined,
  provenance: {step: 'claimed', note: 'claimed', next_cmd: 'claimed', validation: 'claimed'},
  // What is brought in is history: the current track stays.
  set_current: false,
});

export const trackNamed = (text: string | undefined, otherwise: Track): Track =>
  text === undefined ? otherwise : (parseTrack(text.trim()) ?? otherwise);

/** `2026-04-30T03:45:00Z`, `20260430-0345`, `20260430T034500123Z`, … Without a zone it is taken as UTC. */
export const timeIn = (text: string): number | undefined => {
  const parts = /(\d{4})-?(\d\d)-?(\d\d)(?:[T_ -]?(\d\d)[:h]?(\d\d)(?:[:m]?(\d\d)(?:[.,]?(\d{1,6}))?)?)?(.*)$/s.exec(
    text,
  );
  if (parts === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', rest = ''] = parts;
  const zone = /^\s*([+-]\d\d):?(\d\d)/.exec(rest);
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}`;
  const at = Date.parse(`${iso}${zone === null ? 'Z' : `${zone[1]}:${zone[2]}`}`);
  return Number.isNaN(at) ? undefined : at;
};
