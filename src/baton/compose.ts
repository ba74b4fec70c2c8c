// The harness builds the baton; the agent enriches it (DESIGN §6). Pure: everything it knows is handed in.
// A stale claim never overrides a fresh observation, and a leg that did nothing loses nothing.

import type {LegNumber} from '../core/ids.ts';
import {deadEnds, inFlightOf, processesOf, provenBy, recentOver} from './calls.ts';
import type {Checkpoint, CheckpointDraft, Provenance, WithWhy} from './checkpoint.ts';
import type {ComposeInput} from './compose-input.ts';
import {goalOf, instructionsOf} from './goal.ts';
import {provenanceOf} from './provenance.ts';
import {isOurs, ownSnapshot, storyOf} from './story.ts';

export const compose = (input: ComposeInput): CheckpointDraft => {
  const {facts, git, run, leg} = input;
  const before = isOurs(input, input.previous) ? input.previous : undefined;
  const own = ownSnapshot(input, before);
  const claims = own ?? before;
  const story = storyOf(input, before, own);
  const draft = {
    track: input.track,
    label: labelOf(input),
    trigger: input.trigger,
    ...story.fields,
    goal: goalOf(input, before),
    ...listsOf(input, claims),
    next_steps: claims?.next_steps ?? [],
    processes: processesOf(input.processes, before?.processes, facts),
    in_flight: inFlightOf(facts, before?.in_flight) ?? before?.in_flight,
    recent_calls: recentOver(before?.recent_calls ?? [], before?.run === run && before.leg === leg, facts),
    last_words: facts.lastWords ?? before?.last_words,
    extra: {
      ...lasting(before?.extra ?? {}),
      ...own?.extra,
      ...instructionsOf(input, before),
      ...asExtra('agent_plan', story.overtakenPlan),
      ...asExtra('validation_cmd', provenBy(facts)?.command),
      ...asExtra('death', input.death?.cause),
    },
    branch: git.branch,
    head: git.head,
    dirty_files: git.dirty,
    ...(git.root === undefined ? {} : {worktree: git.root}),
    run,
    leg,
    conversation: conversationOf(input),
    set_current: input.setCurrent,
  };
  const seen = {...seenOf(input), ...story.provenance};
  return {...draft, provenance: provenanceOf(draft, {before, own, seen})};
};

type Lists = Pick<
  CheckpointDraft,
  'current_task' | 'active_files' | 'decisions_made' | 'tried_failed' | 'tasks' | 'artifacts'
>;

const listsOf = ({facts, leg}: ComposeInput, claims: Checkpoint | undefined): Lists => ({
  current_task: facts.tasks.find((task) => task.state === 'in_progress')?.title ?? claims?.current_task,
  active_files: activeFiles(claims?.active_files ?? [], facts.edits, leg),
  decisions_made: decisions(claims?.decisions_made ?? [], facts.decisions),
  tried_failed: deadEnds(claims?.tried_failed ?? [], facts),
  tasks: facts.tasks.length > 0 ? facts.tasks : (claims?.tasks ?? []),
  artifacts: [...new Set([...(claims?.artifacts ?? []), ...facts.links])],
});

/** What this leg has seen of fields that are claims otherwise. */
const seenOf = ({facts}: ComposeInput): Record<string, Provenance> => ({
  ...(facts.tasks.length > 0 ? {tasks: facts.tasksBy, current_task: facts.tasksBy} : {}),
});

const activeFiles = (claims: WithWhy[], edits: string[], leg: LegNumber): WithWhy[] => {
  const known = new Set(claims.map(({what}) => what));
  const added = edits
    .filter((file) => !known.has(file))
    .map((what): WithWhy => ({what, why: `edited in leg ${leg}`, from: 'observed'}));
  return [...claims, ...added].slice(-30);
};

/** Said in passing, so quoted; what the agent has put into a snapshot of its own is told first. */
const decisions = (claims: WithWhy[], said: WithWhy[]): WithWhy[] => {
  const known = new Set(claims.map(({what}) => what));
  const added = said.filter(({what}) => !known.has(what)).map((one): WithWhy => ({...one, from: 'quoted'}));
  return [...claims, ...added].slice(-30);
};

const conversationOf = ({agent, facts}: ComposeInput): CheckpointDraft['conversation'] => ({
  agent: agent.name,
  version: facts.agentVersion ?? agent.version,
  session_id: facts.sessionId,
  log_path: agent.logPath,
  log_offset: agent.logOffset,
});

const asExtra = (key: string, value: string | undefined): Record<string, string> =>
  value === undefined ? {} : {[key]: value};

/** Without what was true of that checkpoint alone. */
const lasting = (extra: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(extra).filter(([key]) => !ofOneAlone.has(key)));

const ofOneAlone = new Set([
  ...['agent_plan', 'death', 'session_log', 'workspace'],
  ...['undo', 'restored_from', 'files_of', 'before_restore_of'],
]);

const labelOf = ({death, leg, trigger}: ComposeInput): string =>
  death === undefined ? `leg-${leg}-${trigger}` : `leg-${leg}-${death.cause}`;
