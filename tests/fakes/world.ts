import {compactsAt} from '../../adapters/claude/compacts-at.ts';
import {canAllow, hint, hookAnswer, hooks, readHook} from '../../adapters/claude/hooks.ts';
import {isHeartbeat, newLogReader} from '../../adapters/claude/session-log.ts';
import {parseArgv} from '../../src/adapter/argv.ts';
import type {Checkpoint, CheckpointDraft} from '../../src/baton/checkpoint.ts';
import {checkpointId} from '../../src/baton/naming.ts';
import {withWorkspace} from '../../src/baton/workspace.ts';
import {type Failure, fail, ok, type Result} from '../../src/core/failure.ts';
import type {GoBack} from '../../src/core/go-back.ts';
import {parseTrack, runId, type Track} from '../../src/core/ids.ts';
import {defaultPolicy, type Policy} from '../../src/core/policy.ts';
import type {GitFacts, MarkedRef, Spool, SpoolItem} from '../../src/ports.ts';
import type {Ports, RunPlan} from '../../src/run/plan.ts';
import {builtin} from '../adapter/builtin.ts';
import {fakeClock} from './clock.ts';
import {fakeStage} from './stage.ts';

export const fakeStore = () => {
  const written: Checkpoint[] = [];
  const retained: number[] = [];
  let refusal: Failure | undefined;
  const store: Ports['store'] = {
    dir: '/project/runtime/checkpoints',
    write: async (draft: CheckpointDraft) => {
      if (refusal !== undefined) return fail(refusal);
      const at = 1_790_000_000_000 + written.length;
      const id = checkpointId(at, draft.label);
      written.push({...draft, schema_version: 1, id, born: new Date(at).toISOString(), number: written.length + 1});
      return ok(id);
    },
    read: async (id) => {
      const found = written.find((one) => one.id === id);
      return found === undefined ? fail({is: 'not-found', what: id, fix: ''}) : ok(found);
    },
    latest: async (track) => written.findLast((one) => one.track === track),
    consume: async (id, by) => {
      const found = written.find((one) => one.id === id);
      if (found === undefined || found.consumed_by) return fail({is: 'baton-refused', what: id, fix: ''});
      found.consumed_by = {...by, at: ''};
      return ok(undefined);
    },
    complete: async (id, files) => {
      const at = written.findIndex((one) => one.id === id);
      const found = written[at];
      if (found !== undefined) written[at] = {...found, ...withWorkspace(found, files)};
      return ok(undefined);
    },
    retain: async (max) => {
      retained.push(max);
      return ok(undefined);
    },
    close: async (track, note) => {
      const newest = written.findLast((one) => one.track === track);
      if (newest !== undefined) newest.closed = {at: '', note};
      return ok(undefined);
    },
  };
  return {
    store,
    written,
    retained,
    refuse: (failure: Failure | undefined): void => {
      refusal = failure;
    },
  };
};

/** Saves every tree and log it is asked for, until it is told to refuse. */
export const fakeKeeper = () => {
  const asked: string[] = [];
  let refusal: Failure | undefined;
  const answer = <T>(what: string, value: T): Result<T> => {
    asked.push(what);
    return refusal === undefined ? ok(value) : fail(refusal);
  };
  const port: Ports['keeper'] = {
    files: async ({message}) => answer(`files: ${message}`, {...tree, left_out: [], complete: true}),
    log: async ({leg, path, bytes}) => answer(`log of leg ${leg}: ${path}`, {sha256: 'f'.repeat(64), bytes}),
    forget: async (gone) => answer(`forget ${gone.length}`, gone.length),
  };
  return {
    port,
    asked,
    refuse: (failure: Failure): void => {
      refusal = failure;
    },
  };
};

const tree = {tree: 'a'.repeat(40), commit: 'b'.repeat(40), ref: 'refs/ckpt/main/1-a'};

/** Spools by folder; the test drops items into them and reads the answers. */
export const fakeSpools = () => {
  const takers = new Map<string, (item: SpoolItem) => void>();
  const answers: {id: string; exitCode: number; stdout?: string}[] = [];
  const contexts: string[] = [];
  const given: string[] = [];
  return {
    answers,
    contexts,
    given,
    open: (dir: string): Spool => ({
      watch: (take) => {
        takers.set(dir, take);
        return () => void takers.delete(dir);
      },
      look: () => {},
      answer: (id, {exitCode, stdout}) => void answers.push({id, exitCode, ...(stdout === '' ? {} : {stdout})}),
      setDenial: () => {},
      setContext: (text) => void contexts.push(text),
      give: (text) => void given.push(text),
    }),
    drop: (where: string, name: string, payload: unknown = {}): void => {
      const [, take] = [...takers].find(([dir]) => dir.endsWith(where)) ?? [];
      if (take === undefined) throw new Error(`nobody watches ${where}`);
      take({id: `1.${name}`, name, payload});
    },
  };
};

