// `ckpt` as people meet it while a run goes on: a real process to look at, to follow, to stop; real shells.

import {type ChildProcess, execFileSync, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {spawn as spawnPty} from 'node-pty';
import {afterAll, beforeAll, describe, expect, it, onTestFinished, vi} from 'vitest';
import {launchdPlist} from '../../src/watch/service-units.ts';
import {bundle, tempFolder} from '../io/checkpoint-files-rig.ts';

let ckptProgram: Awaited<ReturnType<typeof bundle>>;
let standIn: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  [ckptProgram, standIn] = await Promise.all([bundle('src/ckpt.ts'), bundle('tests/e2e/stand-in-run.ts')]);
});
afterAll(() => {
  ckptProgram.remove();
  standIn.remove();
});

/** A home, a repository and a PATH on which `ckpt` is. */
const ground = () => {
  const home = realpathSync(tempFolder());
  const root = join(home, 'repo');
  const bin = join(home, 'bin');
  mkdirSync(bin);
  execFileSync('git', ['init', '-q', root]);
  writeFileSync(join(bin, 'ckpt'), `#!/bin/sh\nexec '${process.execPath}' '${ckptProgram.file}' "$@"\n`);
  chmodSync(join(bin, 'ckpt'), 0o755);
  const path = `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  const env = {HOME: home, PATH: path, TERM: 'xterm-256color', TZ: 'UTC', LC_ALL: 'C.UTF-8'};
  const dir = join(root, 'runtime', 'checkpoints');
  mkdirSync(dir, {recursive: true});
  const ckpt = (...args: string[]) => {
    const {status, stdout, stderr} = spawnSync(join(bin, 'ckpt'), args, {cwd: root, env, encoding: 'utf8'});
    return {status, stdout, stderr};
  };
  return {home, root, bin, env, dir, ckpt};
};

const endWithTest = (child: ChildProcess): Promise<unknown> => {
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return ended;
};

/** A run that lives until it is stopped. */
const beginRun = async (place: {dir: string; root: string}, mode = 'hears') => {
  const child = spawn(process.execPath, [standIn.file, place.dir, mode], {
    cwd: place.root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = endWithTest(child);
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return {child, ended, run: String(line).trim()};
};

describe('a run that goes on', () => {
  it('is seen by status, and lost when its process is killed', async () => {
    const place = ground();
    const {child, ended, run} = await beginRun(place);
    const live = JSON.parse(place.ckpt('--json', 'status').stdout);
    expect(live.runs).toMatchObject([
      {run, standing: 'live', state: 'working', leg: 2, pid: child.pid, deaths: {total: 1}},
    ]);
    expect(place.ckpt('status').stdout).toContain(`● ${run}  claude 2.1.326  track main  leg 2`);
    child.kill('SIGKILL');
    await ended;
    expect(JSON.parse(place.ckpt('--json', 'status').stdout).runs).toMatchObject([{run, standing: 'lost'}]);
    expect(place.ckpt('why', run, '2').stdout).toContain(`ckpt-run --continue-run ${run}`);
  });

  it('tells why a leg died', async () => {
    const place = ground();
    const {run} = await beginRun(place);
    const {status, stdout} = place.ckpt('why');
    expect(status).toBe(0);
    expect(stdout).toContain(`run       ${run}, leg 1`);
    expect(stdout).toContain('evidence  exit: signal 9');
    expect(stdout).toMatch(
      /journal\n.*the agent was started \(pid 7\)\n.*the agent ended: signal 9 \(killed\).*† killed\n/,
    );
  });

  it.each([
    ['hears', 'by request'],
    ['deaf', 'by SIGTERM'],
  ])('that %s is stopped %s, and said how it ended', async (mode, how) => {
    const place = ground();
    const {ended, run} = await beginRun(place, mode);
    expect(place.ckpt('stop')).toMatchObject({
      status: 0,
      stdout: `run ${run} was stopped ${how}: stopped by signal 15\n`,
    });
    await ended;
    expect(existsSync(join(place.dir, 'runs', run, 'stopped.json'))).toBe(true);
    expect(place.ckpt('stop').status).toBe(66);
  });

  it('is followed by log -f until it is over, and by status --watch until Ctrl-C', async () => {
    const place = ground();
    const {run} = await beginRun(place);
    const start = (...args: string[]) => {
      const child = spawn(join(place.bin, 'ckpt'), args, {cwd: place.root, env: place.env});
      const ended = endWithTest(child);
      let text = '';
      child.stdout?.on('data', (data) => {
        text += String(data);
      });
      return {child, ended, text: () => text};
    };
    const log = start('log', '-f', run);
    const watch = start('--json', 'status', '--watch');
    await vi.waitFor(() => expect(log.text()).toContain('works'), {timeout: 20_000});
    await vi.waitFor(() => expect(watch.text()).toContain('"state":"working"'), {timeout: 20_000});
    place.ckpt('stop');
    expect(await log.ended).toEqual([0, null]);
    expect(log.text()).toContain('the agent ended');
    await vi.waitFor(() => expect(watch.text()).toContain('"state":"over"'), {timeout: 20_000});
    watch.child.kill('SIGINT');
    expect(await watch.ended).toEqual([0, null]);
  });
});

/** Types into a program under a real terminal; waits for what it shows. */
const terminal = (file: string, args: string[], {cwd, env}: {cwd: string; env: Record<string, string>}) => {
  const child = spawnPty(file, args, {cwd, env, cols: 100, rows: 30});
  let shown = '';
  child.onData((data) => {
    shown += data;
  });
  const ended = new Promise<number>((done) =>
    child.onExit(({exitCode, signal}) => done(signal ? 128 + signal : exitCode)),
  );
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const sees = (text: string): Promise<void> => vi.waitFor(() => expect(shown).toContain(text), {timeout: 30_000});
  return {type: (text: string) => child.write(text), sees, ended, shown: () => shown};
};

it('a recording is played on a real terminal, ends with q, and the terminal’s keys come back', async () => {
  const place = ground();
  const {run} = await beginRun(place);
  const lines = [
    '{"version":2,"width":80,"height":24}',
    '[0.1,"o","first\\u001b[6n"]',
    '[0.2,"o","second"]',
    '[3600,"o","never"]',
  ];
  writeFileSync(join(place.dir, 'runs', run, 'leg-001', 'terminal.cast'), `${lines.join('\n')}\n`);
  const shell = terminal('/bin/sh', ['-c', `ckpt replay -i 600; stty -a | grep -c ' icanon'; echo done`], {
    cwd: place.root,
    env: place.env,
  });
  await shell.sees('firstsecond');
  shell.type('q');
  await shell.sees(`leg 1 of ${run}`);
  await shell.sees('done');
  expect(await shell.ended).toBe(0);
  expect(shell.shown()).toMatch(/\r\n1\r\ndone/);
  expect(shell.shown()).not.toContain('never');
  expect(shell.shown()).not.toContain('\u001b[6n');
});

describe('completion', () => {
  const has = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0'], {stdio: 'ignore'}).status === 0;
  const script = (place: ReturnType<typeof ground>, shell: string): string => {
    const file = join(place.home, `completion.${shell}`);
    writeFileSync(file, place.ckpt('completion', shell).stdout);
    return file;
  };

  it.each([
    [['ckpt', 'sta'], ['status']],
    [['ckpt', 'status', '--wat'], ['--watch']],
    [
      ['ckpt-run', '--on-compaction', 're'],
      ['restart', 'reinject'],
    ],
    [
      ['ckpt-run', '--on-compaction', '=', 're'],
      ['restart', 'reinject'],
    ],
    [['ckpt-run', 'cla'], ['claude']],
    [['ckpt', '--checkpoint-dir', 'run'], ['runtime']],
  ])('in bash of %j is %j', (words, expected) => {
    const place = ground();
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const line = `source '${script(place, 'bash')}'; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _ckpt_complete; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const {stdout, stderr} = spawnSync('bash', ['--norc', '-c', line], {
      cwd: place.root,
      env: place.env,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout.trimEnd().split('\n')).toEqual(expected);
  });

  it.each([['bash'], ['zsh'], ['fish']].filter(([shell = '']) => has(shell)))(
    '%s finds no fault in its script',
    (shell) => {
      const place = ground();
      const {status, stderr} = spawnSync(shell, ['-n', script(place, shell)], {env: place.env, encoding: 'utf8'});
      expect({status, stderr}).toEqual({status: 0, stderr: ''});
    },
  );

  it('in a live zsh and fish, where they are installed, Tab does the same', async () => {
    const place = ground();
    expect(has('bash')).toBe(true);
    if (has('fish')) {
      const line = `source ${script(place, 'fish')}; complete -C 'ckpt sta'; complete -C 'ckpt-run --on-compaction=re'; complete -C 'ckpt --repo-root run'`;
      const {stdout} = spawnSync('fish', ['--no-config', '-c', line], {
        cwd: place.root,
        env: place.env,
        encoding: 'utf8',
      });
      expect(stdout).toContain('status\tthe live runs of this folder');
      expect(stdout).toContain('--on-compaction=restart');
      expect(stdout).toContain('--on-compaction=reinject');
      expect(stdout).toContain('runtime/');
    }
    if (has('zsh')) {
      const shell = terminal('zsh', ['-f', '-i'], {cwd: place.root, env: {...place.env, PS1: '> '}});
      await shell.sees('> ');
      shell.type(`autoload -Uz compinit && compinit -u -D && source '${script(place, 'zsh')}' && echo lo""aded\r`);
      await shell.sees('loaded');
      // What was completed is run: it must be the whole of `ckpt completion bash`.
      shell.type('ckpt compl\tba\t| head -n 1\r');
      await shell.sees('# Completion of ckpt and ckpt-run for bash');
      shell.type('exit\r');
      await shell.ended;
    }
  });
});

