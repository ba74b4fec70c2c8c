// The world of the commands that watch, in memory: runs, journals, keys, services.

import {noLatest, withCheckpoint} from '../../src/baton/latest.ts';
import {runCkpt} from '../../src/cli/ckpt-program.ts';
import type {World} from '../../src/cli/commands/world.ts';
import {makeConfig} from '../../src/config/config.ts';
import {fail, ok, type Result} from '../../src/core/failure.ts';
import type {RunId} from '../../src/core/ids.ts';
import type {DoctorFacts} from '../../src/doctor/facts.ts';
import {type DeathRecord, readDeathRecord} from '../../src/watch/death-record.ts';
import {readHandoff} from '../../src/watch/handoff-record.ts';
import type {Key, RunShelf, ViewerLeft, WatchPort} from '../../src/watch/ports.ts';
import type {RunPointer} from '../../src/watch/run-pointer.ts';
import {readRunRecord} from '../../src/watch/run-record.ts';
import {sample} from '../baton/samples.ts';

export const DIR = '/repo/runtime/checkpoints';

export interface GivenRun {
  /** run.json; a text that cannot be read is a broken one. */
  json: string;
  alive?: boolean;
  /** Leg → certificate.json. */
  deaths?: Record<number, string>;
  /** Leg → handoff.json. */
  handoffs?: Record<number, string>;
  legs?: number[];
  /** Leg → parts of its recording, each as lines. */
  casts?: Record<number, string[][]>;
  dir?: string;
}

export interface Given {
  runs?: Record<string, GivenRun>;
  journal?: string[];
  env?: World['env'];
  terminal?: {columns: number; rows: number};
  keys?: Key[];
  /** What becomes of an attached viewer. */
  view?: (socket: string) => ViewerLeft;
  /** What each pause does to the world; after the last one the person presses Ctrl-C. */
  pauses?: (() => void)[];
  facts?: Result<DoctorFacts>;
  pointers?: RunPointer[];
  kind?: 'systemd' | 'launchd';
  /** Code that ckpt-run leaves with when a service starts it. */
  code?: number;
  refuses?: string;
}

