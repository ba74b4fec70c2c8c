// `ckpt attach` against a made-up world: which run, what is said when there is nothing to attach to, and how it ends.

import {describe, expect, it} from 'vitest';
import type {ViewerLeft} from '../../../src/watch/ports.ts';
import {type Given, type GivenRun, watchRig} from '../../fakes/watch.ts';
import {OTHER, RUN, runJson} from '../../watch/samples.ts';

const terminal = {columns: 80, rows: 24};
const SOCKET = '/run/user/1000/ckpt-run/r.sock';
const live: GivenRun = {json: runJson({detached: true, socket: SOCKET}), alive: true};
const attended = (run: string): GivenRun => ({json: runJson({run}), alive: true});
const left = (how: ViewerLeft) => () => how;

describe('ckpt attach', () => {
  it('joins the detached run that is alive here, also beside one in a terminal, and says that it goes on', async () => {
    const sockets: string[] = [];
    const rig = watchRig({
      ...{terminal, runs: {[RUN]: live, [OTHER]: attended(OTHER)}},
      view: (socket) => {
        sockets.push(socket);
        return {is: 'detached'};
      },
    });
    expect(await rig.ckpt('attach')).toBe(0);
    expect(sockets).toEqual([SOCKET]);
    expect(rig.seen.out).toBe(`ckpt: run ${RUN} goes on without this terminal; ckpt attach ${RUN} shows it again\n`);
  });

  it('tells how a run ended under it', async () => {
    const over = {json: runJson({detached: true, socket: SOCKET, state: 'over', outcome: {is: 'done', note: 'x'}})};
    const rig = watchRig({
      ...{terminal, runs: {[RUN]: live}, view: left({is: 'closed'})},
      pauses: [() => rig.change(RUN, {...over, alive: false})],
    });
    expect(await rig.ckpt('attach')).toBe(0);
    expect(rig.seen.out).toContain(`run ${RUN} is over: `);
  });

  it('of a run whose ckpt-run was killed under it tells how to go on', async () => {
    const rig = watchRig({
      ...{terminal, runs: {[RUN]: live}, view: left({is: 'closed'})},
      pauses: [() => rig.change(RUN, {alive: false})],
    });
    expect(await rig.ckpt('attach')).toBe(66);
    expect(rig.seen.err).toContain(`go on with: ckpt-run --continue-run ${RUN}`);
  });

  it.each<[when: string, given: Given, words: string[], code: number, says: string]>([
    ['there is no terminal', {runs: {[RUN]: live}}, [], 64, 'needs a terminal'],
    ['no run has been here', {terminal}, [], 66, 'no run has been here'],
    ['a person has it in a terminal', {terminal, runs: {[RUN]: attended(RUN)}}, [], 64, 'not started with --detach'],
    ['it is over', {terminal, runs: {[RUN]: {json: runJson({state: 'over'})}}}, [RUN], 66, `run ${RUN} is over`],
    ['it is lost', {terminal, runs: {[RUN]: {...live, alive: false}}}, [], 66, 'has lost its ckpt-run'],
    [
      'it is the caller’s own',
      {terminal, runs: {[RUN]: live}, env: {CKPT_RUN: RUN}},
      [RUN],
      64,
      'show itself to itself',
    ],
    [
      'its socket could not be opened',
      {terminal, runs: {[RUN]: {json: runJson({detached: true}), alive: true}}},
      ...([[], 71, 'could not open its socket'] as [string[], number, string]),
    ],
    ['nobody listens there', {terminal, runs: {[RUN]: live}}, [], 71, `${SOCKET}: ENOENT`],
    [
      'two could be meant',
      {terminal, runs: {[RUN]: live, [OTHER]: {...live, json: runJson({run: OTHER, detached: true})}}},
      ...([[], 64, '2 runs are alive here'] as [string[], number, string]),
    ],
  ])('when %s it says so', async (_when, given, words, code, says) => {
    const rig = watchRig(given);
    expect(await rig.ckpt('attach', ...words)).toBe(code);
    expect(rig.seen.err).toContain(says);
  });
});
