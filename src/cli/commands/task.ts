// `ckpt task add|start|done|fail|skip|list`: the tasks of a track. Two changes at once are both kept.

import {changeTasks, type TaskAct, taskCounts, withTasks} from '../../baton/tasks.ts';
import {type Failure, fail, ok, type Result} from '../../core/failure.ts';
import {parseTrack, type Track} from '../../core/ids.ts';
import {json, tasksText} from './text.ts';
import {type Common, chooseTrack, done, type Ground, type Outcome, runOf, type World} from './world.ts';

type TaskFlags = Common & {track?: string};

export const changeTask = async (world: World, act: TaskAct, flags: TaskFlags): Outcome => {
  const wrong = whatIsWrong(act);
  if (wrong !== undefined) return fail({is: 'bad-usage', what: wrong, fix: 'ckpt task add "write the parser"'});
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const ground = opened.value;
  const asked = ground.git();
  ground.warmUp();
  const [git, store] = await Promise.all([asked, ground.store()]);
  const track = await trackFor(world, ground, flags);
  if (!track.ok) return track;
  ground.prepare();
  const saved = await store.append(track.value, (previous) => {
    const before = previous?.tasks ?? [];
    const tasks = changeTasks(before, act);
    if (!tasks.ok) return tasks;
    if (tasks.value === before) return fail(soAlready);
    const scene = {track: track.value, label: `task-${act.is}`, ...runOf(world), git};
    return ok(withTasks(previous, tasks.value, scene));
  });
  if (!saved.ok && saved.failure !== soAlready) return saved;
  return list(world, {...flags, track: track.value});
};

/** Ends the append with nothing written; it is no failure of the command. */
const soAlready: Failure = {is: 'not-found', what: 'there is nothing to change', fix: 'ckpt task list'};

const whatIsWrong = (act: TaskAct): string | undefined => {
  const titles = act.is === 'add' ? act.titles : [act.which];
  if (titles.some((title) => title.trim() === '')) return 'a task needs a title';
  return titles.some((title) => /\p{Cc}/u.test(title)) ? 'the title of a task is one line of plain text' : undefined;
};

/** The first task of a folder makes the track: the run's own, or main. */
const trackFor = async (world: World, ground: Ground, flags: TaskFlags): Promise<Result<Track>> => {
  const chosen = await chooseTrack(world, ground, flags.track);
  if (chosen.ok || chosen.failure.is !== 'not-found') return chosen;
  const main = parseTrack('main');
  return main === undefined ? chosen : ok(main);
};

export const list = async (world: World, flags: TaskFlags): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const track = await chooseTrack(world, opened.value, flags.track);
  if (!track.ok) return track;
  const tasks = (await (await opened.value.store()).latest(track.value))?.tasks ?? [];
  if (flags.json) world.out(json({track: track.value, tasks}));
  else if (tasks.length === 0) world.err(`no task on track ${track.value}\n`);
  else world.out(`${tasksText(tasks)}${taskCounts(tasks) ?? ''}\n`);
  return done;
};
