// What to take away: what the manifest names, and what says by itself that it is ours where the manifest is lost.

import {dirname} from 'node:path';
import {fail, ok, type Result} from '../core/failure.ts';
import {baseOf, type Target} from './agents.ts';
import {hooksOf, withoutOurs} from './hooks/settings.ts';
import type {Installed} from './manifest.ts';
import {brokenJson, isFor, type PlanWorld, removal, within} from './plan.ts';
import type {Work} from './ports.ts';
import {sha256, whoseIs} from './texts/mark.ts';
import {piecesOf} from './texts/pieces.ts';

export interface UninstallPlan extends Work {
  /** Changed by somebody since: not removed. */
  kept: string[];
  /** What is installed elsewhere, and stays. */
  elsewhere: Installed[];
}

export const planUninstall = (world: PlanWorld, targets: Target[]): Result<UninstallPlan> => {
  const before = world.manifest();
  const plan: UninstallPlan = {changes: [], backups: [], manifest: [], kept: [], elsewhere: []};
  for (const target of targets) {
    const known = before.filter((entry) => isFor(entry, target));
    for (const path of filesFor(target, known)) dropFile(world, plan, {target, path, known});
    const broken = dropHooks(world, plan, {target, known});
    if (broken !== undefined) return broken;
  }
  plan.elsewhere = before.filter((entry) => !targets.some((target) => isFor(entry, target)));
  plan.manifest = plan.elsewhere;
  return ok(plan);
};

const filesFor = (target: Target, known: Installed[]): Set<string> => {
  const hooks = hooksOf(target, '');
  return new Set([
    ...known.filter(({is}) => is === 'file').map(({path}) => path),
    ...piecesOf(target, '').flatMap(({names, files}) => names.flatMap((name) => files(name).map(({path}) => path))),
    ...(hooks.is === 'file' ? [hooks.file.path] : []),
  ]);
};

interface Drop {
  target: Target;
  path: string;
  known: Installed[];
}

const dropFile = ({look}: PlanWorld, plan: UninstallPlan, {target, path, known}: Drop): void => {
  const seen = look(path, within(target));
  if (seen.is !== 'file') return;
  const whose = whoseIs(seen.text);
  if (whose === 'changed') plan.kept.push(path);
  if (whose !== 'intact') return;
  const entry = known.find((one) => one.path === path);
  plan.changes.push(removal(entry ?? {path, folders: below(baseOf(target), path)}, seen.text));
};

/** Without a manifest nobody knows who made the folders: those below the agent's own, where they are left empty. */
const below = (base: string, path: string): string[] => {
  const parent = dirname(path);
  return parent === base || parent === path ? [] : [...below(base, parent), parent];
};

const dropHooks = (
  world: PlanWorld,
  plan: UninstallPlan,
  {target, known}: Omit<Drop, 'path'>,
): Extract<Result<never>, {ok: false}> | undefined => {
  const hooks = hooksOf(target, '');
  if (hooks.is !== 'merge') return undefined;
  const {path, items} = hooks.merge;
  const seen = world.look(path, within(target));
  if (seen.is !== 'file') return undefined;
  const entry = known.find((one) => one.path === path);
  const folders = entry?.folders ?? [];
  const original = entry?.before === undefined ? undefined : world.backup(entry.before);
  if (
    entry !== undefined &&
    sha256(seen.text) === entry.written &&
    (entry.before === undefined || original !== undefined)
  ) {
    plan.changes.push({path, from: seen.text, to: original, folders});
    return undefined;
  }
  const clean = withoutOurs(
    seen.text,
    items.map(({at}) => at),
  );
  // Somebody else's broken file, in which nothing of ours is known to be.
  if (!clean.ok) return entry === undefined ? undefined : fail(brokenJson(path, clean));
  if (clean.text === seen.text) return undefined;
  const empty =
    entry !== undefined && entry.before === undefined && /^\{\s*(?:"version"\s*:\s*1\s*)?\}\s*$/.test(clean.text);
  plan.changes.push({path, from: seen.text, to: empty ? undefined : clean.text, folders});
  return undefined;
};
