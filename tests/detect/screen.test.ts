import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import type xterm from '@xterm/headless';
import fc from 'fast-check';
import {afterEach, expect, test, vi} from 'vitest';
import {openScreen, type Screen, type ScreenOptions} from '../../src/detect/screen.ts';
import type {View} from '../../src/detect/screen-rules.ts';
import {anyCuts, byteByByte, bytesOf, cutAt, runs} from './chunks.ts';

/** The real library, with one fault of its own: OSC 6666 throws, as a bug in it would. */
vi.mock('@xterm/headless', async (importOriginal) => {
  const {default: real} = await importOriginal<{default: typeof xterm}>();
  class Faulty extends real.Terminal {
    constructor(options: xterm.ITerminalOptions) {
      super(options);
      this.parser.registerOscHandler(6666, () => {
        throw new Error('a bug in the library');
      });
    }
  }
  return {default: {...real, Terminal: Faulty}};
});

const opened: Screen[] = [];
const open = (options: Partial<ScreenOptions> = {}): Screen => {
  const screen = openScreen({cols: 20, rows: 5, ...options});
  opened.push(screen);
  return screen;
};
afterEach(() => {
  for (const screen of opened.splice(0)) screen.close();
});

const seen = async (...chunks: (string | Uint8Array)[]): Promise<View> => {
  const screen = open();
  for (const chunk of chunks) screen.feed(typeof chunk === 'string' ? bytesOf(chunk) : chunk);
  return screen.look();
};

const rows: [what: string, bytes: string, text: string][] = [
  ['nothing', '', ''],
  ['lines', 'one\r\ntwo', 'one\ntwo'],
  ['words that were placed, not spaced', 'Claude Code\x1b[14Gv2', 'Claude Code  v2'],
  ['a text that was drawn as a change of another', 'Running x…\rCompacting\x1b[1;11H…', 'Compacting…'],
  ['a line that was wiped', 'secret\r\x1b[Kshown', 'shown'],
  ['wide letters', '漢字|👍', '漢字|👍'],
  ['the rows that are left after scrolling', 'a\r\nb\r\nc\r\nd\r\ne\r\nf\r\ng', 'c\nd\ne\nf\ng'],
  ['the alternate screen', 'before\x1b[?1049h\x1b[Hinside', 'inside'],
  ['the screen from before, afterwards', 'before\x1b[?1049h\x1b[Hinside\x1b[?1049l', 'before'],
  ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
  ['the text around broken sequences', 'a\x1b[38;5\x18b\x1b]0;c\x18d', 'abd'],
];
test.each(rows)('shows %s', async (_, bytes, text) => {
  expect((await seen(bytes)).screen).toBe(text);
});

test('the title is the last one that was set', async () => {
  expect((await seen('\x1b]0;◐ one\x07\x1b]2;✳ two\x1b\\')).title).toBe('✳ two');
  expect((await seen('\x1b]0;one\x07\x1b]0;\x07')).title).toBe('');
});

test('each report is told once, in order; a question is none', async () => {
  const screen = open();
  const report = (state: string) => bytesOf(`\x1b]7501;state=${state}\x1b\\`);
  screen.feed(bytesOf('\x1b]7501;?\x1b\\'));
  screen.feed(report('idle:app=codex'));
  screen.feed(report('working'));
  expect((await screen.look()).osc).toEqual(['7501;state=idle:app=codex', '7501;state=working']);
  expect((await screen.look()).osc).toEqual([]);
  for (let n = 0; n < 250; n += 1) {
    screen.feed(report(`s${n}`));
    expect((await screen.look()).osc).toEqual([`7501;state=s${n}`]);
  }
});

test('of a flood of reports between two looks the newest are told', async () => {
  const {osc} = await seen(Array.from({length: 5000}, (_, n) => `\x1b]7501;state=s${n}\x07`).join(''));
  expect([osc.length, osc[0], osc.at(-1)]).toEqual([100, '7501;state=s4900', '7501;state=s4999']);
});

test('what came before a change of size was drawn for the old size', async () => {
  const screen = open({cols: 10, rows: 3});
  screen.feed(bytesOf('0123456789abc\r\n'));
  screen.resize(20, 3);
  screen.feed(bytesOf('0123456789abc'));
  expect((await screen.look()).screen).toBe('0123456789\nabc\n0123456789abc');
});

test('a size of nothing does no harm', async () => {
  const screen = open();
  screen.resize(0, 0);
  screen.feed(bytesOf('a\r\nb'));
  expect((await screen.look()).screen).toBe('b');
});

// Found by replaying recordings under changing sizes: with reflow on, the library throws at the last letter.
test('a window that gets narrower and wider again can still be drawn to', async () => {
  const screen = open({cols: 80, rows: 24});
  screen.feed(bytesOf(`${'x'.repeat(70)}\r\n`.repeat(12)));
  screen.feed(bytesOf('\x1b[30H'));
  await screen.look();
  screen.resize(5, 28);
  await screen.look();
  screen.resize(228, 39);
  screen.feed(bytesOf('\x1b[31BH'));
  expect((await screen.look()).screen).toMatch(/H$/);
});

