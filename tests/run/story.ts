// What the stories of run/ share: the words of Claude Code's hooks and log, and a first leg that is at work.

import {expect, vi} from 'vitest';
import {runLoop} from '../../src/run/run-loop.ts';
import {fakeWorld} from '../fakes/world.ts';

export const within = <T>(check: () => T): Promise<T> => vi.waitFor(check, {timeout: 20_000, interval: 1});
export const SESSION = {session_id: 's1', transcript_path: '/log/s1.jsonl'};
export const line = (entry: object) => ({sessionId: 's1', timestamp: '2026-11-18T10:00:00Z', ...entry});
export const call = (id: string, command: string) =>
  line({
    type: 'assistant',
    message: {id: `m${id}`, model: 'x', content: [{type: 'tool_use', id, name: 'Bash', input: {command}}]},
  });
export const result = (id: string) =>
  line({type: 'user', message: {content: [{type: 'tool_result', tool_use_id: id, content: 'ok'}]}});

/** leg 1 is there, ready and has done one thing. */
export const begun = async (given: Parameters<typeof fakeWorld>[0] = {}) => {
  const world = fakeWorld(given);
  const end = runLoop(world.plan, world.ports);
  await within(() => expect(world.agents).toHaveLength(1));
  world.spools.drop('leg-001', 'SessionStart', {...SESSION, source: 'startup'});
  world.spools.drop('leg-001', 'UserPromptSubmit', SESSION);
  world.log('/log/s1.jsonl', call('a', 'echo one >> job.txt'));
  world.log('/log/s1.jsonl', result('a'));
  await within(() => expect(world.states()).toContain('working'));
  return {...world, end};
};

/** Time passes in steps, and whoever looks has time to look. */
export const pass = async (world: {advance(ms: number): void}, ms: number, stepMs = 15_000): Promise<void> => {
  await breath();
  for (let passed = 0; passed < ms; passed += stepMs) {
    world.advance(Math.min(stepMs, ms - passed));
    await breath();
  }
};

const breath = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Lets rests pass until that leg is there; false when the run is over instead. */
export const isThere = async (world: StoryWorld, leg: number): Promise<boolean> => {
  for (let look = 0; look < 2000; look += 1) {
    if (world.agents.length >= leg) return true;
    if (world.states().at(-1) === 'over') return false;
    await pass(world, world.states().at(-1) === 'resting' ? 1000 : 1);
  }
  throw new Error(`leg ${leg} never came`);
};

type StoryWorld = ReturnType<typeof fakeWorld>;
