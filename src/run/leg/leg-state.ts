// Follows the record that some agents keep of their own state. It works without hooks, and finds the session log then.

import type {AgentState, Sighting} from '../../adapter/adapter.ts';
import type {Clock} from '../../ports.ts';

export interface StateWatch {
  state: AgentState;
  env: Record<string, string>;
  pid: number;
  clock: Clock;
  readFile(path: string): string | undefined;
  /** The file of that name in one of the folder's own folders. */
  findBelow(folder: string, name: string): string | undefined;
  /** The conversation that is followed now. */
  followed(): string | undefined;
  take(sighting: Sighting): void;
  follow(session: {id: string; logPath: string}): void;
  /** It lives: its record is there. */
  onAlive(): void;
}

const LOOK_MS = 250;

/** Returns its off. */
export const watchState = (watch: StateWatch): (() => void) => {
  const {state, clock} = watch;
  const place = state.place(watch.env, watch.pid);
  const since = clock.now();
  let told = '';
  let off: () => void = () => {};
  if (place === undefined) return off;
  const look = (): void => {
    off = clock.after(LOOK_MS, look);
    const text = watch.readFile(place.file);
    const reading = text === undefined ? undefined : state.read(text, {since, now: clock.now()});
    if (reading === undefined) return;
    watch.onAlive();
    const {session, sighting} = reading;
    // Its log may not be there yet: it comes with the first prompt.
    if (session !== undefined && session.id !== watch.followed()) {
      const logPath = watch.findBelow(place.logs, session.logName);
      if (logPath !== undefined) watch.follow({id: session.id, logPath});
    }
    if (sighting === undefined || sighting.evidence.detail === told) return;
    told = sighting.evidence.detail;
    watch.take(sighting);
  };
  off = clock.after(LOOK_MS, look);
  return () => off();
};
