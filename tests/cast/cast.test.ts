import xterm from '@xterm/headless';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {eventLine, headerLine, readEvent, readHeader} from '../../src/cast/cast.ts';
import {playable} from '../../src/cast/playable.ts';
import {catchUp, waits} from '../../src/cast/timeline.ts';

describe('the lines of a recording', () => {
  it('are asciicast v2, with what we add left out where it says nothing', () => {
    const header = {width: 100, height: 30, startedAt: 1_794_985_177_900, offset: 0, part: 0, env: {TERM: 'xterm'}};
    expect(headerLine(header)).toBe(
      '{"version":2,"width":100,"height":30,"timestamp":1794985177,"env":{"TERM":"xterm"}}\n',
    );
    expect(eventLine({at: 1.25, code: 'o', data: '\u001b[1mé"\n'})).toBe('[1.250000, "o", "\\u001b[1mé\\"\\n"]\n');
    expect(eventLine({at: 2, code: 'r', data: '80x24'})).toBe('[2.000000, "r", "80x24"]\n');
  });

  it('come back as they were written', () => {
    fc.assert(
      fc.property(fc.double({min: 0, max: 1e6, noNaN: true}), fc.string({unit: 'grapheme'}), (at, data) => {
        const event = readEvent(eventLine({at, code: 'o', data}));
        expect(event?.data).toBe(data);
        expect(event?.at).toBeCloseTo(at, 5);
      }),
    );
    const part = {width: 80, height: 24, startedAt: 5000, offset: 12.5, part: 3};
    expect(readHeader(headerLine(part))).toEqual(part);
  });

  it.each(['', '[', '[1,"o"]', '["1","o","x"]', '[1,"i","typed"]', '[1,"x","0"]', '{"a":1}', '[1,"o","torn'])(
    '%j is no event that we play',
    (line) => {
      expect(readEvent(line)).toBeUndefined();
    },
  );

  it.each(['', '{}', '{"version":1,"width":80,"height":24}', '{"version":2,"width":"80","height":24}', '[2]', '{"ver'])(
    '%j is no header',
    (line) => {
      expect(readHeader(line)).toBeUndefined();
    },
  );
});

describe('what of a recording reaches the terminal', () => {
  const shown = (text: string): string => playable()(text);

  it.each([
    ['colours and moves', '\u001b[1;38;2;1;2;3mA\u001b[10;20HB\u001b[2J\u001b[K\u001b[3A'],
    ['cursor, wrap and synchronized output', '\u001b[?25l\u001b[?7h\u001b[?2026h\u001b[?2026l'],
    ['links', '\u001b]8;;https://x\u0007text\u001b]8;;\u001b\\'],
    ['margins, saved cursor, charsets', '\u001b[2;10r\u001b7\u001b8\u001b(0\u001b(B\u001bM'],
    ['text in any language', 'héllo 🎉 世界\r\n\t'],
  ])('%s pass', (_name, text) => {
    expect(shown(text)).toBe(text);
  });

  it.each([
    [
      'questions that the terminal would answer',
      '\u001b[c\u001b[>c\u001b[6n\u001b[?u\u001b[?2026$p\u001b[>q\u001b[14t',
    ],
    ['questions for colours', '\u001b]10;?\u0007\u001b]11;?\u001b\\\u001b]4;1;?\u0007'],
    ['the clipboard', '\u001b]52;c;ZXZpbA==\u0007'],
    [
      'titles and notifications',
      '\u001b]0;title\u0007\u001b]2;t\u001b\\\u001b]9;hello\u0007\u001b]777;notify;a;b\u0007',
    ],
    [
      'mouse, focus, paste, keyboards',
      '\u001b[?1000h\u001b[?1003;1006h\u001b[?1004h\u001b[?2004h\u001b[>1u\u001b[>4;2m',
    ],
    ['the alternate screen, which the player has', '\u001b[?1049h\u001b[?1049l\u001b[?47h'],
    ['what would wipe the scrollback', '\u001b[3J\u001bc'],
    ['device control strings', '\u001bP+q544e\u001b\\\u001b_Gi=1;AAAA\u001b\\\u001bX..\u001b\\'],
  ])('%s do not', (_name, text) => {
    expect(shown(`a${text}b`)).toBe('ab');
  });

  it('is the same however the recording was cut', () => {
    const piece = fc.constantFrom(
      ...['text', 'é🎉', '\u001b[1m', '\u001b[?1049h', '\u001b]8;;http://a\u0007', '\u001b]0;t\u001b\\', '\u001b[6n'],
      ...['\u001bP+q\u001b\\', '\u001b7', '\u001b(B', '\r\n', '\u001b]52;c;eA==\u0007', '\u001b[38;5;1m', '\u001b[2J'],
    );
    fc.assert(
      fc.property(fc.array(piece, {maxLength: 20}), fc.array(fc.nat(60), {maxLength: 12}), (pieces, cuts) => {
        const whole = `${pieces.join('')}.`;
        const at = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
        const filter = playable();
        const parts = at.slice(1).map((end, index) => filter(whole.slice(at[index], end)));
        expect(parts.join('')).toBe(shown(whole));
      }),
      {numRuns: 2000},
    );
  });

  it('whatever was recorded, the terminal is asked nothing and told no title', async () => {
    const terminal = new xterm.Terminal({cols: 40, rows: 10, allowProposedApi: true});
    const heard: string[] = [];
    terminal.onData((data) => heard.push(data));
    terminal.onTitleChange((title) => heard.push(title));
    const sign = fc.constantFrom(...'\u001b\u001b\u001b[]P?>0156;cnqtpu$ "x\u0007\u0018\\\u009b\u009c\u009d');
    const write = (text: string): Promise<void> => new Promise((done) => terminal.write(text, done));
    // The oracle works: unfiltered, the terminal answers.
    await write('\u001b[c\u001b[6n\u001b]0;t\u0007');
    expect(heard.length).toBe(3);
    heard.length = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({unit: sign, maxLength: 30}), {maxLength: 6}), async (parts) => {
        const filter = playable();
        await write(`${parts.map((part) => filter(part)).join('')}\u0018`);
        expect(heard).toEqual([]);
      }),
      {numRuns: 600},
    );
    terminal.dispose();
  });

  it('a string of any length is passed over, and what follows it is shown', () => {
    const filter = playable();
    expect(filter(`a\u001b]8;;${'x'.repeat(200_000)}`)).toBe('a');
    expect(filter(`${'x'.repeat(200_000)}\u0007later`)).toBe('later');
  });
});

describe('the pace of a replay', () => {
  it('keeps the pauses, at the speed that was asked for', () => {
    const wait = waits({speed: 2, idle: 100, from: 0});
    expect([0, 1, 1, 4].map(wait)).toEqual([0, 0.5, 0, 1.5]);
  });

  it('cuts long pauses', () => {
    const wait = waits({speed: 1, idle: 2, from: 0});
    expect([1, 3601, 3602].map(wait)).toEqual([1, 2, 1]);
  });

  it('begins at once where it shall begin, and never waits for what lies before', () => {
    const wait = waits({speed: 1, idle: 100, from: 50});
    expect([10, 50, 51, 40, 52].map(wait)).toEqual([0, 0, 1, 0, 1]);
  });

  it('what is skipped is drawn from the last time the screen was wiped', () => {
    const before = catchUp();
    for (const data of ['old', 'x\u001b[2Jnew', ' text']) before.skip({at: 0, code: 'o', data});
    before.skip({at: 0, code: 'r', data: '80x24'});
    expect(before.text()).toBe('\u001b[2Jnew text');
  });
});