export const watchRig = (given: Given = {}) => {
  const runs = new Map(Object.entries(given.runs ?? {}));
  const lines = [...(given.journal ?? [])];
  const pauses = [...(given.pauses ?? [])];
  const keys = [...(given.keys ?? [])];
  const services = new Map<string, string>();
  const followers = new Set<(line: string) => void>();
  const seen = {out: '', err: '', requests: [] as unknown[], signals: [] as number[], stopped: [] as string[]};
  const calls: string[][] = [];
  const started: string[][] = [];
  const slept: (number | undefined)[] = [];
  let now = Date.parse('2026-11-18T10:14:00Z');
  let ready = 0;
  let pruned = 0;

  const deathOf = (run: string, leg: number): DeathRecord | {broken: string} | undefined => {
    const text = runs.get(run)?.deaths?.[leg];
    return text === undefined ? undefined : readDeathRecord(text);
  };
  const legsOf = (run: string): number[] => {
    const one = runs.get(run);
    return one?.legs ?? Object.keys({...one?.deaths, ...one?.casts}).map(Number);
  };
  const shelf = (dir: string): RunShelf => ({
    dir,
    ids: () =>
      [...runs]
        .flatMap(([run, one]) => ((one.dir ?? DIR) === dir ? [run as RunId] : []))
        .sort()
        .reverse(),
    record: (run) => {
      const one = runs.get(run);
      return one === undefined ? undefined : readRunRecord(one.json);
    },
    deaths: (run) =>
      legsOf(run).flatMap((leg) => {
        const found = deathOf(run, leg);
        return found === undefined || 'broken' in found ? [] : [found];
      }),
    death: deathOf,
    handoffs: (run) => Object.values(runs.get(run)?.handoffs ?? {}).flatMap((text) => readHandoff(text) ?? []),
    legs: legsOf,
    files: (run, leg, names) =>
      names
        .filter((name) => name !== 'terminal.cast' || runs.get(run)?.casts?.[leg])
        .map((name) => `${run}/${leg}/${name}`),
    folder: (run) => `${dir}/runs/${run}`,
    markStopped: (run) => void seen.stopped.push(run),
    wasStopped: (run) => seen.stopped.includes(run),
  });

  const watch: WatchPort = {
    now: () => now,
    screen: {
      terminal: given.terminal !== undefined,
      columns: () => given.terminal?.columns ?? 1000,
      rows: () => given.terminal?.rows ?? 24,
    },
    keyboard: given.terminal !== undefined,
    view: (socket) => Promise.resolve(given.view?.(socket) ?? {is: 'refused', code: 'ENOENT'}),
    pause: async (ms) => {
      now += ms;
      const act = pauses.shift();
      act?.();
      return act !== undefined;
    },
    shelf,
    registry: {
      dir: '/state/runs',
      list: () => given.pointers ?? [],
      prune: () => {
        pruned += 1;
        return 0;
      },
    },
    isAlive: async ({run}) => runs.get(run)?.alive === true,
    askToEnd: async ({run, pid = 0}) => {
      seen.signals.push(pid);
      return runs.get(run)?.alive === true;
    },
    tail: {
      follow: (_path, onLine) => {
        for (const line of lines) onLine(line);
        followers.add(onLine);
        return {flush: async () => {}, offset: () => 0, close: () => void followers.delete(onLine)};
      },
    },
    castParts: async (path) => {
      const [run = '', leg = ''] = path.split('/');
      return (runs.get(run)?.casts?.[Number(leg)] ?? []).map((_part, at) => `${run}/${leg}/${at}`);
    },
    castLines: async function* (path) {
      const [run = '', leg = '', part = ''] = path.split('/');
      yield* runs.get(run)?.casts?.[Number(leg)]?.[Number(part)] ?? [];
    },
    openKeys: () => ({
      next: async (ms) => {
        slept.push(ms);
        if (ms !== undefined && ms > 0) now += ms;
        return ms === 0 ? undefined : keys.shift();
      },
      close: () => void calls.push(['keys closed']),
    }),
    agents: () => ['claude', 'codex'],
    service: {
      kind: given.kind ?? 'systemd',
      file: (name) => `/units/${name}`,
      ...{node: '/bin/node', ckpt: '/opt/ckpt.js', path: '/bin', envFile: '/c/service.env'},
      log: (name) => `/logs/${name}`,
      exists: (name) => services.has(name),
      write: (name, text) => void services.set(name, text),
      remove: (name) => void services.delete(name),
      call: async (words) => {
        calls.push(words);
        return given.refuses === undefined || !words.includes(given.refuses);
      },
      ready: () => {
        ready += 1;
      },
      run: async (words) => {
        started.push(words);
        return given.code ?? 0;
      },
    },
    examine: async () => given.facts ?? fail({is: 'not-found', what: 'facts', fix: 'give some'}),
  };

  const latest = withCheckpoint(noLatest, sample({track: 'main' as never, born: '2026-11-18T10:10:00.000Z'}));
  const world: World = {
    env: given.env ?? {},
    ckptBin: '/opt/ckpt.js',
    out: (text) => {
      seen.out += text;
    },
    err: (text) => {
      seen.err += text;
    },
    input: async () => '',
    version: '1.2.3',
    now: () => 0,
    trees: () => Promise.reject(new Error('no files are kept here')),
    install: () => Promise.reject(new Error('nothing is installed here')),
    oldFiles: async () => ok([]),
    open: async () =>
      ok({
        root: '/repo',
        dir: DIR,
        dirFrom: 'default',
        file: () => ({read: () => undefined, write: () => ok(undefined)}),
        store: async () => ({
          append: async () => fail({is: 'not-found', what: 'x', fix: 'x'}),
          latest: async () => undefined,
          index: async () => ok(latest),
          history: async () => ok([sample()]),
          prune: async () => fail({is: 'not-found', what: 'x', fix: 'x'}),
          retain: async () => ok(undefined),
          adopt: async () => ok({added: [], known: 0}),
        }),
        git: async () => ({branch: 'main', head: 'abc', dirty: []}),
        prepare: () => undefined,
        warmUp: () => undefined,
        config: async () => ok(makeConfig([])),
        configFiles: {repository: '/repo/ckpt.yaml', person: undefined},
        journal: async () => ok({entries: [], broken: 0}),
      }),
    request: (spool, name, payload) => {
      seen.requests.push({spool, name, payload});
      return ok(`${spool}/x.${name}.json`);
    },
    watch: async () => watch,
  };

  return {
    ...{seen, calls, started, slept, services, runs},
    ckpt: (...args: string[]) => runCkpt(args, world),
    ready: () => ready,
    pruned: () => pruned,
    /** A line is written to the journal while somebody follows it. */
    write: (line: string): void => {
      lines.push(line);
      for (const follower of followers) follower(line);
    },
    change: (run: string, change: Partial<GivenRun>): void => {
      const before = runs.get(run);
      if (before !== undefined) runs.set(run, {...before, ...change});
    },
    followers: () => followers.size,
  };
};
