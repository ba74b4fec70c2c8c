// `ckpt import`: the folders of the two ancestors, taken in. Asked twice, it adds nothing the second time.

import {fail, ok, type Result} from '../../core/failure.ts';
import type {Track} from '../../core/ids.ts';
import type {Foundling, OldFile} from '../../import/foundling.ts';
import {isRelayFolder, readRelayBatons} from '../../import/relay-batons.ts';
import {isSessionFolder, readSessionPoints, sessionConfig} from '../../import/session-points.ts';
import {checkpointLine, json} from './text.ts';
import {type Common, done, namedTrack, type Outcome, type World} from './world.ts';

export const importOld = async (world: World, folder: string, flags: Common & {track?: string}): Outcome => {
  const track = namedTrack(flags.track ?? 'main');
  if (!track.ok) return track;
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const files = await oldFiles(world, folder, opened.value.root);
  if (!files.ok) return files;
  const read = recognise(folder, files.value, track.value);
  if (!read.ok) return read;
  const {foundlings, complaints, config, ours} = read.value;
  opened.value.prepare();
  const adopted = await (await opened.value.store()).adopt(foundlings);
  if (!adopted.ok) return adopted;
  const {added, known} = adopted.value;
  for (const complaint of complaints) world.err(`ckpt: left out: ${complaint}\n`);
  if (flags.json) {
    world.out(json({added: added.map(({id, number}) => ({id, number})), known, ours, left_out: complaints, config}));
    return done;
  }
  world.out(added.map((one) => `  ${checkpointLine(one)}\n`).join(''));
  world.out(`${added.length} imported into ${opened.value.dir}, ${known + ours} were here already\n`);
  if (config !== undefined) world.out(`its config.json says the same as these lines of ckpt.yaml:\n${config}`);
  return done;
};

/** From where the caller stands or, as people mean it in a subfolder, from the root. */
const oldFiles = async (world: World, folder: string, root: string): Promise<Result<OldFile[]>> => {
  const here = await world.oldFiles(folder);
  if (here.ok || here.failure.is !== 'not-found' || folder.startsWith('/')) return here;
  const atRoot = await world.oldFiles(`${root}/${folder}`);
  return atRoot.ok ? atRoot : here;
};

interface Recognised {
  foundlings: Foundling[];
  complaints: string[];
  config: string | undefined;
  ours: number;
}

const recognise = (folder: string, files: OldFile[], track: Track): Result<Recognised> => {
  if (isSessionFolder(files)) {
    return ok({...readSessionPoints(files, track), config: sessionConfig(files), ours: 0});
  }
  if (isRelayFolder(files)) return ok({...readRelayBatons(files, track), config: undefined});
  return fail({
    is: 'not-found',
    what: `nothing to import in ${folder}`,
    fix: 'name a .session folder (checkpoints/cp-*.md) or a folder with context_checkpoint_*.json',
  });
};
