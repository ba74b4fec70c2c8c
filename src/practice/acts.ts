// What the practice agent can be asked for: by a script, by its job, by what befalls it on the way.

import type {Crash} from './tool.ts';

/** What a script can ask for, one act after the other. `early` ones come before the session begins (no hook yet). */
export type Act = {early?: boolean} & (
  | {say: string}
  /** `ms`: it lasts at least so long. `crash`: dies in the middle of the call, after `ms` or when its work is done. */
  | {call: string; ms?: number; crash?: Crash}
  | {think: number}
  | {compact: 'auto' | 'manual' | true}
  | {crash: Crash}
  /** Usage limit of so many seconds; what follows is done when something is typed after the reset. */
  | {limit: number}
  | {overload: true}
  /** Any other refusal of the API: StopFailure's error, the HTTP status, the text. */
  | {fail: {error: string; status: number; text: string}}
  | {hang: true}
  /** Raw bytes to the terminal: quoted markers, modes. */
  | {print: string}
  | {modes: string}
  | {exit: number}
  /** The turn ends; what follows is done at the next prompt. */
  | {wait: true}
  | {job: Partial<RelayPlan>}
);

export interface RelayPlan {
  steps: number;
  file: string;
  stepMs: number;
  compactAfter: number | undefined;
  crashIn: number | undefined;
  crash: Crash;
  limitAfter: number | undefined;
  limitSeconds: number;
  /** What befalls it on the way, by the step: see hazards.ts. */
  hazards: Hazard[];
  /** Each hazard is written here before it strikes, for whoever judges the run. */
  hazardLog: string | undefined;
}

/**
 * Comes to the context that reaches the step, never to one that begins with it: so a context that took its baton up meets
 * none twice, and no state file is needed. `before` is any act; `inside` is a crash in the midst of the step's own call, `ms`
 * after its start, while the call takes `toolMs` for its work.
 */
export type Hazard = {step: number} & ({before: Act} | {inside: Crash; ms?: number; toolMs?: number});
export type Inside = Extract<Hazard, {inside: Crash}>;
