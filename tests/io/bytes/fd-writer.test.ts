import {spawn} from 'node:child_process';
import {closeSync, readSync} from 'node:fs';
import {afterEach, describe, expect, test} from 'vitest';
import {type FdWriter, fdWriter} from '../../../src/io/bytes/fd-writer.ts';
import {realPipe} from '../../../src/io/bytes/real-pipe.ts';
import {openRoomWaiter} from '../../../src/io/bytes/room-waiter.ts';
import {runOnPty} from '../../support/pty-run.ts';

const open: number[] = [];
const closeAll = (): void => {
  for (const fd of open.splice(0)) {
    try {
      closeSync(fd);
    } catch {
      // The writer has closed it.
    }
  }
};
afterEach(closeAll);

interface Rig {
  writer: FdWriter;
  far: number;
  /** What the reader gets now; it blocks when there is nothing. */
  read(size: number): Buffer;
  closeReader(): void;
  broken: () => boolean;
}

const rig = (kind: 'waits' | 'looks'): Rig => {
  const pipe = realPipe('writer');
  if (pipe === undefined) throw new Error('mkfifo is needed here');
  open.push(pipe.near, pipe.far);
  let broken = false;
  const writer = fdWriter({
    fd: pipe.near,
    ...(kind === 'waits' && {openWaiter: () => openRoomWaiter(pipe.near, 'pipe')}),
    onBroken: () => {
      broken = true;
    },
  });
  return {
    writer,
    far: pipe.far,
    read: (size) => {
      const into = Buffer.alloc(size);
      return into.subarray(0, readSync(pipe.far, into));
    },
    closeReader: () => closeSync(pipe.far),
    broken: () => broken,
  };
};

const numbered = (count: number): Buffer[] =>
  Array.from({length: count}, (_, i) => Buffer.from(`${i.toString().padStart(7, '0')}\n`.repeat(125)));

describe.each(['waits', 'looks'] as const)('a writer that %s for room', (kind) => {
  test('gives a slow reader every byte in order', async () => {
    const {writer, far} = rig(kind);
    const pieces = numbered(1000);
    const want = Buffer.concat(pieces);
    for (const piece of pieces) writer.write(piece);
    expect(writer.pending()).toBeGreaterThan(500_000);
    const slow = 'for i in 1 2 3 4 5; do head -c 7001; sleep 0.03; done; cat';
    const reader = spawn('sh', ['-c', slow], {stdio: [far, 'pipe', 'inherit']});
    const got: Buffer[] = [];
    reader.stdout?.on('data', (chunk: Buffer) => got.push(chunk));
    const ended = new Promise((resolve) => reader.on('close', resolve));
    await expect.poll(() => writer.pending(), {timeout: 20_000}).toBe(0);
    writer.close();
    closeAll();
    await ended;
    expect(Buffer.concat(got).equals(want)).toBe(true);
  });

  test('small ones are there when write() returns', () => {
    const {writer, read} = rig(kind);
    writer.write(Buffer.from('key'));
    expect(read(100).toString()).toBe('key');
    writer.close();
  });

  test('at its end nothing is lost and nothing comes twice, as far as there is room', () => {
    const {writer, read} = rig(kind);
    const pieces = numbered(100);
    for (const piece of pieces) writer.write(piece);
    const before = read(60_000);
    writer.end(200);
    const rest = read(200_000);
    const got = Buffer.concat([before, rest]);
    expect(got.length).toBeGreaterThan(before.length);
    expect(Buffer.concat(pieces).subarray(0, got.length).equals(got)).toBe(true);
    expect(writer.isOpen()).toBe(false);
  });

  test('a reader that goes away is told, and later writes do nothing', async () => {
    const {writer, closeReader, broken} = rig(kind);
    writer.write(Buffer.from('x'));
    closeReader();
    writer.write(Buffer.from('y'));
    writer.write(Buffer.from('z'));
    await expect.poll(broken).toBe(true);
    expect(writer.isOpen()).toBe(false);
    expect(writer.pending()).toBe(0);
    writer.close();
  });
});

test('Node’s handle of a terminal has what the waiter needs', async () => {
  // Run under a pty: this process has no terminal.
  const script =
    "const w = new (require('tty').WriteStream)(1); const h = w._handle;" +
    'console.log(typeof h.setBlocking, typeof h.writeQueueSize, String(h.setBlocking(false)))';
  const run = runOnPty([process.execPath, '-e', script]);
  await run.exit;
  expect(run.output().toString()).toBe('function number 0\r\n');
});
