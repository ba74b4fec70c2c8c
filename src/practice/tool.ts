import {spawn} from 'node:child_process';

/** How the practice agent dies: by a signal to itself, or by leaving at once with a code. No hook, no tidying up. */
export type Crash = 'SIGKILL' | 'SIGSEGV' | 'SIGABRT' | number;

export const die = (crash: Crash): Promise<never> => {
  if (typeof crash === 'number') process.exit(crash);
  process.kill(process.pid, crash);
  // The signal may take a moment to arrive.
  return new Promise(() => setInterval(() => {}, 1000));
};

export interface ToolRun {
  command: string;
  signal: AbortSignal;
  /** It lasts at least this long. */
  ms?: number | undefined;
  /** Dies in the middle of the call: `ms` after its start if given, else when the command has done its work. */
  crash?: Crash | undefined;
}

export interface ToolEnd {
  code: number;
  output: string;
}

/** As Claude runs a tool: a shell in a session of its own, so that ending the agent's group does not reach it. */
export const runTool = async ({command, signal, ms, crash}: ToolRun): Promise<ToolEnd> => {
  const child = spawn('sh', ['-c', command], {detached: true, stdio: ['ignore', 'pipe', 'pipe']});
  const stop = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Already gone.
    }
  };
  signal.addEventListener('abort', stop, {once: true});
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  if (crash !== undefined && ms !== undefined) setTimeout(() => die(crash), ms);
  const [code] = await Promise.all([ended(child), crash === undefined ? pause(ms ?? 0) : undefined]);
  if (crash !== undefined) await (ms === undefined ? die(crash) : new Promise<never>(() => {}));
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  child.stdout.destroy();
  child.stderr.destroy();
  return {code, output};
};

/** A background process of the command may hold the pipes open for ever: the command's own end counts. */
const ended = (child: ReturnType<typeof spawn>): Promise<number> =>
  new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('exit', (code) => {
      const over = (): void => resolve(code ?? 137);
      child.on('close', over);
      setTimeout(over, 200).unref();
    });
  });

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