describe('a service', () => {
  it('has a unit in which systemd finds nothing to say', async () => {
    const place = ground();
    await beginRun(place);
    const {status, stdout} = place.ckpt(
      'service',
      'print',
      '--',
      '--until-done',
      'claude',
      'fix "it" for $5, 100% \\ now',
    );
    expect(status).toBe(0);
    const unit = join(place.home, 'ckpt-run-x.service');
    writeFileSync(unit, stdout);
    expect(stdout).toContain(`WorkingDirectory=${place.root}\n`);
    const verify = spawnSync('systemd-analyze', ['--user', '--man=no', 'verify', unit], {
      ...{encoding: 'utf8', env: {...place.env, XDG_RUNTIME_DIR: place.home}},
    });
    // Where there is no systemd there is nobody to ask; the words of the unit were compared already.
    expect(verify.error === undefined ? verify.stdout + verify.stderr : '').toBe('');
  });

  it('has a plist that Python’s own reader takes, word for word', () => {
    const words = ['/usr/bin/node', 'fix <it> & "that"', 'ünï\ncode'];
    const spec = {name: 'a--b', command: words, cwd: '/p & q', path: '/bin', log: '/l', envFile: '/e'};
    const read = 'import sys, json, plistlib; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
    const {stdout, stderr} = spawnSync('python3', ['-c', read], {input: launchdPlist(spec), encoding: 'utf8'});
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      ...{Label: 'run.ckpt.a--b', ProgramArguments: words, WorkingDirectory: '/p & q', RunAtLoad: true},
      ...{KeepAlive: {SuccessfulExit: false}, ThrottleInterval: 10, EnvironmentVariables: {PATH: '/bin'}},
    });
  });

  it('is installed into the person’s own folder, and removed again', () => {
    const place = ground();
    writeFileSync(join(place.bin, 'systemctl'), `#!/bin/sh\necho "$@" >> '${place.home}/calls'\n`);
    chmodSync(join(place.bin, 'systemctl'), 0o755);
    const unit = join(place.home, '.config', 'systemd', 'user', 'ckpt-run-docs.service');
    expect(place.ckpt('service', 'install', '--name', 'docs', '--', 'claude', 'x')).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(readFileSync(unit, 'utf8')).toContain('"--track" "docs" "claude" "x"\n');
    expect(place.ckpt('service', 'uninstall', 'docs').status).toBe(0);
    expect(existsSync(unit)).toBe(false);
    expect(readFileSync(join(place.home, 'calls'), 'utf8').split('\n')).toEqual([
      '--user daemon-reload',
      '--user enable --now ckpt-run-docs.service',
      '--user disable --now ckpt-run-docs.service',
      '--user daemon-reload',
      '',
    ]);
  });

  it('starts ckpt-run in front, hands SIGTERM on, and leaves with its code', async () => {
    const place = ground();
    const fake = join(dirname(ckptProgram.file), 'ckpt-run.js');
    writeFileSync(
      fake,
      `import {writeFileSync} from 'node:fs';
       process.on('SIGTERM', () => process.exit(143));
       writeFileSync(${JSON.stringify(join(place.home, 'words'))}, JSON.stringify(process.argv.slice(2)));
       setInterval(() => {}, 1000);`,
    );
    onTestFinished(() => rmSync(fake));
    const words = [
      'service',
      'start',
      '--track',
      'docs',
      '--since',
      '2026-01-01T00:00:00Z',
      '--',
      '--track',
      'docs',
      'claude',
    ];
    const child = spawn(join(place.bin, 'ckpt'), words, {cwd: place.root, env: place.env, stdio: 'ignore'});
    const ended = endWithTest(child);
    await vi.waitFor(
      () => expect(JSON.parse(readFileSync(join(place.home, 'words'), 'utf8'))).toEqual(['--track', 'docs', 'claude']),
      {
        timeout: 20_000,
      },
    );
    child.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
  });
});

it('ckpt runs knows what ckpt-run registered, from anywhere', async () => {
  const place = ground();
  const {run} = await beginRun(place);
  const state = join(place.home, '.local', 'state', 'ckpt-run', 'runs');
  mkdirSync(state, {recursive: true});
  writeFileSync(join(state, `${run}.json`), JSON.stringify({run, dir: place.dir, root: place.root}));
  const {stdout} = spawnSync(join(place.bin, 'ckpt'), ['runs'], {cwd: '/', env: place.env, encoding: 'utf8'});
  expect(stdout).toMatch(new RegExp(`^● ${run} .*working for .*${place.root}\n$`));
});
