// Why a baton is not given to anybody (DESIGN §7).

import type {Checkpoint} from '../baton/checkpoint.ts';
import {oneLine} from '../baton/clean.ts';
import type {Failure} from '../core/failure.ts';

export const closedTrack = (track: string, {at, note}: NonNullable<Checkpoint['closed']>): Failure => ({
  is: 'baton-refused',
  what: `track "${track}" was closed at ${at}${note === '' ? '' : ` (${oneLine(note)})`}`,
  fix: 'start without --continue, or on another --track',
});
