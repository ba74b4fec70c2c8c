// One path as a word of a shell command, inside a text that agents treat as a template.

const plain = /^[A-Za-z0-9_/.:=+,%-]+$/;

/**
 * In single quotes, as every shell reads them. `$1`, `$ARGUMENTS`, `{{args}}`, `!{…}` and `@{…}` mean something in the
 * agents' command files: an empty pair of quotes behind the first character takes that meaning away, and nothing else.
 */
export const shellWord = (text: string): string =>
  plain.test(text) ? text : `'${text.replaceAll("'", "'\\''").replace(/[$!@{]/g, "$&''")}'`;

/** A line break, or another control character, would tear the files that name the path. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
export const canBeNamed = (path: string): boolean => !/[\u0000-\u001f\u007f\u2028\u2029\ufffd]/.test(path);
