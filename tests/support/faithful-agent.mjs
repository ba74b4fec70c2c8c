// A program that says and hears bytes, for tests of fidelity. `say <MB> <file>`: prints that many bytes of all values and
// writes their sha256 to the file. `show <file>`: prints the file. `hear <bytes> <file>`: reads so many bytes and does the same. `sizes <file>`: writes
// every new size until `q` comes. Before anything it prints a mark, so that others' words do not count.

import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {appendFileSync, readFileSync, writeFileSync, writeSync} from 'node:fs';

const [act, ...words] = process.argv.slice(2);
const MARK = '\x01mark\x01';
// Node's own raw mode still makes two bytes of each line feed.
execFileSync('stty', ['raw', '-echo'], {stdio: 'inherit'});

const print = (bytes) => {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(1, bytes, done);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
};

/** Every value, in an order that never repeats within a block. */
const block = (n) => {
  const bytes = Buffer.alloc(1 << 20);
  let state = (n * 2654435761) >>> 0 || 1;
  for (let at = 0; at < bytes.length; at += 4) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes.writeInt32LE(state | 0, at);
  }
  for (let value = 0; value < 256; value += 1) bytes[value] = value;
  return bytes;
};

print(Buffer.from(MARK));
if (act === 'say') {
  const [megabytes, file] = words;
  const hash = createHash('sha256');
  for (let n = 0; n < Number(megabytes); n += 1) {
    const bytes = block(n);
    hash.update(bytes);
    print(bytes);
  }
  writeFileSync(file, hash.digest('hex'));
  process.exit(0);
} else if (act === 'show') {
  print(readFileSync(words[0]));
  process.exit(0);
} else if (act === 'hear') {
  const [size, file] = words;
  const hash = createHash('sha256');
  let left = Number(size);
  process.stdin.on('data', (bytes) => {
    hash.update(bytes);
    left -= bytes.length;
    if (left > 0) return;
    writeFileSync(file, left === 0 ? hash.digest('hex') : `${-left} bytes too many`);
    process.exit(0);
  });
} else {
  const [file] = words;
  const note = () => appendFileSync(file, `${process.stdout.columns}x${process.stdout.rows}\n`);
  process.stdout.on('resize', note);
  note();
  process.stdin.on('data', (keys) => keys.includes('q') && process.exit(0));
}
