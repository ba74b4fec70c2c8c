// `ckpt uninstall --purge`: the checkpoints themselves, and all that keeps them. Asked first; never under a live run.

import {type Failure, fail, ok, type Result} from '../../core/failure.ts';
import type {InstallWorld, Purgeable} from '../../install/ports.ts';
import {uninstall as removeService} from './watch/service.ts';
import type {Common, Ground, World} from './world.ts';

export interface PurgeFlags extends Common {
  yes?: boolean;
  dryRun?: boolean;
}

/** Does it, or with `dry` only says it. */
export type Purge = (dry: boolean) => Promise<Result<Purgeable>>;

export const askPurge = async (world: World, ports: InstallWorld, flags: PurgeFlags): Promise<Result<Purge>> => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const {root, dir} = opened.value;
  const alive = await liveRuns(world, dir);
  if (alive.length > 0) return fail(stillAlive(alive));
  const port = ports.purge({root, dir, refs: await namedRefs(opened.value)});
  const found = await port.find();
  if (!found.ok) return found;
  if (flags.yes !== true && flags.dryRun !== true) {
    const yes = await ports.ask(`${words(found.value, dir)}Remove all of this for good?`);
    if (yes !== true) return fail(notAsked(yes));
  }
  return ok(async (dry) => {
    if (!dry) {
      for (const name of found.value.services) {
        const gone = await removeService(world, name);
        if (!gone.ok) return gone;
      }
      const did = await port.remove(found.value);
      if (!did.ok) return did;
    }
    if (!flags.json) world.out(`${dry ? 'would purge' : 'purged'}:\n${words(found.value, dir)}`);
    return found;
  });
};

const liveRuns = async (world: World, dir: string): Promise<string[]> => {
  const watch = await world.watch();
  const shelf = watch.shelf(dir);
  const alive: string[] = [];
  for (const run of shelf.ids()) {
    const record = shelf.record(run);
    if (record !== undefined && !('broken' in record) && (await watch.isAlive(record))) alive.push(run);
  }
  return alive;
};

/** A folder that cannot be read names none: its refs go only where no other worktree may need them. */
const namedRefs = async (ground: Ground): Promise<string[]> => {
  const history = await (await ground.store()).history();
  return history.ok ? history.value.flatMap(({workspace}) => workspace?.ref ?? []) : [];
};

const words = ({ours, others, refs, excluded, services}: Purgeable, dir: string): string =>
  [
    `  ${ours.length} files and folders of ours in ${dir}`,
    ...(others.length === 0 ? [] : [`  (these are not ours and stay: ${others.join(', ')})`]),
    `  ${refs.length} saved working trees (refs/ckpt)`,
    ...(excluded ? ['  the line in .git/info/exclude'] : []),
    ...services.map((name) => `  the service ${name}`),
  ]
    .map((line) => `${line}\n`)
    .join('');

const stillAlive = (runs: string[]): Failure => ({
  is: 'bad-usage',
  what: `there are live runs here: ${runs.join(', ')}; nothing was removed`,
  fix: 'end them first: ckpt stop --all',
});

const notAsked = (answer: boolean | undefined): Failure => ({
  is: 'bad-usage',
  what:
    answer === undefined ? '--purge removes every checkpoint, and nobody is here to be asked' : 'nothing was removed',
  fix: 'ckpt uninstall --purge --yes does it without asking; --dry-run shows what would go',
});
