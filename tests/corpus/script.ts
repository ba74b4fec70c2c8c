// A job as one CLI plays it: the same answers, in the calls that this CLI has.

import type {Task} from '../../src/baton/facts.ts';
import type {Cli} from '../real/clis.ts';
import type {Act, Job, Reply} from './job.ts';

/** A call by its wire name. */
export interface WireCall {
  name: string;
  input: object;
  /** Codex: free text instead of JSON. */
  text?: string;
}

export interface WireReply {
  say: string | undefined;
  calls: WireCall[];
}

/** Per turn, the answers in their order. */
export const scriptOf = ({turns}: Job, cli: Cli['name'], project: string): WireReply[][] => {
  const board = new Map<string, Task['state']>();
  return turns.map(({replies}) =>
    replies.flatMap((reply): WireReply[] => {
      if (cli === 'codex') return [{say: reply.say, calls: (reply.acts ?? []).map((act) => codexCall(act))}];
      return claudeReplies(reply, cli, {project, board});
    }),
  );
};

interface ClaudeWorld {
  project: string;
  /** Tasks so far, in the order of their numbers. */
  board: Map<string, Task['state']>;
}

/** 2.1.197 has a tool for each task, whose number it tells; 2.1.326 has none, so the plan is said. */
const claudeReplies = (reply: Reply, cli: Cli['name'], world: ClaudeWorld): WireReply[] => {
  const acts = reply.acts ?? [];
  const plan = acts.flatMap((act) => ('plan' in act ? act.plan : []));
  const calls = acts.filter((act) => !('plan' in act)).map((act) => claudeCall(act, world.project));
  if (plan.length === 0) return [{say: reply.say, calls}];
  if (cli === 'claude-new') {
    const list = plan.map(({title, state}) => `- [${marks[state]}] ${title}`).join('\n');
    return [{say: `${reply.say ?? 'The plan:'}\n\n${list}`, calls}];
  }
  const added = plan.filter(({title}) => !world.board.has(title));
  for (const {title} of added) world.board.set(title, 'pending');
  const numbers = [...world.board.keys()];
  const moved = plan.filter(({title, state}) => world.board.get(title) !== state);
  for (const {title, state} of moved) world.board.set(title, state);
  const create = added.map(({title}) => ({name: 'TaskCreate', input: {subject: title, description: title}}));
  const update = moved.map(({title, state}) => ({
    name: 'TaskUpdate',
    input: {taskId: String(numbers.indexOf(title) + 1), status: state},
  }));
  const groups = [create, update].filter((group) => group.length > 0);
  return [
    ...groups.map((group, at): WireReply => ({say: at === 0 ? reply.say : undefined, calls: group})),
    {say: undefined, calls},
  ];
};

const marks = {pending: ' ', in_progress: '~', completed: 'x', failed: ' ', skipped: 'x'};

const claudeCall = (act: Act, project: string): WireCall => {
  const path = (name: string) => `${project}/${name}`;
  if ('run' in act) return {name: 'Bash', input: {command: act.run, description: 'One step of the work'}};
  if ('serve' in act) {
    return {name: 'Bash', input: {command: act.serve, description: 'Left running', run_in_background: true}};
  }
  if ('read' in act) return {name: 'Read', input: {file_path: path(act.read)}};
  if ('write' in act) return {name: 'Write', input: {file_path: path(act.write), content: act.text}};
  if ('edit' in act) {
    return {name: 'Edit', input: {file_path: path(act.edit), old_string: act.from, new_string: act.to}};
  }
  throw new Error('Internal error: a plan is no single call of Claude Code');
};

const codexCall = (act: Act): WireCall => {
  if ('run' in act) return {name: 'exec_command', input: {cmd: act.run, yield_time_ms: 30_000}};
  if ('serve' in act) return {name: 'exec_command', input: {cmd: act.serve, yield_time_ms: 300}};
  if ('read' in act) return {name: 'exec_command', input: {cmd: `cat ${act.read}`}};
  if ('plan' in act) {
    return {name: 'update_plan', input: {plan: act.plan.map(({title, state}) => ({step: title, status: state}))}};
  }
  return {name: 'apply_patch', input: {}, text: patch(act)};
};

const patch = (act: {edit: string; from: string; to: string} | {write: string; text: string}): string => {
  const lines = (text: string, mark: string) =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `${mark}${line}`);
  const body =
    'write' in act
      ? [`*** Add File: ${act.write}`, ...lines(act.text, '+')]
      : [`*** Update File: ${act.edit}`, '@@', ...lines(act.from, '-'), ...lines(act.to, '+')];
  return ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n');
};
