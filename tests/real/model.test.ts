import {expect, test} from 'vitest';
import {amnesiac} from './model/amnesiac.ts';
import {cut, failuresOf, hangs} from './model/failures.ts';
import {type Scenario, withFaults} from './model/reply.ts';
import {openModel} from './model/server.ts';
import {until} from './until.ts';

const body = {model: 'm', stream: true, tools: [{name: 'Bash'}], messages: [{role: 'user', content: 'Hello'}]};

const post = (url: string, path: string, content: unknown = body): Promise<Response> =>
  fetch(`${url}${path}`, {method: 'POST', body: JSON.stringify(content)});

test('a scenario that throws is written down as a bug, and the CLI gets an error', async () => {
  const main: Scenario['main'] = () => {
    throw new Error('no idea');
  };
  await using model = await openModel({main});
  expect((await post(model.url, '/v1/messages')).status).toBe(500);
  expect(model.bugs).toEqual(['POST /v1/messages: Error: no idea']);
});

test.each(Object.values(hangs))('close() ends a connection that hangs $where', async (reply) => {
  const model = await openModel({main: () => reply});
  const asked = post(model.url, '/v1/messages').then((response) => response.text());
  const ended = asked.then(
    () => 'whole',
    () => 'cut',
  );
  await until('the request', () => model.main().length === 1);
  await model.close();
  expect(await ended).toBe('cut');
});

test('a stream that is cut has begun well', async () => {
  await using model = await openModel({main: () => cut});
  const response = await post(model.url, '/v1/responses', {model: 'm', stream: true, tools: [{name: 'exec_command'}]});
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

test('faults hit the main requests that they name, and no errand', async () => {
  const {overloaded} = failuresOf('claude');
  await using model = await openModel(withFaults(amnesiac(), [{from: 2, times: 1, reply: overloaded}]));
  const probe = {...body, max_tokens: 1, tools: []};
  const statuses: number[] = [];
  for (const content of [body, probe, body, probe, body]) {
    statuses.push((await post(model.url, '/v1/messages', content)).status);
  }
  expect(statuses).toEqual([200, 200, 529, 200, 200]);
  expect(model.requests.map(({request}) => request.kind)).toEqual(['main', 'probe', 'main', 'probe', 'main']);
});

test('whatever else a CLI asks for at its start is answered harmlessly', async () => {
  await using model = await openModel(amnesiac());
  expect((await fetch(model.url, {method: 'HEAD'})).status).toBe(200);
  expect(await (await fetch(`${model.url}/v1/models`)).json()).toEqual({});
  expect(await (await post(model.url, '/v1/messages/count_tokens')).json()).toEqual({input_tokens: 1000});
  expect(model.bugs).toEqual([]);
});
