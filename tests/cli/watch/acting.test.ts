// `ckpt stop`, `replay`, `doctor`, `service` against a made-up world.

import {describe, expect, it} from 'vitest';
import {eventLine, headerLine} from '../../../src/cast/cast.ts';
import {ok} from '../../../src/core/failure.ts';
import type {DoctorFacts} from '../../../src/doctor/facts.ts';
import {DIR, type GivenRun, watchRig} from '../../fakes/watch.ts';
import {OTHER, RUN, runJson} from '../../watch/samples.ts';

const quit = {is: 'quit', signal: 15, exit: {code: 0}};
const spool = `${DIR}/runs/${RUN}/spool`;

describe('ckpt stop', () => {
  const live = {json: runJson(), alive: true};
  const gone = {json: runJson({state: 'over', outcome: quit}), alive: false};

  it('asks the run that is alive here, waits for its end, and says what happened', async () => {
    const rig = watchRig({
      runs: {[RUN]: live, [OTHER]: {json: runJson({run: OTHER, state: 'over'})}},
      pauses: [() => rig.change(RUN, {json: runJson({state: 'finishing'})}), () => rig.change(RUN, gone)],
    });
    expect(await rig.ckpt('stop', '--note', 'enough')).toBe(0);
    expect(rig.seen.requests).toEqual([{spool, name: 'stop', payload: {note: 'enough'}}]);
    expect(rig.seen.signals).toEqual([]);
    expect(rig.seen.stopped).toEqual([RUN]);
    expect(rig.seen.out).toBe(
      `run ${RUN} was stopped by request: stopped by signal 15; last checkpoint 20261118T095900000Z_step\n`,
    );
  });

  it('sends SIGTERM to a run that does not hear', async () => {
    const deaf = Array.from({length: 31}, () => () => {});
    const rig = watchRig({runs: {[RUN]: live}, pauses: [...deaf, () => rig.change(RUN, gone)]});
    expect(await rig.ckpt('stop')).toBe(0);
    expect(rig.seen.signals).toEqual([4711]);
    expect(rig.seen.out).toContain('was stopped by SIGTERM');
  });

  it('never forces: a run that stays is told as such, with 71', async () => {
    const rig = watchRig({runs: {[RUN]: live}, pauses: Array.from({length: 100}, () => () => {})});
    expect(await rig.ckpt('stop', '--wait', '2')).toBe(71);
    expect(rig.seen.err).toContain('its process 4711 still lives after 2 s');
  });

  it('of a run that died under our hands says how it was last seen', async () => {
    const rig = watchRig({runs: {[RUN]: live}, pauses: [() => rig.change(RUN, {alive: false})]});
    expect(await rig.ckpt('stop')).toBe(0);
    expect(rig.seen.out).toContain('it was working to the last');
  });

  it.each([
    ['nothing is alive', {[RUN]: gone}, 66, 'no run is alive here'],
    ['no run has been here', {}, 66, 'no run has been here'],
    ['two are alive', {[RUN]: live, [OTHER]: {json: runJson({run: OTHER}), alive: true}}, 64, '--all'],
  ] as [string, Record<string, GivenRun>, number, string][])(
    'when %s it stops nothing',
    async (_n, runs, code, said) => {
      const rig = watchRig({runs});
      expect(await rig.ckpt('stop')).toBe(code);
      expect(rig.seen.err).toContain(said);
      expect(rig.seen.requests).toEqual([]);
    },
  );

  it('with --all stops each of them', async () => {
    const runs = {[RUN]: live, [OTHER]: {json: runJson({run: OTHER}), alive: true}};
    const end = (run: string) => () =>
      rig.change(run, {json: runJson({run, state: 'over', outcome: quit}), alive: false});
    const rig = watchRig({runs, pauses: [end(RUN), end(OTHER)]});
    expect(await rig.ckpt('--json', 'stop', '--all')).toBe(0);
    expect(JSON.parse(rig.seen.out)).toMatchObject([
      {run: RUN, how: 'by request'},
      {run: OTHER, how: 'by request'},
    ]);
  });

  it('called by the run’s own agent only asks: it would not live to see the end', async () => {
    const rig = watchRig({runs: {[RUN]: {json: runJson()}}, env: {CKPT_RUN: RUN}});
    expect(await rig.ckpt('stop')).toBe(0);
    expect(rig.seen.out).toBe(`run ${RUN} was asked to end\n`);
    expect(rig.seen.signals).toEqual([]);
  });

  it('a run that is over stays as it was', async () => {
    const rig = watchRig({runs: {[RUN]: gone}});
    expect(await rig.ckpt('stop', RUN)).toBe(0);
    expect(rig.seen.out).toContain('is not alive: stopped by signal 15');
    expect(rig.seen.requests).toEqual([]);
  });
});

