import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer, type IncomingMessage, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {type NotifyOptions, openNotify} from '../../../src/io/machine/notify.ts';
import type {Note} from '../../../src/notify/note.ts';
import {defaultNotify, type NotifyConfig, noteKinds} from '../../../src/notify/notify-config.ts';
import {tempFolder} from '../checkpoint-files-rig.ts';

const note: Note = {
  ...{kind: 'parked', run: 'r-1', track: 'main', agent: 'claude', leg: 3, at: 1000, text: 'parked: $(touch x) `y`'},
};
const all = [...noteKinds];

/** A web service that answers with these codes, one after another, and remembers what it was told. */
const service = async (...codes: number[]) => {
  const got: {path: string; type: string | undefined; body: unknown}[] = [];
  const server: Server = createServer((request: IncomingMessage, answer) => {
    let text = '';
    request.on('data', (chunk) => {
      text += String(chunk);
    });
    request.on('end', () => {
      got.push({path: request.url ?? '', type: request.headers['content-type'], body: JSON.parse(text)});
      answer.writeHead(codes.shift() ?? 200).end('thanks');
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a/topic`};
};

const rig = (config: Partial<NotifyConfig>, options: Partial<NotifyOptions> = {}) => {
  const failures: string[] = [];
  const notify = openNotify({
    config: {...defaultNotify, terminal: 'off', ...config},
    env: {PATH: process.env.PATH},
    redact: (text) => text,
    onFailure: (what) => void failures.push(what),
    againMs: 5,
    ...options,
  });
  return {failures, tell: notify.tell, settle: () => notify.settle(20_000)};
};

const webhook = (url: string, form: 'json' | 'ntfy' | 'slack' = 'json') => ({url, form, headers: {}, on: all});

/** A program of that name in a folder of its own; it writes its arguments and its stdin down. */
const program = (name: string, body = ''): {path: string; told: () => string[]; stdin: () => string} => {
  const dir = tempFolder();
  const file = join(dir, name);
  writeFileSync(
    file,
    `#!/bin/sh\nprintf '%s\\n' "$@" > '${dir}/args.tmp'\ncat > '${dir}/stdin'\n${body}\nmv '${dir}/args.tmp' '${dir}/args'\n`,
  );
  chmodSync(file, 0o755);
  return {
    path: `${dir}:${process.env.PATH}`,
    told: () => readFileSync(join(dir, 'args'), 'utf8').trimEnd().split('\n'),
    stdin: () => readFileSync(join(dir, 'stdin'), 'utf8'),
  };
};

it('a webhook gets the note as JSON', async () => {
  const {got, url} = await service();
  const {tell, settle, failures} = rig({webhooks: [webhook(url)]});
  tell(note);
  await settle();
  expect(got).toMatchObject([{path: '/a/topic', type: 'application/json', body: {event: 'parked', text: note.text}}]);
  expect(failures).toEqual([]);
});

it('ntfy and Slack get it in their own forms', async () => {
  const {got, url} = await service();
  const {tell, settle} = rig({webhooks: [webhook(url, 'ntfy'), webhook(url, 'slack')]});
  tell(note);
  await settle();
  expect(got.find(({path}) => path === '/a/')?.body).toMatchObject({topic: 'topic', message: note.text});
  expect(got.find(({path}) => path === '/a/topic')?.body).toEqual({text: expect.stringContaining('parked')});
});

it('a service that stumbles is asked once more', async () => {
  const {got, url} = await service(503, 200);
  const {tell, settle, failures} = rig({webhooks: [webhook(url)]});
  tell(note);
  await settle();
  expect(got).toHaveLength(2);
  expect(failures).toEqual([]);
});

it.each([
  ['refuses', [403], 1, 'answered 403'],
  ['stumbles for good', [500, 500], 2, 'answered 500'],
])('a service that %s is complained of once, without its address', async (_name, codes, asked, said) => {
  const {got, url} = await service(...codes, ...codes);
  const {tell, settle, failures} = rig({webhooks: [webhook(url)]});
  tell(note);
  await settle();
  expect(got).toHaveLength(asked);
  tell({...note, text: 'another'});
  await settle();
  expect(failures).toEqual([expect.stringContaining(said)]);
  expect(failures.join()).not.toContain('topic');
});

it('a service that is not there costs nobody more than a word', async () => {
  const {tell, settle, failures} = rig({webhooks: [webhook('http://127.0.0.1:1/secret')]});
  tell(note);
  await settle();
  expect(failures).toEqual([expect.stringMatching(/127\.0\.0\.1:1: /)]);
  expect(failures.join()).not.toContain('secret');
});

it('a service that never answers is given up', async () => {
  const server = createServer(() => {});
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
  const {tell, settle, failures} = rig({webhooks: [webhook(url)]}, {timeoutMs: 50});
  tell(note);
  await settle();
  expect(failures).toHaveLength(1);
});

it('a command gets the note in its environment and on its stdin, and nothing of it is run', async () => {
  const dir = tempFolder();
  const words = ['/bin/sh', '-c', `printf '%s' "$CKPT_NOTIFY_TEXT" > '${dir}/text'; cat > '${dir}/json'`];
  const {tell, settle, failures} = rig({commands: [{words, on: all}]});
  tell(note);
  await settle();
  expect(readFileSync(join(dir, 'text'), 'utf8')).toBe(note.text);
  expect(JSON.parse(readFileSync(join(dir, 'json'), 'utf8'))).toMatchObject({run: 'r-1', leg: 3});
  expect(failures).toEqual([]);
});

it.each([
  ['fails', ['/bin/sh', '-c', 'exit 3'], 'it left with 3'],
  ['is not there', ['/no/such/program'], 'ENOENT'],
  ['never ends', ['/bin/sh', '-c', 'exec sleep 600'], 'SIGKILL'],
])('a command that %s is complained of', async (_name, words, said) => {
  const {tell, settle, failures} = rig({commands: [{words, on: all}]}, {timeoutMs: 200});
  tell(note);
  await settle();
  expect(failures).toEqual([expect.stringContaining(said)]);
});

it('a desktop is told by notify-send, with the words as arguments', async () => {
  const {path, told} = program('notify-send');
  const {tell, settle, failures} = rig({desktop: true}, {platform: 'linux', env: {PATH: path}});
  tell({...note, text: '--icon=/etc/passwd'});
  await settle();
  expect(failures).toEqual([]);
  expect(told()).toEqual([
    ...['--app-name=ckpt-run', '--urgency=critical', '--', 'ckpt-run: claude, track main', '--icon=/etc/passwd'],
  ]);
});

it('on macOS by osascript, with the words outside of the script', async () => {
  const {path, told} = program('osascript');
  const {tell, settle} = rig({desktop: true}, {platform: 'darwin', env: {PATH: path}});
  tell(note);
  await settle();
  expect(told().slice(-2)).toEqual(['ckpt-run: claude, track main', note.text]);
  expect(told().slice(0, -2).join(' ')).not.toContain('touch');
});

it('the terminal is written to by whoever owns it', async () => {
  const written: string[] = [];
  const env = {TERM: 'xterm', PATH: process.env.PATH};
  const {tell, settle} = rig({terminal: 'both'}, {env, writeTerminal: (bytes) => void written.push(bytes)});
  tell(note);
  await settle();
  expect(written).toEqual([expect.stringContaining('\u0007\u001b]9;ckpt-run: claude, track main: parked')]);
});

it('the same note is sent once', async () => {
  const {got, url} = await service();
  const {tell, settle} = rig({webhooks: [webhook(url)]});
  tell(note);
  tell({...note, at: 2000});
  await settle();
  expect(got).toHaveLength(1);
});

it('settling waits for what is underway, but no longer than it may', async () => {
  const dir = tempFolder();
  const script = `while [ ! -e '${dir}/go' ]; do sleep 0.02; done; touch '${dir}/gone'`;
  const notify = openNotify({
    config: {...defaultNotify, commands: [{words: ['/bin/sh', '-c', script], on: all}]},
    env: {PATH: process.env.PATH},
    redact: (text) => text,
  });
  notify.tell(note);
  await notify.settle(10);
  expect(existsSync(join(dir, 'gone'))).toBe(false);
  writeFileSync(join(dir, 'go'), '');
  await notify.settle(20_000);
  expect(existsSync(join(dir, 'gone'))).toBe(true);
});
