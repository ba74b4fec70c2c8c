import type {Effect} from '../../../src/core/effects.ts';
import {cancel, set} from '../samples.ts';

/** What every leg that gets ready leads to; one that was given a baton is also expected to take it up. */
export const isReady: Effect[] = [cancel('ready-by'), set('leg-stable', 30_000), set('interval', 5000)];
