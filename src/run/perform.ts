// One effect → port calls → an event back. Slow ones wait for each other in line; nobody waits for them in order to
// decide.

import type {HookPlan} from '../adapter/adapter.ts';
import type {ProcessNote} from '../baton/checkpoint.ts';
import {hintText, protocolText} from '../baton/protocol.ts';
import type {Effect, Notice} from '../core/effects.ts';
import type {ExitStatus, RunEvent} from '../core/events.ts';
import type {CheckpointId, LegNumber} from '../core/ids.ts';
import type {Outcome} from '../core/state.ts';
import {automaticTriggers} from '../core/triggers.ts';
import {certificate} from '../report/certificate.ts';
import {failureWords, noticeWords} from '../report/messages.ts';
import {capture, type Mark} from './capture.ts';
import {prompt, readBaton} from './first-prompt.ts';
import {completeFiles} from './keep-work.ts';
import {environment, hookPlan} from './leg/launch.ts';
import {type Leg, legSpool, startLeg} from './leg/legs.ts';
import {type Handoffs, newHandoffs} from './lookout/handoffs.ts';
import {leftAtEnd} from './lookout/left-at-end.ts';
import {openWaitTurns, type WaitTurns} from './lookout/wait-turns.ts';
import {nudge} from './nudge.ts';
import {type Ports, planAfter, type RunPlan} from './plan.ts';
import {askTrust} from './trust.ts';

type Doing<Name extends Effect['do']> = Extract<Effect, {do: Name}>;
/** One doer per effect: a new effect that nobody does fails to compile. */
type Doers = {[Name in Effect['do']]: (effect: Doing<Name>) => void};

export class Performer {
  /** Of the agent whose leg it is. */
  #plan: RunPlan;
  readonly #ports: Ports;
  readonly #post: (event: RunEvent) => void;
  readonly #turns: WaitTurns;
  readonly #faults = new Set<string>();
  readonly handoffs: Handoffs;
  /** Is the next leg the first one of its agent? */
  #isNew = true;
  #leg: Leg | undefined;
  /** How the work of the leg stood at its newest checkpoint. */
  #mark: {leg: LegNumber; mark: Mark} | undefined;
  /** The checkpoint of the leg's death, if it was made while its agent was still there. */
  #told: {leg: LegNumber; id: CheckpointId; progress: boolean} | undefined;
  #left: ProcessNote[] = [];
  #line: Promise<void> = Promise.resolve();
  #finish: (outcome: Outcome) => void = () => {};
  /** Resolves when the run has been finished and everything of it undone. */
  readonly finished = new Promise<Outcome>((resolve) => {
    this.#finish = resolve;
  });

  constructor(plan: RunPlan, ports: Ports, post: (event: RunEvent) => void) {
    this.#plan = plan;
    this.#ports = ports;
    this.#post = post;
    this.handoffs = newHandoffs(plan, ports);
    this.#turns = openWaitTurns(ports.clock, ports.sharedWait);
  }

  /** The session log of that leg, once it is known. */
  log(leg: LegNumber): string | undefined {
    return this.#of(leg)?.watch.log()?.path;
  }

  /** How the last agent ended; undefined while one is alive, or none has been there yet. */
  exit(): ExitStatus | undefined {
    return this.#leg?.exit();
  }

