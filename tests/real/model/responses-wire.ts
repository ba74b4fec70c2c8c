// The Responses API: answer → server-sent events.

import type {Answer} from './reply.ts';
import type {ModelRequest} from './request.ts';
import {asksRemote, shellTools} from './responses.ts';

export const responseEvents = (request: ModelRequest, answer: Answer): object[] => {
  const id = `resp_${request.number}`;
  const item = itemOf(request, answer);
  const output_tokens = 40;
  const input_tokens = Math.max(1, (answer.tokens ?? 1000) - output_tokens);
  const usage = {
    input_tokens,
    input_tokens_details: {cached_tokens: 0},
    output_tokens,
    output_tokens_details: {reasoning_tokens: 0},
    total_tokens: input_tokens + output_tokens,
  };
  return [
    {type: 'response.created', response: {id, status: 'in_progress'}},
    {type: 'response.output_item.added', output_index: 0, item},
    ...(answer.is === 'text'
      ? [{type: 'response.output_text.delta', item_id: item.id, output_index: 0, content_index: 0, delta: answer.text}]
      : []),
    {type: 'response.output_item.done', output_index: 0, item},
    {type: 'response.completed', response: {id, status: 'completed', output: [item], usage}},
  ];
};

/** What is sent before a stream that is cut or falls silent. */
export const responseHead = (request: ModelRequest): object[] =>
  responseEvents(request, {is: 'text', text: 'Thinking about it'}).slice(0, 3);

export const stoppedResponse = (request: ModelRequest, reason: string): object[] => [
  ...responseHead(request),
  {
    type: 'response.incomplete',
    response: {id: `resp_${request.number}`, status: 'incomplete', incomplete_details: {reason}},
  },
];

const itemOf = (request: ModelRequest, answer: Answer) => {
  const id = `item_${request.number}`;
  if (answer.is === 'text' && asksRemote(request.body)) {
    return {type: 'compaction', id, encrypted_content: Buffer.from(answer.text).toString('base64')};
  }
  if (answer.is === 'text') {
    const content = [{type: 'output_text', text: answer.text, annotations: []}];
    return {type: 'message', id, role: 'assistant', status: 'completed', content};
  }
  const {input, ...called} = calledBy(request, answer);
  const call_id = `call_${request.number}`;
  return {type: 'function_call', id, call_id, ...called, arguments: JSON.stringify(input), status: 'completed'};
};

const calledBy = (request: ModelRequest, answer: Exclude<Answer, {is: 'text'}>): {name: string; input: object} => {
  if (answer.is === 'poll') return pollOf(answer.id);
  if (answer.is === 'call') return callOf(request, answer);
  const {name, namespace, input} = answer;
  return {...{name, namespace}, input};
};

const callOf = (request: ModelRequest, {command, waitMs}: {command: string; waitMs?: number}) => {
  const name = shellTools.find((tool) => request.tools.includes(tool));
  if (name === undefined) throw new Error(`Internal error: no shell among the tools ${request.tools.join(', ')}`);
  const wait = waitMs === undefined ? {} : {[name === 'exec_command' ? 'yield_time_ms' : 'timeout_ms']: waitMs};
  if (name === 'exec_command') return {name, input: {cmd: command, ...wait}};
  return {name, input: {command: name === 'shell' ? ['bash', '-lc', command] : command, ...wait}};
};

const pollOf = (session: string) => ({
  name: 'write_stdin',
  input: {session_id: Number(session), chars: '', yield_time_ms: 30_000},
});
