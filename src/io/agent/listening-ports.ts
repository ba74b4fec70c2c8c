// On which TCP ports do these processes listen? For the baton's `processes`: "vite, pid 812, port 5173, still up".

import {execFile} from 'node:child_process';
import {readdir, readFile, readlink} from 'node:fs/promises';

/** Processes that are gone or not ours to look into listen on nothing, as far as we know. */
export const listeningPorts = async (pids: readonly number[]): Promise<Map<number, number[]>> => {
  if (process.platform === 'darwin') return byLsof(pids);
  const found = await Promise.all(pids.map(async (pid) => [pid, await byProc(pid)] as const));
  return new Map(found.filter(([, ports]) => ports.length > 0));
};

/** The tables are those of the process's own network: a container has others than ours. */
const byProc = async (pid: number): Promise<number[]> => {
  const [sockets, ...tables] = await Promise.all([
    socketsOf(pid),
    readFile(`/proc/${pid}/net/tcp`, 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/net/tcp6`, 'utf8').catch(() => ''),
  ]);
  const ports = tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    // `sl local_address rem_address st … uid timeout inode`; 0A is LISTEN.
    .filter((fields) => fields[3] === '0A' && sockets.has(fields[9] ?? ''))
    .map((fields) => Number.parseInt(fields[1]?.split(':')[1] ?? '', 16));
  return [...new Set(ports)].filter((port) => port > 0).sort((a, b) => a - b);
};

const socketsOf = async (pid: number): Promise<Set<string>> => {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
};

/** `-F pn`: a line `p<pid>`, then lines `n<address>:<port>`. */
const byLsof = (pids: readonly number[]): Promise<Map<number, number[]>> =>
  new Promise((resolve) => {
    const args = ['-nP', '-a', '-iTCP', '-sTCP:LISTEN', '-p', pids.join(','), '-Fpn'];
    execFile('lsof', args, {timeout: 5000}, (_error, stdout) => {
      const found = new Map<number, number[]>();
      let pid = 0;
      for (const line of stdout.split('\n')) {
        if (line.startsWith('p')) pid = Number(line.slice(1));
        const port = /^n.*:(\d+)$/.exec(line)?.[1];
        if (port !== undefined)
          found.set(
            pid,
            [...new Set([...(found.get(pid) ?? []), Number(port)])].sort((a, b) => a - b),
          );
      }
      resolve(found);
    });
  });
