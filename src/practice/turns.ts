import {ApiFailure, type Body} from './body.ts';
import type {Mind} from './script.ts';
import type {Transcript} from './transcript.ts';

export type TurnEnd = 'done' | 'failed' | 'interrupted';

export interface Turns {
  /** One prompt → one turn, with the hooks around it. Throws Leave when the script ends the agent. */
  take(prompt: string): Promise<TurnEnd>;
  /** Esc or Ctrl-C: cancels the open turn. False when none is open. */
  interrupt(): boolean;
  /** The agent is leaving: whatever is under way stops where it is and leaves no trace in the transcript. */
  freeze(): void;
  /** What the API said when the last turn failed. */
  failure(): string;
}

const LEAVING = 'leaving';

export const newTurns = (parts: {body: Body; mind: Mind; transcript: Transcript}): Turns => {
  const {body, mind, transcript} = parts;
  let open: AbortController | undefined;
  let frozen = false;
  let refusal: ApiFailure | undefined;

  const work = async (prompt: string): Promise<void> => {
    body.learn((await body.hook('UserPromptSubmit', '', {prompt})).context);
    body.learn(prompt);
    transcript.user(prompt);
    // A usage limit refuses every prompt until its reset; other refusals are over with their turn.
    if (refusal?.resetsAt !== undefined && Date.now() < refusal.resetsAt * 1000) throw refusal;
    await mind.turn();
    const end = {stop_hook_active: false, last_assistant_message: body.lastWords()};
    await body.hook('Stop', '', {...end, background_tasks: [], session_crons: []});
  };

  const refuse = async (failure: ApiFailure): Promise<void> => {
    refusal = failure;
    const {error, status, resetsAt, message} = failure;
    transcript.apiError({error, status, resetsAt, text: message});
    body.show.line(`⎿  ${failure.message}`, 'warn');
    await body.hook('StopFailure', error, {error, last_assistant_message: message});
  };

  const take = async (prompt: string): Promise<TurnEnd> => {
    const start = Date.now();
    if (frozen) return never();
    open = body.newTurn();
    body.show.busy();
    try {
      // The person's own /compact is no prompt: neither UserPromptSubmit nor Stop.
      const own = /^\/compact\b\s*(.*)$/s.exec(prompt);
      if (own === null) await work(prompt);
      else if ((await body.compact('manual', own[1] || null)) === 'done') {
        mind.forget();
        body.show.line('⎿  Compacted', 'dim');
      }
      if (own === null) transcript.turnEnd(Date.now() - start);
      return 'done';
    } catch (error) {
      if (open.signal.reason === LEAVING) return never();
      if (error instanceof ApiFailure) await refuse(error);
      else if (open.signal.aborted) {
        transcript.user('[Request interrupted by user]');
        body.show.line('Interrupted · What should I do instead?', 'warn');
      } else throw error;
      return error instanceof ApiFailure ? 'failed' : 'interrupted';
    } finally {
      open = undefined;
      body.show.idle();
    }
  };

  return {
    take,
    interrupt: () => {
      open?.abort();
      return open !== undefined;
    },
    freeze: () => {
      frozen = true;
      open?.abort(LEAVING);
    },
    failure: () => refusal?.message ?? '',
  };
};

const never = (): Promise<never> => new Promise(() => {});
