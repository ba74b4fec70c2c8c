// One lane of the soak from its seed: which deaths, at which steps, and what is done to the machine meanwhile.

import type {Act, Hazard} from '../../src/practice/acts.ts';
import {type Dice, newDice} from './dice.ts';

/** What the driver does from outside, `delayMs` after the step was seen in the file. */
export type Strike = {step: number; delayMs: number} & (
  | {do: 'kill-agent'}
  /** The next life finds these files torn, as a power cut or a failing disk leaves them. */
  | {do: 'kill-supervisor'; tear: Torn[]}
  | {do: 'fill-disk'; forMs: number}
  | {do: 'set-clock'; byMs: number; forMs: number}
);

export type Torn = 'LATEST.json' | 'LATEST.md' | 'journal.jsonl';

export interface LanePlan {
  seed: number;
  through: 'terminal' | 'pipes';
  /** `steady`: one supervisor for the whole lane, so that its memory can be watched. */
  kind: 'steady' | 'rough';
  steps: number;
  hazards: Hazard[];
  strikes: Strike[];
}

export const planLane = (seed: number, deaths: number, lies: readonly string[]): LanePlan => {
  const dice = newDice(seed);
  const through = dice.oneIn(4) ? 'pipes' : 'terminal';
  const kind = dice.oneIn(4) ? 'steady' : 'rough';
  const clock = kind === 'rough' && dice.oneIn(4);
  const hazards: Hazard[] = [];
  const strikes: Strike[] = [];
  let step = 1;
  for (let death = 0; death < deaths; death += 1) {
    step += dice.between(2, 3);
    // A clock that is set back makes a limit long: how long it may be waited for is another test's question.
    if (!clock && dice.oneIn(25)) hazards.push({step, before: dice.oneIn(3) ? {overload: true} : {limit: 1}});
    if (kind === 'rough' && dice.oneIn(5)) strikes.push(strike(dice, step, clock));
    else {
      const death = deathOf(dice);
      // Over a dialog on the screen, real or quoted, nobody is taken for hung: it is the person's.
      const isHang = 'before' in death && 'hang' in death.before;
      if (!isHang && dice.oneIn(8)) hazards.push({step, before: {print: quoted(dice, lies)}});
      hazards.push({step, ...death});
    }
  }
  return {seed, through, kind, steps: step + 2, hazards, strikes};
};

const signals = ['SIGKILL', 'SIGSEGV', 'SIGABRT'] as const;

/** The distributive kind of Omit: each way of its own. */
type Way<T> = T extends unknown ? Omit<T, 'step'> : never;

const deathOf = (dice: Dice): Way<Hazard> => {
  const crash = dice.oneIn(2) ? dice.pick(signals) : dice.between(1, 127);
  const toolMs = dice.between(0, 60);
  const way = dice.next();
  if (way < 0.25) return {inside: crash};
  if (way < 0.5) return {inside: crash, ms: dice.between(0, 2 * toolMs), toolMs};
  if (way < 0.72) return {before: {crash}};
  if (way < 0.9) return {before: {compact: 'auto'}};
  return {before: way < 0.99 ? contextFull : {hang: true}};
};

const contextFull: Act = {fail: {error: 'invalid_request', status: 400, text: 'Prompt is too long'}};

const strike = (dice: Dice, step: number, clock: boolean): Strike => {
  const at = {step, delayMs: dice.between(0, 500)};
  const way = dice.next();
  if (clock && way < 0.3) {
    const byMs = dice.pick([-86_400_000, -3_600_000, -5000, 5000, 3_600_000, 86_400_000]);
    return {...at, do: 'set-clock', byMs, forMs: dice.between(200, 2000)};
  }
  if (way < 0.45) return {...at, do: 'kill-agent'};
  if (way < 0.6) return {...at, do: 'fill-disk', forMs: dice.between(100, 1500)};
  const torn = (['LATEST.json', 'LATEST.md', 'journal.jsonl'] as const).filter(() => dice.oneIn(4));
  return {...at, do: 'kill-supervisor', tear: torn};
};

/** What the agents' own screens say when they die, merely quoted. */
const quoted = (dice: Dice, lies: readonly string[]): string =>
  Array.from({length: dice.between(1, 4)}, () => `${dice.pick(lies).replaceAll('\n', '\r\n')}\r\n`).join('');
