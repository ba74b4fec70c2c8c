// Paths as git has them. A name on disk is bytes and need not be UTF-8, so a path is kept as its bytes, one character
// each; it becomes text only where somebody reads it.

declare const brand: unique symbol;
/** Relative to the top of the tree, slashes, one character per byte. */
export type GitPath = string & {readonly [brand]: 'GitPath'};

/** The bytes of a text, one character each. */
export const bytesOf = (text: string): string => {
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
};

export const gitPath = (bytes: string): GitPath => bytes as GitPath;

/** From a text that a person typed. `.` and an empty one are the whole tree. */
export const gitPathOf = (text: string): GitPath => {
  const plain = text.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  return gitPath(plain === '.' ? '' : bytesOf(plain));
};

/** For people: UTF-8 where it is, a mark where it is not. */
export const shown = (path: string): string =>
  new TextDecoder().decode(Uint8Array.from(path, (char) => char.charCodeAt(0)));

/** The folder itself counts as inside; the empty path is the whole tree. */
export const isUnder = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

/** `a/b/c` → `a`, `a/b`. */
export const foldersOf = (path: GitPath): GitPath[] => {
  const found: GitPath[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) found.push(gitPath(path.slice(0, at)));
  return found;
};

export const nameOf = (path: GitPath): string => path.slice(path.lastIndexOf('/') + 1);

/** Records that end with NUL, as `-z` gives them. */
export const records = (output: string): string[] => (output === '' ? [] : output.replace(/\0$/, '').split('\0'));