  /** A checkpoint of this run whose writer could not save the files: they are saved out here, as they are now. */
  keepFiles(id: CheckpointId): void {
    this.#inLine(async () => {
      const done = await completeFiles(this.#plan, this.#ports, id);
      if (!done.ok) this.fault(`the files of ${id}: ${failureWords(done.failure)}`);
    });
  }

  perform(effect: Effect): void {
    const act = this.#doers[effect.do] as (effect: Effect) => void;
    act(effect);
  }

  readonly #doers: Doers = {
    'spawn-leg': (effect) => this.#inLine(() => this.#spawn(effect)),
    'change-agent': ({to}) =>
      this.#inLine(async () => {
        this.#plan = planAfter(this.#plan, to);
        this.#isNew = true;
      }),
    'end-tools': ({leg}) => this.#inLine(() => this.#endTools(this.#of(leg))),
    capture: (effect) => this.#inLine(() => this.#capture(effect)),
    restore: (effect) => this.#inLine(() => this.#restore(effect)),
    'answer-hook': (effect) => this.#inLine(() => this.#answer(effect)),
    'answer-call': ({leg, call, answer, why}) => this.#inLine(async () => this.#of(leg)?.answerCall(call, answer, why)),
    'stop-agent': ({leg}) => this.#stop(this.#of(leg)),
    nudge: ({leg, why}) => this.#inLine(async () => nudge(this.#plan, this.#ports, {leg: this.#of(leg), why})),
    hint: ({leg}) => this.#of(leg)?.hint(hintText(this.#plan.ckptBin)),
    'set-timer': ({name, until}) => {
      const {clock} = this.#ports;
      const fire = (): void => this.#post({type: 'timer-fired', at: clock.now(), name});
      if (name === 'wait-over') this.#turns.arm(until, fire);
      else clock.wakeAt(name, until, fire);
    },
    'cancel-timer': ({name}) => {
      if (name === 'wait-over') this.#turns.cancel();
      else this.#ports.clock.cancel(name);
    },
    certify: (effect) => {
      const text = certificate(this.#plan, effect, this.#of(effect.leg)?.watch);
      this.#ports.files.writeLeg(effect.leg, 'certificate.json', text);
    },
    tell: ({notice}) => this.#tell(notice),
    finish: ({outcome}) =>
      this.#inLine(async () => {
        this.#leg?.close();
        this.#turns.close();
        await this.#ports.stage.keepOutput(true);
        this.#left = await leftAtEnd(this.#plan, this.#ports);
        if (outcome.is === 'done') await this.#ports.store.close(this.#plan.track, outcome.note).catch(() => undefined);
        this.#finish(outcome);
      }),
  };

  /** What the run's agents have left running, once it is finished. */
  left(): ProcessNote[] {
    return this.#left;
  }

  async #endTools(leg: Leg | undefined): Promise<void> {
    const {processes} = this.#ports;
    await processes.end((await leg?.openTools()) ?? []);
    if (this.#plan.policy.leftovers === 'end') await processes.end((await leg?.leftBehind()) ?? []);
  }

  #of(leg: LegNumber): Leg | undefined {
    return this.#leg?.number === leg ? this.#leg : undefined;
  }

  #inLine(work: () => Promise<void>): void {
    this.#line = this.#line.then(work).catch((error: unknown) => this.fault(said(error)));
  }

  /** A fault of ours: told once, and the agent goes on. */
  readonly fault = (what: string): void => {
    if (this.#faults.has(what)) return;
    this.#faults.add(what);
    const {clock, files, stage} = this.#ports;
    files.journal({at: new Date(clock.now()).toISOString(), run: this.#plan.run, event: 'fault', what});
    const [first = what] = what.split('\n', 1);
    stage.tell(`ckpt-run: ${first} (a fault of ckpt-run, see journal.jsonl; the agent goes on)`);
  };

  /** What a leg lets us see: measured on its way into the inbox. */
  readonly #heard = (event: RunEvent): void => {
    try {
      this.handoffs.hear(event);
    } catch (error) {
      this.fault(`measuring a handoff: ${said(error)}`);
    }
    this.#post(event);
  };

  async #spawn({leg, baton}: Doing<'spawn-leg'>): Promise<void> {
    const {clock, stage} = this.#ports;
    const failed = (what: string): void => this.#post({type: 'spawn-failed', at: clock.now(), leg, what});
    try {
      this.#leg?.close();
      if (leg > 1) await stage.keepOutput(false);
      const first = baton === undefined ? undefined : await readBaton(this.#plan, this.#ports, {baton, leg});
      if (first !== undefined && !first.ok) {
        failed(failureWords(first.failure));
        return;
      }
      const world = {plan: this.#plan, ports: this.#ports, post: this.#heard, onFault: this.fault};
      const trusted = this.#plan.code.trustQuestion === undefined ? undefined : await this.#askTrust(leg);
      const taken = {prompt: first?.value.prompt, baton: first?.value.checkpoint};
      const startedAt = clock.now();
      const started = startLeg(world, {number: leg, ...taken, trusted});
      if (!started.ok) {
        failed(failureWords(started.failure));
        return;
      }
      this.#leg = started.value;
      this.handoffs.begin({number: leg, baton, startedAt, facts: started.value.watch.facts});
      const agent = this.#plan.adapter.name;
      this.#post({type: 'leg-spawned', at: clock.now(), leg, pid: started.value.process.pid, agent});
      this.#isNew = false;
      if (baton !== undefined) await this.#ports.store.consume(baton, {run: this.#plan.run, leg});
    } catch (error) {
      failed(said(error));
    }
  }

  async #askTrust(leg: LegNumber): Promise<HookPlan['trusted']> {
    const [plan, ports] = [this.#plan, this.#ports];
    const hooks = hookPlan(plan, {spool: legSpool(ports, leg), readFile: ports.readFile});
    const caution = this.#isNew ? plan.code.caution?.(hooks) : undefined;
    if (caution !== undefined) ports.stage.tell(`ckpt-run: ${caution}`);
    return askTrust({plan, ports, env: environment(plan)}, leg, hooks);
  }

  async #capture({leg, capture: number, trigger, death}: Doing<'capture'>): Promise<void> {
    const {watch, before = Promise.resolve(undefined), leftNotes: left} = this.#of(leg) ?? {};
    const failed = (what: string): void =>
      this.#post({type: 'checkpoint-failed', at: this.#ports.clock.now(), leg, capture: number, what});
    try {
      const since = this.#mark?.leg === leg ? this.#mark.mark : undefined;
      const told = death !== undefined && this.#told?.leg === leg ? this.#told : undefined;
      const captured = await capture(this.#plan, this.#ports, {leg, trigger, death, watch, before, left, since, told});
      if (!captured.ok) {
        failed(failureWords(captured.failure));
        return;
      }
      const at = this.#ports.clock.now();
      if (captured.id === undefined) {
        this.#post({type: 'checkpoint-skipped', at, leg, capture: number});
        return;
      }
      const {id, progress, moved, mark} = captured;
      this.#mark = {leg, mark};
      if (death !== undefined) this.#told = {leg, id, progress};
      if (automaticTriggers.some((one) => one === trigger)) await this.#retain();
      this.#post({type: 'checkpoint-written', at, leg, capture: number, id, progress, moved});
    } catch (error) {
      failed(said(error));
    }
  }

  async #restore({leg, back}: Doing<'restore'>): Promise<void> {
    const {goBack, clock} = this.#ports;
    const {track, run, setCurrent} = this.#plan;
    const went = await goBack(back, {track, run, leg, setCurrent}).catch((error: unknown) => ({what: said(error)}));
    const what = 'what' in went ? went.what : went.ok ? undefined : failureWords(went.failure);
    if (!('what' in went) && went.ok) this.#post({type: 'restored', at: clock.now(), leg, id: went.value});
    else this.#post({type: 'restore-failed', at: clock.now(), leg, what: what ?? ''});
  }

  async #retain(): Promise<void> {
    const {store, keeper} = this.#ports;
    const kept = await store.retain(this.#plan.policy.saves.keep);
    if (kept.ok && kept.value !== undefined && kept.value.remove.length > 0) await keeper.forget(kept.value.remove);
  }

  /** With `reinject` the agent gets its baton inside its compacted context: rendered before it is let go. */
  async #answer({leg, answer}: Doing<'answer-hook'>): Promise<void> {
    const plan = this.#plan;
    try {
      const checkpoint = answer === 'reinject' ? await this.#ports.store.latest(plan.track) : undefined;
      if (checkpoint !== undefined) {
        const protocol = protocolText({ckptBin: plan.ckptBin, dir: plan.checkpointDir, track: plan.track});
        this.#of(leg)?.setContext(`${protocol}\n\n${await prompt(plan, this.#ports, {checkpoint, leg})}`);
      }
    } finally {
      this.#of(leg)?.answer('allow');
    }
  }

  #stop(leg: Leg | undefined): void {
    const {adapter, parsed} = this.#plan;
    if (adapter.compaction.whenHeld === 'veto') leg?.answer('veto');
    const headless = parsed.headless || this.#ports.stage.kind === 'pipes';
    const steps = headless ? adapter.stop.pipes : adapter.stop.terminal;
    // A key would be the answer to a question that is the person's.
    void leg?.process.stop(leg.watch.asks() ? steps.filter((step) => 'signal' in step) : steps);
  }

  /** On a terminal, what a living agent shows itself need not be said again when it is gone. */
  #tell(notice: Notice): void {
    const {stage} = this.#ports;
    this.#ports.notice(notice);
    this.#turns.hear(notice);
    if (stage.kind === 'pipes' || betweenLegs.has(notice.is)) stage.tell(`ckpt-run: ${noticeWords(notice)}`);
  }
}

const betweenLegs = new Set<Notice['is']>([
  'leg-died',
  'restarting',
  'taking-over',
  'restored',
  'restore-failed',
  'capture-failed',
  'parked',
]);

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));
