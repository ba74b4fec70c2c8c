// The files and the conversation behind a checkpoint: held by it, or the reason why they are not. Never silent.

import type {Failure, Result} from '../core/failure.ts';
import type {CheckpointDraft, WorkspaceSnapshot} from './checkpoint.ts';

/** With the tree that holds its files; or with the reason why none does. */
export const withWorkspace = (draft: CheckpointDraft, taken: Result<WorkspaceSnapshot>): CheckpointDraft => {
  const {workspace: _w, extra, ...rest} = draft;
  const {workspace: _why, ...others} = extra;
  if (taken.ok) return {...rest, extra: others, workspace: taken.value};
  return {...rest, extra: {...others, workspace: `not saved: ${whyNot(taken.failure)}`}};
};

/** A session log as it was copied: redacted, with the hash of the original's first `bytes`. */
export interface LogCopy {
  sha256: string;
  bytes: number;
}

export const withLog = (draft: CheckpointDraft, copied: Result<LogCopy>): CheckpointDraft => {
  const {session_log: _why, ...extra} = draft.extra;
  const {conversation} = draft;
  if (!copied.ok) return {...draft, extra: {...extra, session_log: `not copied: ${whyNot(copied.failure)}`}};
  return conversation === undefined
    ? {...draft, extra}
    : {...draft, extra, conversation: {...conversation, sha256: copied.value.sha256, log_offset: copied.value.bytes}};
};

const whyNot = (failure: Failure): string => {
  if (failure.is === 'system') return `${failure.doing}: ${failure.message} (${failure.code})`;
  return 'what' in failure ? failure.what : failure.is;
};
