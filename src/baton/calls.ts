// Tool calls as lines: what the next leg reads under "already done" and "in flight".

import type {InFlight, ProcessNote, Validation, WithWhy} from './checkpoint.ts';
import {oneLine} from './clean.ts';
import type {LegFacts, ToolCall} from './facts.ts';

/** How many finished calls a checkpoint keeps, over all legs. */
const maxRecent = 12;
/** The ending of a call that ran and failed: it is no "already done". */
export const failedMark = ' [failed]';

/** `Bash: npm test` */
export const callLine = (call: ToolCall): string => {
  const input = oneLine(call.input);
  return input === '' ? call.name : `${call.name}: ${input}`;
};

/** The agent's talk with us (`ckpt snapshot …`): no work, so neither done nor in flight. Not when more is chained on. */
export const isOwnCall = (call: Pick<ToolCall, 'input'>): boolean =>
  /^\s*(?:node\s+)?["']?(?:\S*\/)?(?:ckpt|\$\{?CKPT_BIN\}?)(?:\.[cm]?[jt]s)?["']?\s/.test(call.input) &&
  !/&&|;|\|/.test(call.input.replace(/"(?:[^"\\]|\\.)*"?|'[^']*'?/g, ''));

/** Where in the leg the agent wrote its own checkpoint, as far as the last calls show it. */
export const isSnapshotCall = (call: ToolCall): boolean => /ckpt/i.test(call.input) && /\bsnapshot\b/.test(call.input);

const doneLine = (call: ToolCall): string => `${callLine(call)}${call.state === 'failed' ? failedMark : ''}`;

/** The work calls of this leg that have ended, oldest first. */
export const endedCalls = (facts: LegFacts): ToolCall[] =>
  facts.recentCalls.filter((call) => call.state !== 'open' && !isOwnCall(call));

/**
 * The last finished calls over all legs. An earlier checkpoint of the same leg has seen some of them already:
 * each of those counts once.
 */
export const recentOver = (before: readonly string[], sameLeg: boolean, facts: LegFacts): string[] => {
  const now = endedCalls(facts).map(doneLine);
  const seen = [...now];
  const earlier = before.filter((line) => {
    const at = sameLeg ? seen.indexOf(line) : -1;
    if (at >= 0) seen.splice(at, 1);
    return at < 0;
  });
  return [...earlier, ...now].slice(-maxRecent);
};

/**
 * The last call at death: an open one is unknown, whatever finished after it was begun, and so is one that the person cut
 * short. What runs in the background is no call in flight, unless it may be felt outside. A doubt of the leg before stays
 * until this one has acted: whoever has only looked died with what it saw.
 */
export const inFlightOf = (facts: LegFacts, before: InFlight | undefined): InFlight | undefined => {
  if (before?.outcome === 'unknown' && !hasActed(facts, before)) return before;
  const work = facts.recentCalls.filter((call) => !isOwnCall(call));
  const awaited = work.filter((call) => !call.background || call.outside);
  const last = awaited.findLast((call) => call.state === 'open') ?? work.findLast((call) => call.state !== 'open');
  if (last === undefined) return undefined;
  const outcome = last.state === 'open' || last.stopped ? 'unknown' : last.state;
  return {call: callLine(last), outcome, outside: last.outside};
};

/** A call that may have changed something, a checkpoint of its own, or the end of the very call in doubt. */
const hasActed = ({recentCalls, edits, commands}: LegFacts, doubt: InFlight): boolean =>
  edits.length > 0 ||
  commands.some(({command, repeats}) => repeats !== 'freely' && !isOwnCall({input: command})) ||
  recentCalls.some(
    (call) =>
      (call.does !== 'look' && !isOwnCall(call)) ||
      (isSnapshotCall(call) && call.state === 'finished') ||
      (call.state !== 'open' && callLine(call) === doubt.call),
  );

/** What the last test run of this leg proved; `pending` when files were changed after it. */
export const provenBy = ({lastTest}: LegFacts): {validation: Validation; command: string} | undefined => {
  if (lastTest === undefined) return undefined;
  const {command, outcome, changedSince} = lastTest;
  const verdict = {passed: 'green', failed: 'failed', unknown: 'unknown'} as const;
  return {validation: changedSince ? 'pending' : verdict[outcome], command: oneLine(command)};
};

/** Dead ends: told before, save those that have worked since; then what this leg failed at again and again. */
export const deadEnds = (known: WithWhy[], facts: LegFacts): WithWhy[] => {
  const worked = new Set(facts.commands.filter(({state}) => state === 'finished').map(({command}) => oneLine(command)));
  const seen = facts.failures.map(({command, times, exitCode, said}): WithWhy => {
    const how = exitCode === undefined ? '' : `, the last time with exit ${exitCode}`;
    return {
      what: oneLine(command),
      why: `failed ${times} times${how}${said === '' ? '' : `: ${oneLine(said)}`}`,
      from: 'observed',
    };
  });
  const renewed = new Set(seen.map(({what}) => what));
  const kept = known.filter(({what, from}) => !(renewed.has(what) || (from === 'observed' && worked.has(what))));
  return [...kept, ...seen].slice(-20);
};

/** Left running: as the caller sees it now, else as the logs of this leg and those before tell it. */
export const processesOf = (
  live: ProcessNote[] | undefined,
  before: ProcessNote[] | undefined,
  facts: LegFacts,
): ProcessNote[] => {
  if (live !== undefined) return live;
  const running = facts.running.map((command): ProcessNote => ({command: oneLine(command)}));
  const known = new Set(running.map(({command}) => command));
  return [...(before ?? []).filter(({command}) => !known.has(command)), ...running].slice(-10);
};
