import {beforeAll, describe, expect, it} from 'vitest';
import type {LatestEntry} from '../../src/baton/latest.ts';
import {runStatus} from '../../src/watch/status.ts';
import {runLine, statusText} from '../../src/watch/status-words.ts';
import {death, RUN, record} from './samples.ts';

beforeAll(() => {
  process.env.TZ = 'UTC';
});

const now = Date.parse('2026-11-18T10:14:00Z');
const shown = {now, width: 200};
const newest = {
  ...{id: '20261118T101000000Z_tests', number: 4, file: 'x', step: 'tests written', note: '', next_cmd: 'npm test'},
  ...{validation: 'pending', branch: 'main', head: 'abc', born: '2026-11-18T10:10:00.000Z'},
} as LatestEntry;
const live = (fields: object = {}) => runStatus({record: record(fields), alive: true, deaths: [], newest: undefined});

describe('where a run stands', () => {
  it.each([
    ['working', true, 'live'],
    ['working', false, 'lost'],
    ['over', false, 'over'],
    ['over', true, 'over'],
  ])('%s with its process there: %s → %s', (state, alive, standing) => {
    expect(runStatus({record: record({state}), alive, deaths: [], newest: undefined}).standing).toBe(standing);
  });

  it('counts deaths by cause and keeps the last', () => {
    const deaths = [death({leg: 1, cause: 'killed'}), death({leg: 3, cause: 'killed'}), death()];
    const {deaths: counted} = runStatus({record: record(), alive: true, deaths, newest: undefined});
    expect(counted).toMatchObject({total: 3, by_cause: {killed: 2, compaction: 1}, last: {leg: 3, cause: 'killed'}});
  });

  it('shows a live run the newest checkpoint of its track, which its agent may have written since', () => {
    const status = runStatus({record: record(), alive: true, deaths: [], newest});
    expect(status.checkpoint).toMatchObject({id: newest.id, next_cmd: 'npm test', validation: 'pending'});
  });

  it('leaves an ended run its own checkpoint when the track has gone on without it', () => {
    const status = runStatus({record: record({state: 'over'}), alive: false, deaths: [], newest});
    expect(status.checkpoint).toEqual({id: '20261118T095900000Z_step'});
  });

  it('leaves a live run that has none yet without the one of an earlier run', () => {
    const old = {...newest, born: '2026-11-18T08:00:00.000Z'};
    const status = runStatus({record: record({checkpoint: undefined}), alive: true, deaths: [], newest: old});
    expect(status.checkpoint).toBeUndefined();
  });
});

describe('in words', () => {
  it('a live run tells agent, track, leg, state, deaths, budget, checkpoint and the next command', () => {
    const handoff = {
      ...{leg: 3, baton: 'c2', secondsToUptake: 4.2, actionsToFirstEdit: 3},
      ...{commandsRepeated: ['npm ci'], filesReread: []},
    };
    const status = runStatus({record: record(), alive: true, deaths: [death()], handoff, newest});
    expect(status.handoff).toEqual({
      ...{leg: 3, baton: 'c2', seconds_to_uptake: 4.2, actions_to_first_edit: 3},
      ...{commands_repeated: ['npm ci'], files_reread: []},
    });
    const text = statusText([status], shown);
    expect(text).toBe(
      [
        `● ${RUN}  claude 2.1.326  track main  leg 3`,
        '  working for 14 min; began 59 min ago; pid 4711',
        '  deaths      1 (compaction 1); last: leg 2, its context is full and was about to be compacted (hook: PreCompact(auto))',
        '  handoff     leg 3 took up after 4.2 s, first edit after 3 actions, 1 command repeated, 0 files re-read',
        '  budget      1 of 5 legs without progress in 15 min; leg 3 of at most 200; until 2026-11-21 09:15:00 (in 71 h)',
        '  checkpoint  20261118T101000000Z_tests (4 min ago, pending): tests written',
        '  next_cmd    npm test',
        '',
      ].join('\n'),
    );
  });

  it('a waiting run tells for what and until when, with how long that is', () => {
    const waits = {for: 'limit', until: '2026-11-18T13:14:00.000Z'};
    expect(statusText([live({state: 'waiting', waits})], shown)).toContain(
      '  waits       for the usage limit until 13:14:00 (in 3 h)\n',
    );
  });

  it('a parked run tells why, and how to go on', () => {
    const outcome = {is: 'parked', why: '5 legs without progress in 15 min'};
    const text = statusText([live({state: 'over', outcome})], shown);
    expect(text).toContain('over for 14 min: parked: 5 legs without progress in 15 min');
    expect(text).toContain(`go on with  ckpt-run --continue-run ${RUN}`);
  });

  it('a lost run says that its process is gone', () => {
    const lost = runStatus({record: record(), alive: false, deaths: [], newest: undefined});
    expect(statusText([lost], shown)).toContain('lost: its process is gone, it was working');
    expect(runLine(lost, '/project', shown)).toMatch(/^✗ r-.*lost: .* {2}\/project$/);
  });

  it('an ended run is over for good: no budget, no next command', () => {
    const text = statusText([live({state: 'over', outcome: {is: 'done', note: 'all green'}})], shown);
    expect(text).toContain('over for 14 min: done: all green');
    expect(text).not.toMatch(/budget|next_cmd|go on/);
  });

  it('no line is wider than the terminal, and no control character comes through', () => {
    const evil = {...newest, next_cmd: `rm\u001b[2J\n${'x'.repeat(300)}`};
    const text = statusText([runStatus({record: record(), alive: true, deaths: [], newest: evil})], {now, width: 60});
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(text).toContain('next_cmd    rm ⏎ xxx');
    expect(text).not.toContain('\u001b');
  });

  it('a clock that was set back shows no negative age', () => {
    expect(statusText([live({since: '2026-11-18T12:00:00.000Z'})], shown)).toContain('working for 0 ms');
  });
});
