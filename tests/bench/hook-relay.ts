// What a hook of ours costs the agent, against the cheapest hook there is: `sh -c true`.

import {spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {hooks} from '../../adapters/claude/hooks.ts';
import {at, listAt, textAt} from '../../adapters/shared/json.ts';
import {relayPath} from '../../src/io/setup/adapter-files.ts';

export interface HookRelayBench {
  /** Medians, in milliseconds. */
  trueMs: number;
  relayMs: Record<string, number>;
  /** The dearest of them against `sh -c true`. */
  ratio: number;
  /** What the issue allows. */
  limit: number;
}

const ROUNDS = 200;
const LIMIT = 6;

export const benchHookRelay = (rounds = ROUNDS): HookRelayBench => {
  const spool = mkdtempSync(join(tmpdir(), 'ckpt-bench-relay-'));
  try {
    const commands = new Map([['true', 'true'], ...commandsFor(spool)]);
    const times = new Map([...commands.keys()].map((name) => [name, [] as number[]]));
    // In turn, so that whatever else the machine does meets all of them alike.
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, command] of commands) times.get(name)?.push(timed(command));
      for (const file of readdirSync(spool)) if (file.endsWith('.json')) rmSync(join(spool, file));
    }
    const medians = Object.fromEntries([...times].map(([name, all]) => [name, median(all)]));
    const {true: trueMs = 0, ...relayMs} = medians;
    return {trueMs, relayMs, ratio: Math.max(...Object.values(relayMs)) / trueMs, limit: LIMIT};
  } finally {
    rmSync(spool, {recursive: true, force: true});
  }
};

/** As Claude Code gets them: a hook on the way of every call, and one that prints the protocol. */
const commandsFor = (spool: string): [string, string][] => {
  const parsed = {
    ...{kind: 'run' as const, items: [], headless: false, streams: false, words: [], flags: []},
    ...{positionals: [], prompt: undefined},
  };
  const autocompact = {setting: {is: 'on' as const}, version: undefined, env: {}};
  const {args} = hooks({
    ...{relay: relayPath(), spool, parsed, cwd: spool, allow: [], readFile: () => undefined},
    ...{attended: true, checkpointDir: spool, autocompact},
  });
  const settings: unknown = JSON.parse(args[1] ?? '{}');
  return ['PreToolUse', 'PostToolUse', 'SessionStart'].map((event) => {
    const [entry] = listAt(at(settings, 'hooks'), event);
    const [hook] = listAt(entry, 'hooks');
    return [event, textAt(hook, 'command') ?? ''];
  });
};

const input = JSON.stringify({hook_event_name: 'PostToolUse', tool_response: {stdout: 'x'.repeat(2000)}});

const timed = (command: string): number => {
  const began = process.hrtime.bigint();
  const {status} = spawnSync('/bin/sh', ['-c', command], {input});
  if (status !== 0) throw new Error(`A hook ended with ${status}: ${command}`);
  return Number(process.hrtime.bigint() - began) / 1e6;
};

const median = (all: number[]): number => {
  const sorted = [...all].sort((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) * 100) / 100;
};
