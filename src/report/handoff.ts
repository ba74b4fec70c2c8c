// handoff.json: how well a leg took its baton up. Read by watch/handoff-record.ts.

import type {HandoffMeasures} from '../baton/handoff-measures.ts';

export interface Handoff extends HandoffMeasures {
  leg: number;
  /** What it was given. */
  baton: string | undefined;
}

/** The shape on disk, and of `--json`. */
export interface HandoffFields {
  leg: number;
  baton: string | undefined;
  seconds_to_uptake: number | undefined;
  actions_to_first_edit: number | undefined;
  commands_repeated: string[] | undefined;
  files_reread: string[] | undefined;
}

export const measuresOf = (fields: HandoffFields): HandoffMeasures => ({
  secondsToUptake: fields.seconds_to_uptake,
  actionsToFirstEdit: fields.actions_to_first_edit,
  commandsRepeated: fields.commands_repeated,
  filesReread: fields.files_reread,
});

export const handoffFields = (handoff: Handoff): HandoffFields => ({
  leg: handoff.leg,
  baton: handoff.baton,
  seconds_to_uptake: handoff.secondsToUptake,
  actions_to_first_edit: handoff.actionsToFirstEdit,
  commands_repeated: handoff.commandsRepeated,
  files_reread: handoff.filesReread,
});
