// Real bytes of real agents: what the screen tells, however the bytes are cut, and what a death at their end owes.

import {describe, expect, test} from 'vitest';
import type {Signal} from '../../src/core/events.ts';
import {modeLedger} from '../../src/detect/mode-ledger.ts';
import {builtin} from '../adapter/builtin.ts';
import {byteByByte, cutAt, seededCuts} from './chunks.ts';
import {openOracle} from './oracle-terminal.ts';
import {readRecording, recordingsOf, replay} from './recording.ts';

/** Did the agent give the terminal back by itself? Most recordings were cut off or killed at their end. */
type End = 'clean' | 'dirty';
type Row = [name: string, signals: string, end: End];

/**
 * Every signal, in order; all of them alerts. Where a failure is shown with the mark of the model's own words
 * (`● API Error: …`), no rule can tell it from a quotation: the hooks and the session log tell those.
 */
const golden: Record<string, Row[]> = {
  claude: [
    // A compaction that a hook has blocked leaves nothing on the screen.
    ['cblock-auto-block-new', 'ready busy idle busy idle busy idle', 'dirty'],
    ['cblock-auto-continuefalse-new', 'ready busy idle busy compaction-started idle busy idle', 'dirty'],
    ['cblock-manual-exit2-new', 'ready busy idle busy idle', 'dirty'],
    // Nor does an automatic one that is done.
    ['compact-auto-new', 'ready idle busy idle busy compaction-started idle busy idle', 'clean'],
    ['compact-manual-new', 'ready busy idle busy idle busy compaction-started idle compaction-done busy idle', 'clean'],
    ['fail-tui-credit-new', 'ready idle busy idle fatal', 'dirty'],
    ['fail-tui-e400-new', 'ready busy idle', 'dirty'],
    ['fail-tui-e401-new', 'ready idle busy overload idle auth', 'dirty'],
    ['fail-tui-e529-new', 'ready busy overload idle', 'dirty'],
    ['fail-tui-empty-new', 'ready idle busy idle', 'dirty'],
    ['fail-tui-hang-new', 'ready idle busy overload', 'dirty'],
    ['fail-tui-maxtok-new', 'ready idle busy idle', 'dirty'],
    ['fail-tui-mctx-new', 'ready idle busy idle', 'dirty'],
    ['fail-tui-ptlall-new', 'ready busy idle context-full', 'dirty'],
    ['fail-tui-refusal-new', 'ready idle busy idle', 'dirty'],
    ['fail-tui-refused-new', 'ready idle busy overload idle', 'dirty'],
    ['fail-tui-usage-new', 'ready idle busy idle', 'dirty'],
    ['fail-tui-usage-new-oauth', 'ready busy idle limit', 'dirty'],
    ['live-new', 'ready busy idle', 'clean'],
    ['perm-new', 'ready idle busy idle waiting-for-person busy idle', 'dirty'],
    ['sig-idle-SIGKILL-new', 'ready idle busy idle', 'dirty'],
    ['sig-idle-SIGTERM-new', 'ready idle busy idle', 'clean'],
    ['sig-idle-ctrlCctrlC-new', 'ready busy idle', 'clean'],
    ['sig-tool-SIGKILL-new', 'ready idle busy', 'dirty'],
    ['status-default-new-nosl', `ready${' busy idle'.repeat(6)}`, 'dirty'],
    ['status-default-old-nosl', 'ready busy idle busy idle', 'dirty'],
    ['tui1-new', 'ready busy idle', 'clean'],
  ],
  codex: [
    ['approval', `ready idle busy waiting-for-person${' busy idle'.repeat(4)}`, 'clean'],
    ['argv-12000', 'ready idle busy idle', 'clean'],
    ['compact-auto', `ready idle busy idle${' busy compaction-started compaction-done idle'.repeat(2)}`, 'clean'],
    ['fail-hang', 'ready busy idle', 'clean'],
    ['fail-http401', 'ready idle busy overload auth idle', 'clean'],
    ['fail-http500', 'ready idle busy overload idle', 'clean'],
    ['fail-refused', 'ready idle busy overload idle', 'clean'],
    ['fail-usagelimit', 'ready idle busy limit idle', 'clean'],
    ['hooktrust', 'waiting-for-person', 'dirty'],
    ['login', 'waiting-for-person', 'dirty'],
    ['paste-300ms', 'ready idle busy idle busy idle', 'dirty'],
    ['remote', 'ready idle busy compaction-started idle compaction-done', 'clean'],
    ['resume-after-kill', 'ready idle busy idle', 'clean'],
    ['sig-cc1_tool', 'ready idle busy idle', 'dirty'],
    ['sig-cc2_tool', 'ready idle busy idle', 'clean'],
    ['sig-cd_idle', 'ready idle', 'clean'],
    ['sig-esc_tool', 'ready idle busy', 'clean'],
    ['sig-int_idle', 'ready idle', 'dirty'],
    ['sig-kill_tool', 'ready idle busy', 'dirty'],
    ['slash', `ready idle${' busy idle'.repeat(4)}`, 'clean'],
    ['t1-first-launch', 'waiting-for-person', 'dirty'],
    ['t2-trust', 'waiting-for-person', 'dirty'],
    ['term-noalt', 'ready idle busy idle', 'dirty'],
    ['trust', 'waiting-for-person ready idle busy idle', 'dirty'],
    ['update', 'ready idle busy idle', 'dirty'],
    ['update2', 'waiting-for-person', 'dirty'],
  ],
};

