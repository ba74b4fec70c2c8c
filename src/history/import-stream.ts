// The language of git fast-import, in bytes of one character each: one commit, made of a tree and what has changed in it.
// https://git-scm.com/docs/git-fast-import

import {bytesOf, type GitPath} from './git-paths.ts';

export interface CommitStart {
  /** Milliseconds since 1970. */
  at: number;
  message: string;
  parent: string | undefined;
  /** The tree to begin with; undefined: an empty one. */
  base: string | undefined;
}

const who = 'ckpt-run <ckpt-run@localhost>';

export const commitStart = ({at, message, parent, base}: CommitStart): string => {
  const text = bytesOf(message);
  const when = `${Math.floor(at / 1000)} +0000`;
  return [
    'feature done\ncommit refs/heads/snapshot\nmark :1\n',
    `author ${who} ${when}\ncommitter ${who} ${when}\ndata ${text.length}\n${text}\n`,
    parent === undefined ? '' : `from ${parent}\n`,
    // Whatever the parent has: the tree is ours.
    base === undefined ? 'deleteall\n' : `M 040000 ${base} ""\n`,
  ].join('');
};

/** The content follows, then a line feed. */
export const fileStart = (mode: FileMode, path: GitPath, size: number): string =>
  `M ${mode} inline ${quoted(path)}\ndata ${size}\n`;

export const entry = (mode: string, object: string, path: GitPath): string => `M ${mode} ${object} ${quoted(path)}\n`;

export const removal = (path: GitPath): string => `D ${quoted(path)}\n`;

/** Asks for the tree and the commit, which `readMade` finds in the answer. */
export const commitEnd = 'ls ""\nget-mark :1\ndone\n';

export type FileMode = '100644' | '100755' | '120000';

export const readMade = (answer: string): {tree: string; commit: string} | undefined => {
  const [, tree, commit] = /^040000 tree ([0-9a-f]+)\t\n([0-9a-f]+)\n/.exec(answer) ?? [];
  return tree === undefined || commit === undefined ? undefined : {tree, commit};
};

/** Always in quotes: a name may begin with one, end with a blank, or hold a line feed. */
const quoted = (path: GitPath): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be written otherwise
  `"${path.replace(/[\u0000-\u001f"\\\u007f]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`;
