// `ckpt-run --replay`: the same detection, the same decisions, the time of the recording.

import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {loadCode} from '../../adapters/code.ts';
import {recordingKind} from '../../src/cli/recording.ts';
import {type ReplayWorld, replayCommand} from '../../src/cli/replay-command.ts';
import {readRunOptions} from '../../src/cli/run-options.ts';
import {makeConfig} from '../../src/config/config.ts';
import {fail, ok} from '../../src/core/failure.ts';
import {openScreen} from '../../src/detect/screen.ts';
import {builtin} from '../adapter/builtin.ts';
import {readRecording, recordingsOf, replay as signalsOf} from '../detect/recording.ts';

const fixtures = new URL('../fixtures/', import.meta.url).pathname;

const textsOf = (text: string): AsyncIterable<string> =>
  (async function* () {
    yield* text.trimEnd().split('\n');
  })();

const replayed = async (words: string[], files: Record<string, string> = {}) => {
  let out = '';
  const options = readRunOptions(words, {out: () => {}, err: () => {}}, '0');
  if (typeof options === 'number') throw new Error(`bad words: ${words.join(' ')}`);
  const world: ReplayWorld = {
    out: (text) => {
      out += text;
    },
    err: () => {},
    findAdapter: (name) =>
      name === 'claude' || name === 'codex'
        ? ok(builtin(name))
        : fail({is: 'not-found', what: `no adapter ${name}`, fix: ''}),
    loadCode: ({code}) => loadCode(code === 'claude' || code === 'codex' ? code : 'none'),
    openGround: async () => ok({config: makeConfig([])}),
    recordedLines: async (path) => ok(textsOf(files[path] ?? readFileSync(join(fixtures, path), 'utf8'))),
    openScreen: async (size) => openScreen(size),
  };
  const result = await replayCommand(options.replay ?? '', options, world);
  const entries = options.json
    ? out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    : [];
  return {result, out, entries};
};

const decided = (entries: Record<string, unknown>[]): unknown[] =>
  entries.flatMap<unknown>(({event, do: act, from, state, death}) =>
    event === 'would' ? [`⇒ ${act}`] : from === undefined ? [] : [[event, `${from} → ${state}`, death]],
  );

describe('session logs', () => {
  test('a compaction of Claude Code leads to a checkpoint, a stop and a fresh agent', async () => {
    const {entries, result} = await replayed(['--json', '--replay', 'logs/claude/compact-2.1.326.jsonl']);
    expect(result.ok).toBe(true);
    expect(decided(entries)).toEqual([
      '⇒ spawn-leg',
      ['compaction-done', 'starting → capturing', 'compaction'],
      '⇒ capture',
      ['checkpoint-written', 'capturing → stopping', 'compaction'],
      '⇒ stop-agent',
      ['agent-exited', 'stopping → capturing', 'compaction'],
      '⇒ capture',
      ['checkpoint-written', 'capturing → starting', undefined],
      '⇒ certify',
      '⇒ tell',
      '⇒ tell',
      '⇒ spawn-leg',
    ]);
    expect(entries[0]?.at).toBe('2026-11-18T10:40:42.176Z');
  });

  test('by another policy it leads to something else', async () => {
    const observed = await replayed([
      ...['--json', '--on-compaction', 'observe'],
      ...['--replay', 'logs/claude/compact-2.1.326.jsonl'],
    ]);
    expect(decided(observed.entries)).not.toContain('⇒ stop-agent');
  });

  test('a usage limit: waited out when nobody is there, only told to a person', async () => {
    const file = 'logs/claude/limit-2.1.326.jsonl';
    const alone = await replayed(['--json', '--until-done', '--replay', file]);
    expect(decided(alone.entries)).toContainEqual(['limit', 'starting → waiting', undefined]);
    const attended = await replayed(['--json', '--replay', file]);
    expect(decided(attended.entries)).toContainEqual(['limit', 'starting → working', undefined]);
  });

  test('Codex is known by its rollout', async () => {
    const {entries} = await replayed(['--json', '--replay', 'logs/codex/compact-auto-0.169.0.jsonl']);
    expect(decided(entries)).toContainEqual(['compaction-done', 'working → capturing', 'compaction']);
    // What comes after the end of the leg is shown, and decides nothing any more.
    expect(entries.filter(({event}) => event === 'compaction-done')).toHaveLength(2);
    expect(decided(entries).filter((one) => one === '⇒ stop-agent')).toHaveLength(1);
  });

  test('a turn in which nothing is logged for ten minutes is a hang', async () => {
    const line = (minute: number, payload: object): string =>
      JSON.stringify({
        timestamp: `2026-11-18T10:${String(minute).padStart(2, '0')}:00.000Z`,
        type: 'event_msg',
        payload,
      });
    const log = [
      JSON.stringify({timestamp: '2026-11-18T10:00:00.000Z', type: 'session_meta', payload: {id: 'x', cwd: '/'}}),
      line(1, {type: 'task_started', turn_id: 't'}),
      line(5, {type: 'token_count', info: null}),
      line(14, {type: 'token_count', info: null}),
      line(30, {type: 'token_count', info: null}),
    ];
    const {entries} = await replayed(['--json', '--until-done', '--replay', 'log'], {log: log.join('\n')});
    const hang = entries.find(({event}) => event === 'hang-seen');
    expect(hang).toMatchObject({from: 'working', state: 'capturing', death: 'hang'});
    expect(String(hang?.at)).toMatch(/^2026-11-18T10:11:/);
  });
});

