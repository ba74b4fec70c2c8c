// A scripted answer in the words of the two APIs, as server-sent events.

import type {WireReply} from './script.ts';

export interface Asked {
  number: number;
  model: string;
}

export const anthropicEvents = ({number, model}: Asked, {say, calls}: WireReply): object[] => {
  const blocks = [
    ...(say === undefined ? [] : [{type: 'text', text: say}]),
    ...calls.map(({name, input}, at) => ({type: 'tool_use', id: `toolu_${number}_${at}`, name, input})),
  ];
  const usage = {input_tokens: 5000 + number * 300, cache_creation_input_tokens: 0, cache_read_input_tokens: 0};
  const head = {id: `msg_${number}`, type: 'message', role: 'assistant', model, content: []};
  const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
  return [
    {type: 'message_start', message: {...head, stop_reason: null, usage: {...usage, output_tokens: 1}}},
    ...blocks.flatMap(blockEvents),
    {type: 'message_delta', delta: {stop_reason, stop_sequence: null}, usage: {output_tokens: 40}},
    {type: 'message_stop'},
  ];
};

const blockEvents = (block: {type: string; text?: string; input?: object}, index: number): object[] => {
  const isText = block.text !== undefined;
  const start = isText ? {type: 'text', text: ''} : {...block, input: {}};
  const delta = isText
    ? {type: 'text_delta', text: block.text}
    : {type: 'input_json_delta', partial_json: JSON.stringify(block.input)};
  return [
    {type: 'content_block_start', index, content_block: start},
    {type: 'content_block_delta', index, delta},
    {type: 'content_block_stop', index},
  ];
};

export const responsesEvents = ({number}: Asked, {say, calls}: WireReply): object[] => {
  const id = `resp_${number}`;
  const items = [
    ...(say === undefined ? [] : [message(number, say)]),
    ...calls.map((call, at) => item(number, at, call)),
  ];
  const input_tokens = 5000 + number * 300;
  const usage = {
    input_tokens,
    input_tokens_details: {cached_tokens: 0},
    output_tokens: 40,
    output_tokens_details: {reasoning_tokens: 0},
    total_tokens: input_tokens + 40,
  };
  return [
    {type: 'response.created', response: {id, status: 'in_progress'}},
    ...items.flatMap((one, output_index) => [
      {type: 'response.output_item.added', output_index, item: one},
      {type: 'response.output_item.done', output_index, item: one},
    ]),
    {type: 'response.completed', response: {id, status: 'completed', output: items, usage}},
  ];
};

const message = (number: number, text: string): object => ({
  type: 'message',
  id: `text_${number}`,
  role: 'assistant',
  status: 'completed',
  content: [{type: 'output_text', text, annotations: []}],
});

const item = (number: number, at: number, {name, input, text}: WireReply['calls'][number]): object => {
  const head = {id: `item_${number}_${at}`, call_id: `call_${number}_${at}`, name, status: 'completed'};
  return text === undefined
    ? {type: 'function_call', ...head, arguments: JSON.stringify(input)}
    : {type: 'custom_tool_call', ...head, input: text};
};
