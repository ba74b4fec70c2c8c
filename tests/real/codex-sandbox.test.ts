// The agent's own `ckpt` inside Codex's default sandbox: git read-only, no socket, a login shell. /tmp is taken away from
// the sandbox here, since the ground itself lies there.

import {mkdirSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {legsOf, openCodex} from './codex-rig.ts';
import {isFull} from './full-results.ts';
import type {Scenario} from './model/reply.ts';
import type {ModelRequest} from './model/request.ts';
import {ended, type Supervised} from './supervised.ts';

const walled = [
  ...['-c', 'sandbox_workspace_write.exclude_slash_tmp=true'],
  ...['-c', 'sandbox_workspace_write.exclude_tmpdir_env_var=true'],
];

const textOf = ({turns}: ModelRequest): string =>
  turns.map((turn) => (turn.is === 'text' || turn.is === 'result' ? turn.text : '')).join('\n');
const ckptIn = (request: ModelRequest): string => /(\S+) done --note/.exec(textOf(request))?.[1] ?? 'no-ckpt-was-told';
const callsIn = ({turns}: ModelRequest): string[] =>
  turns.flatMap((turn) => (turn.is === 'call' ? [turn.command] : []));

/** Leg 1 saves a checkpoint and asks for a handoff; leg 2 says that it is done. */
const enriching: Scenario = {
  main: (request) => {
    const ckpt = ckptIn(request);
    const calls = callsIn(request);
    if (/You are the next leg/.test(textOf(request))) {
      return calls.length === 0
        ? {is: 'call', command: `${ckpt} done --note "it is enough"`, waitMs: 30_000}
        : {is: 'text', text: 'Bye.'};
    }
    const snapshot = `${ckpt} snapshot --step "the wall is felt" --note "touch: $(touch ../outside 2>&1 | tail -c 40)" --next-cmd "paint the wall" --validation green`;
    return (
      [
        {is: 'call', command: snapshot, waitMs: 30_000} as const,
        {is: 'call', command: `${ckpt} handoff; sleep 20`, waitMs: 30_000} as const,
      ][calls.length] ?? {is: 'text', text: 'Waiting for the handoff.'}
    );
  },
};

interface Place {
  name: string;
  ci?: true;
  /** The working folder, below the root of the repository. */
  below: string;
  options(ground: Supervised): string[];
  folder(ground: Supervised): string;
}

const inside = (ground: Supervised) => ground.path('runtime/checkpoints');
const places: Place[] = [
  {name: 'at the root', below: '', options: () => [], folder: inside},
  {name: 'in a folder below the root', ci: true, below: 'packages/deep', options: () => [], folder: inside},
  {
    ...{name: 'with a checkpoint folder outside the project', ci: true, below: ''},
    options: (ground) => ['--checkpoint-dir', join(ground.home, 'checkpoints')],
    folder: (ground) => join(ground.home, 'checkpoints'),
  },
];

describe.each(isFull ? (['terminal', 'pipes'] as const) : (['terminal'] as const))('Codex 0.169.0 in %s', (where) => {
  const rows = places.filter(({ci}) => isFull || ci);
  test.each(rows)('saves, hands over and says done $name', async ({below, options, folder}) => {
    await using ground = await openCodex({scenario: enriching});
    const cwd = join(ground.project, below);
    mkdirSync(cwd, {recursive: true});
    const own = ['--until-done', ...options(ground)];
    const argv =
      where === 'terminal' ? ground.tui('feel the wall', ...walled) : ground.headless('feel the wall', ...walled);
    const program =
      where === 'terminal'
        ? ground.start(ground.under(argv, ...own), {cwd})
        : ground.pipe(ground.under(argv, ...own), {cwd});
    const {code} = 'screen' in program ? await ended(program) : await program.exit;
    const latest = JSON.parse(readFileSync(join(folder(ground), 'LATEST.json'), 'utf8')) as Record<string, unknown>;
    expect(JSON.stringify(latest)).toContain('it is enough');
    const journal = readFileSync(join(folder(ground), 'journal.jsonl'), 'utf8');
    expect(journal).toContain('"death":"handoff"');
    const saved = readdirSync(folder(ground))
      .filter((name) => /^context_checkpoint_.*\.json$/.test(name))
      .map((name) => JSON.parse(readFileSync(join(folder(ground), name), 'utf8')) as Record<string, unknown>)
      .find(({trigger}) => trigger === 'agent');
    expect(saved).toMatchObject({step: 'the wall is felt', next_cmd: 'paint the wall', leg: 1});
    // Saved by the run: the sandbox lets nobody write to git.
    expect(saved?.workspace).toMatchObject({complete: true});
    // The sandbox was really there.
    expect(saved?.note).toMatch(/Read-only file system|Permission denied/);
    const batons = ground.model.main().map(({request}) => textOf(request));
    expect(batons.some((text) => text.includes('The agent noted before that: touch:'))).toBe(true);
    expect(code).toBe(0);
  });
});

test('a read-only sandbox is said at the start; the run’s own checkpoint is still there', async () => {
  await using ground = await openCodex({scenario: {main: () => ({is: 'text', text: 'Looked at it.'})}});
  const {code, stderr} = await ground.pipe(ground.under(ground.headless('look', '--sandbox', 'read-only'))).exit;
  expect(code).toBe(0);
  expect(stderr).toContain('in its read-only sandbox the agent cannot save checkpoints of its own');
  expect((await ground.checkpoints()).map(({trigger}) => trigger)).toEqual(['end']);
  expect(await legsOf(ground)).toBe(1);
});
