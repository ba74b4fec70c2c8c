// The person's command line, read by the adapter's table, and the command lines that we make of it.

import type {Adapter, ArgvItem, ArgvTable, ParsedArgv, ParsedFlag} from './adapter.ts';
import {readItems} from './argv-items.ts';

type ParsedRun = Extract<ParsedArgv, {kind: 'run'}>;

/** What every leg adds. `drop`: the person's flags that `hookArgs` replace (they have been merged in). */
interface Added {
  hookArgs: string[];
  drop: string[];
}

export const parseArgv = (args: string[], table: ArgvTable): ParsedArgv => {
  const items = readItems(args, table);
  const flags = items.flatMap((item) => (item.is === 'flag' ? item.flags : []));
  const words = items.flatMap((item) => (item.is === 'word' ? item.tokens : []));
  const positionals = items.flatMap((item) => (item.is === 'positional' ? item.tokens : []));
  if (isNoRun({words, positionals, flags}, table)) return {kind: 'pass'};
  return {
    kind: 'run',
    items,
    headless: [...words, ...flags.map(({flag}) => flag)].some((name) => table.headless.includes(name)),
    streams: flags.some((flag) => chooses(flag, table)),
    words,
    flags,
    positionals,
    prompt: table.opaque ? undefined : positionals.slice(idsIn(words, flags, table)).at(-1),
  };
};

/** Leg 1: the person's tokens untouched and in order, ours in front of them. */
export const firstArgs = (
  parsed: ParsedRun,
  {hookArgs, drop, sessionIdArgs}: Added & {sessionIdArgs: string[]},
): string[] => [...hookArgs, ...sessionIdArgs, ...parsed.items.flatMap((item) => withoutFlags(item, drop))];

/** Later legs: the person's flags stay; their prompt and what named a conversation go; the baton is the last token. */
export const restartArgs = (
  parsed: ParsedRun,
  adapter: Adapter,
  {hookArgs, drop, sessionIdArgs, prompt}: Added & {sessionIdArgs: string[]; prompt: string},
): string[] => {
  const {dropWords, dropFlags, opaque} = adapter.argv;
  const kept = parsed.items.flatMap((item) => {
    if (opaque) return item.tokens;
    if (item.is === 'word') return item.tokens.filter((word) => !dropWords.includes(word));
    return item.is === 'flag' ? withoutFlags(item, [...drop, ...dropFlags]) : [];
  });
  return [...hookArgs, ...kept, ...sessionIdArgs, ...promptArgs(adapter, prompt)];
};

export const sessionIdArgs = (adapter: Adapter, uuid: string): string[] =>
  (adapter.sessionId ?? []).map((arg) => arg.replaceAll('{uuid}', uuid));

/** Does the person name a conversation of their own? Then its id is not ours to give. */
export const namesConversation = ({flags, words}: ParsedRun, {argv}: Adapter): boolean =>
  flags.some(({flag}) => argv.dropFlags.includes(flag)) || words.some((word) => argv.dropWords.includes(word));

/** A longer prompt goes to a file, and a short one that names the file takes its place. */
export const promptFits = (adapter: Adapter, prompt: string): boolean =>
  Buffer.byteLength(prompt) <= adapter.firstPrompt.maxBytes;

/** `ckpt-run generic ./my-agent …`: adapters without names of their own take the first word as the program. */
export const splitProgram = (adapter: Adapter, args: string[]): {program: string | undefined; args: string[]} =>
  adapter.binary.names.length === 0 ? {program: args[0], args: args.slice(1)} : {program: undefined, args};

const isNoRun = (
  {words, positionals, flags}: {words: string[]; positionals: string[]; flags: ParsedFlag[]},
  table: ArgvTable,
): boolean =>
  table.passWords.includes([...words, ...positionals.slice(0, 1)].join(' ')) ||
  flags.some(({flag}) => table.passFlags.includes(flag));

const chooses = ({flag, values}: ParsedFlag, table: ArgvTable): boolean =>
  table.stream.some(
    (choice) => choice.flag === flag && (choice.values.length === 0 || choice.values.includes(values[0] ?? '')),
  );

/** How many of the positionals name a conversation: `resume <id> [prompt]`, but `resume --last [prompt]`. */
const idsIn = (words: string[], flags: ParsedFlag[], table: ArgvTable): number => {
  const named = words.some((word) => table.dropWords.includes(word));
  return named && !flags.some(({flag}) => table.latest.includes(flag)) ? 1 : 0;
};

const withoutFlags = (item: ArgvItem, drop: string[]): string[] => {
  if (item.is !== 'flag' || !item.flags.some(({flag}) => drop.includes(flag))) return item.tokens;
  return item.flags.filter(({flag}) => !drop.includes(flag)).flatMap(({tokens}) => tokens);
};

const promptArgs = (adapter: Adapter, prompt: string): string[] =>
  adapter.firstPrompt.args.map((arg) => arg.replace('{prompt}', () => plainText(prompt)));

/** Agents read a first `/` or `!` as a command and `-` as a flag; a NUL cannot stand in an argument at all. */
const plainText = (prompt: string): string => {
  const text = prompt.replaceAll('\0', '');
  return /^\s*[-/!@#]/.test(text) ? `Note: ${text}` : text;
};
