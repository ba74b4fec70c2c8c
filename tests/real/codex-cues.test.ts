// The facts' table of state cues, with the real Codex: without hooks, what its terminal says in OSC 7501 and in its title
// is seen (it alerts, and ends nothing), and the rollout is the proof.

import {expect, test} from 'vitest';
import {openCodex} from './codex-rig.ts';
import {isFull} from './full-results.ts';
import {failuresOf} from './model/failures.ts';
import {ended, type Supervised} from './supervised.ts';
import {until} from './until.ts';

/** `event: channel detail`, in the order in which they came. */
const seen = async (ground: Supervised): Promise<string[]> =>
  (await ground.journal()).flatMap(({event, evidence}) =>
    (Array.isArray(evidence) ? evidence : []).map(
      ({channel, detail}: Record<string, unknown>) => `${event}: ${channel} ${detail}`,
    ),
  );

test.runIf(isFull)('ready, busy, an approval that waits, the end of the turn, a failed turn', async () => {
  let fails = false;
  await using ground = await openCodex({
    scenario: {
      main: ({turns}) => {
        if (fails) return failuresOf('codex').badRequest;
        return turns.some(({is}) => is === 'result')
          ? {is: 'text', text: 'It is gone.'}
          : {is: 'call', command: 'rm -rf ./scratch'};
      },
    },
  });
  const terminal = ground.start(ground.under(ground.tui('clean up', '-a', 'on-request', '--disable', 'hooks')));
  await terminal.waitFor(/Would you like to run the following command\?/);
  const states = () => terminal.modes().states.map((state) => /^state=(\w+)/.exec(state)?.[1]);
  await until('the approval by OSC 7501 alone', async () =>
    (await seen(ground)).includes('waiting-for-person: screen osc shows waiting-for-person'),
  );
  expect(states()).toContain('blocked');
  expect(terminal.modes().title).toMatch(/^\[ [.!] \] Action Required \|/);
  terminal.type('y');
  await terminal.waitFor(/It is gone\./);
  await until('the end of the turn, by proof', async () => (await seen(ground)).includes('idle: log task_complete'));
  expect(states()).toContain('done');
  const cues = await seen(ground);
  expect(cues).toContain('ready: screen osc shows ready');
  expect(cues).toContain('busy: screen osc shows busy');
  expect(cues).toContain('busy: log task_started');

  fails = true;
  terminal.type('again');
  await terminal.waitFor(/› again/);
  terminal.type('\r');
  await until('the failure, by proof', async () =>
    (await seen(ground)).some((cue) => /^fatal: log task_complete\(error=/.test(cue)),
  );
  await until('state=error', () => states().at(-1) === 'error');
  await ground.quit(terminal);
  expect(await ended(terminal)).toEqual({code: 0, signal: undefined});
  expect(states().at(-1)).toBe('clear');
  expect(terminal.modes().title).toBe('');
  expect(await ground.certificates()).toEqual([]);
});
