// Everything that reads what others have written. None of it may throw, hang or grow, whatever it is given.

import {readdirSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {readHook as claudeHook} from '../../adapters/claude/hooks.ts';
import {newLogReader as claudeReader} from '../../adapters/claude/session-log.ts';
import {readHook as codexHook} from '../../adapters/codex/hooks.ts';
import {newLogReader as codexReader} from '../../adapters/codex/session-log.ts';
import type {HookReading, LogReader} from '../../src/adapter/adapter.ts';
import {firstArgs, parseArgv, restartArgs} from '../../src/adapter/argv.ts';
import {parseAdapter} from '../../src/adapter/parse.ts';
import {compose} from '../../src/baton/compose.ts';
import {readLatest} from '../../src/baton/latest.ts';
import {readCheckpoint, readSnapshotInput} from '../../src/baton/schema.ts';
import {parseConfig, parseNotify} from '../../src/config/parse.ts';
import {legNumber, millis, type RunId, type Track} from '../../src/core/ids.ts';
import {modeLedger} from '../../src/detect/mode-ledger.ts';
import {readDeathRecord} from '../../src/watch/death-record.ts';
import {journalWords, readJournalLine} from '../../src/watch/journal-line.ts';
import {readPointer} from '../../src/watch/run-pointer.ts';
import {readRunRecord} from '../../src/watch/run-record.ts';
import {readRunRemains} from '../../src/watch/run-remains.ts';
import {builtin} from '../adapter/builtin.ts';
import {messageTargets} from './message-targets.ts';
import {mutated, reshaped, wounded} from './mutate.ts';
import type {Target} from './target.ts';

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));
const filesOf = (folder: string, ending: RegExp): string[] =>
  readdirSync(`${fixtures}${folder}`, {recursive: true, encoding: 'utf8'})
    .filter((name) => ending.test(name))
    .sort()
    .map((name) => readFileSync(`${fixtures}${folder}/${name}`, 'utf8'));
const linesOf = (texts: string[]): string[] => texts.flatMap((text) => text.trimEnd().split('\n'));

/** Up to thirty lines of one log, some of them wounded; then the facts and the checkpoint that is made of them. */
const logTarget = (agent: 'claude' | 'codex', newReader: () => LogReader): Target => {
  const lines = linesOf([
    ...filesOf(`logs/${agent}`, /\.jsonl$/),
    ...filesOf('corpus', /\.jsonl$/).filter((text) => text.includes(agent === 'codex' ? 'session_meta' : 'sessionId')),
  ]).filter((line) => line.length < 20_000);
  return {
    name: `session log of ${agent}`,
    share: 4,
    play: (dice) => {
      const reader = newReader();
      const from = dice.between(0, lines.length - 1);
      for (const line of lines.slice(from, from + dice.between(1, 30))) {
        reader.feed(dice.oneIn(3) ? wounded(dice, line, dice.pick(lines)) : line);
      }
      const facts = reader.facts();
      if (!dice.oneIn(4)) return;
      compose({
        ...{track: 'main' as Track, trigger: 'death', run: 'r-20261118-120000-0000' as RunId, leg: legNumber(1)},
        ...{death: undefined, runStartedAt: millis(0), facts, previous: undefined, continued: false, prompt: undefined},
        git: {root: '/project', branch: 'main', head: 'a'.repeat(40), dirty: []},
        agent: {name: agent, version: undefined, logPath: '/log', logOffset: 0},
        setCurrent: true,
      });
    },
  };
};

const hookTarget = (agent: 'claude' | 'codex', read: (name: string, payload: unknown) => HookReading): Target => {
  const calls = linesOf(filesOf('hooks', /\.jsonl?$/)).flatMap((line) => {
    try {
      return [JSON.parse(line) as {hook_event_name?: string}];
    } catch {
      return [];
    }
  });
  const base = {session_id: 's', transcript_path: '/t', cwd: '/c', hook_event_name: 'PreCompact', trigger: 'auto'};
  const tool = {...base, tool_name: 'Bash', tool_input: {command: 'ls'}, tool_response: {stdout: ''}, tool_use_id: 't'};
  const names = [
    ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Stop'],
    ...['PreCompact', 'PostCompact', 'SubagentStop', 'StopFailure', 'SessionEnd', 'Notification', 'PermissionRequest'],
  ];
  return {
    name: `hooks of ${agent}`,
    share: 4,
    play: (dice) => {
      const payload = dice.pick<unknown>([...calls.slice(0, 40), base, tool]);
      read(dice.oneIn(10) ? mutated(dice, dice.pick(names), 'x') : dice.pick(names), reshaped(dice, payload, 6));
    },
  };
};

/** Every reader of one of our own files. */
const recordTarget = (name: string, texts: string[], read: (text: string) => unknown): Target => ({
  name,
  share: 2,
  play: (dice) => void read(wounded(dice, dice.pick(texts), dice.pick(texts))),
});

const yamlTarget = (name: string, texts: string[], read: (text: string) => unknown): Target => ({
  name,
  share: 0.3,
  play: (dice) => void read(mutated(dice, dice.pick(texts), dice.pick(texts))),
});

