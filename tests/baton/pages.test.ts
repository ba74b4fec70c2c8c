import {describe, expect, it} from 'vitest';
import {carryOver} from '../../src/baton/carry.ts';
import {clean, cutTo, oneLine} from '../../src/baton/clean.ts';
import {
  noLatest,
  readLatest,
  rebuildLatest,
  serialiseLatest,
  withCheckpoint,
  withMark,
} from '../../src/baton/latest.ts';
import {checkpointMarkdown, latestMarkdown} from '../../src/baton/markdown.ts';
import {checkpointId, idOfJsonFile, jsonFileOf, safeLabel, stampOf, timeOf} from '../../src/baton/naming.ts';
import {type CheckpointId, legNumber, type Track} from '../../src/core/ids.ts';
import {main, otherRun, run, sample} from './samples.ts';

describe('file names', () => {
  it.each([
    ['verifier-fix', 'verifier-fix'],
    ['with spaces and / slashes', 'with-spaces-and-slashes'],
    ['../../etc/passwd', 'etc-passwd'],
    ['..', 'checkpoint'],
    ['', 'checkpoint'],
    ['.hidden', 'hidden'],
    ['Überprüfung 漢字', 'Überprüfung-漢字'],
    ['a\nb\0c', 'a-b-c'],
    ['C:\\x', 'C-x'],
    ['-rf', 'rf'],
  ])('the label %j becomes %j', (label, safe) => {
    expect(safeLabel(label)).toBe(safe);
  });

  it('keeps a label of 300 characters of any script within bounds', () => {
    for (const char of ['a', 'é', '漢', '😀']) {
      const file = jsonFileOf(checkpointId(0, char.repeat(300)));
      expect(Buffer.byteLength(file)).toBeLessThan(130);
      expect(idOfJsonFile(file)).toBeDefined();
    }
  });

  it('tells the time and back', () => {
    expect(stampOf(1795511700123)).toBe('20261124T091500123Z');
    expect(timeOf(checkpointId(1795511700123, 'x\ny'))).toBe(1795511700123);
  });
});

describe('LATEST.json', () => {
  const tracks = ['main', '__proto__', 'a/b', 'Spur Ä'] as Track[];

  it('comes back as it was written, whatever the tracks are called', () => {
    const latest = tracks.reduce((before, track) => withCheckpoint(before, sample({track})), noLatest);
    expect(readLatest(serialiseLatest(latest))).toEqual(latest);
  });

  it('moves current_track only when told to', () => {
    const one = withCheckpoint(noLatest, sample());
    const two = withCheckpoint(one, sample({track: 'side' as Track, set_current: false}));
    expect(two.current_track).toBe('main');
    expect([...two.tracks.keys()]).toEqual(['main', 'side']);
    expect(withCheckpoint(two, sample({track: 'side' as Track})).current_track).toBe('side');
  });

  it('marks only the checkpoint that is the newest', () => {
    const latest = withCheckpoint(noLatest, sample());
    const consumed_by = {run, leg: legNumber(2), at: 'now'};
    expect(withMark(latest, sample({consumed_by})).tracks.get(main)?.consumed_by).toEqual(consumed_by);
    expect(withMark(latest, sample({id: '20200101T000000000Z_old' as CheckpointId, consumed_by}))).toEqual(latest);
  });

  it('can be made anew from history, marks included', () => {
    const history = [sample({number: 1}), sample({number: 2, track: 'b' as Track, closed: {at: 'x', note: 'y'}})];
    const latest = rebuildLatest(history);
    expect(latest.last_number).toBe(2);
    expect(latest.tracks.get('b' as Track)?.closed).toEqual({at: 'x', note: 'y'});
  });

  it.each(['', '{', '[]', '{}', '{"schema_version":1}', '{"schema_version":1,"tracks":{"a":{"id":"../x"}}}'])(
    'says that %j is broken',
    (text) => {
      expect(readLatest(text)).toHaveProperty('broken');
    },
  );
});

describe('pages for people', () => {
  it('show a checkpoint whole', () => {
    const page = checkpointMarkdown(sample());
    for (const part of [
      '# the parser is written',
      'npm test',
      '> migrate the billing module',
      '- regex — too slow',
      '- [x] parser',
    ]) {
      expect(page).toContain(part);
    }
    expect(page).not.toContain('undefined');
  });

  it('hold against text that would break the page', () => {
    const page = checkpointMarkdown(
      sample({next_cmd: 'echo ```\n# no heading\n````', step: 'a\n# b', note: '# loud\n\u001b[2J'}),
    );
    expect(page).toContain('`````\necho ```\n# no heading\n````\n`````');
    expect(page.split('\n')[0]).toBe('# a ⏎ # b');
    expect(page).toContain('> # loud');
    expect(page).not.toContain('\u001b');
  });

  it('LATEST.md has CURRENT and one section per track', () => {
    const latest = withCheckpoint(
      withCheckpoint(noLatest, sample()),
      sample({track: 'side' as Track, set_current: false}),
    );
    const headings = latestMarkdown(latest).match(/^## .*$/gm);
    expect(headings).toEqual(['## CURRENT', '## Track `main`', '## Track `side`']);
  });
});

describe('a snapshot of the agent’s own', () => {
  const draft = sample({
    trigger: 'agent',
    goal: undefined,
    recent_calls: [],
    tasks: [],
    last_words: undefined,
    extra: {a: 'b'},
  });

  it('goes on with what the run observed before', () => {
    const whole = carryOver(sample({extra: {instructions: 'also X', old: '1'}}), draft);
    expect(whole).toMatchObject({goal: sample().goal, recent_calls: sample().recent_calls, tasks: sample().tasks});
    expect(whole.extra).toEqual({instructions: 'also X', a: 'b'});
  });

  it("takes nothing from another run's work, unless it was taken up", () => {
    expect(carryOver(sample({run: otherRun}), draft)).toBe(draft);
    const taken = sample({run: otherRun, consumed_by: {run, leg: legNumber(1), at: ''}});
    expect(carryOver(taken, draft).goal).toBe(sample().goal);
  });

  it.each([undefined, otherRun])('by hand keeps the goal and the tasks of the track (run before: %s)', (before) => {
    const tasks = [...sample().tasks, {title: 'now', state: 'in_progress' as const}];
    const whole = carryOver(sample({run: before, tasks}), {...draft, run: undefined, current_task: undefined});
    expect(whole).toMatchObject({goal: sample().goal, tasks, current_task: 'now', recent_calls: []});
  });
});

describe('text from elsewhere', () => {
  it.each([
    ['\u001b[1;31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007x', 'x'],
    ['\u001b]8;;http://x\u001b\\link', 'link'],
    ['a\u0000b\u0008c\u007fd\u009be', 'abcd'],
    ['a\r\nb\rc', 'a\nb\nc'],
    ['x\u202ey\u2066z', 'xyz'],
    ['lone \ud800 half', 'lone \ufffd half'],
    ['tab\tstays', 'tab\tstays'],
  ])('%j becomes %j', (text, expected) => {
    expect(clean(text)).toBe(expected);
  });

  it('fits on a line, and is cut between characters', () => {
    expect(oneLine(' a \n  b\tc ')).toBe('a ⏎ b c');
    expect(cutTo('ab😀cd', 4)).toBe('ab…');
    expect(cutTo('abcd', 4)).toBe('abcd');
  });
});
