// The flags of `ckpt snapshot`, read into fields. A malformed one fails at once and says which.

import {type CheckpointDraft, triggers, validations, type WithWhy} from '../../baton/checkpoint.ts';
import type {Task} from '../../baton/facts.ts';
import {type Failure, fail, ok, type Result} from '../../core/failure.ts';

export interface SnapshotFlags {
  step?: string;
  /** The second ancestor's word for step. */
  summary?: string;
  note?: string;
  nextCmd?: string;
  label?: string;
  track?: string;
  goal?: string;
  currentTask?: string;
  validation?: string;
  trigger?: string;
  extra?: string[];
  activeFile?: string[];
  decided?: string[];
  triedFailed?: string[];
  nextStep?: string[];
  task?: string[];
  artifact?: string[];
  /** Commander's `--no-set-current`. */
  setCurrent?: boolean;
  stdin?: boolean;
  /** Commander's `--no-files`. */
  files?: boolean;
}

/** The fields that were given; `track` still as text. */
export type DraftFields = Partial<Omit<CheckpointDraft, 'track' | 'extra'>> & {
  track?: string;
  extra?: Record<string, string>;
};

export const fieldsFromFlags = (flags: SnapshotFlags): Result<DraftFields> => {
  const extra: Record<string, string> = {};
  for (const pair of flags.extra ?? []) {
    const [, key, value] = /^([^\s=]+)=(.*)$/s.exec(pair) ?? [];
    if (key === undefined || value === undefined || key === '__proto__') {
      return fail(
        bad(`--extra ${JSON.stringify(pair)} is no key=value pair`, 'for example: --extra artifact=/tmp/report.json'),
      );
    }
    extra[key] = value;
  }
  const validation = validations.find((known) => known === flags.validation);
  if (flags.validation !== undefined && validation === undefined) {
    return fail(
      bad(`--validation ${JSON.stringify(flags.validation)} is unknown`, `use one of: ${validations.join(', ')}`),
    );
  }
  const trigger = triggers.find((known) => known === flags.trigger);
  if (flags.trigger !== undefined && trigger === undefined) {
    return fail(bad(`--trigger ${JSON.stringify(flags.trigger)} is unknown`, `use one of: ${triggers.join(', ')}`));
  }
  return ok(
    given({
      step: flags.step ?? flags.summary,
      note: flags.note,
      next_cmd: flags.nextCmd,
      label: flags.label,
      track: flags.track,
      goal: flags.goal,
      current_task: flags.currentTask,
      validation,
      trigger,
      extra: flags.extra === undefined ? undefined : extra,
      active_files: flags.activeFile?.map(fileWithWhy),
      decisions_made: flags.decided?.map(withWhy),
      tried_failed: flags.triedFailed?.map(withWhy),
      next_steps: flags.nextStep,
      tasks: flags.task?.map(asTask),
      artifacts: flags.artifact,
      set_current: flags.setCurrent === false ? false : undefined,
    }),
  );
};

export const bad = (what: string, fix: string): Failure => ({is: 'bad-usage', what, fix});

/** Without what was not given, so that it cannot hide what stdin gave. */
const given = (fields: {[K in keyof DraftFields]: DraftFields[K] | undefined}): DraftFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** `src/a.ts:the parser`; a Windows drive is no reason. */
export const fileWithWhy = (text: string): WithWhy => {
  const [, what = text, why] = /^((?:[A-Za-z]:[\\/])?[^:]+):(.+)$/s.exec(text) ?? [];
  return {what, why: why?.trim()};
};

/** `JWT instead of sessions — race condition`, `HS256 -> key exposure`. */
export const withWhy = (text: string): WithWhy => {
  const [, what = text, why] = /^(.+?)\s+(?:—|–|--|→|->|=>)\s+(.+)$/s.exec(text) ?? [];
  return {what, why};
};

/** `write the parser`, or `completed: write the parser`. */
export const asTask = (text: string): Task => {
  const [, state, title] = /^(pending|in_progress|completed|failed|skipped)\s*[:=]\s*(.+)$/s.exec(text) ?? [];
  return {title: title ?? text, state: (state as Task['state'] | undefined) ?? 'pending'};
};
