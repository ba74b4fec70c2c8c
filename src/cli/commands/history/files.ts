// `ckpt diff N [M] --files`, `ckpt show N --files`: the files behind the checkpoints.

import type {Checkpoint} from '../../../baton/checkpoint.ts';
import {ok} from '../../../core/failure.ts';
import {changeLine, changeSum, type FileChange} from '../../../history/file-changes.ts';
import {shown} from '../../../history/git-paths.ts';
import {filesOf} from '../../../history/go-back.ts';
import {pick} from '../look.ts';
import {checkpointLine, json} from '../text.ts';
import {type Common, done, type Outcome, type World} from '../world.ts';
import {openScene} from './scene.ts';

/** Without the other: against the files as they are now. */
export const diffFiles = async (world: World, [one, other]: [string, string | undefined], flags: Common): Outcome => {
  const scene = await openScene(world, flags);
  if (!scene.ok) return scene;
  const {all, trees} = scene.value;
  const from = pick(all, one);
  if (!from.ok) return from;
  const to = other === undefined ? ok(undefined) : pick(all, other);
  if (!to.ok) return to;
  const start = filesOf(from.value);
  if (!start.ok) return start;
  const end = to.value === undefined ? ok(undefined) : filesOf(to.value);
  if (!end.ok) return end;
  const changes = await trees.changes(start.value.tree, end.value?.tree);
  if (!changes.ok) return changes;
  const told = {from: from.value, to: to.value, changes: changes.value};
  world.out(flags.json ? json(diffJson(told)) : diffText(told));
  return done;
};

interface Told {
  from: Checkpoint;
  to: Checkpoint | undefined;
  changes: FileChange[];
}

const diffText = ({from, to, changes}: Told): string =>
  [
    `--- ${checkpointLine(from)}\n`,
    `+++ ${to === undefined ? 'the files as they are now' : checkpointLine(to)}\n`,
    ...changes.map((change) => `${changeLine(change)}\n`),
    `${changeSum(changes)}\n`,
    leftOutText(from),
    to === undefined ? '' : leftOutText(to),
  ].join('');

const diffJson = ({from, to, changes}: Told): object => ({
  from: {id: from.id, number: from.number},
  to: to === undefined ? 'now' : {id: to.id, number: to.number},
  files: changes.map(({path, is, added, removed}) => ({path: shown(path), is, added, removed})),
});

/** What a tree does not hold cannot be compared: said here too. */
const leftOutText = ({workspace, number, id}: Checkpoint): string => {
  const left = workspace?.left_out ?? [];
  if (left.length === 0) return '';
  return `not in checkpoint ${number ?? id}:\n${left.map(({path, why}) => `  ${path}: ${why}\n`).join('')}`;
};

/** Which files a checkpoint holds that its HEAD did not, or differently. */
export const showFiles = async (world: World, wanted: string, flags: Common): Outcome => {
  const scene = await openScene(world, flags);
  if (!scene.ok) return scene;
  const found = pick(scene.value.all, wanted);
  if (!found.ok) return found;
  const files = filesOf(found.value);
  if (!files.ok) return files;
  const changes = await scene.value.trees.sinceHead(files.value.commit);
  if (!changes.ok) return changes;
  const {tree, commit, ref, complete} = files.value;
  if (flags.json) {
    const listed = changes.value.map(({path, is, added, removed}) => ({path: shown(path), is, added, removed}));
    world.out(json({id: found.value.id, tree, commit, ref, complete, left_out: files.value.left_out, files: listed}));
    return done;
  }
  const lines = changes.value.map((change) => `${changeLine(change)}\n`).join('');
  const head = `${checkpointLine(found.value)}\n${ref} (tree ${tree.slice(0, 12)})\n`;
  world.out(`${head}against the HEAD of that moment: ${changeSum(changes.value)}\n${lines}${leftOutText(found.value)}`);
  return done;
};
