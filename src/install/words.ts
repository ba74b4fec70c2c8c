// What install and uninstall say when they are done, or would be.

import type {Agent, Scope} from './agents.ts';
import type {InstallPlan} from './plan.ts';
import type {UninstallPlan} from './unplan.ts';

const titles: Record<Agent, string> = {
  claude: 'Claude Code',
  codex: 'Codex',
  cursor: 'Cursor',
  gemini: 'Gemini CLI',
  openclaw: 'OpenClaw',
  opencode: 'opencode',
};

export interface Done {
  agent: Agent;
  scope: Scope;
  base: string;
  dry: boolean;
  hooks: boolean;
  backups: string;
}

export const installWords = (plan: InstallPlan, done: Done): string => {
  const {dry} = done;
  const written = plan.changes.filter(({to}) => to !== undefined).map(({path}) => path);
  const removed = plan.changes.filter(({to}) => to === undefined).map(({path}) => path);
  const taken = plan.calls.filter(({instead}) => instead !== undefined);
  return lines([
    `${titles[done.agent]}, ${done.scope === 'user' ? 'for you' : 'for this project'} (${done.base})`,
    ...listed(dry ? 'would write' : 'written', written),
    ...listed(dry ? 'would remove (an older name)' : 'removed (an older name)', removed),
    ...(plan.same.length === 0 ? [] : [`${plan.same.length} files are as they should be`]),
    ...listed('left as you have changed it (--force writes it anew, and keeps yours)', plan.kept),
    `type: ${plan.calls.map(({call}) => call).join('  ')}`,
    ...taken.map(({call, instead}) => `the name ${instead} is taken there: use ${call}`),
    ...(plan.backups.length > 0 && !dry ? [`what was there before is kept in ${done.backups}`] : []),
    ...remarks(done),
    dry ? 'nothing was written (--dry-run)' : `take it away with: ckpt uninstall ${done.agent}`,
  ]);
};

export const remarks = ({agent, scope, hooks}: Pick<Done, 'agent' | 'scope' | 'hooks'>): string[] => [
  ...(agent === 'codex' ? ['Codex has no slash commands of your own: these are skills, called with $'] : []),
  ...(agent === 'codex' && hooks
    ? ['Codex asks at its next start whether you trust the new hooks; codex exec skips them until you have']
    : []),
  ...(agent === 'claude' || agent === 'codex'
    ? []
    : [`written as the documentation of ${titles[agent]} says; not tried with ${titles[agent]} itself`]),
  ...(scope === 'project'
    ? ['these files name the ckpt of this machine: commit them only where others have the same']
    : []),
];

export const uninstallWords = (plan: UninstallPlan, dry: boolean): string => {
  const gone = plan.changes.filter(({to}) => to === undefined).map(({path}) => path);
  const back = plan.changes.filter(({to}) => to !== undefined).map(({path}) => path);
  const places = [
    ...new Set(plan.elsewhere.map(({agent, root}) => `${agent} in ${root === '' ? 'your own folder' : root}`)),
  ];
  return lines([
    ...listed(dry ? 'would remove' : 'removed', gone),
    ...listed(dry ? 'would take our hooks out of' : 'our hooks are out of', back),
    ...(plan.changes.length === 0 ? ['nothing of ours is installed here'] : []),
    ...listed('left, since you have changed it', plan.kept),
    ...listed('still installed', places),
    ...(dry ? ['nothing was removed (--dry-run)'] : []),
  ]);
};

const listed = (title: string, paths: string[]): string[] =>
  paths.length === 0 ? [] : [`${title}:`, ...paths.map((path) => `  ${path}`)];

const lines = (all: string[]): string => all.map((line) => `${line}\n`).join('');
