// The real world of the commands that go back and fork; loaded only for them.

import {renameSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {isOutside} from '../adapters/shared/outside.ts';
import {ok} from './core/failure.ts';
import type {TreesPort} from './history/ports.ts';
import {asFailure, codeOf} from './io/checkpoints/checkpoint-folder.ts';
import {openRunShelf} from './io/runs/run-shelf.ts';
import {claimTrack} from './io/runs/track-claim.ts';
import {changesSinceHead, treeChanges} from './io/tree/changes.ts';
import {forkTree} from './io/tree/fork.ts';
import {laterCommits} from './io/tree/later-commits.ts';
import {restoreTree} from './io/tree/restore.ts';
import {openTreeSnapshots} from './io/tree/snapshots.ts';
import {dropRefs, pinAgain, sweepRefs} from './io/tree/sweep.ts';

/** Nobody waits on an agent's path here: rather long than half. */
const timeBoxMs = 300_000;

export const openTrees = ({root, dir}: {root: string; dir: string}): TreesPort => {
  const options = {root, checkpointDir: dir, timeBoxMs};
  return {
    take: (what) => openTreeSnapshots(options).take(what),
    restore: (order) => restoreTree(options, order),
    changes: (from, to) => treeChanges(options, from, to),
    sinceHead: (commit) => changesSinceHead(options, commit),
    fork: (order) => forkTree(options, order),
    commitsSince: (head) => laterCommits(root, head),
    hold: async (tracks) => {
      const claims = await Promise.all(tracks.map(async (track) => ({track, release: await claimTrack(dir, track)})));
      return {
        live: claims.filter(({release}) => release === undefined).map(({track}) => track),
        release: () => {
          for (const {release} of claims) release?.();
        },
      };
    },
    dropRefs: (gone, staying) => dropRefs(options, gone, staying),
    sweep: (staying, dry) => sweepRefs(options, staying, dry),
    pinAgain: (checkpoints) => pinAgain(options, checkpoints),
    forgetLatest: async () => forgetLatest(dir),
    fileSize: (path) => statSync(path, {throwIfNoEntry: false})?.size,
    isOutside: (call) => {
      const [, tool = '', input = ''] = /^([^:]+): (.*)$/s.exec(call) ?? [];
      return isOutside(tool, input);
    },
    legTokens: (run) =>
      openRunShelf(dir)
        .deaths(run)
        .flatMap(({contextTokens}) => contextTokens ?? []),
  };
};

const forgetLatest = (dir: string): Awaited<ReturnType<TreesPort['forgetLatest']>> => {
  try {
    renameSync(join(dir, 'LATEST.json'), join(dir, 'LATEST.json.before-rebuild'));
    return ok(undefined);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ok(undefined);
    return {ok: false, failure: asFailure(error, dir, 'set LATEST.json aside')};
  }
};
