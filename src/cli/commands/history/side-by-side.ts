// `ckpt compare t1 t2`: what came of two tracks, and in which files they differ.

import type {Checkpoint} from '../../../baton/checkpoint.ts';
import {fail, ok, type Result} from '../../../core/failure.ts';
import {changeLine, changeSum, type FileChange} from '../../../history/file-changes.ts';
import {shown} from '../../../history/git-paths.ts';
import {commonStart, type OutcomeOfTrack, outcomeOf, outcomeRows} from '../../../history/outcomes.ts';
import {json, table} from '../text.ts';
import {type Common, done, type Outcome, type World} from '../world.ts';
import {openScene, type Scene} from './scene.ts';

const maxLines = 40;

export const compare = async (world: World, [one, other]: [string, string], flags: Common): Outcome => {
  const scene = await openScene(world, flags);
  if (!scene.ok) return scene;
  const [left, right] = await Promise.all([ofTrack(scene.value, one), ofTrack(scene.value, other)]);
  if (!left.ok) return left;
  if (!right.ok) return right;
  const start = commonStart(scene.value.all, left.value, right.value);
  const a = await outcome(scene.value, left.value, start);
  if (!a.ok) return a;
  const b = await outcome(scene.value, right.value, start);
  if (!b.ok) return b;
  const [from, to] = [a.value.newest.workspace, b.value.newest.workspace];
  const between =
    from === undefined || to === undefined ? undefined : await scene.value.trees.changes(from.tree, to.tree);
  if (between !== undefined && !between.ok) return between;
  const told = {start, one: a.value, other: b.value, between: between?.value};
  world.out(flags.json ? json(asJson(told)) : asText(told));
  return done;
};

const ofTrack = async ({all}: Scene, track: string): Promise<Result<Checkpoint[]>> => {
  const found = all.filter((one) => one.track === track);
  if (found.length > 0) return ok(found);
  return fail({is: 'not-found', what: `no track ${JSON.stringify(track)}`, fix: 'ckpt tracks lists the tracks'});
};

const outcome = async (
  {trees}: Scene,
  checkpoints: Checkpoint[],
  start: Checkpoint | undefined,
): Promise<Result<OutcomeOfTrack>> => {
  const [from, to] = [(start ?? checkpoints[0])?.workspace, checkpoints.at(-1)?.workspace];
  const files = from === undefined || to === undefined ? undefined : await trees.changes(from.tree, to.tree);
  if (files !== undefined && !files.ok) return files;
  const runs = new Set(checkpoints.flatMap(({run}) => run ?? []));
  const tokens = [...runs].flatMap((run) => trees.legTokens(run));
  const told = outcomeOf(checkpoints, {tokens, files: files?.value});
  if (told === undefined) throw new Error('Internal error: a track without a checkpoint');
  return ok(told);
};

interface Told {
  start: Checkpoint | undefined;
  one: OutcomeOfTrack;
  other: OutcomeOfTrack;
  /** From the one to the other; undefined when the files of either are not saved. */
  between: FileChange[] | undefined;
}

const asText = ({start, one, other, between}: Told): string => {
  const rows = outcomeRows(one, other).map((row): string[] => row);
  const from =
    start === undefined ? 'each against its own first checkpoint' : `both from checkpoint ${start.number ?? start.id}`;
  const files =
    between === undefined
      ? ''
      : `${one.track} → ${other.track}: ${changeSum(between)}\n${between
          .slice(0, maxLines)
          .map((change) => `  ${changeLine(change)}\n`)
          .join('')}${between.length > maxLines ? `  … and ${between.length - maxLines} more\n` : ''}`;
  return `${table(['', one.track, other.track], rows)}${from}\n${files}`;
};

const asJson = ({start, one, other, between}: Told): object => {
  const files = (changes: FileChange[] | undefined) =>
    changes?.map(({path, is, added, removed}) => ({path: shown(path), is, added, removed}));
  const side = ({newest, files: changed, ...rest}: OutcomeOfTrack) => ({
    ...rest,
    validation: newest.validation,
    checkpoint: {id: newest.id, number: newest.number},
    head: newest.head,
    files: files(changed),
  });
  return {
    start: start === undefined ? undefined : {id: start.id, number: start.number},
    tracks: [side(one), side(other)],
    between: files(between),
  };
};
