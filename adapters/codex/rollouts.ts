// How this leg's rollout is known when no hook has told its path.

import type {AgentLogs} from '../../src/adapter/adapter.ts';
import {at, parseLine, textAt, timeOf} from '../shared/json.ts';

export const logs: AgentLogs = {
  folder: (env) => {
    const home = env.CODEX_HOME || (env.HOME && `${env.HOME}/.codex`);
    return home ? `${home}/sessions` : undefined;
  },
  name: /^rollout-.*\.jsonl$/,
  read: (head, {cwd, since}) => {
    const entry = parseLine(head);
    const meta = at(entry, 'payload');
    const id = textAt(meta, 'id');
    if (entry?.type !== 'session_meta' || id === undefined || isOthers(meta)) return undefined;
    // A resumed one is older than the leg: then only an open file tells that it is ours.
    const isFresh = (timeOf(entry) ?? 0) >= since - DOUBT_MS && textAt(meta, 'cwd') === cwd;
    return {id, isFresh};
  },
};

const DOUBT_MS = 1000;

/** A subagent's, or the hidden one that only finds a title: not the leg's. */
const isOthers = (meta: unknown): boolean =>
  textAt(meta, 'thread_source') === 'subagent' || at(meta, 'source', 'subagent') !== undefined;