const ledgerText = JSON.stringify({startedAt: 1, failures: [1], streak: 0, used: {tokens: 1, dollars: 0}, captures: 1});
const runText = `{"schema_version":1,"run":"r-20261118-120000-0000","agent":"claude","words":["claude","x"],"pid":1,"born":"2",
"track":"main","started_at":"2026-11-18T12:00:00Z","updated_at":"2026-11-18T12:00:00Z","state":"working","leg":2,
"ledger":${ledgerText},"outcome":{"is":"parked","why":"x"},"waits":{"for":"limit","until":"2026-11-18T12:00:00Z"}}`;
const journalText = `{"at":"2026-11-18T12:00:00Z","run":"r-20261118-120000-0000","leg":1,"event":"agent-exited",
"exit":{"code":0,"signal":9},"meaning":"killed","from":"working","state":"capturing","death":"killed","evidence":[{"channel":"exit"}]}`;
const latestText = `{"schema_version":1,"current_track":"main","tracks":{"main":{"id":"20261118T120000000Z_x","step":"s",
"state":"open","next_cmd":"n","born":"2026-11-18T12:00:00Z"}}}`;
const checkpointText = `{"schema_version":1,"id":"20261118T120000000Z_x","track":"main","label":"x","step":"s","note":"n",
"next_cmd":"c","validation":"green","trigger":"manual","born":"2026-11-18T12:00:00Z","tasks":[{"title":"t","state":"pending"}],
"extra":{"a":"b"},"active_files":[{"what":"f","why":"w"}],"decisions_made":[],"tried_failed":[],"next_steps":["x"],"dirty":[]}`;
const configText =
  'policy:\n  maxLegs: 5\n  backoff: {firstSeconds: 1}\ntriggers: [interval]\nnotify:\n  webhook: https://x\n';

const argvTarget = (agent: string): Target => {
  const help = filesOf('help', new RegExp(`^${agent}.*\\.txt$`)).join('\n');
  const words = [...new Set(help.match(/--?[a-z][\w-]*|\b[a-z-]{3,10}\b/g) ?? [])];
  const adapter = builtin(agent);
  return {
    name: `command line of ${agent}`,
    share: 2,
    play: (dice) => {
      const args = Array.from({length: dice.between(0, 9)}, () => {
        const word = dice.pick(words);
        return dice.oneIn(4) ? mutated(dice, word, 'x=y') : dice.oneIn(5) ? `${word}=${dice.pick(words)}` : word;
      });
      const parsed = parseArgv(args, adapter.argv);
      if (parsed.kind !== 'run') return;
      // Leg 1 gets every word of the person, in order.
      const first = firstArgs(parsed, {hookArgs: [], drop: [], sessionIdArgs: []});
      if (JSON.stringify(first) !== JSON.stringify(args)) throw new Error(`changed: ${JSON.stringify(args)}`);
      const again = restartArgs(parsed, adapter, {hookArgs: [], drop: [], sessionIdArgs: [], prompt: 'the baton'});
      if (again.at(-1) !== 'the baton') throw new Error(`no baton: ${JSON.stringify(again)}`);
    },
  };
};

const terminalTarget = (): Target => {
  const casts = filesOf('recordings', /\.cast$/).map((text) =>
    linesOf([text])
      .slice(1)
      .map((line) => String((JSON.parse(line) as unknown[])[2]))
      .join(''),
  );
  return {
    name: 'terminal modes',
    share: 2,
    play: (dice) => {
      const ledger = modeLedger();
      const text = dice.pick(casts);
      const from = dice.between(0, text.length);
      ledger.feed(Buffer.from(mutated(dice, text.slice(from, from + 3000), dice.pick(casts))));
      ledger.resets(true);
    },
  };
};

export const targets = (): Target[] => [
  logTarget('claude', claudeReader),
  logTarget('codex', codexReader),
  hookTarget('claude', claudeHook),
  hookTarget('codex', codexHook),
  recordTarget('run.json', [runText], (text) => [readRunRecord(text), readRunRemains(text)]),
  recordTarget('journal.jsonl', [journalText], (text) => {
    const line = readJournalLine(text);
    return line && journalWords(line, {withRun: true});
  }),
  recordTarget('LATEST.json', [latestText], readLatest),
  recordTarget('checkpoint', [checkpointText], (text) => [readCheckpoint(text), readSnapshotInput(text)]),
  recordTarget('certificate', [journalText, runText], readDeathRecord),
  recordTarget('pointer', [runText], readPointer),
  yamlTarget('adapter.yaml', ['claude', 'codex', 'generic', 'practice'].map(adapterText), (text) =>
    parseAdapter(text, 'adapter.yaml'),
  ),
  yamlTarget('config', [configText], (text) => [
    parseConfig(text, 'ckpt.yaml', 'repository'),
    parseConfig(text, 'config.yaml', 'person'),
    parseNotify(text, 'config.yaml'),
  ]),
  argvTarget('claude'),
  argvTarget('codex'),
  terminalTarget(),
  ...messageTargets(),
];

const adapterText = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../adapters/${name}/adapter.yaml`, import.meta.url)), 'utf8');