describe('terminal recordings', () => {
  test.each(['claude', 'codex'])(
    'give the signals of the same detection, and decide nothing by the screen: %s',
    async (agent) => {
      const {screen} = builtin(agent);
      for (const name of recordingsOf(agent)) {
        const {entries} = await replayed(['--json', '--replay', `recordings/${agent}/${name}.cast`, agent]);
        const wanted = await signalsOf(readRecording(agent, name), screen, (part) => [part]);
        const seen = entries.flatMap(({event, evidence}) => (evidence === undefined ? [] : [event]));
        expect(seen, name).toEqual(wanted.map(({type}) => type));
        expect(decided(entries), name).not.toContain('⇒ stop-agent');
      }
    },
  );

  test('the agent is found by what is on its screen, or by our own title', async () => {
    for (const agent of ['claude', 'codex']) {
      for (const name of recordingsOf(agent)) {
        const lines = readFileSync(join(fixtures, `recordings/${agent}/${name}.cast`), 'utf8').split('\n');
        const kind = recordingKind(lines.slice(0, 300));
        expect([name, kind?.agent ?? agent]).toEqual([name, agent]);
      }
    }
    const ours = '{"version":2,"width":80,"height":24,"title":"ckpt-run practice"}';
    expect(recordingKind([ours])).toEqual({is: 'terminal', agent: 'practice'});
  });

  test('in words', async () => {
    const {out} = await replayed(['--replay', 'recordings/codex/fail-usagelimit.cast']);
    expect(out).toContain('ready [screen: osc shows ready; no proof]  starting → working');
    expect(out).toContain('usage limit [screen: screen shows limit; no proof]');
    expect(out).toContain('⇒ start an agent');
  });
});

describe('what cannot be replayed is told', () => {
  test.each<[what: string, words: string[], text: string, says: string]>([
    ['something else', [], 'hello\nworld', 'neither a terminal recording'],
    ['an empty file', [], '', 'neither a terminal recording'],
    ['a recording of nobody', [], '{"version":2,"width":80,"height":24}\n[1,"o","$ ls"]', 'of which agent'],
    ['an agent that we do not know', ['nobody'], '{"version":2,"width":80,"height":24}', 'no adapter nobody'],
  ])('%s', async (_, words, text, says) => {
    const {result, out} = await replayed(['--replay', 'file', ...words], {file: text});
    expect(result.ok ? '' : JSON.stringify(result.failure)).toContain(says);
    expect(out).toBe('');
  });
});
