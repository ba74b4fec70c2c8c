// Hooks may be silent: switched off, or not trusted. Then the session log is found among the files that the agent has
// open, or as the newest that fits, and the person is told.

import type {LegNumber} from '../core/ids.ts';
import type {LegStarted} from '../watch/leg-start.ts';
import {environment} from './leg/launch.ts';
import type {LegWatch} from './leg/leg-watch.ts';
import type {Ports, RunPlan} from './plan.ts';

export interface LogSearch {
  plan: RunPlan;
  ports: Ports;
  leg: LegNumber;
  pid: number;
  env: Record<string, string>;
  watch: Pick<LegWatch, 'follow' | 'log'>;
  /** Has any hook of this leg come? */
  hooked(): boolean;
}

/** Ever more seldom: an agent that waits for its first prompt has no log yet, perhaps for hours. */
const LOOK_MS = {first: 500, most: 5000};
/** The first hook comes with the log. */
const HOOK_GRACE_MS = 3000;

/** Looks until a hook has come, for agents whose logs can be known. Returns its off. */
export const findLog = (search: LogSearch): (() => void) => {
  const {ports, watch} = search;
  const {clock} = ports;
  const since = clock.now();
  const folder = search.plan.code.logs?.folder(search.env);
  let off: () => void = () => {};
  let closed = false;
  let foundAt: number | undefined;
  let told = false;
  let wait = LOOK_MS.first;
  const look = async (): Promise<void> => {
    const found = await newest(search, {folder: folder ?? '', since});
    if (closed || search.hooked() || found === undefined) return;
    foundAt ??= clock.now();
    if (clock.now() - foundAt < HOOK_GRACE_MS) return;
    if (!told) tellSilent(search);
    told = true;
    watch.follow(found);
  };
  const again = (): void => {
    if (closed || search.hooked()) return;
    wait = Math.min(foundAt === undefined ? wait * 1.5 : LOOK_MS.first, LOOK_MS.most);
    off = clock.after(wait, () => {
      void look()
        .catch(() => undefined)
        .then(again);
    });
  };
  if (folder !== undefined) again();
  return () => {
    closed = true;
    off();
  };
};

const newest = async (
  {ports, pid, plan}: LogSearch,
  {folder, since}: {folder: string; since: ReturnType<Ports['clock']['now']>},
): Promise<{id: string; logPath: string} | undefined> => {
  const {logs} = plan.code;
  if (logs === undefined) return undefined;
  const candidates = await ports.agentLogs({pid, folder, name: logs.name, since});
  for (const {path, head, isOpen} of candidates) {
    const read = logs.read(head, {cwd: plan.cwd, since});
    if (read !== undefined && (isOpen || read.isFresh)) return {id: read.id, logPath: path};
  }
  return undefined;
};

/** In the journal of every leg, and to the person when the screen is theirs again. */
const tellSilent = ({plan, ports, leg}: LogSearch): void => {
  const at = new Date(ports.clock.now()).toISOString();
  ports.files.journal({at, run: plan.run, leg, event: 'hooks-off'});
  ports.stage.tell(
    `ckpt-run: ${plan.adapter.name} runs none of our hooks (switched off, or not trusted); leg ${leg} is watched by its session log, its exit and its screen, so a compaction is seen only when it is done`,
  );
};

/** Of a leg that died before anybody had written down where its log is. Two that fit are none: one of them is another's. */
export const logOfDead = async ({
  plan,
  ports,
  started,
}: Pick<LogSearch, 'plan' | 'ports'> & {started: LegStarted | undefined}): Promise<string | undefined> => {
  if (started === undefined) return undefined;
  const {at: since, sessionId} = started;
  const {givenLog, logs} = plan.code;
  const env = environment(plan);
  if (sessionId !== undefined) {
    const places = givenLog?.(env, sessionId) ?? [];
    return places.map(({folder, name}) => ports.findBelow(folder, name)).find((path) => path !== undefined);
  }
  const folder = logs?.folder(env);
  if (logs === undefined || folder === undefined) return undefined;
  const candidates = await ports.agentLogs({pid: undefined, folder, name: logs.name, since});
  const fresh = candidates.filter(({head}) => logs.read(head, {cwd: plan.cwd, since})?.isFresh);
  return fresh.length === 1 ? fresh[0]?.path : undefined;
};
