// The last line of every file of ours: it says whose the file is, and by its hash whether somebody has changed it since.

import {createHash} from 'node:crypto';

export type Comment = 'html' | 'hash' | 'slashes';

/** The text with its mark below. */
export const withMark = (text: string, comment: Comment): string => {
  const whole = text.endsWith('\n') ? text : `${text}\n`;
  const words = `${said}${sha256(whole)}`;
  switch (comment) {
    case 'html':
      return `${whole}<!-- ${words} -->\n`;
    case 'hash':
      return `${whole}# ${words}\n`;
    case 'slashes':
      return `${whole}// ${words}\n`;
  }
};

/** intact: as we wrote it. changed: ours, with somebody's changes. foreign: never ours. */
export type Whose = 'intact' | 'changed' | 'foreign';

export const whoseIs = (text: string): Whose => {
  const lines = text.replaceAll('\r\n', '\n');
  const found = [...lines.matchAll(markLine)].at(-1);
  if (found === undefined) return 'foreign';
  const above = lines.slice(0, found.index);
  const below = lines.slice(found.index + found[0].length).trim();
  return below === '' && sha256(above) === found[1] ? 'intact' : 'changed';
};

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const said = 'Installed by ckpt-run; ckpt uninstall removes it. sha256=';
const markLine =
  /^(?:<!-- |# |\/\/ )Installed by ckpt-run; ckpt uninstall removes it\. sha256=([0-9a-f]{64})(?: -->)?$/gm;
