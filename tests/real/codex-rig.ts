// What the tables of Codex share: pauses in seconds instead of minutes, and what one row has come to.

import {chmodSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {codex} from './clis.ts';
import {keepResult} from './full-results.ts';
import type {GroundOptions} from './ground.ts';
import {flawless, type Job, judge} from './model/job.ts';
import {openSupervised, type Supervised} from './supervised.ts';
import type {OuterTerminal} from './terminal.ts';

/** The person's terminal as it was before. */
export const cleanTerminal = {changed: [], alternate: false, kitty: [], otherKeys: false};

const quick = 'policy:\n  overload: {firstSeconds: 1}\n  limit: {marginSeconds: 0, unknownMinutes: 0.05}\n';

export const openCodex = async (options: Omit<GroundOptions, 'cli'>): Promise<Supervised> => {
  const ground = await openSupervised({cli: codex(), ...options});
  writeFileSync(ground.path('ckpt.yaml'), quick);
  return ground;
};

const failureSignals = ['compaction-failed', 'context-full', 'limit', 'overload', 'auth', 'fatal'];

/** A failure that a structured channel has told. */
export const isProved = ({event, proof}: Record<string, unknown>): boolean =>
  proof === true && failureSignals.includes(String(event));

export const legsOf = async (ground: Supervised): Promise<number> =>
  (await ground.journal()).filter(({event}) => event === 'leg-spawned').length;

/** Signals of one kind that were told with proof. */
export const proved = async (ground: Supervised, name: string): Promise<number> =>
  (await ground.journal()).filter(({event, proof}) => event === name && proof === true).length;

export const jobWord = (ground: Supervised, job: Job): 'exact' | 'unfinished' | 'wrong' => {
  const {missing, ...faults} = judge(ground.path(job.file), job.steps);
  if (JSON.stringify({missing, ...faults}) === JSON.stringify(flawless)) return 'exact';
  return Object.values(faults).every(({length}) => length === 0) ? 'unfinished' : 'wrong';
};

/** Processes of the ground that are still there. */
export const leftovers = async (ground: Supervised): Promise<string[]> =>
  (await ground.processes()).map(({command}) => command.slice(0, 60));

/** Keeps a row of a full walk. */
export const keepRow = (table: string, row: string, [expected, observed]: [object, object], since: number): void =>
  keepResult('codex', {
    ...{table, version: codex().version, row, expected, observed},
    seconds: Math.round((Date.now() - since) / 1000),
  });

/** As a person types: a return that comes with the text is taken for a part of a paste. */
export const typeLine = async (terminal: OuterTerminal, text: string): Promise<void> => {
  terminal.type(text);
  await wait(600);
  terminal.type('\r');
};

/** Another `codex` on PATH: a shell script of these lines. */
export const playPath = ({env}: Supervised, lines: string): void => {
  const path = join(env.PATH?.split(':')[0] ?? '', 'codex');
  rmSync(path);
  writeFileSync(path, `#!/bin/bash\n${lines}\n`);
  chmodSync(path, 0o755);
};
