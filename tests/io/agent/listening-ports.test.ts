import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {expect, test} from 'vitest';
import {listeningPorts} from '../../../src/io/agent/listening-ports.ts';

const server = `
const {createServer} = require('node:net');
const [four, six] = [createServer().listen(0, '127.0.0.1'), createServer().listen(0, '127.0.0.1')];
four.on('listening', () => six.listening && tell());
six.on('listening', () => four.listening && tell());
const tell = () => console.log(JSON.stringify([four.address().port, six.address().port]));
`;

test('the ports of a process that listens, and of no other', async () => {
  const child = spawn(process.execPath, ['-e', server], {stdio: ['ignore', 'pipe', 'inherit']});
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const ports = (JSON.parse(line.toString()) as number[]).sort((a, b) => a - b);
    const found = await listeningPorts([child.pid ?? 0, process.pid]);
    expect(found.get(child.pid ?? 0)).toEqual(ports);
    expect(found.get(process.pid) ?? []).not.toEqual(expect.arrayContaining(ports));
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

test('a process that is gone listens on nothing', async () => {
  expect(await listeningPorts([2 ** 22 - 3])).toEqual(new Map());
});
