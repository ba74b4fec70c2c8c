// Claude Code's own record of its state, <config>/sessions/<pid>.json: what it does, and in which conversation. Needs no
// hook, and after ESC or Ctrl-C it alone tells that the turn is over. The key files beside it are none of our business.

import type {AgentState, Sighting} from '../../src/adapter/adapter.ts';
import {numberAt, parseLine, textAt} from '../shared/json.ts';

/** The record may be a little behind the hooks: what it says of a moment ago may be over already. */
const SETTLED_MS = 300;
/** A turn that fails at once must not be taken for a new one: hooks tell its beginning in time, this only in the end. */
const BUSY_MS = 2000;
/** Clocks of process birth and ours. */
const DOUBT_MS = 5000;

/** The practice agent speaks the same dialect, but keeps its log in the run's own folder. */
export const givenLog = (env: Record<string, string>, id: string): {folder: string; name: string}[] => {
  const config = configOf(env);
  const folders = [...(config ? [`${config}/projects`] : []), ...(env.CKPT_DIR ? [env.CKPT_DIR] : [])];
  return folders.map((folder) => ({folder, name: `${id}.jsonl`}));
};

const configOf = (env: Record<string, string>): string | undefined =>
  env.CLAUDE_CONFIG_DIR || (env.HOME ? `${env.HOME}/.claude` : undefined);

export const state: AgentState = {
  place(env, pid) {
    const config = configOf(env);
    return config ? {file: `${config}/sessions/${pid}.json`, logs: `${config}/projects`} : undefined;
  },
  read(text, {since, now}) {
    const record = parseLine(text.trim());
    // SIGKILL leaves the record behind: one from before this leg belongs to a dead process of the same number.
    if (!record || (numberAt(record, 'startedAt') ?? 0) < since - DOUBT_MS) return undefined;
    const id = textAt(record, 'sessionId');
    const told = sightingOf(textAt(record, 'status') ?? '', textAt(record, 'waitingFor'));
    const age = now - (numberAt(record, 'statusUpdatedAt') ?? now);
    const isSettled = age >= (told?.type === 'busy' ? BUSY_MS : SETTLED_MS);
    return {
      session: id ? {id, logName: `${id}.jsonl`} : undefined,
      sighting: isSettled ? told : undefined,
    };
  },
};

const sightingOf = (status: string, waitingFor: string | undefined): Sighting | undefined => {
  const evidence = {channel: 'process' as const, detail: `session state(${status})`};
  switch (status) {
    case 'busy':
    case 'idle':
      return {type: status, evidence};
    case 'waiting':
      return {type: 'waiting-for-person', what: waitingFor ?? 'a question', evidence};
    default:
      return undefined;
  }
};
