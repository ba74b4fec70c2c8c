// A harmless stream: an agent at work that merely talks about limits, compactions and crashes. It quotes our own README,
// sources, tests, batons, adapters, the screens and recordings of dying agents; as files, diffs, tool results, chat.

import {readdirSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {type Dice, newDice} from '../soak/dice.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Every text of the repository that speaks of deaths: all of them. */
const texts = (): string[] => {
  const folders = ['src', 'adapters', 'tests/detect', 'tests/adapter', 'tests/core', 'tests/fixtures', 'tests/e2e'];
  const files = folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, {recursive: true, encoding: 'utf8', withFileTypes: true})
      .filter((entry) => entry.isFile() && /\.(?:ts|md|yaml|txt|json|jsonl|cast|sh)$/.test(entry.name))
      .map((entry) => `${entry.parentPath}/${entry.name}`),
  );
  return [`${root}README.md`, ...files.sort()].map((file) => readFileSync(file, 'utf8'));
};

let known: string[] | undefined;

/** A piece of some file, cut at its lines. */
export const quote = (dice: Dice, most = 4000): string => {
  known ??= texts();
  const text = dice.pick(known);
  const from = text.lastIndexOf('\n', dice.between(0, Math.max(0, text.length - 1))) + 1;
  return text.slice(from, from + dice.between(100, most));
};

/** Control characters as `cat -v` shows them: what a tool prints of a recording is no recording. */
const plain = (text: string): string =>
  text.replace(/(?![\t\n])\p{Cc}/gu, (char) => `^${String.fromCharCode(char.charCodeAt(0) ^ 64)}`);

const ways: ((dice: Dice, text: string) => string)[] = [
  // A file, with its numbers.
  (_, text) => lined(text, (line, n) => `      ${String(n).padStart(4)} ${line}`),
  // A diff.
  (dice, text) =>
    lined(text, (line, n) => `      ${n} \x1b[${dice.pick(['32m+', '31m-', '2m '])}${line}\x1b[39m\x1b[22m`),
  // A tool's result: the first line with the mark that the CLI draws.
  (_, text) => lined(text, (line, n) => (n === 1 ? `  ⎿  $ cat it` : `     ${line}`)),
  // The model's own words.
  (_, text) => lined(text, (line, n) => (n === 1 ? `● They say:` : `  > ${line}`)),
  // A box.
  (_, text) => lined(text, (line) => `  │ ${line.slice(0, 70).padEnd(70)} │`),
  // A search: file and line before each hit.
  (_, text) => lined(text, (line, n) => `  README.md:${n}:${line}`),
];

const lined = (text: string, each: (line: string, n: number) => string): string =>
  plain(text)
    .split('\n')
    .map((line, at) => `${each(line, at + 1)}\x1b[K\r\n`)
    .join('');

/** About so many bytes of a session that works and quotes. */
export const harmlessOutput = (seed: number, bytes: number): Buffer => {
  const dice = newDice(seed);
  const parts: Buffer[] = [];
  for (let size = 0; size < bytes; ) {
    const way = dice.pick(ways);
    const frame = dice.oneIn(3) ? ['\x1b[?2026h', '\x1b[?2026l'] : ['', ''];
    const move = dice.oneIn(6) ? `\x1b[${dice.between(1, 8)}A\x1b[1G` : '';
    const part = Buffer.from(`${frame[0]}${move}${way(dice, quote(dice))}${frame[1]}`);
    parts.push(part);
    size += part.length;
  }
  return Buffer.concat(parts);
};

/** Lines of a Claude Code transcript in which everything is quoted and nothing happens. */
export const harmlessClaude = (dice: Dice, n: number): string => {
  const said = quote(dice);
  const content: unknown = dice.pick([
    [{type: 'text', text: said}],
    [{type: 'thinking', thinking: said}],
    [{type: 'tool_use', id: `t${n}`, name: 'Write', input: {file_path: '/x', content: said}}],
    [{type: 'tool_result', tool_use_id: `t${n - 1}`, content: said, is_error: dice.oneIn(2)}],
    [{type: 'tool_result', tool_use_id: `t${n - 1}`, content: [{type: 'text', text: said}]}],
  ]);
  const type = JSON.stringify(content).includes('tool_result') ? 'user' : 'assistant';
  const at = new Date(Date.UTC(2026, 10, 18) + n * 1000).toISOString();
  return JSON.stringify({type, sessionId: 's', timestamp: at, message: {id: `m${n}`, model: 'x', content}});
};

/** The same of a Codex rollout. */
export const harmlessCodex = (dice: Dice, n: number): string => {
  const said = quote(dice);
  const item = (more: object): object => ({type: 'item_completed', item: more});
  const [type, payload] = dice.pick<[string, object]>([
    ['response_item', {type: 'message', role: 'assistant', content: [{type: 'output_text', text: said}]}],
    ['response_item', {type: 'function_call', call_id: `c${n}`, name: 'exec_command', arguments: said}],
    ['response_item', {type: 'function_call_output', call_id: `c${n - 1}`, output: said}],
    ['event_msg', item({type: 'CommandExecution', id: `c${n}`, command: ['cat'], aggregated_output: said})],
    ['event_msg', item({type: 'AgentMessage', id: `a${n}`, content: [{type: 'Text', text: said}]})],
  ]);
  return JSON.stringify({timestamp: new Date(Date.UTC(2026, 10, 18) + n * 1000).toISOString(), type, payload});
};
