// What the run has cost.

import type {StateName} from '../../../src/core/state.ts';
import {
  capturing,
  finishing,
  isOver,
  ledger,
  quiet,
  resting,
  restoring,
  starting,
  stop,
  stopping,
  unattended,
  usage,
  waiting,
  working,
} from '../samples.ts';
import {type Row, stays} from './row.ts';

const using = {tokens: 700, dollars: 0.5};
const earlier = {tokens: 300, dollars: 1.5};
const before = ledger({used: earlier});
const after = ledger({used: earlier, using});
const tokens = {...unattended, maxTokens: 1000};
const dollars = {...unattended, maxDollars: 2};
const parks = (why: string): Required<Pick<Row, 'to' | 'does'>> => ({
  to: finishing({ledger: after, outcome: {is: 'parked', why}}),
  does: [...quiet, stop('finish')],
});

export const usageRows: Record<StateName, Row[]> = {
  starting: [
    {
      name: 'usage without a limit: noted',
      state: starting({ledger: before}),
      event: usage,
      to: starting({ledger: after}),
    },
  ],
  working: [
    {
      name: 'usage below the limit: noted',
      state: working({ledger: before}),
      event: usage,
      policy: {...tokens, maxTokens: 1001},
      to: working({ledger: after}),
    },
    {
      name: 'so many tokens, the earlier legs’ too: parked',
      state: working({ledger: before}),
      event: usage,
      policy: tokens,
      ...parks('1000 tokens used, of at most 1000 (--max-tokens)'),
    },
    {
      name: 'so many dollars: parked',
      state: working({ledger: before}),
      event: usage,
      policy: dollars,
      ...parks('$2.00 spent, of at most $2.00 (--max-cost)'),
    },
  ],
  waiting: [
    {
      name: 'so many tokens, told late: parked, nobody waits',
      state: waiting({ledger: before}),
      event: usage,
      policy: tokens,
      ...parks('1000 tokens used, of at most 1000 (--max-tokens)'),
    },
  ],
  capturing: stays(capturing(), 'the leg is dead, the next one tells more', usage),
  stopping: stays(stopping(), 'the leg is dead, the next one tells more', usage),
  restoring: stays(restoring(), 'the leg is dead, the next one tells more', usage),
  resting: stays(resting(), 'the leg is dead, the next one tells more', usage),
  finishing: stays(finishing(), 'the end has come', usage),
  over: stays(isOver(), 'the end has come', usage),
};
