// Events → lines of journal.jsonl, with the numbers behind each decision.

import type {EventType, RunEvent} from '../core/events.ts';
import type {RunId} from '../core/ids.ts';
import type {RunState} from '../core/state.ts';

export interface Noted {
  run: RunId;
  at: number;
  /** Undefined: the run begins. */
  event: RunEvent | undefined;
  from: RunState | undefined;
  to: RunState;
}

export const journalEntry = ({run, at, event, from, to}: Noted): object => {
  const {type, at: _at, ...rest} = event ?? {type: 'run-began' as const, at};
  return {
    at: new Date(at).toISOString(),
    run,
    ...rest,
    leg: event !== undefined && 'leg' in event ? event.leg : to.leg,
    event: type,
    ...(from === undefined || from.at === to.at ? {state: to.at} : {from: from.at, state: to.at}),
    ...('death' in to && from?.at !== to.at ? {death: to.death.cause} : {}),
  };
};

/** What must survive a power cut; the agent's breathing need not. */
export const matters = (entry: object): boolean => {
  const event = 'event' in entry ? entry.event : undefined;
  return !breathing.some((type) => type === event);
};

const breathing: EventType[] = ['ready', 'busy', 'idle', 'waiting-for-person', 'overload', 'timer-fired', 'usage-seen'];
