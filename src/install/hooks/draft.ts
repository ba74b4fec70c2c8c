// The checkpoint that a hook saves where no run watches: composed like a run's own, from the conversation's log.

import type {Checkpoint, CheckpointDraft} from '../../baton/checkpoint.ts';
import {compose} from '../../baton/compose.ts';
import type {GitState} from '../../baton/compose-input.ts';
import {legNumber, millis, type RunId, type Track} from '../../core/ids.ts';
import type {Conversation} from '../ports.ts';

export interface HookFacts {
  agent: string;
  track: Track;
  /** The newest checkpoint of the track, whoever wrote it. */
  previous: Checkpoint | undefined;
  git: GitState;
  log: (Conversation & {path: string}) | undefined;
  now: number;
}

/** Undefined when it would say nothing that the last one does not say. */
export const hookDraft = (input: HookFacts): CheckpointDraft | undefined =>
  input.log === undefined ? thin(input) : isTold(input, input.log) ? undefined : composed(input, input.log);

/** Two hooks for one compaction, or a compaction that was tried again. */
const isTold = ({previous}: HookFacts, {facts, bytes}: Conversation): boolean =>
  previous?.trigger === 'pre-compaction' &&
  facts.sessionId !== undefined &&
  previous.conversation?.session_id === facts.sessionId &&
  previous.conversation.log_offset === bytes;

/** Compose thinks in legs of a run: the conversation is the one leg of a run that has no name. */
const nameless = 'r-00000000-000000-0000' as RunId;
const leg = legNumber(1);

const composed = (
  {agent, track, previous, git, now}: HookFacts,
  log: NonNullable<HookFacts['log']>,
): CheckpointDraft => {
  const {facts, beganAt, bytes, path} = log;
  const began = beganAt ?? now;
  const ours = previous !== undefined && isOfConversation(previous, facts.sessionId, began);
  const draft = compose({
    ...{track, trigger: 'pre-compaction', death: undefined, run: nameless, leg, runStartedAt: millis(began)},
    ...{facts, git, continued: false, prompt: undefined, setCurrent: true},
    previous: ours ? {...previous, run: nameless, leg} : undefined,
    agent: {name: agent, version: undefined, logPath: path, logOffset: bytes},
  });
  return {
    ...draft,
    run: undefined,
    leg: undefined,
    label: 'before-compaction',
    step: draft.step.replace(/^leg 1: /, ''),
    note: draft.note.replace(/^Leg 1 at pre-compaction: /, 'Before a compaction: '),
    active_files: draft.active_files.map((file) =>
      file.why === 'edited in leg 1' ? {...file, why: 'edited in this conversation'} : file,
    ),
  };
};

/** Saved by a hook in it, or by hand or by its agent while it went on. */
const isOfConversation = (checkpoint: Checkpoint, session: string | undefined, began: number): boolean =>
  checkpoint.run === undefined &&
  (Date.parse(checkpoint.born) >= began || (session !== undefined && checkpoint.conversation?.session_id === session));

/** Nobody can read what was said: the last claims stay, and git tells what has changed. */
const thin = ({agent, track, previous, git}: HookFacts): CheckpointDraft | undefined => {
  const same = previous?.head === git.head && previous?.dirty_files.join('\n') === git.dirty.join('\n');
  if (previous !== undefined && same) return undefined;
  return {
    track,
    label: 'before-compaction',
    trigger: 'pre-compaction',
    step: previous?.step ?? 'work went on; nobody wrote down what was done',
    note: `Saved by a hook in ${agent} before a compaction: the conversation was not read.${previous?.note ? `\n${stripped(previous.note)}` : ''}`,
    next_cmd: previous?.next_cmd ?? 'git status and git log show what was done: go on from there',
    validation: previous === undefined || previous.validation === 'unknown' ? 'unknown' : 'pending',
    goal: previous?.goal,
    current_task: previous?.current_task,
    active_files: previous?.active_files ?? [],
    decisions_made: previous?.decisions_made ?? [],
    tried_failed: previous?.tried_failed ?? [],
    next_steps: previous?.next_steps ?? [],
    tasks: previous?.tasks ?? [],
    artifacts: previous?.artifacts ?? [],
    in_flight: undefined,
    recent_calls: [],
    last_words: undefined,
    extra: {},
    ...{branch: git.branch, head: git.head, dirty_files: git.dirty},
    ...(git.root === undefined ? {} : {worktree: git.root}),
    ...{run: undefined, leg: undefined, conversation: undefined, set_current: true},
    provenance: {step: 'claimed', note: 'observed', next_cmd: 'claimed', branch: 'observed', head: 'observed'},
  };
};

const stripped = (note: string): string => note.replace(/^Saved by a hook in \w+ before a compaction: [^\n]*\n?/, '');
