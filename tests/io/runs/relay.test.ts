import {execFileSync, spawn} from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {afterEach, describe, expect, test} from 'vitest';
import {relayPath} from '../../../src/io/setup/adapter-files.ts';

const has = (shell: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${shell}`], {stdio: 'ignore'});
    return true;
  } catch {
    return false;
  }
};
const shells = ['sh', 'dash', 'bash', 'zsh', 'ksh', 'busybox'].filter(has);

const made: string[] = [];
const newSpool = (name = "spo ol'é$x"): string => {
  const root = mkdtempSync(join(tmpdir(), 'relay-'));
  made.push(root);
  const spool = join(root, name);
  mkdirSync(spool);
  return spool;
};
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, {recursive: true, force: true});
});

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

const start = (shell: string, args: string[], input: string) => {
  const words = shell === 'busybox' ? ['sh', relayPath(), ...args] : [relayPath(), ...args];
  const child = spawn(shell, words, {stdio: ['pipe', 'pipe', 'pipe']});
  const out = {stdout: '', stderr: ''};
  child.stdout.on('data', (chunk) => (out.stdout += chunk));
  child.stderr.on('data', (chunk) => (out.stderr += chunk));
  const end = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({code, ...out})));
  // A relay that cannot store may be gone before all is written.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return {pid: child.pid ?? 0, end};
};

const relay = (shell: string, args: string[], input = '{"a":1}\n'): Promise<Ended> => start(shell, args, input).end;

const silent = {code: 0, stdout: '', stderr: ''};

/** As src/io/runs/spool.ts does it: the texts first, the answer last and whole. */
const answer = (spool: string, id: string, {out = '', err = '', code = '0\n'}): void => {
  writeFileSync(join(spool, `${id}.out`), out);
  writeFileSync(join(spool, `${id}.err`), err);
  writeFileSync(join(spool, '.tmp'), code);
  renameSync(join(spool, '.tmp'), join(spool, `${id}.answer`));
};

const until = async (ready: () => boolean): Promise<void> => {
  for (let n = 0; n < 500 && !ready(); n += 1) await sleep(10);
};

describe.each(shells)('%s', (shell) => {
  test('drops what it was given, byte for byte, and says nothing', async () => {
    const spool = newSpool();
    const input = `{"prompt":"é \\\\ $HOME \`x\` ${'long '.repeat(50_000)}"}`;
    expect(await relay(shell, [spool, 'Stop'], input)).toEqual(silent);
    const [file = ''] = readdirSync(spool);
    expect(file).toMatch(/^\d+\.Stop\.json$/);
    expect(readFileSync(join(spool, file), 'utf8')).toBe(input);
  });

  test('gives the context, if there is one', async () => {
    const spool = newSpool();
    expect(await relay(shell, [spool, 'SessionStart', 'context'])).toEqual(silent);
    writeFileSync(join(spool, 'context.md'), 'read LATEST\n%s \\n é');
    expect(await relay(shell, [spool, 'SessionStart', 'context'])).toEqual({
      ...silent,
      stdout: 'read LATEST\n%s \\n é',
    });
  });

  test.each([
    ['a veto', {err: 'no: \\n %s\n', code: '2\n'}, {code: 2, stdout: '', stderr: 'no: \\n %s\n'}],
    ['an output', {out: '{"continue":false}'}, {code: 0, stdout: '{"continue":false}', stderr: ''}],
    ['go on', {}, silent],
    ['nonsense', {code: 'x\n'}, silent],
    ['no newline', {code: '2'}, {...silent, code: 2}],
  ])('waits for the answer and replays it: %s', async (_, given, ended) => {
    const spool = newSpool();
    const {pid, end} = start(shell, [spool, 'PreCompact', 'hold', '20'], '{}');
    const id = `${pid}.PreCompact`;
    await until(() => existsSync(join(spool, `${id}.json`)));
    answer(spool, id, given);
    expect(await end).toEqual(ended);
    expect(readdirSync(spool)).toEqual([`${id}.json`]);
  });

  test('says a hint once: to the first hook that may', async () => {
    const spool = newSpool();
    writeFileSync(join(spool, 'hint'), '{"say":"%s \\n é"}');
    expect(await relay(shell, [spool, 'Stop'])).toEqual(silent);
    const both = await Promise.all([
      relay(shell, [spool, 'PostToolUse', 'give']),
      relay(shell, [spool, 'PostToolUse', 'give']),
    ]);
    expect(both.map(({stdout}) => stdout).sort()).toEqual(['', '{"say":"%s \\n é"}']);
    expect(both.map(({code, stderr}) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect(readdirSync(spool).filter((name) => name.includes('hint'))).toEqual([]);
  });

  test('gives up in time when nobody answers', async () => {
    const began = Date.now();
    expect(await relay(shell, [newSpool(), 'PreCompact', 'hold', '1'])).toEqual(silent);
    expect(Date.now() - began).toBeGreaterThan(900);
    expect(Date.now() - began).toBeLessThan(8000);
  });

  test.each<[string, () => string[]]>([
    ['the folder is not there', () => ['/nonexistent/spool', 'Stop', 'hold', '5', 'context']],
    ['the folder is a file', () => [join(fileIn(newSpool()), 'x'), 'PreCompact', 'hold', '5']],
    ['nothing is said', () => []],
    ['the seconds are missing', () => [newSpool(), 'Stop', 'hold']],
    ['the seconds are no number', () => [newSpool(), 'Stop', 'hold', 'x y']],
    ['an unknown word', () => [newSpool(), 'Stop', 'newer']],
  ])('never makes the agent fail: %s', async (_, args) => {
    expect(await relay(shell, args(), 'x'.repeat(300_000))).toEqual(silent);
  });

  test('a closed stderr or stdin is no failure either', () => {
    const spool = newSpool('plain');
    for (const closing of ['2>&-', '<&-', '2>&- <&-']) {
      execFileSync(
        'sh',
        ['-c', `${shell === 'busybox' ? 'busybox sh' : shell} '${relayPath()}' '${spool}' Stop ${closing}`],
        {
          input: '{}',
        },
      );
    }
  });
});

const fileIn = (folder: string): string => {
  writeFileSync(join(folder, 'file'), '');
  return join(folder, 'file');
};

test('a name that is taken gets a count', async () => {
  const spool = newSpool();
  // The pid is only known once it runs: `exec` keeps it.
  const script = `: >"$1/$$.Stop.json"; exec sh '${relayPath()}' "$1" Stop`;
  execFileSync('sh', ['-c', script, 'sh', spool], {input: '{"a":1}'});
  const names = readdirSync(spool).sort();
  expect(names).toHaveLength(2);
  expect(names.some((name) => /^\d+\.Stop\.1\.json$/.test(name))).toBe(true);
});

test('a folder that may not be written', async () => {
  const spool = newSpool();
  chmodSync(spool, 0o500);
  expect(await relay('sh', [spool, 'Stop'])).toEqual(silent);
  chmodSync(spool, 0o700);
});

test('it does not outlive the agent that waits for it', async () => {
  const spool = newSpool();
  const script = `sh '${relayPath()}' "$1" PreCompact hold 30 </dev/null & sleep 0.3; exit 0`;
  const parent = spawn('sh', ['-c', script, 'sh', spool], {stdio: 'ignore'});
  await new Promise((resolve) => parent.on('close', resolve));
  const [file = ''] = readdirSync(spool);
  const pid = Number(file.split('.')[0]);
  const alive = () => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  await until(() => !alive());
  expect(alive()).toBe(false);
});

test('it costs at most six times an empty shell', () => {
  const spool = newSpool();
  const best = (command: string): number => {
    const times = Array.from({length: 5}, () => {
      const began = process.hrtime.bigint();
      execFileSync('sh', ['-c', `i=0; while [ $i -lt 40 ]; do ${command}; i=$((i+1)); done`, 'sh', spool]);
      return Number(process.hrtime.bigint() - began);
    });
    return Math.min(...times);
  };
  const empty = best('sh -c true </dev/null');
  const ours = best(`sh '${relayPath()}' "$1" Stop </dev/null`);
  expect(ours / empty).toBeLessThan(6);
});
