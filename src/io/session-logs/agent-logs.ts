// Session logs that an agent may be writing: on Linux those that it has open, elsewhere the newest in their folder.

import {open, readdir, readlink, stat} from 'node:fs/promises';
import {basename, join} from 'node:path';
import type {FoundLog, LogQuery} from '../../ports.ts';
import {openProcesses} from '../agent/processes.ts';

export const agentLogs = async (query: LogQuery): Promise<FoundLog[]> => {
  const {pid} = query;
  const isOpen = pid !== undefined && process.platform === 'linux';
  const paths = await (isOpen ? openLogs(pid, query) : newLogs(query));
  return Promise.all(paths.map(async (path) => ({path, head: await firstLine(path), isOpen})));
};

/** Of the agent and of all below it: npm's launcher is only the parent of the agent. */
const openLogs = async (pid: number, {name}: LogQuery): Promise<string[]> => {
  const pids = [pid, ...(await openProcesses().descendants(pid)).map((ref) => ref.pid)];
  const links = await Promise.all(pids.map(openFiles));
  return newestFirst(links.flat().filter((path) => name.test(basename(path))));
};

const openFiles = async (pid: number): Promise<string[]> => {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.map((fd) => readlink(join(folder, fd)).catch(() => '')));
};

const newLogs = async ({folder, name, since}: LogQuery): Promise<string[]> => {
  const entries = await readdir(folder, {recursive: true}).catch(() => []);
  const paths = entries.filter((entry) => name.test(basename(entry))).map((entry) => join(folder, entry));
  return newestFirst(paths, since);
};

/** The clock of a file system is coarser than ours. */
const DOUBT_MS = 1000;

const newestFirst = async (paths: string[], since = 0): Promise<string[]> => {
  const found = await Promise.all(
    [...new Set(paths)].map(async (path) => ({path, at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0})),
  );
  return found
    .filter(({at}) => at >= since - DOUBT_MS)
    .sort((a, b) => b.at - a.at)
    .map(({path}) => path);
};

/** Codex writes its instructions into it: it may be long. */
const LONGEST = 1_000_000;

const firstLine = async (path: string): Promise<string> => {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return '';
  try {
    const {buffer, bytesRead} = await file.read({buffer: Buffer.alloc(LONGEST), position: 0});
    return buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0] ?? '';
  } catch {
    return '';
  } finally {
    await file.close();
  }
};