describe('ckpt replay', () => {
  const header = (offset = 0): string =>
    headerLine({width: 100, height: 30, startedAt: 0, offset, part: offset}).trimEnd();
  const out = (at: number, data: string): string => eventLine({at, code: 'o', data}).trimEnd();
  const cast = [
    [header(), out(0, 'a'), out(1, 'b\u001b[6n'), 'torn', out(100, '\u001b[2Jc')],
    [header(200), out(1, 'd')],
  ];
  const given = {runs: {[RUN]: {json: runJson(), casts: {1: [[header(), out(0, 'first')]], 3: cast}}}};
  const terminal = {columns: 100, rows: 30};

  it('plays the last recorded leg on a screen of its own, pauses cut, questions left out', async () => {
    const rig = watchRig({...given, terminal});
    expect(await rig.ckpt('replay')).toBe(0);
    const {out: shown} = rig.seen;
    expect(shown.startsWith('\u001b[?1049h\u001b[2J\u001b[Hab\u001b[2Jcd\u0018')).toBe(true);
    expect(shown.endsWith(`\u001b[?25h\u001b[?1049lleg 3 of ${RUN}: 3 min of 3 min shown\n`)).toBe(true);
    expect(rig.slept.filter((ms) => ms !== undefined && ms > 0)).toEqual([1000, 2000, 2000]);
    expect(rig.calls).toEqual([['keys closed']]);
  });

  it('plays faster, with other pauses, and only the end', async () => {
    const rig = watchRig({...given, terminal});
    await rig.ckpt('replay', RUN, '3', '-s', '2', '-i', '10', '--last', '100.5');
    expect(rig.seen.out).toContain('\u001b[H\u001b[2Jcd\u0018');
    expect(rig.slept.filter((ms) => ms !== undefined && ms > 0)).toEqual([5000]);
  });

  it.each([
    ['q ends it', ['end'], 'a'],
    ['space holds it until the next key', ['space', 'other'], 'ab\u001b[2Jcd'],
    ['q ends it also while it is held', ['space', 'end'], 'a'],
  ] as const)('%s', async (_name, keys, shown) => {
    const rig = watchRig({...given, terminal, keys: [...keys]});
    expect(await rig.ckpt('replay', RUN, '3')).toBe(0);
    expect(rig.seen.out.split('\u001b[H')[1]?.split('\u0018')[0]).toBe(shown);
  });

  it('says when this terminal is smaller than the recorded one', async () => {
    const rig = watchRig({...given, terminal: {columns: 80, rows: 24}});
    await rig.ckpt('replay');
    expect(rig.seen.out).toContain('it was recorded at 100x30, this terminal is smaller');
  });

  it('without a terminal names the file for other players, and as JSON everything', async () => {
    const piped = watchRig(given);
    expect(await piped.ckpt('replay')).toBe(64);
    expect(piped.seen.err).toContain(`${RUN}/3/0`);
    const rig = watchRig(given);
    expect(await rig.ckpt('--json', 'replay', RUN, '3')).toBe(0);
    expect(JSON.parse(rig.seen.out)).toEqual({
      ...{run: RUN, leg: 3, parts: [`${RUN}/3/0`, `${RUN}/3/1`], width: 100, height: 30, seconds: 201},
    });
  });

  it('a leg without a recording is said to have none', async () => {
    const rig = watchRig({...given, terminal});
    expect(await rig.ckpt('replay', RUN, '2')).toBe(66);
    expect(rig.seen.err).toContain('--no-record');
  });
});

describe('ckpt doctor', () => {
  const facts = {
    ...{node: '20.20.2', pty: undefined, relay: undefined, lock: 'kernel', agents: [], config: [], index: undefined},
    folder: {path: '/c', exists: true, problem: undefined, freeBytes: undefined},
    sandbox: {insideProject: true, insideGit: false, within: false},
    git: {version: '2.39.5', repository: true, ignored: true, tracked: false, exclude: undefined},
    ...{runs: {lost: [], broken: []}, leftovers: [], strays: [], staleLock: undefined},
    registry: {path: '/s', problem: undefined},
  } as DoctorFacts;

  it('leaves with 0 when all is in order', async () => {
    const rig = watchRig({facts: ok(facts)});
    expect(await rig.ckpt('doctor')).toBe(0);
    expect(rig.seen.out).toContain('In order.');
  });

  it('leaves with the code of the first thing to mend, and says it once', async () => {
    const rig = watchRig({facts: ok({...facts, folder: {...facts.folder, problem: 'EROFS'}})});
    expect(await rig.ckpt('doctor')).toBe(73);
    expect(rig.seen.out).toContain('✗ folder');
    expect(rig.seen.err).toBe('');
  });

  it('as JSON gives each finding', async () => {
    const rig = watchRig({facts: ok({...facts, lock: 'link'})});
    await rig.ckpt('--json', 'doctor');
    expect(JSON.parse(rig.seen.out)).toContainEqual({
      ...{is: 'note', about: 'lock', words: expect.any(String), fix: expect.any(String)},
    });
  });
});