describe.each(Object.entries(golden))('%s', (agent, rows) => {
  const rules = builtin(agent).screen;
  const wholes = new Map<string, Promise<Signal[]>>();
  const wholeOf = (name: string): Promise<Signal[]> => {
    const signals = wholes.get(name) ?? replay(readRecording(agent, name), rules, (part) => [part]);
    wholes.set(name, signals);
    return signals;
  };

  test('every recording has its row, and every row its recording', () => {
    expect(rows.map(([name]) => name).sort()).toEqual(recordingsOf(agent));
  });

  test.each(rows)('%s tells: %s', {timeout: 60_000}, async (name, signals) => {
    const recording = readRecording(agent, name);
    const whole = await wholeOf(name);
    expect(whole.map(({type}) => type).join(' ')).toBe(signals);
    expect(await replay(recording, rules, byteByByte)).toEqual(whole);
    for (const seed of [1, 2]) {
      const split = (part: Uint8Array) => cutAt(part, seededCuts(part.length, {seed, every: 40}));
      expect(await replay(recording, rules, split), `cut with seed ${seed}`).toEqual(whole);
    }
  });

  test.each(rows)('no signal of %s is proof: the screen alone ends no leg', {timeout: 60_000}, async (name) => {
    const signals = await wholeOf(name);
    expect(signals).not.toEqual([]);
    for (const {proof, evidence} of signals) {
      expect(proof).toBe(false);
      expect(evidence.map(({channel}) => channel)).toEqual(evidence.map(() => 'screen'));
    }
  });

  test.each(rows)('%s leaves the terminal as it was, with our resets (%3$s end)', async (name, _, end) => {
    const {bytes, cols, rows: height} = readRecording(agent, name);
    const [whole, single] = [modeLedger(), modeLedger()];
    whole.feed(bytes);
    for (const byte of byteByByte(bytes)) single.feed(byte);
    const resets = whole.resets(true);
    expect(single.resets(true)).toBe(resets);
    expect(resets === '' ? 'clean' : 'dirty').toBe(end);
    const [used, fresh] = [openOracle({cols, rows: height}), openOracle({cols, rows: height})];
    await used.write(bytes);
    await used.write(resets);
    expect(await used.state()).toEqual(await fresh.state());
    used.close();
    fresh.close();
  });
});

test('a death at any byte of a start and of a clean end is undone', {timeout: 60_000}, async () => {
  const fresh = await stateOf();
  for (const [agent, name] of [
    ['claude', 'sig-idle-ctrlCctrlC-new'],
    ['codex', 'sig-cd_idle'],
  ] as const) {
    const {bytes} = readRecording(agent, name);
    const places = [...seededCuts(1500, {seed: 3, every: 20}), ...seededCuts(500, {seed: 4, every: 8}).map((n) => -n)];
    for (const place of places) {
      const start = bytes.subarray(0, place);
      const ledger = modeLedger();
      ledger.feed(start);
      expect(await stateOf(start, ledger.resets(true)), `${name} dies at byte ${place}`).toEqual(fresh);
    }
  }
});

const stateOf = async (...writes: (Uint8Array | string)[]): Promise<object> => {
  const terminal = openOracle({cols: 110, rows: 34});
  for (const data of writes) await terminal.write(data);
  const state = await terminal.state();
  terminal.close();
  return state;
};
