// start.json in a leg's folder: see report/leg-start.ts.

import {type Millis, millis} from '../core/ids.ts';
import {fieldsOf, numberAt, textAt} from './json-fields.ts';

export interface LegStarted {
  at: Millis;
  /** Of its conversation, where we gave one. */
  sessionId: string | undefined;
}

export const readLegStart = (text: string): LegStarted | undefined => {
  const fields = fieldsOf(text);
  const at = fields && numberAt(fields, 'at');
  return fields === undefined || at === undefined
    ? undefined
    : {at: millis(at), sessionId: textAt(fields, 'session_id')};
};
