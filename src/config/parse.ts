// YAML text → settings. Every refusal names file, line, key, what is wrong and what to write instead.

import {readYaml} from '../adapter/parse.ts';
import {type Field, FieldError, MapReader} from '../adapter/yaml-fields.ts';
import type {Result} from '../core/failure.ts';
import {type NotifyConfig, readNotify} from '../notify/notify-config.ts';
import type {Setting} from './config.ts';
import {type Key, keys, knobs} from './knobs.ts';

/** `repository`: came with the clone, so that a stranger may have written it. `person`: their own. */
export type Author = 'repository' | 'person';

export const parseConfig = (text: string, file: string, author: Author): Result<Setting[]> =>
  readYaml(text, file, (field) => {
    // An empty file, or one of comments alone.
    if (field.is === 'scalar' && field.value === null) return [];
    if (author === 'repository') refuseUntrusted(field);
    else notifyOf(field);
    const settings = readMap(withoutNotify(field), '');
    if (author === 'repository') refuseOutside(settings);
    return settings.map(({key, value, line}) => ({key, value, from: `${file}:${line}`}));
  });

/** The `notify` section of the person's own file. Not among the settings: it holds addresses that nobody else may see. */
export const parseNotify = (text: string, file: string): Result<NotifyConfig> => readYaml(text, file, notifyOf);

const notifyOf = (field: Field): NotifyConfig => {
  const entry = field.is === 'map' ? field.entries.get('notify') : undefined;
  const read = readNotify(entry && plain(entry.value));
  if (read.ok) return read.value;
  const {key, what, fix} = read.failure;
  throw new FieldError(entry?.line ?? 1, `notify: "${key}" is ${what}`, fix);
};

const withoutNotify = (field: Field): Field =>
  field.is === 'map' ? {...field, entries: new Map([...field.entries].filter(([key]) => key !== 'notify'))} : field;

const plain = (field: Field): unknown => {
  if (field.is === 'scalar') return field.value;
  if (field.is === 'list') return field.items.map(plain);
  return Object.fromEntries([...field.entries].map(([key, {value}]) => [key, plain(value)]));
};

interface Read {
  key: Key;
  value: unknown;
  line: number;
}

const readMap = (field: Field, path: string): Read[] => {
  const names = namesUnder(path);
  const map = new MapReader(field, path, names);
  return names.flatMap((name): Read[] => {
    if (!map.has(name)) return [];
    const key = path === '' ? name : `${path}.${name}`;
    if (!isKey(key)) return readMap(map.field(name), key);
    return [{key, value: knobs[key].read(map, name), line: map.line(name)}];
  });
};

const isKey = (text: string): text is Key => Object.hasOwn(knobs, text);

/** `policy` → `onCompaction`, `maxLegs`, `budget`, … */
const namesUnder = (path: string): string[] => {
  const prefix = path === '' ? '' : `${path}.`;
  const below = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length).split('.')[0] ?? '');
  return [...new Set(below)];
};

/** Also under names that we do not know yet: what can run, reach out or say yes is never for a repository to set. */
const untrusted =
  /^(?:commands?|exec|run|shell|hooks?|webhooks?|notify|notifications?|urls?|adapters?|agents?|plugins?|approvals?|approve|permissions?|trust|env|environment)$/i;

const refuseUntrusted = (field: Field): void => {
  if (field.is !== 'map') return;
  for (const [key, {line, value}] of field.entries) {
    if (untrusted.test(key)) {
      throw new FieldError(
        line,
        `"${key}" may not be set by a repository's file`,
        'remove it: a cloned repository is not trusted with commands, webhooks, adapters, approvals or outside paths',
      );
    }
    refuseUntrusted(value);
  }
};

const refuseOutside = (settings: Read[]): void => {
  const dir = settings.find(({key}) => key === 'checkpointDir');
  if (dir === undefined || isInside(String(dir.value))) return;
  throw new FieldError(
    dir.line,
    `"checkpointDir" leads out of the repository's own files: ${String(dir.value)}`,
    'write a folder inside the repository; one outside is for your own config.yaml, CKPT_DIR or --checkpoint-dir',
  );
};

/** By its words alone; where links lead is seen when the folder is opened. */
const isInside = (path: string): boolean => {
  const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  if (/^(?:[\\/~]|[A-Za-z]:)/.test(path) || parts.length === 0) return false;
  return !parts.includes('..') && parts[0]?.toLowerCase() !== '.git';
};
