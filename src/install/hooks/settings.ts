// Opt-in: hooks for agents that run without ckpt-run. Before a compaction a checkpoint, after it the baton.

import {join} from 'node:path';
import {baseOf, type Target} from '../agents.ts';
import {withMark} from '../texts/mark.ts';
import type {WantedFile} from '../texts/pieces.ts';
import {shellWord} from '../texts/shell-word.ts';
import {addItem, dropItems, type Edited} from './json-edit.ts';
import {entryOf, plainOf, readJson} from './json-text.ts';

/** A settings file of the agent's, shared with the person's own settings. */
export interface Merge {
  path: string;
  /** Where the list is, and what goes into it. */
  items: {at: string[]; item: unknown}[];
}

export type HookPlan = {is: 'merge'; merge: Merge} | {is: 'file'; file: WantedFile} | {is: 'none'; why: string};

export const hooksOf = (target: Target, ckptBin: string): HookPlan => {
  const base = baseOf(target);
  const {agent, scope, root} = target;
  switch (agent) {
    case 'claude':
      // settings.local.json is for one machine; settings.json is committed, and others have no ckpt at this path.
      return claudeLike(join(base, scope === 'user' ? 'settings.json' : 'settings.local.json'), agent, ckptBin);
    case 'codex':
      return claudeLike(
        scope === 'user' ? join(base, 'hooks.json') : join(root, '.codex', 'hooks.json'),
        agent,
        ckptBin,
      );
    case 'gemini':
      return geminiHooks(join(base, 'settings.json'), ckptBin);
    case 'cursor':
      return cursorHooks(join(base, 'hooks.json'), ckptBin);
    case 'opencode':
      return {is: 'file', file: {path: join(base, 'plugins', 'ckpt-run.js'), text: opencodePlugin(ckptBin)}};
    case 'openclaw':
      return {is: 'none', why: 'nobody has tried hooks of ours in OpenClaw'};
  }
};

/** Seconds. A checkpoint reads the whole session log. */
const timeout = {PreCompact: 60, SessionStart: 30};

/**
 * In a run it does nothing: the run has hooks of its own. Where ckpt is gone it does nothing either: a hook that fails
 * is the person's trouble at every start.
 */
const hookCommand = (ckptBin: string, agent: string, event: string): string => {
  const ckpt = shellWord(ckptBin);
  return `${guard} [ ! -x ${ckpt} ] || exec ${ckpt} hook ${agent} ${event}`;
};

const guard = '[ -n "$CKPT_RUN" ] ||';
const isOurCommand = (command: unknown): boolean =>
  typeof command === 'string' && command.startsWith(guard) && / hook [a-z]+ (?:PreCompact|SessionStart)$/.test(command);

/** Claude Code's shape and Codex's: groups of hooks per event. */
const claudeLike = (path: string, agent: string, ckptBin: string): HookPlan => ({
  is: 'merge',
  merge: {
    path,
    items: (['PreCompact', 'SessionStart'] as const).map((event) => ({
      at: ['hooks', event],
      item: {hooks: [{type: 'command', command: hookCommand(ckptBin, agent, event), timeout: timeout[event]}]},
    })),
  },
});

/** Its PreCompress comes at every turn; `ckpt hook` saves only when something has changed. Milliseconds. */
const geminiHooks = (path: string, ckptBin: string): HookPlan => ({
  is: 'merge',
  merge: {
    path,
    items: [['PreCompress', 'PreCompact'] as const, ['SessionStart', 'SessionStart'] as const].map(([name, event]) => ({
      at: ['hooks', name],
      item: {
        hooks: [
          {
            name: 'ckpt',
            type: 'command',
            command: hookCommand(ckptBin, 'gemini', event),
            timeout: timeout[event] * 1000,
          },
        ],
      },
    })),
  },
});

const cursorHooks = (path: string, ckptBin: string): HookPlan => ({
  is: 'merge',
  merge: {
    path,
    items: [
      {at: ['hooks', 'preCompact'], item: {command: hookCommand(ckptBin, 'cursor', 'PreCompact')}},
      {at: ['hooks', 'sessionStart'], item: {command: hookCommand(ckptBin, 'cursor', 'SessionStart')}},
    ],
  },
});

/** The text with our hooks in it, and without those of an earlier install. */
export const merged = (text: string, {items}: Merge, agent: Target['agent']): Edited => {
  if (hasExactly(text, items)) return {ok: true, text};
  const clean = withoutOurs(
    text,
    items.map(({at}) => at),
  );
  if (!clean.ok) return clean;
  // Cursor wants its file's version said; the others do not know the key.
  const start = clean.text.trim() === '' && agent === 'cursor' ? '{\n  "version": 1\n}\n' : clean.text;
  return items.reduce<Edited>((so, {at, item}) => (so.ok ? addItem(so.text, at, item) : so), {ok: true, text: start});
};

export const withoutOurs = (text: string, lists: string[][]): Edited => {
  if (text.trim() === '') return {ok: true, text};
  // First whole groups; then ours in groups to which the person has added hooks of their own.
  const ways: (string | number)[][] = [
    ...lists,
    ...lists.flatMap((at) => groups(text).map((group) => [...at, group, 'hooks'])),
  ];
  return ways.reduce<Edited>((so, way) => (so.ok ? dropItems(so.text, way, isOurs) : so), {ok: true, text});
};

/** At least as many as any list in the text can have. */
const groups = (text: string): number[] => [...(text.match(/"hooks"/g) ?? []).keys()];

export const isOurs = (item: unknown): boolean => {
  if (typeof item !== 'object' || item === null) return false;
  const {command, hooks} = item as {command?: unknown; hooks?: unknown};
  if (isOurCommand(command)) return true;
  // A group to which the person has added a hook of their own is not ours.
  return Array.isArray(hooks) && hooks.length > 0 && hooks.every(isOurs);
};

const hasExactly = (text: string, items: Merge['items']): boolean => {
  const read = readJson(text);
  if (!read.ok) return false;
  return items.every(({at, item}) => {
    const list = at.reduce<ReturnType<typeof entryOf>>(
      (entry, key) => (entry === undefined ? undefined : entryOf(entry.value, key)),
      {key: '', from: 0, value: read.node},
    );
    const items = list === undefined ? [] : plainOf(list.value);
    const ours = Array.isArray(items) ? items.filter(isOurs) : [];
    return ours.length === 1 && JSON.stringify(ours[0]) === JSON.stringify(item);
  });
};

const opencodePlugin = (ckptBin: string): string =>
  withMark(
    `// A checkpoint before opencode compacts, and the baton into what it keeps. In a run of ckpt-run it does nothing.
import {execFile} from 'node:child_process';

const ckpt = ${JSON.stringify(ckptBin)};

const call = (event, cwd) =>
  new Promise((done) => {
    const child = execFile(ckpt, ['hook', 'opencode', event], {cwd, timeout: 60_000}, (error, out) => done(error ? '' : out));
    child.stdin?.on('error', () => undefined).end('{"source":"compact"}');
  });

export const CkptRun = async ({directory}) =>
  process.env.CKPT_RUN
    ? {}
    : {
        'experimental.session.compacting': async (_input, output) => {
          await call('PreCompact', directory);
          const baton = await call('SessionStart', directory);
          if (baton !== '') output.context.push(baton);
        },
      };
`,
    'slashes',
  );
