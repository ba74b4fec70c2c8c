// Name in adapter.yaml → the code that speaks with that agent. Loaded when it is needed.

import type {AgentCode} from '../src/adapter/adapter.ts';
import {noFacts} from '../src/baton/facts.ts';

export const codeNames = ['none', 'claude', 'codex'] as const;
export type CodeName = (typeof codeNames)[number];

export const isCodeName = (name: string): name is CodeName => codeNames.some((known) => known === name);

export const loadCode = async (name: CodeName): Promise<AgentCode> => {
  switch (name) {
    case 'claude': {
      const [hooks, log, {givenLog, state}, {compactsAt}] = await Promise.all([
        import('./claude/hooks.ts'),
        import('./claude/session-log.ts'),
        import('./claude/state-file.ts'),
        import('./claude/compacts-at.ts'),
      ]);
      const {newLogReader, isHeartbeat} = log;
      return {...pick(hooks), newLogReader, isHeartbeat, state, givenLog, compactsAt};
    }
    case 'codex': {
      const [hooks, log, {logs}, {compactsAt}] = await Promise.all([
        import('./codex/hooks.ts'),
        import('./codex/session-log.ts'),
        import('./codex/rollouts.ts'),
        import('./codex/compacts-at.ts'),
      ]);
      const {caution, trustQuestion} = hooks;
      const {newLogReader, isHeartbeat} = log;
      return {...pick(hooks), caution, trustQuestion, logs, newLogReader, isHeartbeat, compactsAt};
    }
    case 'none':
      return noCode;
  }
};

const pick = ({
  hooks,
  canAllow,
  readHook,
  hookAnswer,
  hint,
}: Omit<AgentCode, 'newLogReader'>): Omit<AgentCode, 'newLogReader'> => ({
  ...{hooks, canAllow, readHook, hookAnswer},
  ...(hint && {hint}),
});

/** An agent of which only the exit status is known. */
const noCode: AgentCode = {
  hooks: () => ({args: [], env: {}, drop: []}),
  canAllow: false,
  readHook: () => ({session: undefined, sightings: [], news: undefined}),
  hookAnswer: () => ({exitCode: 0, stdout: '', stderr: ''}),
  newLogReader: () => ({
    feed: () => [],
    note: () => {},
    facts: () => noFacts,
  }),
};
