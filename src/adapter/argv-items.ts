// Cuts a command line into items the way commander (Claude Code) and clap (Codex) do. Loses no token.

import type {ArgvItem, ArgvTable, ParsedFlag} from './adapter.ts';

export const readItems = (args: string[], table: ArgvTable): ArgvItem[] => {
  const items: ArgvItem[] = [];
  let rest = args;
  while (rest.length > 0) {
    const [token = '', ...after] = rest;
    if (token === '--') {
      items.push({is: 'end', tokens: [token]}, ...after.map(positional));
      break;
    }
    const item = looksLikeFlag(token) ? readFlag(token, after, table) : readWord(token, items, table);
    items.push(item);
    rest = rest.slice(item.tokens.length);
  }
  return giveSurplusToUnknownFlags(items, table);
};

/** A lone `-` is a word: it means standard input. */
const looksLikeFlag = (token: string): boolean => token.length > 1 && token.startsWith('-');

const positional = (token: string): ArgvItem => ({is: 'positional', tokens: [token]});

/** Words such as `exec` and `resume` count only in front of the first other word. */
const readWord = (token: string, before: ArgvItem[], table: ArgvTable): ArgvItem => {
  const known = table.keepWords.includes(token) || table.dropWords.includes(token);
  return known && !before.some(({is}) => is === 'positional') ? {is: 'word', tokens: [token]} : positional(token);
};

const readFlag = (token: string, after: string[], table: ArgvTable): ArgvItem => {
  const equals = /^(--[^=]+)=(.*)$/s.exec(token);
  if (equals) return single({flag: equals[1] ?? token, tokens: [token], values: [equals[2] ?? '']});
  if (isShortCluster(token, table)) return readCluster(token, after, table);
  const values = valuesOf(token, after, table);
  return single({flag: token, tokens: [token, ...values], values});
};

const single = (flag: ParsedFlag): ArgvItem => ({is: 'flag', tokens: flag.tokens, flags: [flag]});

const valuesOf = (flag: string, after: string[], table: ArgvTable): string[] => {
  if (table.value.includes(flag)) return after.slice(0, 1);
  const next = after.findIndex((token) => token === '--' || looksLikeFlag(token));
  const words = next === -1 ? after : after.slice(0, next);
  if (table.optionalValue.includes(flag)) return words.slice(0, 1);
  return table.variadic.includes(flag) ? words : [];
};

const allFlags = (table: ArgvTable): string[] => [
  ...table.value,
  ...table.optionalValue,
  ...table.variadic,
  ...table.plain,
  ...table.passFlags,
];

const isShortCluster = (token: string, table: ArgvTable): boolean =>
  token.length > 2 && !token.startsWith('--') && allFlags(table).includes(token.slice(0, 2));

/** `-pc` is `-p -c`; `-mopus` is `-m opus`. The first flag that takes a value has the rest of the token. */
const readCluster = (token: string, after: string[], table: ArgvTable): ArgvItem => {
  const flags: ParsedFlag[] = [];
  let letters = token.slice(1);
  while (letters !== '') {
    const flag = `-${letters.charAt(0)}`;
    letters = letters.slice(1);
    const takesValue = [...table.value, ...table.optionalValue, ...table.variadic].includes(flag);
    if (takesValue && letters !== '') {
      flags.push({flag, tokens: [`${flag}${letters}`], values: [letters.replace(/^=/, '')]});
      break;
    }
    const values = valuesOf(flag, after, table);
    flags.push({flag, tokens: [flag, ...values], values});
    if (takesValue) return {is: 'flag', tokens: [token, ...values], flags};
  }
  return {is: 'flag', tokens: [token], flags};
};

/**
 * A newer CLI may have flags with values that the table does not know. Agents take one prompt, so a word too many that
 * stands right behind an unknown flag is its value: kept with it on a restart instead of being taken for the prompt.
 */
const giveSurplusToUnknownFlags = (items: ArgvItem[], table: ArgvTable): ArgvItem[] => {
  const known = allFlags(table);
  const ids = items.some(({is, tokens}) => is === 'word' && table.dropWords.includes(tokens[0] ?? '')) ? 1 : 0;
  let surplus = items.filter(({is}) => is === 'positional').length - 1 - ids;
  const merged: ArgvItem[] = [];
  for (const item of items) {
    const last = merged.at(-1);
    const flag = last?.is === 'flag' && last.tokens.length === 1 ? last.flags[0] : undefined;
    const takes = flag && flag.values.length === 0 && !known.includes(flag.flag) && item.is === 'positional';
    if (takes && surplus > 0 && !table.opaque) {
      surplus -= 1;
      const tokens = [flag.flag, ...item.tokens];
      merged[merged.length - 1] = single({flag: flag.flag, tokens, values: item.tokens});
    } else merged.push(item);
  }
  return merged;
};