/** A whole made-up world around the real run loop, with Claude Code's adapter. */
export const fakeWorld = (
  given: {
    policy?: Partial<Policy>;
    args?: string[];
    stage?: Parameters<typeof fakeStage>[0];
    toolWork?: () => number;
    /** When the story begins. */
    start?: number;
  } = {},
) => {
  const {clock, advance, sleep, dueIn, set} = fakeClock(given.start);
  const stage = fakeStage(given.stage);
  const store = fakeStore();
  const keeper = fakeKeeper();
  const spools = fakeSpools();
  const journal: Record<string, unknown>[] = [];
  const legFiles = new Map<string, string>();
  const git: GitFacts = {root: '/project', branch: 'main', head: 'abc', dirty: [], more: 0, fingerprint: '1'};
  const lines = new Map<string, (line: string) => void>();
  let signal: (signal: number | 'hangup') => void = () => {};
  const ended: string[] = [];
  /** What carries the marks of the run. */
  const marked: MarkedRef[] = [];
  const wentBack: GoBack[] = [];
  const adapter = builtin('claude');
  const parsed = parseArgv(given.args ?? ['do the job'], adapter.argv);
  if (parsed.kind !== 'run') throw new Error('these arguments are no run');
  const plan: RunPlan = {
    ...{run: runId(clock.now(), 'abcd'), startedAt: clock.now(), track: parseTrack('main') as Track, setCurrent: true},
    ...{policy: {...defaultPolicy, ...given.policy}, adapter, parsed, binary: {file: '/bin/claude', args: []}},
    ...{
      code: {hooks, canAllow, readHook, hookAnswer, newLogReader, isHeartbeat, compactsAt, hint},
      version: undefined,
      cwd: '/project',
      env: {HOME: '/home'},
    },
    ...{prompt: parsed.prompt, continues: undefined, checkpointDir: '/project/runtime/checkpoints'},
    ...{
      ckptBin: '/run/ckpt',
      relay: '/pkg/relay.sh',
      allowCkpt: true,
      remains: undefined,
      takeovers: [],
      words: ['claude', 'do the job'],
    },
  };
  const ports: Ports = {
    ...{stage: stage.stage, clock, store: store.store},
    workspace: {facts: async () => ({...git}), head: async () => git.head},
    keeper: keeper.port,
    files: {
      ...{dir: '/run', spool: '/run/spool', writeRun: () => {}},
      writeLeg: (leg, name, text) => {
        legFiles.set(`${leg}/${name}`, text);
        return true;
      },
      journal: (entry) => void journal.push(entry as Record<string, unknown>),
    },
    goBack: async (back, by) => {
      wentBack.push(back);
      const target = store.written.find(({id}) => id === back.to);
      return target === undefined
        ? fail({is: 'not-found', what: `checkpoint ${back.to} is gone`, fix: ''})
        : store.store.write({...target, label: 'restored', run: by.run, leg: by.leg});
    },
    tail: {
      follow: (path, onLine) => {
        lines.set(path, onLine);
        return {flush: async () => {}, offset: () => 0, close: () => void lines.delete(path)};
      },
    },
    processes: {
      descendants: async () => [],
      ofLeg: async () => [{pid: 7, born: '7', parent: 1, leg: 1, command: 'sleep 60'}],
      ofRun: async () => marked,
      ports: async () => new Map(marked.map(({pid}) => [pid, [5173]])),
      work: async () => given.toolWork?.() ?? 0,
      end: async (refs) => void ended.push(...refs.map(({command}) => command)),
    },
    openSpool: spools.open,
    openScreen: async () => Promise.reject(new Error('no screen here')),
    readFile: () => undefined,
    notice: () => {},
    findBelow: () => undefined,
    agentLogs: async () => [],
    ask: async () => ({code: undefined, stdout: ''}),
    newUuid: () => '00000000-0000-4000-8000-000000000000',
    onFault: () => () => {},
    osSignals: (on) => {
      signal = on;
      return () => {};
    },
  };
  return {
    ...{
      plan,
      ports,
      advance,
      sleep,
      dueIn,
      set,
      store,
      keeper,
      spools,
      journal,
      legFiles,
      git,
      ended,
      marked,
      wentBack,
    },
    ...{stage: stage.stage, agents: stage.agents, told: stage.told, calls: stage.calls},
    signal: (name: number | 'hangup') => signal(name),
    /** A line of the followed session log. */
    log: (path: string, entry: object) => lines.get(path)?.(JSON.stringify(entry)),
    states: () => journal.flatMap(({state}) => state ?? []).filter((state, at, all) => state !== all[at - 1]),
  };
};
