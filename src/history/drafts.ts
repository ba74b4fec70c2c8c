// The checkpoints that going back and forking write: one of the moment before, one that is the old baton again, one for
// each fork. What is true of one checkpoint alone (its number, who took it up) is not copied.

import type {Checkpoint, CheckpointDraft, WorkspaceSnapshot} from '../baton/checkpoint.ts';
import type {GitState} from '../baton/compose-input.ts';
import type {CheckpointId, Track} from '../core/ids.ts';

const nameOf = ({number, id}: Pick<Checkpoint, 'number' | 'id'>): string => (number === undefined ? id : `#${number}`);

interface Scene {
  git: GitState;
  workspace: WorkspaceSnapshot | undefined;
}

/** The moment before a restore, with the baton of that moment: what `ckpt rollback` brings back. */
export const beforeRestore = (
  previous: Checkpoint | undefined,
  target: Checkpoint,
  {git, workspace}: Scene,
): CheckpointDraft => {
  const {undo: _u, restored_from: _r, ...extra} = previous?.extra ?? {};
  return {
    ...baton(previous ?? target),
    ...gitFields(git),
    track: target.track,
    label: `before-restore-of-${target.number ?? 'it'}`,
    trigger: 'pre-restore',
    extra: {...extra, before_restore_of: nameOf(target)},
    workspace,
    set_current: false,
  };
};

/** The old baton, the newest of its track again. `undo` names the checkpoint of the moment before. */
export const afterRestore = (
  target: Checkpoint,
  {git, workspace, undo}: Scene & {undo: CheckpointId | undefined},
): CheckpointDraft => {
  const {before_restore_of: _b, workspace: _w, ...extra} = target.extra;
  return {
    ...baton(target),
    ...gitFields(git),
    label: `restored-${target.number ?? 'it'}`,
    trigger: 'manual',
    extra: {...extra, restored_from: target.id, ...(undo === undefined ? {} : {undo})},
    workspace,
    set_current: true,
  };
};

/** The present baton, told that its files went back without it. */
export const withoutItsFiles = (
  present: Checkpoint,
  target: Checkpoint,
  {git, workspace, undo}: Scene & {undo: CheckpointId | undefined},
): CheckpointDraft => {
  const {before_restore_of: _b, workspace: _w, ...extra} = present.extra;
  const name = nameOf(target);
  return {
    ...baton(present),
    ...gitFields(git),
    label: `files-of-${target.number ?? 'it'}`,
    trigger: 'manual',
    note: `The files were then taken back to checkpoint ${name} (ckpt restore --files): look before you rely on an edit. ${present.note}`,
    extra: {...extra, files_of: target.id, ...(undo === undefined ? {} : {undo})},
    workspace,
    set_current: true,
  };
};

export interface ForkScene {
  track: Track;
  dir: string;
  branch: string | undefined;
  head: string | undefined;
  prompt: string | undefined;
  workspace: WorkspaceSnapshot;
}

/** The same baton on a track of its own; with a prompt, that is what the fork is to do. */
export const forkDraft = (from: Checkpoint, scene: ForkScene): CheckpointDraft => {
  const {undo: _u, restored_from: _r, before_restore_of: _b, workspace: _w, ...extra} = from.extra;
  const {prompt, track, dir, branch, head, workspace} = scene;
  return {
    ...baton(from),
    ...(prompt === undefined
      ? {}
      : {goal: prompt, next_cmd: prompt, tasks: [], current_task: undefined, next_steps: []}),
    ...{track, branch, head, workspace, worktree: dir},
    label: `fork-of-${from.number ?? 'it'}`,
    trigger: 'manual',
    dirty_files: from.dirty_files,
    // Another folder: the conversation of the old one knows other paths.
    conversation: undefined,
    run: undefined,
    leg: undefined,
    extra: {...extra, forked_from: from.id},
    set_current: false,
  };
};

const baton = (from: Checkpoint): CheckpointDraft => {
  const {
    schema_version: _v,
    id: _id,
    number: _n,
    born: _b,
    consumed_by: _by,
    closed: _c,
    workspace: _w,
    ...draft
  } = from;
  return draft;
};

const gitFields = ({branch, head, dirty}: GitState) => ({branch, head, dirty_files: dirty});

/** What `ckpt rollback` goes back to: the moment before the last restore, else the newest checkpoint. */
export const rollbackTarget = (ofTrack: readonly Checkpoint[]): Checkpoint | undefined => {
  const newest = ofTrack.at(-1);
  const undo = newest?.extra.undo;
  return (undo === undefined ? undefined : ofTrack.find(({id}) => id === undo)) ?? newest;
};
