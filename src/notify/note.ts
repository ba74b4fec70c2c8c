// What is worth telling a person who is not looking, out of all that a run has to say.

import type {Notice} from '../core/effects.ts';
import type {Outcome} from '../core/state.ts';
import {unreachable} from '../core/unreachable.ts';
import {noticeWords, outcomeWords} from '../report/messages.ts';
import type {NoteKind} from './notify-config.ts';

export interface Note {
  kind: NoteKind;
  run: string;
  track: string;
  agent: string;
  leg: number | undefined;
  at: number;
  text: string;
}

/** The run that speaks. */
export interface About {
  run: string;
  track: string;
  agent: string;
  /** A person is there: who quits the agent themselves need not be told. */
  attended: boolean;
}

/** Undefined: nothing that anybody must know at once. */
export const noteOfNotice = (notice: Notice, about: About, at: number): Note | undefined => {
  const kind = kindOfNotice(notice);
  if (kind === undefined) return undefined;
  return {kind, ...of(about), leg: 'leg' in notice ? notice.leg : undefined, at, text: noticeWords(notice)};
};

const kindOfNotice = (notice: Notice): NoteKind | undefined => {
  switch (notice.is) {
    case 'parked':
      return 'parked';
    case 'needs-person':
    case 'approval':
      return 'waiting-for-person';
    case 'limit':
      return 'limit';
    case 'trouble':
    case 'taking-over':
      return 'trouble';
    case 'hang':
      // A hung agent that we end ourselves needs nobody.
      return notice.ends ? undefined : 'trouble';
    default:
      return undefined;
  }
};

/** The end of the run. A parked one has told so itself. */
export const noteOfOutcome = (outcome: Outcome, about: About, at: number): Note | undefined => {
  const kind = kindOfOutcome(outcome, about);
  return kind && {kind, ...of(about), leg: undefined, at, text: outcomeWords(outcome)};
};

const kindOfOutcome = (outcome: Outcome, {attended}: About): NoteKind | undefined => {
  switch (outcome.is) {
    case 'done':
      return 'done';
    case 'ended':
      if (attended) return undefined;
      return outcome.exit.code === 0 && outcome.exit.signal === undefined ? 'done' : 'failed';
    case 'start-failed':
    case 'spawn-failed':
    case 'gave-up':
      return attended ? undefined : 'failed';
    case 'parked':
    case 'quit':
      return undefined;
    default:
      return unreachable(outcome);
  }
};

const of = ({run, track, agent}: About): Pick<Note, 'run' | 'track' | 'agent'> => ({run, track, agent});

/** The same thing is not told twice within a while: a limit shows up again with every try. */
export const oncePer = (ms: number): ((note: Note) => boolean) => {
  const told = new Map<string, number>();
  return ({kind, run, text, at}) => {
    const what = `${run} ${kind} ${text}`;
    const before = told.get(what);
    for (const [old, when] of told) if (at - when >= ms) told.delete(old);
    if (before !== undefined && at - before < ms) return false;
    told.set(what, at);
    return true;
  };
};
