import {constants} from 'node:os';
import type {ExitStatus} from '../../core/events.ts';

/** As Node tells the end of a child: a code, or the name of the signal that ended it. */
export const exitStatus = (code: number | null, signal: NodeJS.Signals | null): ExitStatus => ({
  code: code ?? 0,
  signal: signal === null ? undefined : constants.signals[signal],
});
