import {type ChildProcess, type StdioOptions, spawn} from 'node:child_process';
import {closeSync, writeSync} from 'node:fs';
import {Socket} from 'node:net';
import type {Readable, Writable} from 'node:stream';
import {isatty} from 'node:tty';
import {fail, ok, type Result} from '../../core/failure.ts';
import type {AgentProcess, AgentTaps, LaunchSpec, Stage} from '../../ports.ts';
import {isStdinPiped, openPipedInput, type PipedInput} from '../bytes/piped-input.ts';
import {openPipedOutput, type PipedOutput} from '../bytes/piped-output.ts';
import {type RealPipe, realPipe} from '../bytes/real-pipe.ts';
import {onWayOut, overhear} from '../self/ways-out.ts';
import {exitStatus} from './exit-status.ts';
import {checkLaunch} from './launcher.ts';
import {type Stopped, stopProcess} from './stop.ts';
import {safeTaps} from './taps.ts';

export interface PipesOptions {
  /** Formats that may be streamed: legs one behind the other, at once. Else stdout is held back until keepOutput(). */
  streams: boolean;
  onFault?: (what: string) => void;
}

/**
 * For `ckpt-run claude -p … | jq`: no terminal in between. What is a terminal among stdin and stdout is the agent's own;
 * the rest goes through us byte by byte. stderr is always the agent's own, and so is what we have to say.
 *
 * The agent stays in our process group: Ctrl-C and Ctrl-Z reach it from the terminal directly and once, as if bare. So
 * nobody may pass on a SIGINT that came from the terminal; see `stop`.
 */
export const openPipes = (options: PipesOptions): Stage => {
  const input = isStdinPiped() ? openPipedInput(process.stdin, options.onFault) : undefined;
  const output = isatty(1) ? undefined : openPipedOutput(options);
  const interrupts = hearInterrupts();
  let leg: Leg | undefined;
  let open = true;

  const close = (): void => {
    if (!open) return;
    open = false;
    wayOutOff();
    interrupts.off();
    // Nothing would tell it otherwise that its reader and writer are gone.
    leg?.signal('SIGTERM');
    input?.close();
    output?.close();
  };
  const wayOutOff = onWayOut(close);

  return {
    kind: 'pipes',
    start: (spec, taps) => {
      if (leg !== undefined || !open) throw new Error('Internal error: a second leg on one pair of pipes.');
      const over = (): void => {
        leg = undefined;
      };
      const safe = safeTaps(taps, (what) => options.onFault?.(what));
      const started = startLeg(spec, {input, output, taps: safe, heardJustNow: interrupts.justNow, over});
      if (!started.ok) return started;
      leg = started.value;
      return ok(leg.agent);
    },
    settle: () => undefined,
    tell: (line) => say(line),
    keepOutput: (keep) => output?.keep(keep) ?? Promise.resolve(),
    close,
  };
};

interface Leg {
  agent: AgentProcess;
  signal(name: NodeJS.Signals): void;
}

interface LegWorld {
  input: PipedInput | undefined;
  output: PipedOutput | undefined;
  taps: AgentTaps;
  heardJustNow(): boolean;
  over(): void;
}

const startLeg = (spec: LaunchSpec, world: LegWorld): Result<Leg> => {
  const there = checkLaunch(spec);
  if (!there.ok) return there;
  const ends = openEnds(spec, world);
  if (!ends.ok) return ends;
  const {child, stdin, stdout} = ends.value;
  let tellGone = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    tellGone = resolve;
  });
  const unfeed = stdin && world.input?.feed(stdin);
  const read = new Promise<void>((done) => {
    if (stdout === undefined || world.output === undefined) return done();
    const exited = world.output.join(stdout, {take: world.taps.onOutput, done});
    child.on('exit', exited);
  });
  child.on('exit', async (code, signal) => {
    unfeed?.();
    await read;
    world.over();
    tellGone();
    world.taps.onExit(exitStatus(code, signal));
  });
  const signal = (name: NodeJS.Signals): void => {
    child.kill(name);
  };
  let stopping: Promise<Stopped> | undefined;
  const agent: AgentProcess = {
    pid: child.pid ?? 0,
    write: () => undefined,
    stop: (steps) => {
      const asked = (name: NodeJS.Signals): void => {
        if (name !== 'SIGINT' || !world.heardJustNow()) signal(name);
      };
      stopping ??= stopProcess({gone, type: () => undefined, signal: asked}, steps);
      return stopping;
    },
  };
  return ok({agent, signal});
};

interface Ends {
  child: ChildProcess;
  stdin: Writable | undefined;
  stdout: Readable | undefined;
}

const openEnds = (spec: LaunchSpec, {input, output}: LegWorld): Result<Ends> => {
  const inPipe = input && realPipe('writer');
  const outPipe = output && realPipe('reader');
  const stdio: StdioOptions = [
    input === undefined ? 'inherit' : (inPipe?.far ?? 'pipe'),
    output === undefined ? 'inherit' : (outPipe?.far ?? 'pipe'),
    'inherit',
  ];
  const started = launch(spec, stdio);
  for (const pipe of [inPipe, outPipe]) if (pipe !== undefined) closeSync(pipe.far);
  if (!started.ok) {
    for (const pipe of [inPipe, outPipe]) if (pipe !== undefined) closeSync(pipe.near);
    inPipe?.visitor.end();
    return started;
  }
  const child = started.value;
  const stdin = writable(child, inPipe);
  if (inPipe !== undefined) {
    stdin?.once('close', inPipe.visitor.begin);
    child.once('exit', inPipe.visitor.end);
  }
  return ok({child, stdin, stdout: readable(child, outPipe)});
};

const writable = (child: ChildProcess, pipe: RealPipe | undefined): Writable | undefined =>
  pipe === undefined ? (child.stdin ?? undefined) : new Socket({fd: pipe.near, readable: false, writable: true});

const readable = (child: ChildProcess, pipe: RealPipe | undefined): Readable | undefined =>
  pipe === undefined ? (child.stdout ?? undefined) : new Socket({fd: pipe.near, readable: true, writable: false});

const launch = ({file, args, env, cwd}: LaunchSpec, stdio: StdioOptions): Result<ChildProcess> => {
  const failed = (error: unknown): Result<ChildProcess> => {
    const {code = 'EIO', message = String(error)} = error as Partial<NodeJS.ErrnoException>;
    return fail({is: 'system', doing: `start ${file}`, code, message});
  };
  try {
    const child = spawn(file, args, {env, cwd, stdio});
    if (child.pid !== undefined) return ok(child);
    child.on('error', () => undefined);
    return failed({code: 'ESPAWN', message: 'the system would not start it'});
  } catch (error) {
    return failed(error);
  }
};

/** Directly: Node's own stream would make fd 2 non-blocking, which the agent shares with us, and lose its output. */
const say = (line: string): void => {
  try {
    writeSync(2, `${line}\n`);
  } catch {
    // Nobody listens to stderr.
  }
};

/** Did a terminal just send its Ctrl-C to our whole group, the agent included? */
const hearInterrupts = (): {justNow(): boolean; off(): void} => {
  let at = Number.NEGATIVE_INFINITY;
  const hear = (): void => {
    at = Date.now();
  };
  const off = overhear('SIGINT', hear);
  return {
    justNow: () => [0, 1, 2].some((fd) => isatty(fd)) && Date.now() - at < JUST_NOW_MS,
    off,
  };
};

const JUST_NOW_MS = 1500;
