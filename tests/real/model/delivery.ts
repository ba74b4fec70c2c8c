// Reply → bytes on the connection, faults and silences included.

import type {ServerResponse} from 'node:http';
import {setTimeout as wait} from 'node:timers/promises';
import {message, messageEvents, messageHead, stoppedMessage} from './anthropic-wire.ts';
import type {Answer, Failure, Reply} from './reply.ts';
import type {ModelRequest} from './request.ts';
import {responseEvents, responseHead, stoppedResponse} from './responses-wire.ts';

interface Delivery {
  request: ModelRequest;
  reply: Reply;
  response: ServerResponse;
  closing: AbortSignal;
}

export const send = async (delivery: Delivery): Promise<void> => {
  const {reply} = delivery;
  if (reply.is === 'text' || reply.is === 'call' || reply.is === 'poll' || reply.is === 'tool')
    await sendAnswer(delivery, reply);
  else sendFailure(delivery, reply);
};

const sendAnswer = async ({request, response, closing}: Delivery, answer: Answer): Promise<void> => {
  if (answer.delayMs !== undefined) await wait(answer.delayMs, undefined, {signal: closing});
  if (request.stream) {
    response.writeHead(200, {...streamHeaders, ...answer.headers});
    for (const event of eventsOf(request, answer)) writeEvent(response, event);
    response.end();
    return;
  }
  if (request.api !== 'anthropic') throw new Error('Internal error: Codex asked for an answer without a stream');
  writeJson(response, 200, message(request, answer), answer.headers);
};

const sendFailure = ({request, response}: Delivery, failure: Failure): void => {
  switch (failure.is) {
    case 'http':
      writeJson(response, failure.status, failure.body, failure.headers);
      return;
    case 'sse-error':
      for (const event of headOf(request).slice(0, 1)) writeEvent(response, event);
      response.end(`event: ${failure.event}\ndata: ${JSON.stringify(failure.data)}\n\n`);
      return;
    case 'cut':
      for (const event of headOf(request)) writeEvent(response, event);
      // Only what is on the wire can be cut there.
      response.write(': \n', () => response.destroy());
      return;
    case 'stopped': {
      const stopped = request.api === 'anthropic' ? stoppedMessage : stoppedResponse;
      for (const event of stopped(request, failure.reason)) writeEvent(response, event);
      response.end();
      return;
    }
    case 'hang':
      if (failure.where === 'after-headers') response.writeHead(200, streamHeaders).flushHeaders();
      if (failure.where === 'mid-stream') for (const event of headOf(request)) writeEvent(response, event);
  }
};

const eventsOf = (request: ModelRequest, answer: Answer): object[] =>
  request.api === 'anthropic' ? messageEvents(request, answer) : responseEvents(request, answer);

const headOf = (request: ModelRequest): object[] =>
  request.api === 'anthropic' ? messageHead(request) : responseHead(request);

const streamHeaders = {'content-type': 'text/event-stream', 'cache-control': 'no-cache'};

const writeEvent = (response: ServerResponse, event: object): void => {
  if (!response.headersSent) response.writeHead(200, streamHeaders);
  response.write(`event: ${'type' in event ? event.type : ''}\ndata: ${JSON.stringify(event)}\n\n`);
};

const writeJson = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  response.writeHead(status, {'content-type': 'application/json', ...headers});
  response.end(JSON.stringify(body));
};
