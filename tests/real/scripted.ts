// A model that calls one command after the other, by leg; `ckpt` in them stands for the run's own, which the protocol names.

import type {Scenario} from './model/reply.ts';
import type {ModelRequest} from './model/request.ts';

export const textOf = ({turns}: ModelRequest): string =>
  turns.map((turn) => (turn.is === 'text' || turn.is === 'result' ? turn.text : '')).join('\n');

/** The first whose words are in the conversation plays; its calls, then its last words. */
export const scripted = (scripts: {when: RegExp; calls: string[]}[]): Scenario => ({
  main: (request) => {
    const told = textOf(request);
    const ckpt = /(\S+) done --note/.exec(told)?.[1] ?? 'no-ckpt-was-told';
    const {calls} = scripts.find(({when}) => when.test(told)) ?? {calls: []};
    const done = request.turns.filter((turn) => turn.is === 'call').length;
    const command = calls[done]?.replaceAll(/\bckpt (?=[a-z])/g, `${ckpt} `);
    return command === undefined ? {is: 'text', text: 'That is all.'} : {is: 'call', command, waitMs: 60_000};
  },
});
