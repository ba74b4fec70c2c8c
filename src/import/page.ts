// A page of notes that some agent wrote by some template: Markdown headings, `key: value` lines or YAML, all mixed.
// Reads what it knows by name, however it is spelt, and leaves the rest.

export interface Page {
  /** The first heading that is no known name. */
  title: string | undefined;
  values: Map<string, string>;
  lists: Map<string, string[]>;
}

/** `known`: spelling (lower case, words joined by `_`) → the name we call it by. */
export const readPage = (text: string, known: ReadonlyMap<string, string>): Page => {
  const page: Page = {title: undefined, values: new Map(), lists: new Map()};
  let current: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed === '' || /^(?:```|~~~|---$)/.test(trimmed)) continue;
    const heading = /^#{1,6}\s+(.*)$/.exec(trimmed)?.[1];
    const item = /^(?:[-*+]|\d+[.)])\s+(.*)$/.exec(trimmed)?.[1];
    const named = nameIn(heading ?? item ?? trimmed, known, heading !== undefined);
    if (named !== undefined) {
      current = named.name;
      if (named.rest !== '') addText(page, current, named.rest);
    } else if (heading !== undefined) {
      page.title ??= plain(heading);
      current = undefined;
    } else if (current !== undefined) {
      if (item === undefined) addText(page, current, trimmed);
      else page.lists.set(current, [...(page.lists.get(current) ?? []), item]);
    }
  }
  return page;
};

/** One text, or the items of a list, whichever way it was written. */
export const textOf = ({values, lists}: Page, name: string): string | undefined =>
  values.get(name) ?? lists.get(name)?.map(plain).join('; ');

export const itemsOf = ({values, lists}: Page, name: string): string[] => {
  const value = values.get(name);
  return [...(value === undefined ? [] : [value]), ...(lists.get(name) ?? [])];
};

/** Without quotes, emphasis and a YAML comment behind it. */
export const plain = (text: string): string => {
  const quoted = /^(["'])(.*?)\1\s*(?:#\s.*)?$/s.exec(text.trim())?.[2];
  if (quoted !== undefined) return quoted.trim();
  return text
    .replace(/\s+#\s.*$/s, '')
    .replace(/^[*_`]+|[*_`]+$/g, '')
    .trim();
};

/** `Next steps`, `next_steps: a`, `**Next:** a`. A heading may be the bare name; in a line it needs its colon. */
const nameIn = (
  text: string,
  known: ReadonlyMap<string, string>,
  bare: boolean,
): {name: string; rest: string} | undefined => {
  const [, key = '', rest = ''] = /^[*_`]*([^:=*`]{1,40}?)[*_`]*\s*[:=]\s*[*_`]*\s*(.*)$/s.exec(text) ?? [];
  const name = known.get(spelt(key));
  if (name !== undefined) return {name, rest: rest.startsWith('#') ? '' : plain(rest)};
  const whole = bare ? known.get(spelt(text)) : undefined;
  return whole === undefined ? undefined : {name: whole, rest: ''};
};

const spelt = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');

const addText = (page: Page, name: string, text: string): void => {
  const before = page.values.get(name);
  page.values.set(name, before === undefined ? plain(text) : `${before}\n${plain(text)}`);
};
