// The state diagram of src/README.md, drawn by asking transition itself: the picture cannot lie.

import {type ExitMeaning, eventTypes, type RunEvent, timerNames} from '../../src/core/events.ts';
import type {Policy} from '../../src/core/policy.ts';
import {type StateName, stateNames} from '../../src/core/state.ts';
import {transition} from '../../src/core/transition.ts';
import type {Row} from '../core/cells/row.ts';
import {table} from '../core/cells/table.ts';
import {attended, exited} from '../core/samples.ts';

/** Mermaid. One arrow per pair of states, with every event that leads there in some context. No arrow: nothing does. */
export const stateDiagram = (): string => {
  const arrows = stateNames.flatMap((from) => stateNames.map((to) => ({from, to, events: eventsThatLead(from, to)})));
  return [
    'stateDiagram-v2',
    '  [*] --> starting',
    ...arrows
      .filter(({from, to, events}) => from !== to && events.length > 0)
      .map(({from, to, events}) => `  ${from} --> ${to}: ${events.join('<br/>')}`),
    '  over --> [*]',
    '',
  ].join('\n');
};

/** The rows of the table have every cell in every context that matters; each is asked with and without a person. */
const eventsThatLead = (from: StateName, to: StateName): string[] => {
  const leads = table[from].flatMap((row) =>
    eventsOf(row).filter((event) =>
      policiesOf(row).some((policy) => transition(row.state, event, policy).state.at === to),
    ),
  );
  const names = new Set(leads.map(nameOf));
  return eventTypes.flatMap((type): string[] => {
    if (type === 'timer-fired') return timerNames.map((name) => `timer ${name}`).filter((name) => names.has(name));
    if (type !== 'agent-exited') return names.has(type) ? [type] : [];
    const ways = meanings.map((meaning) => `${type} (${meaning})`).filter((name) => names.has(name));
    return ways.length === meanings.length ? [type] : ways;
  });
};

const meanings: ExitMeaning[] = ['clean', 'crashed', 'killed'];

const eventsOf = ({event}: Row): RunEvent[] =>
  event.type === 'agent-exited' ? meanings.map((meaning) => exited(meaning, {leg: event.leg})) : [event];

/** Only an unattended run waits. */
const policiesOf = ({state, policy = attended}: Row): Policy[] =>
  state.at === 'waiting' ? [policy] : [policy, {...policy, attended: !policy.attended}];

const nameOf = (event: RunEvent): string => {
  if (event.type === 'timer-fired') return `timer ${event.name}`;
  return event.type === 'agent-exited' ? `${event.type} (${event.meaning})` : event.type;
};
