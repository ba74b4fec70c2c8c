// Sends what notifications.ts decided: terminal, desktop, webhooks, commands. Nothing here throws, waits for the agent
// or holds the run up; what cannot be delivered is said once.

import {spawn} from 'node:child_process';
import {type Note, oncePer} from '../../notify/note.ts';
import {type Delivery, notifications, type Place} from '../../notify/notifications.ts';
import type {NotifyConfig} from '../../notify/notify-config.ts';

export interface NotifyOptions {
  config: NotifyConfig;
  env: Record<string, string | undefined>;
  redact: (text: string) => string;
  /** Writes to the person's terminal when no sequence of the agent's is open; undefined without a terminal. */
  writeTerminal?: ((bytes: string) => void) | undefined;
  /** Told once per way of delivery. Never holds an address: those are secrets. */
  onFailure?: (what: string) => void;
  platform?: string;
  timeoutMs?: number;
  /** Before a webhook is tried a second time. */
  againMs?: number;
}

export interface Notify {
  tell(note: Note): void;
  /** At the end of a run: resolves when all is delivered, or after so many milliseconds. */
  settle(ms: number): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const AGAIN_MS = 2000;
const ONCE_PER_MS = 10 * 60_000;

export const openNotify = (options: NotifyOptions): Notify => {
  const {config, env, redact, writeTerminal, onFailure} = options;
  const {TERM, TMUX} = env;
  const place: Place = {redact, terminal: writeTerminal && {TERM, TMUX}};
  const isNew = oncePer(ONCE_PER_MS);
  const underway = new Set<Promise<void>>();
  const complained = new Set<string>();
  const complain = (way: string, error: unknown): void => {
    if (complained.has(way)) return;
    complained.add(way);
    onFailure?.(`a notification by ${way} could not be delivered: ${said(error)}`);
  };
  const begin = (delivery: Delivery): void => {
    const done = deliver(delivery, options)
      .catch((error: unknown) => complain(delivery.by, error))
      .finally(() => underway.delete(done));
    underway.add(done);
  };
  return {
    tell: (note) => {
      if (isNew(note)) for (const delivery of notifications(note, config, place)) begin(delivery);
    },
    settle: async (ms) => {
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      await Promise.race([Promise.allSettled([...underway]), enough]);
      clearTimeout(timer);
    },
  };
};

const deliver = async (delivery: Delivery, options: NotifyOptions): Promise<void> => {
  switch (delivery.by) {
    case 'terminal':
      options.writeTerminal?.(delivery.bytes);
      return;
    case 'desktop':
      return run({words: desktopWords(delivery, options.platform ?? process.platform), env: {}, stdin: ''}, options);
    case 'webhook':
      return post(delivery, options);
    case 'command':
      return run(delivery, options);
  }
};

/** The words go as arguments, never into a script: what the agent said cannot run. */
const desktopWords = ({title, body, urgent}: Extract<Delivery, {by: 'desktop'}>, platform: string): string[] =>
  platform === 'darwin'
    ? [
        ...[
          'osascript',
          '-e',
          'on run argv',
          '-e',
          'display notification (item 2 of argv) with title (item 1 of argv)',
        ],
        ...['-e', 'end run', title, body],
      ]
    : ['notify-send', '--app-name=ckpt-run', `--urgency=${urgent ? 'critical' : 'normal'}`, '--', title, body];

interface Program {
  words: string[];
  env: Record<string, string>;
  stdin: string;
}

const run = ({words: [file = '', ...args], env, stdin}: Program, options: NotifyOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      env: {...options.env, ...env},
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: options.timeoutMs ?? TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    child.on('error', reject);
    // A program that does not read its stdin is no fault.
    child.stdin.on('error', () => undefined).end(stdin);
    child.on('close', (code, signal) => (code === 0 ? resolve() : reject(new Error(`it left with ${code ?? signal}`))));
  });

const post = async (delivery: Webhook, options: NotifyOptions): Promise<void> => {
  const first = await postOnce(delivery, options);
  if (first === undefined) return;
  if (!first.again) throw new Error(first.what);
  await new Promise((resolve) => setTimeout(resolve, options.againMs ?? AGAIN_MS));
  const second = await postOnce(delivery, options);
  if (second !== undefined) throw new Error(second.what);
};

type Webhook = Extract<Delivery, {by: 'webhook'}>;

/** Undefined: taken. The host is told and never the whole address. */
const postOnce = async (
  {url, headers, body}: Webhook,
  {timeoutMs = TIMEOUT_MS}: NotifyOptions,
): Promise<{what: string; again: boolean} | undefined> => {
  const {host} = new URL(url);
  try {
    const answer = await fetch(url, {method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs)});
    // Read to its end: otherwise the connection stays open.
    await answer.arrayBuffer();
    if (answer.ok) return undefined;
    // Understood and refused: asking again changes nothing.
    return {what: `${host} answered ${answer.status}`, again: answer.status >= 500 || answer.status === 429};
  } catch (error) {
    return {what: `${host}: ${causeOf(error)}`, again: true};
  }
};

/** fetch says "fetch failed"; why stands in its cause. */
const causeOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return said(cause);
};

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));