test('a flood keeps its newest bytes, and no torn sequence swallows what follows', async () => {
  const screen = open({limit: 64});
  screen.feed(bytesOf('\x1b]0;never ended'));
  await screen.look();
  screen.feed(bytesOf(`${'old '.repeat(100)}\x1b[2J\x1b[Hthe newest`));
  expect((await screen.look()).screen).toBe('the newest');
});

test('looks that overlap each see what was fed before them', async () => {
  const screen = open();
  screen.feed(bytesOf('a'));
  const first = screen.look();
  screen.feed(bytesOf('b'));
  const second = screen.look();
  screen.feed(bytesOf('c'));
  expect((await Promise.all([first, second])).map(({screen: text}) => text)).toEqual(['a', 'ab']);
});

test('a look that is under way when the screen is closed ends', async () => {
  const screen = open({limit: 10_000_000});
  screen.feed(bytesOf('x'.repeat(1_000_000)));
  const look = screen.look();
  screen.close();
  expect((await look).screen).toBe('');
  expect((await screen.look()).screen).toBe('');
});

test('broken sequences are nobody’s business: nothing is printed about them', async () => {
  const spies = (['debug', 'log', 'info', 'warn', 'error', 'trace'] as const).map((name) => vi.spyOn(console, name));
  await seen('\x1bé\x1b[1é\x1b[?\x80h\x1bP\x9c', Uint8Array.of(0x1b, 0xff, 0xc3));
  for (const spy of spies) {
    expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
  }
});

test('a bug in the library fails the look, and nothing else', async () => {
  const screen = open();
  screen.feed(bytesOf('before\x1b]6666;\x07after'));
  await expect(screen.look()).rejects.toThrow('a bug in the library');
  screen.feed(bytesOf('more'));
  await expect(screen.look()).rejects.toThrow('a bug in the library');
});

test('letters that are cut by a look are shown whole', async () => {
  for (const letter of ['…', '─', 'é', '漢', '𐀀', '👍']) {
    const bytes = bytesOf(letter);
    for (let at = 1; at < bytes.length; at += 1) {
      const screen = open();
      screen.feed(bytes.subarray(0, at));
      await screen.look();
      screen.feed(bytes.subarray(at));
      expect((await screen.look()).screen).toBe(letter);
    }
  }
});

const drawn = fc.oneof(
  fc.string({unit: 'grapheme', maxLength: 30}),
  fc.constantFrom(
    '\r\n',
    '\x1b[H',
    '\x1b[2J',
    '\x1b[K',
    '\x1b[3;4H',
    '\x1b[2;4r',
    '\x1b[?1049h',
    '\x1b[?1049l',
    '\x1b8',
  ),
  fc.constantFrom(
    '\x1b[31m',
    '\x1b]0;title\x07',
    '\x1b]7501;state=idle\x1b\\',
    '\x1b[2A',
    '\x1b[5C',
    '\x1b[L',
    '\x1b[M',
  ),
);

test('the chunks do not matter', {timeout: 60_000}, async () => {
  const stream = fc.array(drawn, {maxLength: 30}).map((parts) => bytesOf(parts.join('')));
  const cut = stream.chain((bytes) => fc.tuple(fc.constant(bytes), anyCuts(bytes.length)));
  await fc.assert(
    fc.asyncProperty(cut, async ([bytes, places]) => {
      const whole = await seen(bytes);
      expect(await seen(...byteByByte(bytes))).toEqual(whole);
      expect(await seen(...cutAt(bytes, places))).toEqual(whole);
      // Nor does it matter whether somebody looked in between.
      const screen = open();
      const osc: string[] = [];
      for (const chunk of cutAt(bytes, places)) {
        screen.feed(chunk);
        osc.push(...(await screen.look()).osc);
      }
      expect({...(await screen.look()), osc}).toEqual(whole);
    }),
    runs(60),
  );
});

test('any bytes and any sizes are taken', {timeout: 120_000}, async () => {
  const act = fc.oneof(
    fc.uint8Array({maxLength: 400}),
    fc.array(drawn, {maxLength: 20}).map((parts) => bytesOf(parts.join(''))),
    fc.tuple(fc.nat(300), fc.nat(100)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, {maxLength: 40}), async (acts) => {
      const screen = open();
      for (const one of acts) {
        if (one instanceof Uint8Array) screen.feed(one);
        else screen.resize(one[0], one[1]);
      }
      expect((await screen.look()).screen).toEqual(expect.any(String));
      screen.close();
    }),
    runs(100),
  );
});

test('a screen at which nobody looks keeps a bounded number of bytes', async () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const held = (): number => {
    gc();
    const {heapUsed, arrayBuffers} = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const screen = open({limit: 256 * 1024});
  const before = held();
  const tiny = bytesOf('x');
  for (let n = 0; n < 1_000_000; n += 1) screen.feed(tiny);
  const large = new Uint8Array(64 * 1024);
  for (let n = 0; n < 1000; n += 1) screen.feed(large);
  for (let n = 0; n < 10_000; n += 1) screen.resize(n, n);
  // What was thrown away is swept in the background.
  await expect.poll(() => held() - before, {timeout: 20_000}).toBeLessThan(1024 * 1024);
});
