// handoff.json, read. Written by run/lookout/handoffs.ts.

import type {Handoff} from '../report/handoff.ts';
import {fieldsOf, listAt, numberAt, textAt} from './json-fields.ts';

/** Undefined when it is torn or not ours. */
export const readHandoff = (text: string): Handoff | undefined => {
  const fields = fieldsOf(text);
  const leg = fields && numberAt(fields, 'leg');
  if (fields === undefined || leg === undefined) return undefined;
  const texts = (name: string): string[] | undefined =>
    fields[name] === undefined ? undefined : listAt(fields, name).filter((item) => typeof item === 'string');
  return {
    leg,
    baton: textAt(fields, 'baton'),
    secondsToUptake: numberAt(fields, 'seconds_to_uptake'),
    actionsToFirstEdit: numberAt(fields, 'actions_to_first_edit'),
    commandsRepeated: texts('commands_repeated'),
    filesReread: texts('files_reread'),
  };
};
