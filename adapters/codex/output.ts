// The output of a Codex call: its head is Codex's own words on how it ended, what comes after `Output:` is the command's.

import {at, isJson, listAt, textAt} from '../shared/json.ts';
import type {Ending} from '../shared/ledger.ts';

export const readOutput = (text: string): Ending => {
  const [head = '', ...rest] = text.split(/^Output:\n?/m);
  const output = rest.join('Output:\n');
  const exit = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(head)?.[1];
  const seconds = /^Wall time: ([\d.]+) seconds$/m.exec(head)?.[1];
  const aborted = /^aborted\b/m.test(head);
  // `Process running with session ID 7`: the item tells the end, when it comes.
  const background = exit === undefined && /^Process running with session ID \d+$/m.test(head);
  return {
    failed:
      aborted || (exit !== undefined && exit !== '0') || /^(?:unsupported call|execution error|failed to)\b/.test(head),
    exitCode: exit === undefined ? undefined : Number(exit),
    output: rest.length === 0 ? head : output,
    ms: seconds === undefined ? undefined : Math.round(Number(seconds) * 1000),
    background,
    stopped: aborted,
  };
};

/** request_user_input: the person's answers are instructions like any other. `{"answers":{"id":{"answers":["x"]}}}` */
export const answersIn = (asked: unknown, output: string): string[] => {
  if (asked === undefined || !output.startsWith('{')) return [];
  let reply: unknown;
  try {
    reply = JSON.parse(output);
  } catch {
    return [];
  }
  const answers = at(reply, 'answers');
  if (!isJson(answers)) return [];
  return Object.entries(answers).flatMap(([id, answer]) => {
    const question = listAt(asked, 'questions').find((one) => textAt(one, 'id') === id);
    const words = listAt(answer, 'answers').filter((word) => typeof word === 'string');
    return words.length === 0 ? [] : [`${textAt(question, 'question') ?? id} → ${words.join(', ')}`];
  });
};
