// A note and the person's config → what is sent where. Nothing is sent here: io/machine/notify.ts does.

import {clean, cutTo, oneLine} from '../baton/clean.ts';
import type {Note} from './note.ts';
import type {NoteKind, NotifyConfig, Webhook} from './notify-config.ts';

export type Delivery =
  /** Bytes for the person's own terminal. */
  | {by: 'terminal'; bytes: string}
  | {by: 'desktop'; title: string; body: string; urgent: boolean}
  | {by: 'webhook'; url: string; headers: Record<string, string>; body: string}
  | {by: 'command'; words: string[]; env: Record<string, string>; stdin: string};

export interface Place {
  /** Secrets out: a note may quote the agent, and it leaves the machine. */
  redact(text: string): string;
  /** TERM and TMUX of the terminal; undefined when there is none. */
  terminal: {TERM?: string | undefined; TMUX?: string | undefined} | undefined;
}

export const notifications = (note: Note, config: NotifyConfig, {redact, terminal}: Place): Delivery[] => {
  const told = {...note, text: cutTo(clean(redact(note.text)), 500)};
  const wanted = (on: NoteKind[]): boolean => on.includes(note.kind);
  const local: Delivery[] = [];
  if (wanted(config.on)) {
    const bytes = terminal === undefined ? '' : terminalBytes(told, config.terminal, terminal);
    if (bytes !== '') local.push({by: 'terminal', bytes});
    if (config.desktop) {
      local.push({by: 'desktop', title: title(told), body: told.text, urgent: urgent.includes(note.kind)});
    }
  }
  return [
    ...local,
    ...config.webhooks.filter(({on}) => wanted(on)).map((webhook) => post(told, webhook)),
    ...config.commands.filter(({on}) => wanted(on)).map(({words}) => command(told, words)),
  ];
};

/** Without a person it does not go on. */
const urgent: NoteKind[] = ['parked', 'waiting-for-person', 'trouble', 'failed'];

const title = ({agent, track}: Note): string => `ckpt-run: ${oneLine(agent)}, track ${cutTo(oneLine(track), 60)}`;

const BELL = '\x07';

/** OSC 9 is a notification in most terminals; those that do not know it swallow it. tmux wants it wrapped. */
const terminalBytes = (
  note: Note,
  form: NotifyConfig['terminal'],
  {TERM, TMUX}: NonNullable<Place['terminal']>,
): string => {
  if (form === 'off') return '';
  const knowsOsc = TERM !== undefined && !/^(?:dumb|linux|vt\d+)/.test(TERM);
  const osc = `\x1b]9;${cutTo(oneLine(`${title(note)}: ${note.text}`), 200)}${BELL}`;
  const wrapped = TMUX ? `\x1bPtmux;${osc.replaceAll('\x1b', '\x1b\x1b')}\x1b\\` : osc;
  return (form === 'osc9' ? '' : BELL) + (form === 'bell' || !knowsOsc ? '' : wrapped);
};

const post = (note: Note, {url, form, headers}: Webhook): Delivery => {
  const sent = {'content-type': 'application/json', ...headers};
  switch (form) {
    case 'json':
      return {by: 'webhook', url, headers: sent, body: JSON.stringify(fields(note))};
    case 'slack':
      return {by: 'webhook', url, headers: sent, body: JSON.stringify({text: slackText(note)})};
    case 'ntfy': {
      // As JSON to the server's root: headers cannot carry every language.
      const at = new URL(url);
      const path = at.pathname.split('/').filter(Boolean);
      const topic = decodeURIComponent(path.pop() ?? '');
      at.pathname = path.length === 0 ? '/' : `/${path.join('/')}/`;
      const priority = urgent.includes(note.kind) ? 4 : 3;
      const body = {topic, title: title(note), message: note.text, priority, tags: [note.kind]};
      return {by: 'webhook', url: at.href, headers: sent, body: JSON.stringify(body)};
    }
  }
};

const fields = (note: Note) => ({
  source: 'ckpt-run',
  event: note.kind,
  title: title(note),
  text: note.text,
  run: note.run,
  track: note.track,
  agent: note.agent,
  leg: note.leg,
  at: new Date(note.at).toISOString(),
});

/** Slack reads these three signs as its own markup. */
const slackText = (note: Note): string => {
  const plain = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `*${plain(title(note))}* (${note.kind})\n${plain(note.text)}`;
};

/** Not CKPT_RUN: that marks the processes of an agent. */
const command = (note: Note, words: string[]): Delivery => ({
  by: 'command',
  words,
  env: {
    CKPT_NOTIFY_EVENT: note.kind,
    CKPT_NOTIFY_TITLE: title(note),
    CKPT_NOTIFY_TEXT: note.text,
    CKPT_NOTIFY_RUN: note.run,
    CKPT_NOTIFY_TRACK: note.track,
    CKPT_NOTIFY_AGENT: note.agent,
  },
  stdin: `${JSON.stringify(fields(note))}\n`,
});
