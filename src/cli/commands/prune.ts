// `ckpt prune`: old automatic checkpoints out; says what went, and why the others stayed.

import type {PrunePlan} from '../../baton/retention.ts';
import {fail, ok, type Result} from '../../core/failure.ts';
import {failureText} from './failure-text.ts';
import {checkpointLine, json} from './text.ts';
import {wholeNumber} from './whole-number.ts';
import {type Common, done, type Ground, type History, type Outcome, type World} from './world.ts';

export interface PruneFlags {
  keep?: string;
  olderThan?: string;
  all?: boolean;
  dryRun?: boolean;
}

export const defaultKeep = 10;

export const prune = async (world: World, flags: PruneFlags & Common): Outcome => {
  const keep = wholeNumber('--keep', flags.keep ?? String(defaultKeep));
  if (!keep.ok) return keep;
  const bornBefore = flags.olderThan === undefined ? ok(undefined) : momentOf(flags.olderThan, world.now());
  if (!bornBefore.ok) return bornBefore;
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const rule = {keep: keep.value, bornBefore: bornBefore.value, all: flags.all};
  const dry = flags.dryRun === true;
  const store = await opened.value.store();
  const plan = await store.prune(rule, dry);
  if (!plan.ok) return plan;
  if (!dry) await dropFiles(world, {ground: opened.value, store, plan: plan.value});
  world.out(flags.json ? json(asJson(plan.value, dry)) : planText(plan.value, dry));
  return done;
};

/** The checkpoints are gone: that their files still lie in git for a while is no reason to fail. `ckpt gc` gets them. */
const dropFiles = async (
  world: World,
  {ground, store, plan}: {ground: Ground; store: History; plan: PrunePlan},
): Promise<void> => {
  const gone = plan.remove.filter(({workspace}) => workspace !== undefined);
  if (gone.length === 0) return;
  const staying = await store.history();
  const dropped = staying.ok ? await (await world.trees(ground)).dropRefs(gone, staying.value) : staying;
  if (!dropped.ok) world.err(`their files stay in git until ckpt gc:\n${failureText(dropped.failure)}`);
};

const units: Record<string, number> = {m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000};

/** `7d`, `12h`, `30m`, `2w`, or a date. */
const momentOf = (text: string, now: number): Result<number> => {
  const [, count, unit = ''] = /^(\d{1,6})\s*([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return ok(now - Number(count) * (units[unit] ?? 0));
  const date = /^\d{4}-\d\d-\d\d(T[\d:.]+Z?)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(date)) return ok(date);
  return fail({
    is: 'bad-usage',
    what: `--older-than ${JSON.stringify(text)} is no age and no date`,
    fix: 'for example: --older-than 7d (m, h, d, w), or --older-than 2026-11-01',
  });
};

const asJson = ({remove, stay}: PrunePlan, dry: boolean): object => ({
  dry_run: dry,
  removed: remove.map(({id, number}) => ({id, number})),
  stayed: Object.fromEntries([...stay.values()].map((why) => [why, countOf(stay, why)])),
});

const countOf = (stay: PrunePlan['stay'], why: string): number =>
  [...stay.values()].filter((one) => one === why).length;

const planText = ({remove, stay}: PrunePlan, dry: boolean): string => {
  const reasons = [...new Set(stay.values())].map((why) => `${countOf(stay, why)} ${why}`);
  const stayed = stay.size === 0 ? '' : `${stay.size} stay: ${reasons.join(', ')}\n`;
  if (remove.length === 0) return `nothing to prune\n${stayed}`;
  const lines = remove.map((one) => `  ${checkpointLine(one)}\n`).join('');
  return `${dry ? 'would remove' : 'removed'} ${remove.length}:\n${lines}${stayed}`;
};
