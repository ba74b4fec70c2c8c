import {type ChildProcess, spawn} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';

export interface HookOutcome {
  /** Exit 2, or `{"decision":"block"}`. */
  blocked: boolean;
  reason: string;
  /** What the agent learns from it. */
  context: string;
}

export interface Hooks {
  /** `subject` is what a matcher is held against: the source, the trigger, the tool. */
  run(event: string, subject: string, fields: object): Promise<HookOutcome>;
  /** Ends the hooks that still run: nobody waits for them any more. */
  endAll(): void;
}

/** The command hooks of --settings, run as Claude Code runs them: sh -c, JSON on stdin, all that match at once. */
export const openHooks = (
  settings: object,
  base: {session_id: string; transcript_path: string; cwd: string},
): Hooks => {
  const running = new Set<ChildProcess>();
  return {
    run: async (event, subject, fields) => {
      const input = `${JSON.stringify({...base, hook_event_name: event, ...fields})}\n`;
      const hooks = matching(settings, event, subject);
      const ran = await Promise.all(hooks.map((hook) => runHook({hook, event, input, base, running})));
      const blocking = ran.find((one) => blocks(one));
      return {
        blocked: blocking !== undefined,
        reason: blocking?.stderr.trim() ?? '',
        context: ran
          .map((one) => contextOf(event, one))
          .join('\n')
          .trim(),
      };
    },
    endAll: () => {
      for (const child of running) endGroup(child);
    },
  };
};

/** Inline JSON or a file. Claude calls both broken JSON and a missing file "not found". */
export const readSettings = (value: string | undefined): object | undefined => {
  if (value === undefined) return {};
  try {
    const text = value.trimStart().startsWith('{') ? value : existsSync(value) ? readFileSync(value, 'utf8') : '';
    const settings: unknown = JSON.parse(text);
    return typeof settings === 'object' && settings !== null ? settings : undefined;
  } catch {
    return undefined;
  }
};

interface Hook {
  command: string;
  timeoutMs: number;
}

interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

const TIMEOUT_SECONDS: Record<string, number> = {UserPromptSubmit: 30, SessionEnd: 1.5};

const field = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const matching = (settings: object, event: string, subject: string): Hook[] => {
  if (field(settings, 'disableAllHooks') === true) return [];
  return list(field(field(settings, 'hooks'), event))
    .filter((group) => matches(field(group, 'matcher'), subject))
    .flatMap((group) => list(field(group, 'hooks')))
    .flatMap((hook) => {
      const [command, timeout] = [field(hook, 'command'), field(hook, 'timeout')];
      if (field(hook, 'type') !== 'command' || typeof command !== 'string') return [];
      const seconds = typeof timeout === 'number' ? timeout : (TIMEOUT_SECONDS[event] ?? 600);
      return [{command, timeoutMs: seconds * 1000}];
    });
};

const matches = (matcher: unknown, subject: string): boolean =>
  typeof matcher !== 'string' || matcher === '' || matcher === '*' || new RegExp(`^(?:${matcher})$`).test(subject);

const runHook = (plan: {
  hook: Hook;
  event: string;
  input: string;
  base: {session_id: string; cwd: string};
  running: Set<ChildProcess>;
}): Promise<Ran> =>
  new Promise((resolve) => {
    const {hook, input, base, running} = plan;
    const claude = {CLAUDECODE: '1', CLAUDE_CODE_CHILD_SESSION: '1', CLAUDE_PID: `${process.pid}`};
    const env = {...process.env, ...claude, CLAUDE_PROJECT_DIR: base.cwd, CLAUDE_CODE_SESSION_ID: base.session_id};
    const child = spawn('sh', ['-c', hook.command], {cwd: base.cwd, env, detached: true});
    const ran: Ran = {code: null, stdout: '', stderr: ''};
    const timer = setTimeout(() => endGroup(child), hook.timeoutMs);
    running.add(child);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      ran.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      ran.stderr += text;
    });
    const over = (code: number | null): void => {
      clearTimeout(timer);
      running.delete(child);
      resolve({...ran, code});
    };
    child.on('error', () => over(null));
    child.on('close', over);
    // A hook need not read its input: a closed pipe is no fault.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });

/** A hook has a session and group of its own: its children go with it. */
const endGroup = ({pid}: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
};

const parsed = ({stdout}: Ran): unknown => {
  try {
    return stdout.trimStart().startsWith('{') ? JSON.parse(stdout) : undefined;
  } catch {
    return undefined;
  }
};

const blocks = (ran: Ran): boolean => ran.code === 2 || (ran.code === 0 && field(parsed(ran), 'decision') === 'block');

const contextOf = (event: string, ran: Ran): string => {
  if (ran.code !== 0) return '';
  const json = parsed(ran);
  const more = field(field(json, 'hookSpecificOutput'), 'additionalContext');
  if (json !== undefined) return typeof more === 'string' && event !== 'PreCompact' ? more : '';
  return event === 'SessionStart' || event === 'UserPromptSubmit' ? ran.stdout : '';
};
