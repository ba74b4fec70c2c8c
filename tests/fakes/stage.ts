import type {StopStep} from '../../src/adapter/adapter.ts';
import type {ExitStatus} from '../../src/core/events.ts';
import {fail, ok} from '../../src/core/failure.ts';
import type {AgentTaps, LaunchSpec, Stage} from '../../src/ports.ts';

export interface FakeAgent {
  spec: LaunchSpec;
  taps: AgentTaps;
  typed: string[];
  stopped: StopStep[][];
  exit(exit?: Partial<ExitStatus>): void;
}

/** A stage whose agents are puppets: the test says when they print and how they end. */
export const fakeStage = (options: {kind?: Stage['kind']; refuses?: () => boolean; endsWhenStopped?: boolean} = {}) => {
  const agents: FakeAgent[] = [];
  const told: string[] = [];
  const calls: string[] = [];
  const stage: Stage = {
    kind: options.kind ?? 'terminal',
    start: (spec, taps) => {
      if (options.refuses?.()) {
        return fail({is: 'system', doing: 'start the agent', code: 'EAGAIN', message: 'no more processes'});
      }
      let gone = false;
      const agent: FakeAgent = {
        ...{spec, taps, typed: [], stopped: []},
        exit: ({code = 0, signal = undefined} = {}) => {
          if (gone) return;
          gone = true;
          taps.onExit({code, signal});
        },
      };
      agents.push(agent);
      calls.push(`start ${agents.length}`);
      return ok({
        pid: 1000 + agents.length,
        write: (text) => void agent.typed.push(text),
        stop: async (steps) => {
          agent.stopped.push(steps);
          calls.push(`stop ${agents.indexOf(agent) + 1}`);
          if (options.endsWhenStopped !== false) agent.exit({code: 143});
          return {endedBy: 'SIGTERM', forced: false};
        },
      });
    },
    settle: () => void calls.push('settle'),
    tell: (line) => void told.push(line),
    keepOutput: async (keep) => void calls.push(`keepOutput ${keep}`),
    close: () => void calls.push('close'),
  };
  return {stage, agents, told, calls};
};
