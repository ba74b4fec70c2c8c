import {describe, expect, it} from 'vitest';
import type {Task} from '../../src/baton/facts.ts';
import {changeTasks, type TaskAct, taskCounts, withTasks} from '../../src/baton/tasks.ts';
import {legNumber} from '../../src/core/ids.ts';
import {main, otherRun, run, sample} from './samples.ts';

const tasks: Task[] = [
  {title: 'write the parser', state: 'completed'},
  {title: 'test the parser', state: 'pending'},
  {title: '3', state: 'pending'},
];

const changed = (act: TaskAct): Task[] | string => {
  const result = changeTasks(tasks, act);
  return result.ok ? result.value : `${result.failure.is}: ${'what' in result.failure ? result.failure.what : ''}`;
};

describe('a change of tasks', () => {
  it.each([
    ['start', '2', 'in_progress'],
    ['done', 'test the parser', 'completed'],
    ['fail', 'TEST', 'failed'],
    ['skip', '2', 'skipped'],
  ] as const)('%s %s', (is, which, state) => {
    expect(changed({is, which})).toEqual([tasks[0], {title: 'test the parser', state}, tasks[2]]);
  });

  it('takes a title before a number', () => {
    expect(changed({is: 'done', which: '3'})).toEqual([tasks[0], tasks[1], {title: '3', state: 'completed'}]);
  });

  it.each([
    ['9', 'not-found: no task "9" among 3'],
    ['0', 'not-found: no task "0" among 3'],
    ['parser', 'not-found: 2 tasks fit "parser"'],
    [' ', 'not-found: no task " " among 3'],
  ])('of %j is refused', (which, said) => {
    expect(changed({is: 'done', which})).toBe(said);
  });

  it('adds at the end, each title once', () => {
    expect(changed({is: 'add', titles: ['ship', 'ship', '3']})).toEqual([...tasks, {title: 'ship', state: 'pending'}]);
  });

  it('that changes nothing gives the very same list back', () => {
    expect(changed({is: 'add', titles: ['3']})).toBe(tasks);
    expect(changed({is: 'done', which: '1'})).toBe(tasks);
  });

  it('can be told in numbers', () => {
    expect(taskCounts(tasks)).toBe('1 completed, 2 pending');
    expect(taskCounts([])).toBeUndefined();
  });
});

describe('the checkpoint of a change', () => {
  const scene = {track: main, label: 'task-done', run, leg: legNumber(4), git: {branch: 'b', head: 'h', dirty: []}};

  it('carries everything over but what was true of the one before alone', () => {
    const previous = sample({
      consumed_by: {run, leg: legNumber(2), at: ''},
      extra: {ticket: '42', death: 'crashed', imported_from: 'x'},
    });
    const {note, goal, decisions_made, recent_calls, conversation} = previous;
    const draft = withTasks(previous, tasks, scene);
    expect(draft).toMatchObject({note, goal, decisions_made, recent_calls, conversation, tasks, step: previous.step});
    expect(draft).toMatchObject({
      trigger: 'agent',
      run,
      leg: 4,
      branch: 'b',
      extra: {ticket: '42'},
      set_current: false,
    });
    expect(draft.extra).toEqual({ticket: '42'});
    for (const field of ['id', 'number', 'born', 'consumed_by']) expect(draft).not.toHaveProperty(field);
    expect(draft.in_flight).toBeUndefined();
  });

  it('by hand stays with the run whose work it is, and keeps its open call', () => {
    const draft = withTasks(sample({run: otherRun}), tasks, {...scene, run: undefined, leg: undefined});
    expect(draft).toMatchObject({trigger: 'manual', run: otherRun, leg: 1, in_flight: sample().in_flight});
  });

  it('leaves the agent’s next command, and moves its own along', () => {
    expect(withTasks(sample(), tasks, scene).next_cmd).toBe('npm test');
    const first = withTasks(undefined, tasks, scene);
    expect(first.next_cmd).toBe('work on the task: test the parser');
    const closed = tasks.map((task): Task => ({...task, state: 'completed'}));
    const last = withTasks(sample({next_cmd: first.next_cmd}), closed, scene).next_cmd;
    expect(last).toMatch(/^all tasks are closed/);
    expect(withTasks(sample({next_cmd: last}), tasks, scene).next_cmd).toBe(first.next_cmd);
  });

  it('names the first task in progress as the current one', () => {
    const started: Task[] = [...tasks, {title: 'x', state: 'in_progress'}];
    expect(withTasks(sample(), started, scene).current_task).toBe('x');
    expect(withTasks(sample(), tasks, scene).current_task).toBeUndefined();
  });
});