describe('ckpt service', () => {
  const runs = {[RUN]: {json: runJson({track: 'night'}), alive: true}};

  it('prints a unit that goes on with the newest run', async () => {
    const rig = watchRig({runs});
    expect(await rig.ckpt('service', 'print')).toBe(0);
    expect(rig.seen.out).toContain('Description=ckpt-run repo-night\n');
    expect(rig.seen.out).toContain(
      `ExecStart="/bin/node" "/opt/ckpt.js" "--repo-root" "/repo" "--checkpoint-dir" "${DIR}" "service" "start" ` +
        '"--track" "night" "--since" "2026-11-18T09:15:00.000Z"\n',
    );
  });

  it('installs new work on a track of its own, and starts it', async () => {
    const rig = watchRig({kind: 'systemd'});
    expect(await rig.ckpt('service', 'install', '--name', 'docs', '--', '--until-done', 'claude', 'write docs')).toBe(
      0,
    );
    expect(rig.services.get('docs')).toContain(
      '"--track" "docs" "--since" "2026-11-18T10:14:00.000Z" "--" "--track" "docs" "--until-done" "claude" "write docs"\n',
    );
    expect(rig.calls).toEqual([
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', 'ckpt-run-docs.service'],
    ]);
    expect(rig.seen.out).toContain('loginctl enable-linger');
  });

  it('keeps the track that the words name', async () => {
    const rig = watchRig();
    await rig.ckpt('service', 'print', '--', '--track', 'T 1', 'claude', 'x');
    expect(rig.seen.out).toContain(
      '"--track" "T 1" "--since" "2026-11-18T10:14:00.000Z" "--" "--track" "T 1" "claude"',
    );
  });

  it('does not start a second run beside one that lives: it begins with the next boot', async () => {
    const rig = watchRig({runs});
    await rig.ckpt('service', 'install');
    expect(rig.calls.at(-1)).toEqual(['systemctl', '--user', 'enable', 'ckpt-run-repo-night.service']);
    expect(rig.seen.out).toContain('after the next boot');
  });

  it('for launchd writes a plist and loads it', async () => {
    const rig = watchRig({runs, kind: 'launchd'});
    await rig.ckpt('service', 'install');
    expect(rig.services.get('repo-night')).toContain('<string>--launchd</string>');
    expect(rig.calls).toEqual([['launchctl', 'load', '-w', '/units/repo-night']]);
  });

  it('where systemctl does not work leaves the file and says what to do', async () => {
    const rig = watchRig({runs, refuses: 'daemon-reload'});
    expect(await rig.ckpt('service', 'install')).toBe(66);
    expect(rig.seen.err).toContain('systemctl --user daemon-reload && systemctl --user enable');
    expect(rig.services.size).toBe(1);
  });

  it('uninstalls what it installed, and nothing else', async () => {
    const rig = watchRig({runs});
    await rig.ckpt('service', 'install');
    expect(await rig.ckpt('service', 'uninstall', 'repo-night')).toBe(0);
    expect(rig.services.size).toBe(0);
    expect(rig.calls).toContainEqual(['systemctl', '--user', 'disable', '--now', 'ckpt-run-repo-night.service']);
    expect(await rig.ckpt('service', 'uninstall', 'other')).toBe(66);
  });

  const start = ['service', 'start', '--track', 'night', '--since', '2026-11-18T09:00:00.000Z'];
  const lost = {[RUN]: {json: runJson({track: 'night'})}};
  it.each<[string, Record<string, GivenRun>, string[], string[][], number]>([
    ['begins with its words', {}, ['--', '--track', 'night', 'claude', 'x'], [['--track', 'night', 'claude', 'x']], 7],
    ['goes on with a lost run', lost, ['--', 'claude', 'x'], [['--continue-run', RUN]], 7],
    ['leaves a live run be', runs, ['--', 'claude', 'x'], [], 0],
    [
      'does not mind an older run of the track',
      {[OTHER]: {json: runJson({run: OTHER, track: 'night', started_at: '2026-11-17T08:00:00Z'})}},
      ['--', 'claude'],
      [['claude']],
      7,
    ],
    ['does not mind another track', {[RUN]: {json: runJson()}}, ['--', 'claude'], [['claude']], 7],
    ['without words and without a run has nothing to begin', {}, [], [], 66],
  ])('when started %s', async (_name, given, words, started, code) => {
    const rig = watchRig({runs: given, code: 7});
    expect(await rig.ckpt(...start, ...words)).toBe(code);
    expect(rig.started).toEqual(started);
    expect(rig.ready()).toBe(1);
  });

  it('tells launchd 0 where starting again would change nothing', async () => {
    const parked = watchRig({runs: lost, code: 75});
    expect(await parked.ckpt(...start, '--launchd')).toBe(0);
    const crashed = watchRig({runs: lost, code: 70});
    expect(await crashed.ckpt(...start, '--launchd')).toBe(70);
  });
});
