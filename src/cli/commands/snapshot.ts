// `ckpt snapshot`: everything is checked before anything is written.

import {carryOver} from '../../baton/carry.ts';
import type {Checkpoint, CheckpointDraft} from '../../baton/checkpoint.ts';
import {isAutomatic} from '../../baton/retention.ts';
import {withWorkspace} from '../../baton/workspace.ts';
import {fail, ok, type Result} from '../../core/failure.ts';
import {failureText} from './failure-text.ts';
import {type DraftFields, fieldsFromFlags, type SnapshotFlags} from './snapshot-flags.ts';
import {json, savedText} from './text.ts';
import {type Common, done, type Ground, type History, namedTrack, type Outcome, runOf, type World} from './world.ts';

export const snapshot = async (world: World, flags: SnapshotFlags & Common): Outcome => {
  const fields = await gather(world, flags);
  if (!fields.ok) return fields;
  const draft = asDraft(world, fields.value);
  if (!draft.ok) return draft;
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const ground = opened.value;
  const asked = ground.git();
  ground.warmUp();
  ground.prepare();
  const {track, step} = draft.value;
  const files =
    flags.files === false ? undefined : ground.files?.({track, message: step, head: asked.then(({head}) => head)});
  const [git, store, taken] = await Promise.all([asked, ground.store(), files]);
  const plain = {...draft.value, branch: git.branch, head: git.head, dirty_files: git.dirty};
  const seen = taken === undefined ? plain : withWorkspace(plain, taken);
  const saved = await store.append(seen.track, (previous) => ok(carryOver(previous, seen)));
  if (!saved.ok) return saved;
  askForFiles(world, flags, saved.value);
  world.out(flags.json ? json(saved.value) : savedText(saved.value, ground.dir));
  if (isAutomatic(saved.value)) await retain(world, ground, store);
  return done;
};

/** In Codex's sandbox nobody may write to git: the run, outside it, saves the files that this checkpoint could not. */
const askForFiles = (world: World, {files}: SnapshotFlags, {id, run, workspace}: Checkpoint): void => {
  const {CKPT_DIR: dir = ''} = world.env;
  if (run === undefined || dir === '' || workspace !== undefined || files === false) return;
  // A run that is gone cannot be asked: the checkpoint itself says what it lacks.
  world.request(`${dir}/runs/${run}/spool`, 'keep-files', {checkpoint: id});
};

/** The checkpoint is saved: whatever goes wrong from here on is told, and no reason to fail. */
const retain = async (world: World, ground: Ground, store: History): Promise<void> => {
  const config = await ground.config();
  const retained = config.ok ? await store.retain(config.value.maxCheckpoints) : config;
  if (retained.ok) return;
  world.err(`the checkpoint is saved, but old ones were not removed:\n${failureText(retained.failure)}`);
};

/** Flags win over the document on stdin. */
const gather = async (world: World, flags: SnapshotFlags): Promise<Result<DraftFields>> => {
  const fromFlags = fieldsFromFlags(flags);
  if (!fromFlags.ok || flags.stdin !== true) return fromFlags;
  // Brings the schema library along.
  const {fieldsFromInput} = await import('./snapshot-input.ts');
  const fromInput = fieldsFromInput(await world.input());
  if (!fromInput.ok) return fromInput;
  return ok({...fromInput.value, ...fromFlags.value, extra: {...fromInput.value.extra, ...fromFlags.value.extra}});
};

const asDraft = (world: World, fields: DraftFields): Result<CheckpointDraft> => {
  const named = fields.track ?? world.env.CKPT_TRACK ?? '';
  const missing = [
    ...(named === '' ? ['--track (in a run it comes from CKPT_TRACK)'] : []),
    ...((fields.step ?? '').trim() === '' ? ['--step'] : []),
    ...((fields.next_cmd ?? '').trim() === '' ? ['--next-cmd'] : []),
  ];
  if (missing.length > 0) {
    const fix =
      'ckpt snapshot --track main --step "what is done" --note "what was learned" --next-cmd "the exact next command"';
    return fail({is: 'bad-usage', what: `snapshot needs ${missing.join(', ')}`, fix});
  }
  const track = namedTrack(named);
  if (!track.ok) return track;
  const {run, leg} = runOf(world);
  const step = fields.step ?? '';
  return ok({
    ...blank,
    ...fields,
    step,
    next_cmd: fields.next_cmd ?? '',
    track: track.value,
    label: fields.label ?? step.slice(0, 60),
    trigger: fields.trigger ?? (run === undefined ? 'manual' : 'agent'),
    run,
    leg,
    provenance: {
      step: 'claimed',
      note: 'claimed',
      next_cmd: 'claimed',
      validation: 'claimed',
      branch: 'observed',
      head: 'observed',
    },
  });
};

const blank = {
  note: '',
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
  conversation: undefined,
  set_current: true,
} satisfies Partial<CheckpointDraft>;
