// `ckpt hook <agent> <event>`: what the hooks of `ckpt install --hooks` call. It never makes the agent fail.

import {jsonFileOf} from '../../baton/naming.ts';
import {reconcile} from '../../baton/reconcile.ts';
import {rehydrateText} from '../../baton/rehydrate.ts';
import {ok, type Result} from '../../core/failure.ts';
import {parseTrack, type Track} from '../../core/ids.ts';
import {contextFor, startHint} from '../../install/hooks/context.ts';
import {hookDraft} from '../../install/hooks/draft.ts';
import {shellWord} from '../../install/texts/shell-word.ts';
import {failureText} from './failure-text.ts';
import {type Common, done, type Ground, type Outcome, type World} from './world.ts';

export interface Hook {
  agent: string;
  event: string;
}

export const hook = async (world: World, {agent, event}: Hook, flags: Common): Outcome => {
  const payload = asObject(await world.input());
  // A run has hooks of its own: nothing is done twice.
  if ((world.env.CKPT_RUN ?? '') !== '') return done;
  const opened = await world.open(flags);
  const did = !opened.ok
    ? opened
    : event === 'PreCompact'
      ? await save(world, opened.value, {agent, payload})
      : event === 'SessionStart'
        ? await tell(world, opened.value, {agent, payload})
        : ok(undefined);
  if (!did.ok) world.err(failureText(did.failure));
  return done;
};

type Payload = Record<string, unknown>;

interface Told {
  agent: string;
  payload: Payload;
}

const save = async (world: World, ground: Ground, {agent, payload}: Told): Promise<Result<unknown>> => {
  const install = await world.install();
  const path = typeof payload.transcript_path === 'string' ? payload.transcript_path : undefined;
  const [git, store, log] = await Promise.all([
    ground.git(),
    ground.store(),
    path === undefined ? undefined : install.conversation(agent, path),
  ]);
  const track = await trackOf(world, ground);
  const previous = await store.latest(track);
  const read = log === undefined || path === undefined ? undefined : {...log, path};
  const draft = hookDraft({agent, track, previous, git, log: read, now: world.now()});
  if (draft === undefined) return ok(undefined);
  ground.prepare();
  const saved = await store.append(track, () => ok(draft));
  if (!saved.ok) return saved;
  // Nobody asked for it by name: as many as the config says.
  const config = await ground.config();
  return config.ok ? store.retain(config.value.maxCheckpoints) : config;
};

/** After a compaction the whole baton: the work goes on. At a start only a hint: it may be about something else. */
const tell = async (world: World, ground: Ground, {agent, payload}: Told): Promise<Result<unknown>> => {
  const store = await ground.store();
  const checkpoint = await store.latest(await trackOf(world, ground));
  if (checkpoint === undefined || checkpoint.closed !== undefined) return ok(undefined);
  // The way in which we were called, as a word that a shell reads.
  const ckptBin = shellWord((await world.install()).files.launcher);
  const text =
    payload.source === 'compact'
      ? rehydrateText({
          checkpoint,
          drift: reconcile(checkpoint, await ground.git()),
          ckptBin,
          dir: ground.dir,
          legNumber: checkpoint.leg ?? 1,
          inRun: false,
          fullPath: `${ground.dir}/${jsonFileOf(checkpoint.id)}`,
          events: [],
        })
      : startHint(checkpoint, ckptBin);
  world.out(contextFor(agent, text));
  return ok(undefined);
};

const trackOf = async ({env}: World, ground: Ground): Promise<Track> => {
  const index = await (await ground.store()).index();
  const named = parseTrack(env.CKPT_TRACK ?? '') ?? (index.ok ? index.value.current_track : undefined);
  return named ?? ('main' as Track);
};

const asObject = (text: string): Payload => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Payload) : {};
  } catch {
    return {};
  }
};
