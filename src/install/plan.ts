// agent × scope × what is on the disk → what to write. Everything is decided before anything is written.

import {type Failure, fail, ok, type Result} from '../core/failure.ts';
import type {Target} from './agents.ts';
import {hooksOf, type Merge, merged, withoutOurs} from './hooks/settings.ts';
import type {Installed} from './manifest.ts';
import type {Change, InstallPort, Seen, Work} from './ports.ts';
import {sha256, whoseIs} from './texts/mark.ts';
import {type Piece, piecesOf, type WantedFile} from './texts/pieces.ts';
import {shellWord} from './texts/shell-word.ts';

export interface InstallPlan extends Work {
  /** What can be typed now. `instead`: the name that was taken. */
  calls: {call: string; instead: string | undefined}[];
  same: string[];
  /** Ours, but changed by somebody since: left as they are. */
  kept: string[];
}

export interface InstallAsk {
  target: Target;
  ckptBin: string;
  hooks: boolean;
  /** Ours that somebody has changed are written anew; what they had is backed up. */
  force: boolean;
}

export type PlanWorld = Pick<InstallPort, 'look' | 'manifest' | 'backup'>;

export const planInstall = (world: PlanWorld, ask: InstallAsk): Result<InstallPlan> => {
  const before = world.manifest();
  const mine = before.filter((entry) => isFor(entry, ask.target));
  const plan: InstallPlan = {changes: [], backups: [], manifest: [], calls: [], same: [], kept: []};
  const chosen = choose(world, ask);
  if (!chosen.ok) return chosen;
  for (const {piece, name, files} of chosen.value) {
    if (piece.call !== undefined)
      plan.calls.push({call: piece.call(name), instead: name === piece.wanted ? undefined : piece.wanted});
    for (const {file, seen} of files) putFile(plan, {ask, file, seen, part: 'texts', known: mine});
  }
  const hooks = addHooks(world, plan, {ask, known: mine});
  if (hooks !== undefined) return fail(hooks);
  dropStale(world, plan, {ask, known: mine});
  plan.manifest.push(...before.filter((entry) => !isFor(entry, ask.target)));
  return ok(plan);
};

export const isFor = (entry: Installed, {agent, scope, root}: Target): boolean =>
  entry.agent === agent && entry.scope === scope && entry.root === (scope === 'project' ? root : '');

export const within = ({scope, root}: Target): string | undefined => (scope === 'project' ? root : undefined);

interface Chosen {
  piece: Piece;
  name: string;
  files: {file: WantedFile; seen: Seen}[];
}

const choose = ({look}: PlanWorld, {target, ckptBin}: InstallAsk): Result<Chosen[]> => {
  const all: Chosen[] = [];
  for (const piece of piecesOf(target, shellWord(ckptBin))) {
    const tried: string[] = [];
    let found: Chosen | undefined;
    for (const name of piece.names) {
      const files = piece.files(name).map((file) => ({file, seen: look(file.path, within(target))}));
      const blocked = files.find(({seen}) => seen.is === 'blocked');
      if (blocked?.seen.is === 'blocked') return fail(inTheWay(blocked.file.path, blocked.seen.what));
      const rival = piece.rivals(name).find((path) => look(path, undefined).is !== 'absent');
      const foreign = files.find(({seen}) => seen.is === 'file' && whoseIs(seen.text) === 'foreign')?.file.path;
      if (rival === undefined && foreign === undefined) {
        found = {piece, name, files};
        break;
      }
      tried.push(rival ?? foreign ?? '');
    }
    if (found === undefined) return fail(allTaken(piece, tried));
    all.push(found);
  }
  return ok(all);
};

interface Put {
  ask: InstallAsk;
  file: WantedFile;
  seen: Seen;
  part: Installed['part'];
  known: Installed[];
}

const putFile = (plan: InstallPlan, {ask, file, seen, part, known}: Put): void => {
  const {path, text} = file;
  const old = known.find((entry) => entry.path === path);
  const folders = seen.is === 'absent' ? seen.missing : (old?.folders ?? []);
  const entry = {...ownerOf(ask.target), is: 'file' as const, part, path, before: undefined, folders};
  const there = seen.is === 'file' ? seen.text : undefined;
  if (there === text) plan.same.push(path);
  else if (there !== undefined && whoseIs(there) === 'changed' && !ask.force) {
    plan.kept.push(path);
    plan.manifest.push({...entry, written: old?.written ?? sha256(there)});
    return;
  } else {
    if (there !== undefined && whoseIs(there) === 'changed') plan.backups.push(there);
    plan.changes.push({path, from: there, to: text, folders});
  }
  plan.manifest.push({...entry, written: sha256(text)});
};

