// The `notify:` section of the person's own config. A repository may not set it: it runs commands and reaches out.

import {fail, ok, type Result} from '../core/failure.ts';

export const noteKinds = ['parked', 'waiting-for-person', 'limit', 'trouble', 'done', 'failed'] as const;
/** trouble: the agent cannot go on by itself (login, credits). failed: the run ended without its work being done. */
export type NoteKind = (typeof noteKinds)[number];

export const terminalForms = ['both', 'bell', 'osc9', 'off'] as const;
export const webhookForms = ['json', 'ntfy', 'slack'] as const;

export interface Webhook {
  url: string;
  form: (typeof webhookForms)[number];
  headers: Record<string, string>;
  on: NoteKind[];
}

export interface NotifyConfig {
  on: NoteKind[];
  terminal: (typeof terminalForms)[number];
  desktop: boolean;
  webhooks: Webhook[];
  /** Program and arguments; what happened comes in its environment and on its stdin. */
  commands: {words: string[]; on: NoteKind[]}[];
}

export const defaultNotify: NotifyConfig = {
  on: [...noteKinds],
  terminal: 'both',
  desktop: false,
  webhooks: [],
  commands: [],
};

/** `key`: where in the section, as `webhooks[0].url`. */
export interface NotifyFault {
  key: string;
  what: string;
  fix: string;
}

/** Takes what a YAML reader made of the section; undefined or null: the defaults. */
export const readNotify = (raw: unknown): Result<NotifyConfig, NotifyFault> => {
  if (raw === undefined || raw === null) return ok(defaultNotify);
  try {
    const section = mapOf(raw, 'notify', ['on', 'terminal', 'desktop', 'webhooks', 'commands']);
    const on = section.on === undefined ? defaultNotify.on : kindsOf(section.on, 'on');
    return ok({
      on,
      terminal:
        section.terminal === undefined ? defaultNotify.terminal : wordOf(section.terminal, 'terminal', terminalForms),
      desktop: section.desktop === undefined ? defaultNotify.desktop : flagOf(section.desktop, 'desktop'),
      webhooks: listOf(section.webhooks, 'webhooks').map((one, at) => webhookOf(one, `webhooks[${at}]`, on)),
      commands: listOf(section.commands, 'commands').map((one, at) => commandOf(one, `commands[${at}]`, on)),
    });
  } catch (error) {
    if (error instanceof Fault) return fail(error.fault);
    throw error;
  }
};

/** Carries a fault out of the depth of one file; it never leaves readNotify. */
class Fault extends Error {
  readonly fault: NotifyFault;

  constructor(key: string, what: string, fix: string) {
    super(what);
    this.fault = {key, what, fix};
  }
}

const webhookOf = (raw: unknown, key: string, on: NoteKind[]): Webhook => {
  const map = mapOf(raw, key, ['url', 'form', 'headers', 'on']);
  const form = map.form === undefined ? 'json' : wordOf(map.form, `${key}.form`, webhookForms);
  const url = urlOf(map.url, `${key}.url`);
  if (form === 'ntfy' && new URL(url).pathname.split('/').filter(Boolean).length === 0) {
    throw new Fault(`${key}.url`, 'an address without a topic', 'write it as https://ntfy.sh/your-topic');
  }
  const headers = map.headers === undefined ? {} : mapOf(map.headers, `${key}.headers`, undefined);
  return {
    url,
    form,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, textOf(value, `${key}.headers.${name}`)]),
    ),
    on: map.on === undefined ? on : kindsOf(map.on, `${key}.on`),
  };
};

/** `[say, hello]`, `"say hello"` for a shell, or `{run: …, on: […]}`. */
const commandOf = (raw: unknown, key: string, on: NoteKind[]): NotifyConfig['commands'][number] => {
  if (typeof raw === 'string') return {words: ['/bin/sh', '-c', textOf(raw, key)], on};
  if (Array.isArray(raw)) {
    if (raw.length === 0) throw new Fault(key, 'empty', 'write [program, argument, …]');
    return {words: raw.map((word, at) => textOf(word, `${key}[${at}]`)), on};
  }
  const map = mapOf(raw, key, ['run', 'on']);
  return commandOf(map.run, `${key}.run`, map.on === undefined ? on : kindsOf(map.on, `${key}.on`));
};

const mapOf = (raw: unknown, key: string, known: string[] | undefined): Record<string, unknown> => {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw new Fault(key, 'not a map', known === undefined ? 'write name: value' : `write some of: ${known.join(', ')}`);
  }
  const strange = known && Object.keys(raw).find((name) => !known.includes(name));
  if (strange !== undefined) throw new Fault(`${key}.${strange}`, 'unknown', `known: ${known?.join(', ')}`);
  return raw as Record<string, unknown>;
};

const listOf = (raw: unknown, key: string): unknown[] => {
  if (raw === undefined || raw === null) return [];
  if (!Array.isArray(raw)) throw new Fault(key, 'not a list', 'begin each entry with a dash');
  return raw;
};

const kindsOf = (raw: unknown, key: string): NoteKind[] =>
  listOf(raw, key).map((one, at) => wordOf(one, `${key}[${at}]`, noteKinds));

const wordOf = <T extends string>(raw: unknown, key: string, allowed: readonly T[]): T => {
  // YAML reads a bare `off` as the word it is, but an older reader may have made it false.
  const text = raw === false ? 'off' : raw;
  const found = allowed.find((word) => word === text);
  if (found === undefined)
    throw new Fault(key, `${JSON.stringify(raw)}, which is none of them`, `one of: ${allowed.join(', ')}`);
  return found;
};

const flagOf = (raw: unknown, key: string): boolean => {
  if (typeof raw !== 'boolean') throw new Fault(key, 'neither true nor false', 'write true or false');
  return raw;
};

const textOf = (raw: unknown, key: string): string => {
  if (typeof raw !== 'string' || raw.trim() === '') throw new Fault(key, 'no text', 'write a text that is not empty');
  return raw;
};

const urlOf = (raw: unknown, key: string): string => {
  const text = textOf(raw, key);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new Fault(key, 'no address of a web service', 'write it as https://…');
  }
  return text;
};
