// The draft of a checkpoint; tests change what they care about.

import type {CheckpointDraft} from '../../../src/baton/checkpoint.ts';
import type {Track} from '../../../src/core/ids.ts';

export const draftOf = (changes: Partial<CheckpointDraft> = {}): CheckpointDraft => ({
  track: 'main' as Track,
  label: 'test',
  trigger: 'manual',
  step: 'a step',
  note: 'a note',
  next_cmd: 'npm test',
  validation: 'green',
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
  provenance: {},
  set_current: true,
  ...changes,
});
