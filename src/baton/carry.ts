// A snapshot of the agent's own knows nothing of the log: what the track's last checkpoint observed goes on with it.

import type {Checkpoint, CheckpointDraft} from './checkpoint.ts';

export const carryOver = (previous: Checkpoint | undefined, draft: CheckpointDraft): CheckpointDraft => {
  if (previous === undefined || previous.track !== draft.track) return draft;
  const sameRun = draft.run !== undefined && (previous.run === draft.run || previous.consumed_by?.run === draft.run);
  // Another run's work on this track is another piece of work; by hand, the track itself is the work.
  if (!sameRun && draft.run !== undefined) return draft;
  const goal = draft.goal ?? previous.goal;
  const tasks = draft.tasks.length > 0 ? draft.tasks : previous.tasks;
  if (!sameRun) {
    const current = tasks.find(({state}) => state === 'in_progress')?.title;
    return {...draft, goal, tasks, current_task: draft.current_task ?? current};
  }
  return {
    ...draft,
    goal,
    tasks,
    current_task: draft.current_task ?? previous.current_task,
    recent_calls: draft.recent_calls.length > 0 ? draft.recent_calls : previous.recent_calls,
    decisions_made: merged(previous.decisions_made, draft.decisions_made),
    tried_failed: merged(previous.tried_failed, draft.tried_failed),
    active_files: draft.active_files.length > 0 ? draft.active_files : previous.active_files,
    artifacts: [...new Set([...previous.artifacts, ...draft.artifacts])],
    ...(previous.processes === undefined ? {} : {processes: draft.processes ?? previous.processes}),
    last_words: draft.last_words ?? previous.last_words,
    conversation: draft.conversation ?? previous.conversation,
    extra: {
      ...(previous.extra.instructions === undefined ? {} : {instructions: previous.extra.instructions}),
      ...draft.extra,
    },
    provenance: {...previous.provenance, ...draft.provenance},
  };
};

/** What was decided or failed before stays so, each once. */
const merged = <T extends {what: string}>(before: T[], now: T[]): T[] => {
  const renewed = new Set(now.map(({what}) => what));
  return [...before.filter(({what}) => !renewed.has(what)), ...now];
};
