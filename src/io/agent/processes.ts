import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {readdir, readFile} from 'node:fs/promises';
import {promisify} from 'node:util';
import type {MarkedRef, Processes, ProcessRef} from '../../ports.ts';
import {sleeperName} from './launcher.ts';
import {listeningPorts} from './listening-ports.ts';

/**
 * Other people's processes live here too: a pid alone proves nothing, since the system gives it out again. Every ref
 * carries its birth time, and it is read again directly before each signal.
 */
export const openProcesses = (): Processes => {
  const table = process.platform === 'linux' ? linuxTable : psTable;
  return {
    descendants: async (pid) => below(await table.list(), pid).map(asRef),
    ofLeg: async (run, leg) => (await marked(table, run)).filter((ref) => ref.leg === leg),
    ofRun: (run) => marked(table, run),
    ports: listeningPorts,
    work: async (refs) => {
      const each = await Promise.all(refs.map(({pid}) => table.work(pid)));
      return each.reduce((sum, one) => sum + one, 0);
    },
    end: async (refs) => {
      await signal(table, refs, 'SIGTERM');
      const until = Date.now() + GRACE_MS;
      while (Date.now() < until && (await alive(table, refs)).length > 0) await pause(LOOK_MS);
      await signal(table, refs, 'SIGKILL');
      // Until they are gone they may still write: the checkpoint that follows must not race them.
      const gone = Date.now() + GRACE_MS;
      while (Date.now() < gone && (await alive(table, refs)).length > 0) await pause(LOOK_MS);
    },
  };
};

/** The birth time of one process, for run.json: with it a later start tells a live run from a reused pid. */
export const bornAt = async (pid: number): Promise<string | undefined> =>
  (await (process.platform === 'linux' ? linuxTable : psTable).one(pid))?.born;

const GRACE_MS = 1000;
const LOOK_MS = 20;

interface Row extends ProcessRef {
  parent: number;
}

interface Table {
  list(): Promise<Row[]>;
  /** Undefined when it is gone; a zombie is gone. */
  one(pid: number): Promise<Row | undefined>;
  /** `NAME=value` each, by pid; nothing of those that are gone or not ours to look into. */
  environs(pids: number[]): Promise<Map<number, Set<string>>>;
  /** CPU ticks and bytes of I/O so far; 0 when it is gone. */
  work(pid: number): Promise<number>;
}

const marked = async (table: Table, run: string): Promise<MarkedRef[]> => {
  const rows = (await table.list()).filter((row) => mayTouch(row.pid) && !isSleeper(row));
  const environs = await table.environs(rows.map(({pid}) => pid));
  return rows.flatMap((row): MarkedRef[] => {
    const entries = environs.get(row.pid);
    if (!entries?.has(`CKPT_RUN=${run}`)) return [];
    const mark = [...entries].find((entry) => entry.startsWith(LEG_MARK));
    return mark === undefined ? [] : [{...row, leg: Number(mark.slice(LEG_MARK.length))}];
  });
};

const LEG_MARK = 'CKPT_LEG=';

const asRef = ({parent: _parent, ...ref}: Row): ProcessRef => ref;

/** Ours, though below the agent: they are no work of its, and end with it. */
const isSleeper = ({command}: Row): boolean => command.startsWith(sleeperName);

const mayTouch = (pid: number): boolean => Number.isInteger(pid) && pid > 1 && pid !== process.pid;

const below = (rows: Row[], root: number): Row[] => {
  const found: Row[] = [];
  const seen = new Set([root]);
  const parents = [root];
  for (let parent = parents.shift(); parent !== undefined; parent = parents.shift()) {
    for (const row of rows) {
      if (row.parent !== parent || seen.has(row.pid)) continue;
      seen.add(row.pid);
      parents.push(row.pid);
      found.push(row);
    }
  }
  return found.filter((row) => mayTouch(row.pid) && !isSleeper(row));
};

const alive = async (table: Table, refs: ProcessRef[]): Promise<ProcessRef[]> => {
  const now = await Promise.all(refs.map((ref) => table.one(ref.pid)));
  return refs.filter((ref, index) => mayTouch(ref.pid) && now[index]?.born === ref.born);
};

