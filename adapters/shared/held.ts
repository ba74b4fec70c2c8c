// The hook before a call: what may be risky waits for the run, everything else is dropped and goes on at once.

import {textAt} from './json.ts';
import {isOutside} from './outside.ts';
import {isRisky, riskyHint} from './risky.ts';
import {quoted, relayCommand} from './shell.ts';

/** Under this name the relay that waits drops its call, so that the run knows that somebody waits. */
export const heldName = 'HeldToolUse';

/** After so long the agent goes on, whatever became of the checkpoint. */
const RISKY_SECONDS = 25;
/** The run denies in time; this is for a run that does not answer any more. */
const MARGIN_SECONDS = 20;

export interface HoldPlan {
  /** Does a risky change wait for its checkpoint? */
  risky: boolean;
  /** Do calls with outside effects wait for a person, and how long? Undefined: nobody is asked. */
  approvalMs: number | undefined;
}

export const heldCall = (payload: unknown): {what: string; risky: boolean; outside: boolean} => {
  const tool = textAt(payload, 'tool_name') ?? '';
  const input = textAt(payload, 'tool_input', 'command') ?? '';
  const what = input === '' ? tool : `${tool}: ${input}`;
  return {what, risky: isRisky(tool, input), outside: isOutside(tool, input)};
};

/** Undefined: nothing is held in this run. */
export const holdSeconds = ({risky, approvalMs}: HoldPlan): number | undefined => {
  if (approvalMs !== undefined) return Math.ceil(approvalMs / 1000) + RISKY_SECONDS + MARGIN_SECONDS;
  return risky ? RISKY_SECONDS : undefined;
};

/**
 * What relay.sh does for hooks that nobody answers, in the shell that the agent starts anyway: it stands on the way of
 * every call, and a second shell would cost a third more. Never a failure, never a word. Only what shows a risky word, or
 * any command when a person wants to be asked, goes on to the relay and waits there.
 */
export const dropCommand = (
  {relay, spool}: {relay: string; spool: string},
  event: string,
  hold: HoldPlan | undefined,
): string => {
  const [draft, name] = [`.$$.${event}.tmp`, `$$.${event}.json`];
  const seconds = hold && holdSeconds(hold);
  const waits =
    seconds === undefined
      ? ''
      : `${holds(hold, draft)}&&exec <${draft}&&rm -f ${draft}&&${relayCommand({relay, spool, event: heldName, extra: ['hold', String(seconds), ...(hold?.approvalMs === undefined ? [] : ['deny'])]})};`;
  return `umask 077;{ cd ${quoted(spool)}&&cat >${draft}&&{ ${waits}mv -f ${draft} ${name};};} 2>/dev/null||cat >/dev/null;exit 0`;
};

const holds = (hold: HoldPlan | undefined, draft: string): string => {
  const asks = hold?.approvalMs === undefined ? [] : ['"tool_name": *"(Bash|mcp__|exec|shell|local_shell)'];
  const words = [...asks, ...(hold?.risky === true ? [riskyHint] : [])];
  return `grep -Eq ${quoted(words.join('|'))} ${draft}`;
};

/** Both agents read this, refuse the call, and give the reason to the model. */
export const denied = (why: string): string =>
  JSON.stringify({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: `ckpt-run: ${why}`,
    },
  });
