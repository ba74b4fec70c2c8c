// What the next start of a session inside a leg gives to the agent: the protocol; after a compaction once the baton too.

import type {Spool, SpoolItem} from '../../ports.ts';

export interface LegContext {
  /** In place of the protocol, for the compaction that is about to be done. */
  inject(text: string): void;
  /** Every hook of the leg passes here. */
  onHook(item: SpoolItem): void;
}

/** A baton that lay there longer would be given to a conversation that has nothing to do with it, after a `/clear`. */
export const legContext = (spool: Pick<Spool, 'setContext'>, protocol: string): LegContext => {
  let state: 'protocol' | 'injected' | 'given' = 'protocol';
  spool.setContext(protocol);
  return {
    inject: (text) => {
      spool.setContext(text);
      state = 'injected';
    },
    onHook: (item) => {
      if (state === 'protocol') return;
      // While this hook is told to us its relay may still be printing: the one after it proves that it has.
      if (item.name === 'SessionStart') state = 'given';
      else if (state === 'given' || item.name === 'UserPromptSubmit') {
        state = 'protocol';
        spool.setContext(protocol);
      }
    },
  };
};
