// How a leg is started: whose arguments, which hooks, what environment.

import type {HookPlan} from '../../adapter/adapter.ts';
import {firstArgs, namesConversation, promptFits, restartArgs, sessionIdArgs} from '../../adapter/argv.ts';
import {autocompactFile, readAutocompact} from '../../adapter/autocompact.ts';
import {pointerPrompt} from '../../baton/protocol.ts';
import type {LegNumber} from '../../core/ids.ts';
import type {LaunchSpec} from '../../ports.ts';
import type {RunPlan} from '../plan.ts';

export interface LegStart {
  leg: LegNumber;
  /** The leg's own spool folder. */
  spool: string;
  /** Undefined: the person's own words go untouched. */
  prompt: string | undefined;
  /** Where the prompt lies, for one that is too long for a command line. */
  promptFile: string;
  /** As the agent itself has told them: see trust.ts. */
  trusted?: HookPlan['trusted'];
  /** Undefined: the agent takes none, or the person names a conversation. */
  sessionId: string | undefined;
  readFile(path: string): string | undefined;
}

export const launchSpec = (plan: RunPlan, start: LegStart): LaunchSpec => {
  const {adapter, parsed} = plan;
  const hooks = plan.code.hooks(hookPlan(plan, start));
  const added = {hookArgs: hooks.args, drop: hooks.drop};
  const args =
    start.prompt === undefined
      ? firstArgs(parsed, {...added, sessionIdArgs: start.sessionId ? sessionIdArgs(adapter, start.sessionId) : []})
      : restartArgs(parsed, adapter, {
          ...added,
          sessionIdArgs: start.sessionId ? sessionIdArgs(adapter, start.sessionId) : [],
          prompt: promptFits(adapter, start.prompt) ? start.prompt : pointerPrompt(start.promptFile),
        });
  return {
    file: plan.binary.file,
    args: [...plan.binary.args, ...args],
    env: {...environment(plan), ...hooks.env, CKPT_LEG: String(start.leg)},
    cwd: plan.cwd,
  };
};

/** The id that a leg's conversation gets from us: with it the log can be found whatever becomes of this process. */
export const givenSession = ({adapter, parsed}: RunPlan, restart: boolean, uuid: string): string | undefined =>
  adapter.sessionId === undefined || (!restart && namesConversation(parsed, adapter)) ? undefined : uuid;

/** What an agent says of its own work. None of them starts, restores or deletes anything. */
export const ckptWords = ['snapshot', 'done', 'task', 'handoff', 'resume'];

export const hookPlan = (
  plan: RunPlan,
  {spool, readFile, trusted}: Pick<LegStart, 'spool' | 'readFile' | 'trusted'>,
): HookPlan => ({
  ...{relay: plan.relay, spool, parsed: plan.parsed, cwd: plan.cwd, readFile},
  ...{attended: plan.policy.attended, checkpointDir: plan.checkpointDir, trusted},
  hold: {
    risky: plan.policy.saves.triggers.includes('before_risky_change'),
    approvalMs: plan.policy.approval.on ? plan.policy.approval.waitMs : undefined,
  },
  allow: plan.allowCkpt ? ckptWords.map((word) => `${plan.ckptBin} ${word}`) : [],
  // Read anew for each leg: it may have been set since.
  autocompact: {
    setting: readAutocompact(readFile(`${plan.checkpointDir}/${autocompactFile}`)),
    version: plan.version,
    env: plan.env,
  },
});

/** The person's environment, less what would confuse a nested agent, plus how the agent's world finds us. */
export const environment = ({adapter, env, run, track, ckptBin, checkpointDir}: RunPlan): Record<string, string> => {
  const scrubbed = Object.entries(env).filter(([name]) => !adapter.env.scrub.includes(name));
  const kept = scrubbed.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return {
    ...Object.fromEntries(kept),
    ...adapter.env.set,
    CKPT_RUN: run,
    CKPT_TRACK: track,
    CKPT_DIR: checkpointDir,
    CKPT_BIN: ckptBin,
  };
};