interface Given {
  ask: InstallAsk;
  /** What is installed there already. */
  known: Installed[];
}

/** Hooks that were wanted once are kept up to date. */
const addHooks = (world: PlanWorld, plan: InstallPlan, {ask, known}: Given): Failure | undefined => {
  if (!ask.hooks && !known.some(({part}) => part === 'hooks')) return undefined;
  const hooks = hooksOf(ask.target, ask.ckptBin);
  if (hooks.is === 'none') return {is: 'bad-usage', what: `--hooks: ${hooks.why}`, fix: 'install without --hooks'};
  const {path} = hooks.is === 'file' ? hooks.file : hooks.merge;
  const seen = world.look(path, within(ask.target));
  if (seen.is === 'blocked') return inTheWay(path, seen.what);
  if (hooks.is === 'merge') return putMerge(world, {ask, merge: hooks.merge, seen, known}, plan);
  if (seen.is === 'file' && whoseIs(seen.text) === 'foreign') return inTheWay(path, 'it is not ours');
  putFile(plan, {ask, file: hooks.file, seen, part: 'hooks', known});
  return undefined;
};

interface PutMerge {
  ask: InstallAsk;
  merge: Merge;
  seen: Exclude<Seen, {is: 'blocked'}>;
  known: Installed[];
}

const putMerge = (world: PlanWorld, {ask, merge, seen, known}: PutMerge, plan: InstallPlan): Failure | undefined => {
  const {path, items} = merge;
  const old = known.find((entry) => entry.path === path);
  const there = seen.is === 'file' ? seen.text : undefined;
  const untouched = old !== undefined && there !== undefined && sha256(there) === old.written;
  const kept = untouched && old.before !== undefined ? world.backup(old.before) : undefined;
  const clean = withoutOurs(
    there ?? '',
    items.map(({at}) => at),
  );
  const edited = merged(there ?? '', merge, ask.target.agent);
  if (!clean.ok) return brokenJson(path, clean);
  if (!edited.ok) return brokenJson(path, edited);
  // As it was without us: exactly so while nobody has changed it since.
  const original =
    untouched && (old.before === undefined || kept !== undefined) ? kept : there === undefined ? undefined : clean.text;
  const folders = seen.is === 'absent' ? seen.missing : (old?.folders ?? []);
  if (original !== undefined) plan.backups.push(original);
  plan.manifest.push({
    ...{...ownerOf(ask.target), is: 'merge', part: 'hooks', path, written: sha256(edited.text), folders},
    before: original === undefined ? undefined : sha256(original),
  });
  if (edited.text === there) plan.same.push(path);
  else plan.changes.push({path, from: there, to: edited.text, folders});
  return undefined;
};

/** Ours of an earlier install under a name that is not used any more. */
const dropStale = (world: PlanWorld, plan: InstallPlan, {ask, known}: Given): void => {
  const wanted = new Set(plan.manifest.map(({path}) => path));
  for (const entry of known) {
    if (wanted.has(entry.path) || entry.is === 'merge') continue;
    const seen = world.look(entry.path, within(ask.target));
    if (seen.is === 'file' && whoseIs(seen.text) === 'intact') plan.changes.push(removal(entry, seen.text));
    else if (seen.is === 'file') plan.kept.push(entry.path);
  }
};

export const removal = ({path, folders}: Pick<Installed, 'path' | 'folders'>, from: string): Change => ({
  path,
  from,
  to: undefined,
  folders,
});

const ownerOf = ({agent, scope, root}: Target): Pick<Installed, 'agent' | 'scope' | 'root'> => ({
  agent,
  scope,
  root: scope === 'project' ? root : '',
});

const inTheWay = (path: string, what: string): Failure => ({
  is: 'bad-usage',
  what: `${path} is in the way: ${what}; nothing was written`,
  fix: 'move it aside, then install again',
});

const allTaken = ({names}: Piece, tried: string[]): Failure => ({
  is: 'bad-usage',
  what: `the names ${names.join(', ')} are all taken (${tried.join(', ')}); nothing was written`,
  fix: 'rename one of those files, then install again',
});

export const brokenJson = (file: string, {line, what}: {line: number; what: string}): Failure => ({
  is: 'bad-config',
  file,
  line,
  what: `${what}; nothing was written`,
  fix: 'mend it, or leave --hooks out',
});
