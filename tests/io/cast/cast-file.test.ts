import {spawnSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it, vi} from 'vitest';
import {type CastEvent, readEvent, readHeader} from '../../../src/cast/cast.ts';
import {openCastFile} from '../../../src/io/cast/cast-file.ts';
import {castLines, castParts} from '../../../src/io/cast/cast-lines.ts';
import {tempFolder} from '../checkpoint-files-rig.ts';

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n');
const eventsOf = (path: string): CastEvent[] =>
  linesOf(path)
    .slice(1)
    .map((line) => readEvent(line) ?? expect.unreachable(`no event: ${line}`));
const textOf = (path: string): string =>
  eventsOf(path)
    .filter(({code}) => code === 'o')
    .map(({data}) => data)
    .join('');

const fakeClock = () => {
  let now = 1_794_985_177_000;
  const advance = (ms: number): void => {
    now += ms;
  };
  return {now: () => now, advance};
};

describe('a recording', () => {
  it('has the size in its header, output and resizes with their times, and is for its owner alone', async () => {
    const path = join(tempFolder(), 'leg-001', 'terminal.cast');
    const clock = fakeClock();
    const cast = openCastFile({path, now: clock.now, title: 'claude', env: {TERM: 'xterm'}});
    cast.onResize(100, 30);
    clock.advance(250);
    cast.onOutput(Buffer.from('hello'));
    clock.advance(1000);
    cast.onResize(80, 24);
    cast.onOutput(Buffer.from('\u001b[2J'));
    await cast.close();
    expect(linesOf(path)).toEqual([
      '{"version":2,"width":100,"height":30,"timestamp":1794985177,"title":"claude","env":{"TERM":"xterm"}}',
      '[0.250000, "o", "hello"]',
      '[1.250000, "r", "80x24"]',
      '[1.250000, "o", "\\u001b[2J"]',
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('has every character whole, wherever the chunks were cut', async () => {
    const dir = tempFolder();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.string({unit: 'grapheme', maxLength: 40}), fc.array(fc.nat(80)), async (text, cuts) => {
        const bytes = Buffer.from(text);
        const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        count += 1;
        const path = join(dir, `${count}.cast`);
        const cast = openCastFile({path});
        for (const [index, end] of at.slice(1).entries()) cast.onOutput(bytes.subarray(at[index], end));
        await cast.close();
        expect(text === '' ? '' : textOf(path)).toBe(text);
      }),
      {numRuns: 60},
    );
  });

  it('keeps half a character to its end as the sign for what cannot be read', async () => {
    const path = join(tempFolder(), 'x.cast');
    const cast = openCastFile({path});
    cast.onOutput(Buffer.from([0x61, 0xe2, 0x82]));
    await cast.close();
    expect(textOf(path)).toBe('a\ufffd');
  });

  it('is on disk soon, without being closed', async () => {
    const path = join(tempFolder(), 'x.cast');
    const cast = openCastFile({path});
    cast.onOutput(Buffer.from('seen'));
    await vi.waitFor(() => expect(textOf(path)).toBe('seen'), {timeout: 5000});
    await cast.close();
  });

  it('keeps its beginning and its end within its room; each part plays by itself', async () => {
    const dir = tempFolder();
    const path = join(dir, 'terminal.cast');
    const clock = fakeClock();
    const cast = openCastFile({path, maxBytes: 40_000, now: clock.now});
    cast.onResize(100, 30);
    for (let number = 0; number < 3000; number += 1) {
      clock.advance(100);
      cast.onOutput(Buffer.from(`line ${String(number).padStart(5, '0')} ───\r\n`));
    }
    await cast.close();
    const files = readdirSync(dir).sort();
    expect(files).toEqual(['terminal.cast', 'terminal.tail-1.cast', 'terminal.tail-2.cast']);
    const sizes = files.map((file) => statSync(join(dir, file)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(40_000);
    const parts = await castParts(path);
    expect(parts[0]).toBe(path);
    expect(textOf(path)).toMatch(/^line 00000 /);
    expect(textOf(parts.at(-1) ?? '')).toMatch(/line 02999 ───\r\n$/);
    // The two last parts follow each other without a gap, and their times go on.
    const [before = '', last = ''] = parts.slice(-2).map(textOf);
    const end = Number(before.match(/line (\d+) ───\r\n$/)?.[1]);
    expect(Number(last.match(/^line (\d+)/)?.[1])).toBe(end + 1);
    const header = readHeader(linesOf(parts.at(-1) ?? '')[0] ?? '');
    expect(header).toMatchObject({width: 100, height: 30});
    const final = eventsOf(parts.at(-1) ?? '').at(-1)?.at ?? 0;
    expect((header?.offset ?? 0) + final).toBeCloseTo(300, 3);
  });

  it('takes an event that is larger than a whole part, and goes on', async () => {
    const path = join(tempFolder(), 'terminal.cast');
    const cast = openCastFile({path, maxBytes: 1000});
    for (const sign of 'abcd') cast.onOutput(Buffer.from(sign.repeat(5000)));
    await cast.close();
    expect(textOf(path)).toBe('a'.repeat(5000));
    expect(textOf((await castParts(path)).at(-1) ?? '')).toBe('d'.repeat(5000));
  });

  it('plays in asciinema itself, where that is installed', async () => {
    const path = join(tempFolder(), 'terminal.cast');
    const cast = openCastFile({path});
    cast.onResize(80, 24);
    cast.onOutput(Buffer.from('héllo\r\n'));
    cast.onResize(90, 30);
    cast.onOutput(Buffer.from('wörld\r\n'));
    await cast.close();
    // It wants a terminal of its own; `script` gives it one.
    const env = {PATH: process.env.PATH, HOME: tempFolder(), LC_ALL: 'C.UTF-8'};
    const installed = process.platform === 'linux' && spawnSync('asciinema', ['--version'], {env}).status === 0;
    const played = installed
      ? spawnSync('script', ['-qec', `asciinema cat ${path}`, '/dev/null'], {encoding: 'utf8', env}).stdout
      : textOf(path);
    expect(played).toBe('héllo\r\nwörld\r\n');
  });
});

describe('a recording that cannot be written', () => {
  it('says so once, and takes everything after it in silence', async () => {
    const dir = tempFolder();
    writeFileSync(join(dir, 'file'), '');
    const told: string[] = [];
    const cast = openCastFile({path: join(dir, 'file', 'x.cast'), onFailure: (what) => void told.push(what)});
    for (let number = 0; number < 3; number += 1) cast.onOutput(Buffer.alloc(100_000, 'x'));
    await vi.waitFor(() => expect(told).toHaveLength(1), {timeout: 5000});
    cast.onOutput(Buffer.from('more'));
    cast.onResize(1, 1);
    await cast.close();
    expect(told).toEqual([expect.stringMatching(/ENOTDIR|EEXIST/)]);
  });

  it('survives a listener that throws, and a folder that goes away', async () => {
    const dir = tempFolder();
    const folder = join(dir, 'leg-001');
    mkdirSync(folder);
    const cast = openCastFile({
      path: join(folder, 'x.cast'),
      maxBytes: 500,
      onFailure: () => {
        throw new Error('of its own');
      },
    });
    cast.onOutput(Buffer.from('a'.repeat(300)));
    rmSync(folder, {recursive: true});
    writeFileSync(folder, '');
    cast.onOutput(Buffer.from('b'.repeat(300)));
    await expect(cast.close()).resolves.toBeUndefined();
  });

  it('follows no link that the agent laid in its way', async () => {
    const dir = tempFolder();
    writeFileSync(join(dir, 'precious'), 'keep me');
    symlinkSync(join(dir, 'precious'), join(dir, 'terminal.cast'));
    const cast = openCastFile({path: join(dir, 'terminal.cast')});
    cast.onOutput(Buffer.from('x'));
    await cast.close();
    expect(readFileSync(join(dir, 'precious'), 'utf8')).toBe('keep me');
    expect(textOf(join(dir, 'terminal.cast'))).toBe('x');
  });

  it('holds no more than its share of memory while the disk hangs, and marks the gap', async () => {
    const path = join(tempFolder(), 'x.cast');
    const cast = openCastFile({path});
    // All at once: nothing can have been written when the last of it comes in.
    for (let megabyte = 0; megabyte < 40; megabyte += 1) cast.onOutput(Buffer.alloc(1024 * 1024, 'x'));
    await vi.waitFor(() => expect(statSync(path).size).toBeGreaterThan(7 * 1024 * 1024), {timeout: 20_000});
    await vi.waitFor(
      () => {
        cast.onOutput(Buffer.from('after'));
        expect(readFileSync(path, 'utf8')).toContain('"m"');
      },
      {timeout: 20_000},
    );
    await cast.close();
    const [mark] = eventsOf(path).filter(({code}) => code === 'm');
    expect(mark?.data).toMatch(/^\d+ characters were not recorded$/);
    expect(statSync(path).size).toBeLessThan(10 * 1024 * 1024);
  });
});

describe('reading a recording', () => {
  it('gives its lines one by one, a torn one last, and nothing of a file that is not there', async () => {
    const path = join(tempFolder(), 'x.cast');
    writeFileSync(path, '{"version":2}\n[1,"o","é"]\n[2,"o","to');
    const lines: string[] = [];
    for await (const line of castLines(path)) lines.push(line);
    expect(lines).toEqual(['{"version":2}', '[1,"o","é"]', '[2,"o","to']);
    const none: string[] = [];
    for await (const line of castLines(`${path}.none`)) none.push(line);
    expect(none).toEqual([]);
  });

  it('orders parts by their time and leaves out what is no recording', async () => {
    const dir = tempFolder();
    const header = (part: number) => `{"version":2,"width":80,"height":24,"ckpt":{"part":${part},"offset":1}}\n`;
    writeFileSync(join(dir, 'terminal.cast'), '{"version":2,"width":80,"height":24}\n');
    writeFileSync(join(dir, 'terminal.tail-1.cast'), header(9));
    writeFileSync(join(dir, 'terminal.tail-2.cast'), header(5));
    const path = join(dir, 'terminal.cast');
    expect((await castParts(path)).map((part) => part.slice(dir.length + 1))).toEqual([
      ...['terminal.cast', 'terminal.tail-2.cast', 'terminal.tail-1.cast'],
    ]);
    writeFileSync(join(dir, 'terminal.tail-1.cast'), 'torn');
    expect(await castParts(path)).toHaveLength(2);
    expect(await castParts(join(dir, 'none.cast'))).toEqual([]);
  });
});
