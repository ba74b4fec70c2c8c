// The session log of a conversation that nobody watched, read once from its beginning.

import {createReadStream, statSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {isCodeName, loadCode} from '../../../adapters/code.ts';
import type {Conversation} from '../../install/ports.ts';

/** Undefined where no code can read that agent's log, or the log is no plain file. */
export const readConversation = async (agent: string, log: string): Promise<Conversation | undefined> => {
  if (!isCodeName(agent) || agent === 'none' || !isFile(log)) return undefined;
  const reader = (await loadCode(agent)).newLogReader();
  const input = createReadStream(log);
  let beganAt: number | undefined;
  try {
    for await (const line of createInterface({input, crlfDelay: Number.POSITIVE_INFINITY})) {
      beganAt ??= timeIn(line);
      reader.feed(line);
    }
  } catch {
    return undefined;
  }
  return {facts: reader.facts(), beganAt, bytes: input.bytesRead};
};

const isFile = (path: string): boolean => statSync(path, {throwIfNoEntry: false})?.isFile() === true;

const timeIn = (line: string): number | undefined => {
  const time = Date.parse(/"timestamp":\s*"([^"]{10,40})"/.exec(line)?.[1] ?? '');
  return Number.isNaN(time) ? undefined : time;
};
