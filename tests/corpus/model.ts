// The model that plays a job: it gives the script's answers one after the other, whatever it is asked.

import {createServer} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import {parseMessages} from '../real/model/anthropic.ts';
import {parseResponses} from '../real/model/responses.ts';
import type {WireReply} from './script.ts';
import {anthropicEvents, responsesEvents} from './wire.ts';

export interface JobModel extends AsyncDisposable {
  url: string;
  /** From now on these answers are given, in their order. */
  play(replies: WireReply[]): void;
  /** Answers given so far. */
  given(): number;
  /** Whatever must not happen: a test that trusts the log finds none. */
  faults: string[];
}

export const openJobModel = async (): Promise<JobModel> => {
  const faults: string[] = [];
  const sockets = new Set<Socket>();
  let script: WireReply[] = [];
  let given = 0;
  const answer = (path: string, body: unknown): object[] | undefined => {
    const isMessages = path.startsWith('/v1/messages');
    if (!isMessages && path !== '/v1/responses') return undefined;
    const {kind, model} = isMessages ? parseMessages(path, body) : parseResponses(body);
    const events = isMessages ? anthropicEvents : responsesEvents;
    if (kind === 'count' || kind === 'other') return undefined;
    if (kind !== 'main') return events({number: 9000, model}, {say: '{"title":"The job"}', calls: []});
    const reply = script[given];
    given += 1;
    if (reply === undefined) faults.push(`asked ${given} times, but there are ${script.length} answers`);
    return events({number: given, model}, reply ?? {say: 'There is nothing left to say.', calls: []});
  };
  const server = createServer(async (incoming, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const path = new URL(incoming.url ?? '/', 'http://127.0.0.1').pathname;
      const text = Buffer.concat(chunks).toString('utf8');
      const events = answer(path, text === '' ? undefined : JSON.parse(text));
      if (events === undefined) {
        response.writeHead(200, {'content-type': 'application/json'}).end('{"input_tokens":1000}');
        return;
      }
      response.writeHead(200, {'content-type': 'text/event-stream'});
      for (const event of events) {
        response.write(`event: ${(event as {type: string}).type}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      response.end();
    } catch (error) {
      faults.push(String(error));
      response.writeHead(500).end();
    }
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    play: (replies) => {
      script = [...script, ...replies];
    },
    given: () => given,
    faults,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};
