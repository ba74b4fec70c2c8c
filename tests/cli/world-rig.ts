// A world in memory that remembers what was asked of it.

import type {Checkpoint, CheckpointDraft} from '../../src/baton/checkpoint.ts';
import type {GitSince} from '../../src/baton/compose-input.ts';
import {noLatest, withCheckpoint} from '../../src/baton/latest.ts';
import {type PruneRule, planPrune} from '../../src/baton/retention.ts';
import {runCkpt} from '../../src/cli/ckpt-program.ts';
import type {GroundOptions, World} from '../../src/cli/commands/world.ts';
import {type Config, makeConfig} from '../../src/config/config.ts';
import {ok, type Result} from '../../src/core/failure.ts';
import type {Foundling, OldFile} from '../../src/import/foundling.ts';
import {sample} from '../baton/samples.ts';

export interface RigOptions {
  env?: World['env'];
  input?: string;
  history?: Checkpoint[];
  saved?: Result<Checkpoint>;
  config?: Result<Config>;
  journal?: {entries: Record<string, unknown>[]; broken: number};
  oldFiles?: OldFile[];
  since?: GitSince;
}

export const rig = (options: RigOptions = {}) => {
  const history = options.history ?? [];
  const seen = {
    out: '',
    err: '',
    drafts: [] as CheckpointDraft[],
    opened: [] as GroundOptions[],
    requests: [] as unknown[],
    prunes: [] as {rule: PruneRule; dry: boolean}[],
    retained: [] as number[],
    adopted: [] as Foundling[],
    files: new Map<string, string>(),
    journalAsked: [] as (number | undefined)[],
  };
  const index = history.reduce(withCheckpoint, noLatest);
  const newest = (wanted: string) =>
    [...history, ...seen.drafts.map((draft) => sample(draft))].findLast(({track}) => track === wanted);
  const world: World = {
    env: options.env ?? {},
    ckptBin: '/opt/ckpt',
    version: '1.2.3',
    now: () => Date.parse('2026-11-18T12:00:00.000Z'),
    out: (text) => {
      seen.out += text;
    },
    err: (text) => {
      seen.err += text;
    },
    input: async () => options.input ?? '',
    watch: () => Promise.reject(new Error('nothing is watched here')),
    trees: () => Promise.reject(new Error('no files are kept here')),
    open: async (where) => {
      seen.opened.push(where);
      return ok({
        root: '/repo',
        dir: '/repo/runtime/checkpoints',
        dirFrom: 'default',
        file: (name) => ({
          read: () => seen.files.get(name),
          write: (text) => {
            seen.files.set(name, text);
            return ok(undefined);
          },
        }),
        store: async () => ({
          append: async (track, make) => {
            const draft = make(newest(track));
            if (!draft.ok) return draft;
            seen.drafts.push(draft.value);
            return options.saved ?? ok(sample({...draft.value}));
          },
          latest: async (track) => newest(track),
          index: async () => ok(index),
          history: async () => ok(history),
          prune: async (rule, dry) => {
            seen.prunes.push({rule, dry});
            return ok(
              planPrune(
                history,
                rule,
                [...index.tracks.values()].map(({id}) => id),
              ),
            );
          },
          retain: async (max) => {
            seen.retained.push(max);
            return ok(undefined);
          },
          adopt: async (foundlings) => {
            seen.adopted.push(...foundlings);
            return ok({added: foundlings.map(({draft}) => sample(draft)), known: 0});
          },
        }),
        git: async () => ({branch: 'main', head: sample().head, dirty: ['src/a.ts']}),
        ...(options.since === undefined ? {} : {since: async () => options.since}),
        warmUp: () => undefined,
        prepare: () => undefined,
        config: async () => options.config ?? ok(makeConfig([])),
        configFiles: {repository: '/repo/ckpt.yaml', person: '/home/me/.config/ckpt-run/config.yaml'},
        journal: async (last) => {
          seen.journalAsked.push(last);
          return ok(options.journal ?? {entries: [], broken: 0});
        },
      });
    },
    request: (spool, name, payload) => {
      seen.requests.push({spool, name, payload});
      return ok(`${spool}/x.${name}.json`);
    },
    install: () => Promise.reject(new Error('nothing is installed here')),
    oldFiles: async () => ok(options.oldFiles ?? []),
  };
  return {seen, world, ckpt: (...args: string[]) => runCkpt(args, world)};
};

export const words = (line: string): string[] =>
  line.match(/"[^"]*"|\S+/g)?.map((word) => word.replace(/^"|"$/g, '')) ?? [];
