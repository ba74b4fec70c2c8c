// The scripted model: one HTTP server on the loopback address that speaks both APIs and writes down what it was asked.

import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import {parseMessages} from './anthropic.ts';
import {send} from './delivery.ts';
import type {Reply, Scenario} from './reply.ts';
import type {Api, ModelRequest, Parsed} from './request.ts';
import {parseResponses} from './responses.ts';

export interface ModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`; Codex wants `/v1` behind it. */
  url: string;
  /** Every request so far, in the order of arrival. */
  requests: readonly Exchange[];
  /** Those of the conversation itself. */
  main(): Exchange[];
  /** Faults of the scenario or of this server. A test that trusts the rest must find none. */
  bugs: readonly string[];
  /** What the programs wanted of the world outside, seen because this server is their proxy too; refused. */
  escapes: readonly string[];
  /** From now on every connection is refused; until `accept`. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  /** Ends everything, the connections that hang too. */
  close(): Promise<void>;
}

export interface Exchange {
  request: ModelRequest;
  reply: Reply;
}

export const openModel = async (scenario: Scenario): Promise<ModelServer> => {
  const requests: Exchange[] = [];
  const bugs: string[] = [];
  const escapes: string[] = [];
  const closing = new AbortController();
  const counts = {all: 0, main: 0};

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!incoming.url?.startsWith('/')) {
      escapes.push(incoming.url ?? '');
      response.writeHead(403).end();
      return;
    }
    const request = read(incoming, await bodyOf(incoming), counts);
    const reply = replyTo(request, scenario);
    requests.push({request, reply});
    await send({request, reply, response, closing: closing.signal});
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      // A connection that the CLI itself has dropped is no fault.
      if (!incoming.socket.destroyed && !closing.signal.aborted)
        bugs.push(`${incoming.method} ${incoming.url}: ${error}`);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  server.on('connect', (incoming, socket) => {
    escapes.push(incoming.url ?? '');
    socket.on('error', () => undefined).end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  const {port, close, open} = await listen(server);
  const closeAll = (): Promise<void> => {
    closing.abort();
    return close();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    main: () => requests.filter(({request}) => request.kind === 'main'),
    bugs,
    escapes,
    refuse: close,
    accept: () => open(port),
    close: closeAll,
    [Symbol.asyncDispose]: closeAll,
  };
};

/** server.close() waits for every connection, and one that hangs does not end: so they are cut. */
const listen = async (server: Server) => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const open = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  await open(0);
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {port: (server.address() as AddressInfo).port, open, close};
};

const bodyOf = async (incoming: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
};

const read = (incoming: IncomingMessage, body: unknown, counts: {all: number; main: number}): ModelRequest => {
  const path = new URL(incoming.url ?? '/', 'http://127.0.0.1').pathname;
  const method = incoming.method ?? 'GET';
  const api = method === 'POST' ? apiOf(path) : undefined;
  const parsed = parse(api, path, body);
  counts.all += 1;
  if (parsed.kind === 'main') counts.main += 1;
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  const main = parsed.kind === 'main' ? counts.main : 0;
  return {number: counts.all, main, at: Date.now(), method, path, headers, api, body, ...parsed};
};

const apiOf = (path: string): Api | undefined => {
  if (/^\/v1\/messages(?:\/count_tokens)?$/.test(path)) return 'anthropic';
  return path === '/v1/responses' ? 'responses' : undefined;
};

const parse = (api: Api | undefined, path: string, body: unknown): Parsed => {
  if (api === 'anthropic') return parseMessages(path, body);
  if (api === 'responses') return parseResponses(body);
  return {kind: 'other', model: '', stream: false, tools: [], turns: []};
};

/** Errands get what they ask for, so that nothing of them stands in the conversation's way. */
const replyTo = (request: ModelRequest, scenario: Scenario): Reply => {
  switch (request.kind) {
    case 'main':
      return scenario.main(request);
    case 'compaction':
      return scenario.summary?.(request) ?? {is: 'text', text: 'The conversation so far, in short: work went on.'};
    case 'title':
      return {is: 'text', text: request.api === 'anthropic' ? '{"title":"The job"}' : 'The job'};
    case 'count':
      return {is: 'http', status: 200, body: {input_tokens: 1000}};
    case 'other':
      return {is: 'http', status: 200, body: {}};
    default:
      return {is: 'text', text: 'ok'};
  }
};
