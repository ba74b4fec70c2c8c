// All rows, by state.

import {type StateName, stateNames} from '../../../src/core/state.ts';
import {callRows} from './calls.ts';
import {capturingRows} from './capturing.ts';
import {finishingRows} from './finishing.ts';
import {hangRows} from './hang.ts';
import {idleRows} from './idle.ts';
import {overRows} from './over.ts';
import {restingRows} from './resting.ts';
import {restoreRows, restoringRows} from './restoring.ts';
import type {Row} from './row.ts';
import {savingRows} from './saving.ts';
import {startingRows} from './starting.ts';
import {buriedRows, stoppingRows} from './stopping.ts';
import {takeoverRows} from './takeover.ts';
import {uptakeRows} from './uptake.ts';
import {usageRows} from './usage.ts';
import {waitingRows} from './waiting.ts';
import {workingRows} from './working.ts';
import {workingSignalRows} from './working-signals.ts';

/** What a state does about its own events; the rows of one topic across all states are joined to them. */
const own: Record<StateName, Row[]> = {
  starting: startingRows,
  working: [...workingSignalRows, ...workingRows],
  waiting: waitingRows,
  capturing: [...capturingRows, ...buriedRows],
  stopping: stoppingRows,
  restoring: restoringRows,
  resting: restingRows,
  finishing: finishingRows,
  over: overRows,
};

const topics = [callRows, hangRows, idleRows, restoreRows, savingRows, takeoverRows, uptakeRows, usageRows];

export const table = Object.fromEntries(
  stateNames.map((name) => [name, [...own[name], ...topics.flatMap((rows) => rows[name])]]),
) as Record<StateName, Row[]>;