const signal = async (table: Table, refs: ProcessRef[], name: NodeJS.Signals): Promise<void> => {
  for (const ref of await alive(table, refs)) {
    try {
      process.kill(ref.pid, name);
    } catch {
      // Gone in between, or not ours to end: both are fine here, the caller lists what stays.
    }
  }
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const linuxTable: Table = {
  list: async () => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    const rows = await Promise.all(pids.map((pid) => linuxTable.one(pid)));
    return rows.filter((row) => row !== undefined);
  },
  one: async (pid) => {
    const [stat, command] = await Promise.all([text(`/proc/${pid}/stat`), text(`/proc/${pid}/cmdline`)]);
    if (stat === undefined) return undefined;
    // The name in field 2 may hold blanks and brackets: count from behind its last bracket, where field 3 begins.
    const named = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, born] = [fields[0], fields[1], fields[19]];
    if (state === 'Z' || state === 'X' || parent === undefined || born === undefined) return undefined;
    const at = bornAtTick(Number(born));
    return {pid, parent: Number(parent), born, bornAt: at, command: readable(command) || named};
  },
  environs: async (pids) =>
    new Map(
      await Promise.all(
        pids.map(async (pid) => [pid, new Set((await text(`/proc/${pid}/environ`))?.split('\0'))] as const),
      ),
    ),
  work: async (pid) => {
    const [stat, io] = await Promise.all([text(`/proc/${pid}/stat`), text(`/proc/${pid}/io`)]);
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    // utime and stime; then characters and calls, read and written. Another's io may not be read: then CPU alone tells.
    const cpu = Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
    const moved = [...(io ?? '').matchAll(/^(?:rchar|wchar|syscr|syscw): (\d+)$/gm)].map(([, count]) => Number(count));
    return moved.reduce((sum, count) => sum + count, cpu);
  },
};

/** Against our own birth, which we know both ways: a container's uptime may be another machine's. 100 ticks a second. */
const bornAtTick = (tick: number): number | undefined => {
  ownTick ??= Number(readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ')[19]);
  return Number.isFinite(ownTick) ? performance.timeOrigin + (tick - ownTick) * 10 : undefined;
};
let ownTick: number | undefined;

/** Elsewhere (macOS) ps tells it; the birth time has seconds only, which is enough against a reused pid. */
const psTable: Table = {
  list: async () => (await ps(['-axo', PS_COLUMNS])).map(psRow).filter((row) => row !== undefined),
  one: async (pid) => (await ps(['-o', PS_COLUMNS, '-p', `${pid}`])).map(psRow).find((row) => row?.pid === pid),
  // One call for all: the environment stands behind each command.
  environs: async () =>
    new Map(
      (await ps(['-axEww', '-o', 'pid=,command='])).map((line) => {
        const [pid, ...words] = line.trim().split(/\s+/);
        return [Number(pid), new Set(words)];
      }),
    ),
  work: async (pid) => psTicks((await ps(['-o', 'time=', '-p', `${pid}`]))[0] ?? ''),
};

/** Exported for its test: `1-02:03:04` or `12:34.56`, in hundredths of a second. */
export const psTicks = (time: string): number => {
  const [clock = '', days = '0'] = time.trim().split('-').reverse();
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  const ticks = Math.round((Number(days) * 86_400 + seconds) * 100);
  return Number.isFinite(ticks) ? ticks : 0;
};

const PS_COLUMNS = 'pid=,ppid=,stat=,lstart=,command=';

/** Exported for its test: `4711 1 Ss Tue Nov 18 09:15:00 2026 sleep 60`. */
export const psRow = (line: string): Row | undefined => {
  const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+[\d:]+\s+\d{4})\s+(.*)$/.exec(line);
  if (match === null || match[3]?.startsWith('Z')) return undefined;
  return {
    pid: Number(match[1]),
    parent: Number(match[2]),
    born: (match[4] ?? '').replace(/\s+/g, ' '),
    bornAt: Date.parse(`${match[4]} UTC`),
    command: (match[5] ?? '').slice(0, COMMAND_LENGTH),
  };
};

const COMMAND_LENGTH = 500;

const readable = (cmdline: string | undefined): string =>
  (cmdline ?? '').replace(/\0+$/, '').replaceAll('\0', ' ').slice(0, COMMAND_LENGTH);

const text = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
};

const ps = async (args: string[]): Promise<string[]> => {
  try {
    const env = {...process.env, LC_ALL: 'C', TZ: 'UTC'};
    const {stdout} = await promisify(execFile)('ps', args, {env, maxBuffer: 64 * 1024 * 1024});
    return stdout.split('\n').filter((line) => line.trim() !== '');
  } catch {
    // ps says 1 when it found nothing.
    return [];
  }
};
