// What we have installed, where, and what was there before. Kept in the person's state folder.

import type {Agent, Scope} from './agents.ts';
import {isAgent} from './agents.ts';

export interface Installed {
  agent: Agent;
  scope: Scope;
  /** The project; empty for the person's own. */
  root: string;
  /** file: ours alone. merge: a settings file with something of ours in it. */
  is: 'file' | 'merge';
  part: 'texts' | 'hooks';
  path: string;
  /** SHA-256 of the whole text as we left it. */
  written: string;
  /** Of a merge, as it was without us: the name of its backup; undefined when there was no file. */
  before: string | undefined;
  /** Folders that were made for it, outermost first. */
  folders: string[];
}

export const manifestText = (entries: Installed[]): string =>
  `${JSON.stringify({version: 1, entries}, undefined, 2)}\n`;

/** Undefined when it is broken. Every file of ours says by itself whose it is, so nothing is lost for good then. */
export const readManifest = (text: string): Installed[] | undefined => {
  try {
    const value = JSON.parse(text) as {version?: unknown; entries?: unknown};
    if (value.version !== 1 || !Array.isArray(value.entries)) return undefined;
    return value.entries.every(isInstalled) ? value.entries : undefined;
  } catch {
    return undefined;
  }
};

const isInstalled = (value: unknown): value is Installed => {
  if (typeof value !== 'object' || value === null) return false;
  const {agent, scope, root, is, part, path, written, before, folders} = value as Record<string, unknown>;
  return (
    typeof agent === 'string' &&
    isAgent(agent) &&
    (scope === 'user' || scope === 'project') &&
    (is === 'file' || is === 'merge') &&
    (part === 'texts' || part === 'hooks') &&
    [root, path, written].every((one) => typeof one === 'string') &&
    (before === undefined || (typeof before === 'string' && isHash(before))) &&
    Array.isArray(folders) &&
    folders.every((one) => typeof one === 'string')
  );
};

/** It becomes the name of a file. */
const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
