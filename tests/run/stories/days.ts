// Days of a run, lived in a moment: an agent of Claude Code's kind under the real loop, a clock that is fed, and the journal
// as short lines.

import {expect} from 'vitest';
import {runLoop} from '../../../src/run/run-loop.ts';
import {fakeWorld} from '../../fakes/world.ts';
import {within} from '../story.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export type Days = Awaited<ReturnType<typeof beginDays>>;

/** Nobody is there. Intervals are off: their skipped checkpoints would fill the journal of a week. */
export const beginDays = async (given: Parameters<typeof fakeWorld>[0] & {before?: (world: World) => void} = {}) => {
  const saves = {triggers: [], intervalMs: 30 * MINUTE, keep: 200};
  const world = fakeWorld({...given, policy: {attended: false, saves, ...given.policy}});
  given.before?.(world);
  const begunAt = world.ports.clock.now();
  const end = runLoop(world.plan, world.ports);
  await breath();
  const session = () => {
    const leg = world.plan.remains === undefined ? world.agents.length : world.agents.length + world.plan.remains.leg;
    return {leg: `leg-${String(leg).padStart(3, '0')}`, session_id: `s${leg}`, transcript_path: `/log/s${leg}.jsonl`};
  };
  const hook = async (name: string, some: object = {}) => {
    const {leg, ...of} = session();
    world.spools.drop(leg, name, {...of, ...some});
    await breath();
  };
  const line = async (entry: object) => {
    const {session_id, transcript_path} = session();
    world.log(transcript_path, {
      sessionId: session_id,
      timestamp: new Date(world.ports.clock.now()).toISOString(),
      ...entry,
    });
    await breath();
  };
  let calls = 0;
  const nudges = () => world.agents.flatMap(({typed}) => typed).filter((text) => /This is ckpt-run/.test(text)).length;
  return {
    ...{...world, end, hook, line},
    /** A leg is there, has its prompt and does one thing that moves the work. */
    works: async () => {
      await hook('SessionStart', {source: 'startup'});
      await hook('UserPromptSubmit');
      calls += 1;
      world.git.fingerprint = `work ${calls}`;
      const block = {type: 'tool_use', id: `c${calls}`, name: 'Bash', input: {command: 'make'}};
      await line({type: 'assistant', message: {id: `m${calls}`, model: 'x', content: [block]}});
      const result = {type: 'tool_result', tool_use_id: `c${calls}`, content: 'ok'};
      await line({type: 'user', message: {content: [result]}});
    },
    /** Time passes: whatever is due in it happens in its time. A leg at work gives a sign of life now and then. */
    passes: async (ms: number, {busy = false} = {}) => {
      for (let left = ms; left > 0; ) {
        const step = Math.min(left, Math.max(1, world.dueIn() ?? left));
        world.advance(step);
        left -= step;
        await breath();
        if (busy) await line({type: 'system', subtype: 'still_here'});
      }
    },
    /** Until the agent is typed at once more, or another one comes. */
    untilNudged: async () => {
      const before = nudges() + world.agents.length;
      for (let looks = 0; nudges() + world.agents.length === before; looks += 1) {
        if (looks > 100_000) throw new Error('nobody nudges');
        world.advance(Math.max(1, world.dueIn() ?? 1));
        await breath();
      }
    },
    /** The lid is closed. */
    sleeps: async (ms: number) => {
      world.sleep(ms);
      await breath();
    },
    nudges,
    /** `0d 05:00:30 timer-fired wait-over waiting → working` */
    told: () =>
      `${world.journal
        .filter(({event}) => event !== 'handoff-measured')
        .map((entry) => lineOf(entry, begunAt))
        .join('\n')}\n`,
    untilState: (state: string) => within(() => expect(world.states().at(-1)).toBe(state)),
  };
};

type World = ReturnType<typeof fakeWorld>;

const lineOf = (entry: Record<string, unknown>, begunAt: number): string => {
  const passed = Math.max(0, Date.parse(String(entry.at)) - begunAt);
  const clock = new Date(passed % DAY).toISOString().slice(11, 19);
  const what = [entry.event, entry.name].filter((word) => word !== undefined).join(' ');
  const where = entry.from === undefined ? entry.state : `${entry.from} → ${entry.state}`;
  const death = entry.death === undefined ? '' : ` (${entry.death})`;
  return `${Math.floor(passed / DAY)}d ${clock} leg ${entry.leg} ${what}: ${where}${death}`;
};

const breath = async (): Promise<void> => {
  for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
