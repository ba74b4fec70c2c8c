// The Messages API: answer → JSON or server-sent events.

import type {Answer} from './reply.ts';
import type {ModelRequest} from './request.ts';

/** The events of one streamed message. */
export const messageEvents = (request: ModelRequest, answer: Answer): object[] => {
  const {content, stop_reason, usage, ...head} = message(request, answer);
  const [block] = content;
  return [
    {type: 'message_start', message: {...head, content: [], stop_reason: null, usage: {...usage, output_tokens: 1}}},
    ...(block === undefined ? [] : blockEvents(block)),
    {type: 'message_delta', delta: {stop_reason, stop_sequence: null}, usage: {output_tokens: usage.output_tokens}},
    {type: 'message_stop'},
  ];
};

/** What is sent before a stream that is cut or falls silent. */
export const messageHead = (request: ModelRequest): object[] =>
  messageEvents(request, {is: 'text', text: 'Thinking about it'}).slice(0, 3);

/** A whole message with nothing in it but the reason why. */
export const stoppedMessage = (request: ModelRequest, reason: string): object[] =>
  messageEvents(request, {is: 'text', text: 'I was about to'}).map((event) =>
    'delta' in event && 'usage' in event ? {...event, delta: {stop_reason: reason, stop_sequence: null}} : event,
  );

export const message = (request: ModelRequest, answer: Answer) => ({
  id: `msg_${request.number}`,
  type: 'message',
  role: 'assistant',
  model: request.model,
  content: contentOf(request, answer),
  stop_reason: answer.is === 'text' ? 'end_turn' : 'tool_use',
  stop_sequence: null,
  usage: {
    input_tokens: Math.max(1, (answer.tokens ?? 1000) - outputTokens),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: outputTokens,
  },
});

const outputTokens = 40;

type Block = {type: 'text'; text: string} | {type: 'tool_use'; id: string; name: string; input: object};

const contentOf = (request: ModelRequest, answer: Answer): Block[] => {
  if (answer.is === 'text') return [{type: 'text', text: answer.text}];
  if (answer.is !== 'call') throw new Error(`Internal error: Claude Code has nothing to ${answer.is}`);
  const input = {
    command: answer.command,
    description: 'Next step of the job',
    ...(answer.waitMs === undefined ? {} : {timeout: answer.waitMs}),
  };
  return [{type: 'tool_use', id: `toolu_${request.number}`, name: 'Bash', input}];
};

const blockEvents = (block: Block): object[] => {
  const [start, delta] =
    block.type === 'text'
      ? [
          {type: 'text', text: ''},
          {type: 'text_delta', text: block.text},
        ]
      : [
          {...block, input: {}},
          {type: 'input_json_delta', partial_json: JSON.stringify(block.input)},
        ];
  return [
    {type: 'content_block_start', index: 0, content_block: start},
    {type: 'content_block_delta', index: 0, delta},
    {type: 'content_block_stop', index: 0},
  ];
};
