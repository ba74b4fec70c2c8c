// Codex runs a hook only if its hash is trusted. The hash is Codex's own recipe; when a version has another one, Codex
// itself is asked.

import {createHash} from 'node:crypto';
import {listAt, parseLine, textAt} from '../shared/json.ts';

export interface TrustedHook {
  /** The event's name in the hash and in the key of its trust. */
  snake: string;
  command: string;
  timeout: number;
  /** 0: what it tells the model is not cut at 2,500 tokens. Undefined: Codex's default. */
  contextLimit: number | undefined;
}

/** The slash and the brackets are literal. One hook per event, so both numbers are 0. */
export const trustKey = ({snake}: Pick<TrustedHook, 'snake'>): string => `/<session-flags>/config.toml:${snake}:0:0`;

/** sha256 over the hook as JSON with sorted keys and no spaces. */
export const trustedHash = ({snake, command, timeout, contextLimit}: TrustedHook): string => {
  const limit = contextLimit === undefined ? {} : {additionalContextLimit: contextLimit};
  const handler = {...limit, async: false, command, timeout, type: 'command'};
  const identity = JSON.stringify({event_name: snake, hooks: [handler]});
  return `sha256:${createHash('sha256').update(identity).digest('hex')}`;
};

/** What `codex app-server` must hear to list the hooks of a folder, with their hashes. It ends with its stdin, answered or not. */
export const hooksListInput = (cwd: string): string =>
  [
    {id: 1, method: 'initialize', params: {clientInfo: {name: 'ckpt-run', version: '1'}}},
    {method: 'initialized'},
    {id: 2, method: 'hooks/list', params: {cwds: [cwd]}},
  ]
    .map((message) => `${JSON.stringify(message)}\n`)
    .join('');

/** Key → hash, of our hooks alone: nobody else's is trusted by us. Undefined when it has not answered. */
export const hooksListed = (stdout: string): Record<string, string> | undefined => {
  const answer = stdout
    .split('\n')
    .map(parseLine)
    .find((line) => line?.id === 2 && line.result !== undefined);
  if (answer === undefined) return undefined;
  const hooks = listAt(answer, 'result', 'data').flatMap((folder) => listAt(folder, 'hooks'));
  return Object.fromEntries(
    hooks.flatMap((hook) => {
      const [key, hash] = [textAt(hook, 'key'), textAt(hook, 'currentHash')];
      return key?.startsWith('/<session-flags>/') && hash !== undefined ? [[key, hash]] : [];
    }),
  );
};
