import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {afterAll, afterEach, expect, test} from 'vitest';
import {holdBytes} from '../../../src/io/files/held-bytes.ts';

const folder = mkdtempSync(join(tmpdir(), 'ckpt-run-held-'));
afterAll(() => rmSync(folder, {recursive: true}));
afterEach(() => {
  // The files have no names.
  expect(readdirSync(folder)).toEqual([]);
});

test('whatever was appended is read back, from memory and from the file, in any pieces', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({minLength: 0, maxLength: 300}), {maxLength: 40}),
      fc.integer({min: 1, max: 500}),
      fc.integer({min: 1, max: 700}),
      (chunks, memory, step) => {
        const held = holdBytes({memory, folder});
        for (const chunk of chunks) held.append(chunk);
        const want = Buffer.concat(chunks);
        expect(held.size()).toBe(want.length);
        const got: Buffer[] = [];
        for (let at = 0; at < want.length; ) {
          const part = held.read(at, step);
          expect(part.length).toBeGreaterThan(0);
          got.push(part);
          at += part.length;
        }
        expect(Buffer.concat(got).equals(want)).toBe(true);
        expect(held.read(want.length, step).length).toBe(0);
        held.close();
      },
    ),
  );
});

test('what was read stays as it was when more is appended', () => {
  const held = holdBytes({memory: 8, folder});
  held.append(Buffer.from('first'));
  const seen = held.read(0, 5);
  held.append(Buffer.from('second, which goes to the file'));
  held.append(Buffer.from('third'));
  expect(seen.toString()).toBe('first');
  held.close();
});

test('after close it is empty, and can be used again', () => {
  const held = holdBytes({memory: 4, folder});
  held.append(Buffer.from('some bytes'));
  held.close();
  expect(held.size()).toBe(0);
  held.append(Buffer.from('other'));
  expect(held.read(0, 100).toString()).toBe('other');
  held.close();
});

test('where no file can be made the bytes stay in memory, and that is told once', () => {
  const faults: string[] = [];
  const held = holdBytes({memory: 4, folder: join(folder, 'not-there'), onFault: (what) => faults.push(what)});
  held.append(Buffer.from('some bytes'));
  held.append(Buffer.from(' and more'));
  expect(held.read(0, 100).toString()).toBe('some bytes and more');
  expect(faults.length).toBe(1);
  expect(faults[0]).toContain('ENOENT');
  held.close();
});
