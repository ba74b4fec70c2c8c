// The first ancestor: `context_checkpoint_{timestamp}_{label}.json` + `.md`, LATEST.json with `tracks`.

import {type CheckpointDraft, validations} from '../baton/checkpoint.ts';
import type {Track} from '../core/ids.ts';
import {emptyDraft, type Found, type Foundling, type OldFile, timeIn, trackNamed} from './foundling.ts';
import {readPage, textOf} from './page.ts';

const pattern = /^context_checkpoint_(.+)\.(json|md)$/;

export const isRelayFolder = (files: OldFile[]): boolean =>
  files.some(({name}) => pattern.test(name) || name === 'LATEST.json' || name === 'LATEST.md');

/** `ours`: checkpoints that this tool wrote itself, in the same folder. */
export interface RelayFound extends Found {
  ours: number;
}

/** The JSON of a checkpoint; its page only where the JSON is gone or torn; LATEST.json only for what has neither. */
export const readRelayBatons = (files: OldFile[], track: Track): RelayFound => {
  const found: RelayFound = {foundlings: [], complaints: [], ours: 0};
  const stems = new Set(files.flatMap(({name}) => pattern.exec(name)?.[1] ?? []));
  for (const stem of [...stems].sort()) {
    const at = (ending: string) => files.find(({name}) => name === `context_checkpoint_${stem}.${ending}`);
    const read = readStem(at('json'), at('md'), track);
    if (read.is === 'ours') found.ours += 1;
    else if (read.is === 'bad') found.complaints.push(read.what);
    else found.foundlings.push(read.one);
  }
  const latest = files.find(({name}) => name === 'LATEST.json');
  if (latest !== undefined) found.foundlings.push(...onlyInLatest(latest, found.foundlings, track));
  const current = textAt(parsed(latest?.text ?? '') ?? {}, 'current_track');
  for (const {draft} of found.foundlings) draft.set_current = draft.track === current;
  return found;
};

type Reading = {is: 'read'; one: Foundling} | {is: 'ours'} | {is: 'bad'; what: string};

const readStem = (json: OldFile | undefined, md: OldFile | undefined, track: Track): Reading => {
  const document = json === undefined ? undefined : parsed(json.text);
  if (typeof document?.schema_version === 'number' && typeof document.id === 'string') return {is: 'ours'};
  const one =
    (json === undefined || document === undefined ? undefined : fromDocument(document, json, track)) ??
    (md === undefined ? undefined : fromDocument(fromPage(md.text), md, track));
  if (one !== undefined) return {is: 'read', one};
  return {is: 'bad', what: `${json?.name ?? md?.name}: no step was found in it`};
};

type Document = Record<string, unknown>;

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parsed = (text: string): Document | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isDocument(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const names = ['track', 'step', 'note', 'next_cmd', 'validation', 'branch', 'head', 'label', 'timestamp'];
const spellings = new Map([...names.map((name) => [name, name] as const), ['next_command', 'next_cmd']]);

const fromPage = (text: string): Document => {
  const page = readPage(text, spellings);
  return Object.fromEntries(names.flatMap((name) => (textOf(page, name) ? [[name, textOf(page, name)]] : [])));
};

const fromDocument = (document: Document, file: OldFile, track: Track): Foundling | undefined => {
  const git = isDocument(document.git) ? document.git : {};
  const step = textAt(document, 'step');
  if (step === undefined) return undefined;
  const said = textAt(document, 'validation') ?? 'unknown';
  const validation = validations.find((known) => known === said.toLowerCase());
  const draft: CheckpointDraft = {
    ...emptyDraft(trackNamed(textAt(document, 'track', 'workstream'), track)),
    step,
    label: textAt(document, 'label') ?? labelIn(file.name) ?? step.slice(0, 60),
    note: textAt(document, 'note') ?? '',
    next_cmd: textAt(document, 'next_cmd', 'next_command') ?? '',
    validation: validation ?? 'unknown',
    branch: textAt(document, 'branch', 'git_branch') ?? textAt(git, 'branch'),
    head: textAt(document, 'head', 'git_head', 'commit') ?? textAt(git, 'head', 'commit'),
    extra: {...(validation === undefined ? {validation: said} : {}), ...extrasOf(document)},
  };
  const time = textAt(document, 'timestamp', 'created_at', 'created', 'time', 'born');
  return {draft, at: timeIn(time ?? '') ?? timeIn(file.name) ?? file.changedAt, file: file.name, content: file.text};
};

const textAt = (document: Document, ...keys: string[]): string | undefined =>
  keys.map((key) => document[key]).find((value): value is string => typeof value === 'string' && value !== '');

const labelIn = (name: string): string | undefined =>
  /^context_checkpoint_[\dTZ:.+-]+(?:_\d+)?_(.+)\.\w+$/.exec(name)?.[1];

const taken = new Set([
  ...['step', 'note', 'next_cmd', 'next_command', 'label', 'track', 'workstream', 'validation', 'extra'],
  ...['branch', 'git_branch', 'head', 'git_head', 'commit', 'git'],
  ...['timestamp', 'created_at', 'created', 'time', 'born', '__proto__'],
]);

/** `extra` as a map or as `key=value` texts; and whatever else the document says, so that nothing is lost. */
const extrasOf = (document: Document): Record<string, string> => {
  const {extra} = document;
  const pairs = Array.isArray(extra)
    ? extra.flatMap((one) => (typeof one === 'string' ? [splitPair(one)] : []))
    : Object.entries(isDocument(extra) ? extra : {});
  const rest = Object.entries(document).filter(([key]) => !taken.has(key));
  return Object.fromEntries(
    [...rest, ...pairs]
      .filter(([key, value]) => key !== '__proto__' && value !== null && value !== undefined)
      .map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
};

const splitPair = (text: string): [string, string] => {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
};

const onlyInLatest = (latest: OldFile, known: Foundling[], track: Track): Foundling[] => {
  const document = parsed(latest.text);
  if (document === undefined || typeof document.schema_version === 'number' || !isDocument(document.tracks)) return [];
  return Object.entries(document.tracks).flatMap(([name, entry]) => {
    if (!isDocument(entry)) return [];
    const file = {...latest, text: JSON.stringify(entry), name: `LATEST.json#${name}`};
    const read = fromDocument({...entry, track: name}, file, track);
    const isKnown = known.some(({draft}) => draft.track === name && draft.step === read?.draft.step);
    return read === undefined || isKnown ? [] : [read];
  });
};
