// Who vouches for each field of a composed checkpoint: nothing in a baton is without it.

import type {Checkpoint, CheckpointDraft, Provenance, WithWhy} from './checkpoint.ts';

/** Taken from git, the log or the person's mouth, whatever was said before. */
const always: Record<string, Provenance> = {
  goal: 'quoted',
  last_words: 'quoted',
  in_flight: 'observed',
  recent_calls: 'observed',
  processes: 'observed',
  branch: 'observed',
  head: 'observed',
  dirty_files: 'observed',
  worktree: 'observed',
  conversation: 'observed',
};

/** Claims, unless it is known better. */
const otherwise = [
  'step',
  'note',
  'next_cmd',
  'validation',
  'current_task',
  'active_files',
  'decisions_made',
  'tried_failed',
  'next_steps',
  'tasks',
  'artifacts',
  'extra',
] as const;

interface Sources {
  before: Checkpoint | undefined;
  own: Checkpoint | undefined;
  /** What this capture itself has seen. */
  seen: Record<string, Provenance>;
}

export const provenanceOf = (
  draft: Omit<CheckpointDraft, 'provenance'>,
  sources: Sources,
): Record<string, Provenance> => {
  const claims = Object.fromEntries(otherwise.map((field) => [field, 'claimed' as const]));
  const lists: Record<string, Provenance> = {
    active_files: listBy(draft.active_files),
    decisions_made: listBy(draft.decisions_made),
    tried_failed: listBy(draft.tried_failed),
  };
  return {...claims, ...sources.before?.provenance, ...sources.own?.provenance, ...lists, ...always, ...sources.seen};
};

/** Of several the weakest: one claim among observations makes the list a claim. */
const listBy = (entries: WithWhy[]): Provenance => {
  const all = entries.map(({from}) => from ?? 'claimed');
  if (all.includes('claimed')) return 'claimed';
  return all.includes('quoted') ? 'quoted' : 'observed';
};
