// The tasks of a track. Each change makes a new checkpoint that carries everything else over from the one before.

import {fail, ok, type Result} from '../core/failure.ts';
import type {LegNumber, RunId, Track} from '../core/ids.ts';
import type {Checkpoint, CheckpointDraft} from './checkpoint.ts';
import type {GitState} from './compose-input.ts';
import type {Task} from './facts.ts';

export type TaskAct = {is: 'add'; titles: string[]} | {is: 'start' | 'done' | 'fail' | 'skip'; which: string};

const stateAfter = {start: 'in_progress', done: 'completed', fail: 'failed', skip: 'skipped'} as const;

/** The same list comes back when there was nothing to change. */
export const changeTasks = (tasks: Task[], act: TaskAct): Result<Task[]> => {
  if (act.is === 'add') {
    const fresh = act.titles.filter((title, at) => act.titles.indexOf(title) === at && !has(tasks, title));
    const added = fresh.map((title): Task => ({title, state: 'pending'}));
    return ok(added.length === 0 ? tasks : [...tasks, ...added]);
  }
  const found = findTask(tasks, act.which);
  if (!found.ok) return found;
  const state = stateAfter[act.is];
  if (tasks[found.value]?.state === state) return ok(tasks);
  return ok(tasks.map((task, at) => (at === found.value ? {...task, state} : task)));
};

const has = (tasks: Task[], title: string): boolean => tasks.some((task) => task.title === title);

/** By number (1 is the first), by title, or by any part of a title that fits one task only. */
const findTask = (tasks: Task[], which: string): Result<number> => {
  const exact = tasks.findIndex(({title}) => title === which);
  if (exact >= 0) return ok(exact);
  if (/^\d+$/.test(which) && tasks[Number(which) - 1] !== undefined) return ok(Number(which) - 1);
  const part = which.trim().toLowerCase();
  const fits = part === '' ? [] : [...tasks.keys()].filter((at) => tasks[at]?.title.toLowerCase().includes(part));
  const [only, another] = fits;
  if (only !== undefined && another === undefined) return ok(only);
  const what =
    another === undefined
      ? `no task ${JSON.stringify(which)} among ${tasks.length}`
      : `${fits.length} tasks fit ${JSON.stringify(which)}`;
  return fail({is: 'not-found', what, fix: 'ckpt task list shows them with their numbers; give the number'});
};

/** Whose command this is, and what git says now. */
export interface TaskScene {
  track: Track;
  label: string;
  run: RunId | undefined;
  leg: LegNumber | undefined;
  git: GitState;
}

export const withTasks = (previous: Checkpoint | undefined, tasks: Task[], scene: TaskScene): CheckpointDraft => {
  const {track, label, run, leg, git} = scene;
  const carried = previous === undefined ? undefined : lasting(previous);
  return {
    ...(carried ?? blank),
    tasks,
    current_task: tasks.find(({state}) => state === 'in_progress')?.title,
    next_cmd: nextOf(carried?.next_cmd, tasks),
    track,
    label,
    trigger: run === undefined ? 'manual' : 'agent',
    // By hand, between two legs: the work is still that run's.
    run: run ?? carried?.run,
    leg: run === undefined ? carried?.leg : leg,
    // The agent that writes down its tasks has seen what became of the last call.
    in_flight: run === undefined ? carried?.in_flight : undefined,
    branch: git.branch,
    head: git.head,
    dirty_files: git.dirty,
    provenance: {
      ...carried?.provenance,
      tasks: 'claimed',
      branch: 'observed',
      head: 'observed',
      dirty_files: 'observed',
    },
    set_current: false,
  };
};

/** Everything but what was true of that one checkpoint alone. */
const lasting = (previous: Checkpoint): CheckpointDraft => {
  const {
    schema_version: _v,
    id: _id,
    number: _n,
    born: _b,
    consumed_by: _by,
    closed: _c,
    workspace: _w,
    ...draft
  } = previous;
  const {agent_plan: _p, death: _d, imported_from: _i, ...extra} = draft.extra;
  return {...draft, extra};
};

const ofTask = 'work on the task: ';
const allDone = 'all tasks are closed: check the goal, then run ckpt done';

/** A next command of the agent's own stays; one that was made from the tasks moves on with them. */
const nextOf = (before: string | undefined, tasks: Task[]): string => {
  if (before !== undefined && before !== '' && !before.startsWith(ofTask) && before !== allDone) return before;
  const open = tasks.find(({state}) => state === 'in_progress') ?? tasks.find(({state}) => state === 'pending');
  return open === undefined ? allDone : `${ofTask}${open.title}`;
};

const blank = {
  step: 'tasks written down',
  note: '',
  validation: 'unknown',
  goal: undefined,
  active_files: [],
  decisions_made: [],
  tried_failed: [],
  next_steps: [],
  artifacts: [],
  recent_calls: [],
  last_words: undefined,
  extra: {},
  conversation: undefined,
} satisfies Partial<CheckpointDraft>;

/** `2 completed, 1 in progress, 3 pending`; undefined when there are none. */
export const taskCounts = (tasks: Task[]): string | undefined => {
  const states = ['completed', 'in_progress', 'pending', 'failed', 'skipped'] as const;
  const counted = states.map((state) => [state, tasks.filter((task) => task.state === state).length] as const);
  const words = counted.filter(([, n]) => n > 0).map(([state, n]) => `${n} ${state.replace('_', ' ')}`);
  return words.length === 0 ? undefined : words.join(', ');
};
