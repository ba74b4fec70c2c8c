// File names of checkpoints: `context_checkpoint_20261118T091500123Z_label.json` and `.md`.

import {type CheckpointId, isCheckpointId} from '../core/ids.ts';

const prefix = 'context_checkpoint_';
/** With the prefix, the timestamp and a temp file's ending this stays far below the 255 bytes of a file name. */
const maxLabelBytes = 80;

/** `20261118T091500123Z` */
export const stampOf = (at: number): string => new Date(at).toISOString().replace(/[-:.]/g, '');

/** The time in an id, in milliseconds. */
export const timeOf = (id: CheckpointId): number =>
  Date.parse(id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z_.*$/su, '$1-$2-$3T$4:$5:$6.$7Z'));

export const checkpointId = (at: number, label: string): CheckpointId => {
  const id = `${stampOf(at)}_${safeLabel(label)}`;
  if (!isCheckpointId(id)) throw new Error(`Internal error: ${id} is not a checkpoint id`);
  return id;
};

/** Letters, digits and `._-` of any language; whatever else becomes a dash. Never empty, never hidden, never `..`. */
export const safeLabel = (label: string): string => {
  // The pattern of all letters takes a millisecond to make, at every start.
  const odd = /^[ -~]*$/.test(label) ? /[^A-Za-z0-9._-]+/g : /[^\p{L}\p{M}\p{N}._-]+/gu;
  const plain = label
    .normalize('NFC')
    .replace(odd, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/-{2,}/g, '-');
  let kept = '';
  let bytes = 0;
  for (const char of plain.replace(/^[.-]+/, '')) {
    bytes += utf8Length(char);
    if (bytes > maxLabelBytes) break;
    kept += char;
  }
  kept = kept.replace(/[.-]+$/, '');
  return kept === '' ? 'checkpoint' : kept;
};

export const jsonFileOf = (id: CheckpointId): string => `${prefix}${id}.json`;
export const mdFileOf = (id: CheckpointId): string => `${prefix}${id}.md`;

/** Undefined for files that are no checkpoint of ours. */
export const idOfJsonFile = (name: string): CheckpointId | undefined => {
  if (!name.startsWith(prefix) || !name.endsWith('.json')) return undefined;
  const id = name.slice(prefix.length, -'.json'.length);
  return isCheckpointId(id) && !id.includes('\\') ? id : undefined;
};

export const utf8Length = (char: string): number => {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
};
