// `ckpt baton`: exactly what the next leg of a track would get, and with --explain why each line is there.

import type {Checkpoint} from '../../baton/checkpoint.ts';
import {type ExplainedLine, explainBaton} from '../../baton/explain.ts';
import {jsonFileOf} from '../../baton/naming.ts';
import {reconcile} from '../../baton/reconcile.ts';
import {type RenderInput, renderPrompt} from '../../baton/render.ts';
import {fail} from '../../core/failure.ts';
import {type Common, done, type Ground, newestOf, type Outcome, type World} from './world.ts';

export interface BatonFlags extends Common {
  track?: string;
  for?: string;
  explain?: boolean;
}

export const baton = async (world: World, flags: BatonFlags): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const ground = opened.value;
  const found = await newestOf(world, ground, flags.track);
  if (!found.ok) return found;
  const checkpoint = found.value;
  if (checkpoint.closed !== undefined) {
    return fail({
      is: 'baton-refused',
      what: `track "${checkpoint.track}" is closed since ${checkpoint.closed.at}: ${checkpoint.closed.note}`,
      fix: `no leg gets its baton any more; ckpt show ${checkpoint.number ?? checkpoint.id} shows it`,
    });
  }
  const used = checkpoint.consumed_by;
  if (used !== undefined) world.err(`ckpt: taken up already by run ${used.run}, leg ${used.leg}, at ${used.at}\n`);
  const input = await renderInput(world, ground, {checkpoint, agent: flags.for});
  const lines = flags.explain ? explainBaton(input) : undefined;
  if (flags.json) {
    const text = {prompt: renderPrompt(input), ...(lines === undefined ? {} : {lines})};
    world.out(`${JSON.stringify({track: checkpoint.track, id: checkpoint.id, ...text}, null, 2)}\n`);
  } else world.out(lines === undefined ? renderPrompt(input) : explainedText(lines));
  return done;
};

const renderInput = async (
  world: World,
  ground: Ground,
  {checkpoint, agent}: {checkpoint: Checkpoint; agent: string | undefined},
): Promise<RenderInput> => {
  const [git, since] = await Promise.all([ground.git(), ground.since?.(checkpoint)]);
  return {
    checkpoint,
    drift: reconcile(checkpoint, {...git, since}),
    ckptBin: world.ckptBin,
    dir: ground.dir,
    legNumber: (checkpoint.leg ?? 0) + 1,
    fullPath: `${ground.dir}/${jsonFileOf(checkpoint.id)}`,
    ...(agent === undefined ? {} : {agent}),
  };
};

/** Who vouches for a line stands in front of it; why it is there stands once above its block. */
const explainedText = (lines: ExplainedLine[]): string => {
  let above = '';
  return lines
    .map(({line, why, provenance}) => {
      const reason = why === '' || why === above ? '' : `${' '.repeat(margin)}┌ ${why}\n`;
      above = why;
      return line === '' && why === '' ? '\n' : `${reason}${provenance.padEnd(margin)}│ ${line}\n`;
    })
    .join('');
};

const margin = 9;
