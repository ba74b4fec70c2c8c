// `ckpt install <agent>`, `ckpt uninstall [agent]`: our commands and our protocol into the agent's own folders, and out.

import {type Failure, fail, ok, type Result} from '../../core/failure.ts';
import {type Agent, agents, baseOf, isAgent, type Scope, type Target} from '../../install/agents.ts';
import {planInstall} from '../../install/plan.ts';
import type {InstallWorld} from '../../install/ports.ts';
import {launcherText} from '../../install/texts/launcher.ts';
import {canBeNamed} from '../../install/texts/shell-word.ts';
import {planUninstall} from '../../install/unplan.ts';
import {installWords, remarks, uninstallWords} from '../../install/words.ts';
import {json} from './text.ts';
import {type Common, done, type Outcome, type World} from './world.ts';

export interface ScopeFlags extends Common {
  user?: boolean;
  project?: boolean;
  dryRun?: boolean;
}

export interface InstallFlags extends ScopeFlags {
  hooks?: boolean;
  force?: boolean;
}

export const install = async (world: World, name: string, flags: InstallFlags): Outcome => {
  const agent = agentOf(name);
  if (!agent.ok) return agent;
  const scopes = scopesOf(flags);
  if (!scopes.ok) return scopes;
  const place = await placeOf(world, flags);
  if (!place.ok) return place;
  const {node, files} = place.value.install;
  const unnamed = [node, world.ckptBin, files.launcher].find((path) => !canBeNamed(path));
  if (unnamed !== undefined) return fail(badPath(unnamed));
  // Not for both at once: every command would be there twice.
  const target = {...place.value.target, agent: agent.value, scope: scopes.value ?? 'user'};
  const hooks = flags.hooks === true;
  const plan = planInstall(files, {target, ckptBin: files.launcher, hooks, force: flags.force === true});
  if (!plan.ok) return plan;
  const dry = flags.dryRun === true;
  const did = dry ? ok(undefined) : files.apply({...plan.value, launcher: launcherText(node, world.ckptBin)});
  if (!did.ok) return did;
  const {calls, changes, same, kept} = plan.value;
  const told = {agent: target.agent, scope: target.scope, base: baseOf(target), dry, hooks, backups: files.backups};
  const paths = (goes: boolean): string[] =>
    changes.filter(({to}) => (to === undefined) === goes).map(({path}) => path);
  world.out(
    flags.json
      ? json({
          ...{agent: target.agent, scope: target.scope, dry_run: dry, written: paths(false), removed: paths(true)},
          ...{unchanged: same, kept, calls, remarks: remarks(told)},
        })
      : installWords(plan.value, told),
  );
  return done;
};

export interface UninstallFlags extends ScopeFlags {
  purge?: boolean;
  yes?: boolean;
}

export const uninstall = async (world: World, name: string | undefined, flags: UninstallFlags): Outcome => {
  const agent = name === undefined ? ok(undefined) : agentOf(name);
  if (!agent.ok) return agent;
  const scope = scopesOf(flags);
  if (!scope.ok) return scope;
  const place = await placeOf(world, flags);
  if (!place.ok) return place;
  const {install: ports, target} = place.value;
  const targets = (agent.value === undefined ? agents : [agent.value]).flatMap((one) =>
    (scope.value === undefined ? (['user', 'project'] as const) : [scope.value]).map((of) => ({
      ...target,
      agent: one,
      scope: of,
    })),
  );
  const plan = planUninstall(ports.files, targets);
  if (!plan.ok) return plan;
  const dry = flags.dryRun === true;
  const purge = flags.purge === true ? await (await import('./purge.ts')).askPurge(world, ports, flags) : ok(undefined);
  if (!purge.ok) return purge;
  const did = dry ? ok(undefined) : ports.files.apply(plan.value);
  if (!did.ok) return did;
  const {changes, kept} = plan.value;
  const [gone, cleaned] = [true, false].map((goes) =>
    changes.filter(({to}) => (to === undefined) === goes).map(({path}) => path),
  );
  if (!flags.json) world.out(uninstallWords(plan.value, dry));
  const purged = purge.value === undefined ? ok(undefined) : await purge.value(dry);
  if (!purged.ok) return purged;
  if (flags.json) world.out(json({dry_run: dry, removed: gone, cleaned, kept, purged: purged.value ?? null}));
  return done;
};

const agentOf = (name: string): Result<Agent> =>
  isAgent(name) ? ok(name) : fail({is: 'unknown-agent', name, known: [...agents]});

/** Undefined: not said. */
const scopesOf = ({user, project}: ScopeFlags): Result<Scope | undefined> =>
  user && project
    ? fail({is: 'bad-usage', what: '--user and --project exclude each other', fix: 'give one of them, or none'})
    : ok(user ? 'user' : project ? 'project' : undefined);

interface Place {
  install: InstallWorld;
  target: Omit<Target, 'agent' | 'scope'>;
}

const placeOf = async (world: World, flags: Common): Promise<Result<Place>> => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const ports = await world.install();
  return ok({install: ports, target: {root: opened.value.root, home: ports.files.home, env: world.env}});
};

const badPath = (path: string): Failure => ({
  is: 'bad-usage',
  what: `the path ${JSON.stringify(path)} cannot stand in an agent's file; nothing was written`,
  fix: 'install ckpt-run at a path without line breaks and control characters',
});
