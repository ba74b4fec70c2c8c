// A hundred handoffs of Claude Code in one run. Only in a full walk: it takes many minutes.

import {expect, test} from 'vitest';
import {textAt} from '../../adapters/shared/json.ts';
import {claudeNew} from './clis.ts';
import {isFull} from './full-results.ts';
import {walkHundred} from './hundred.ts';
import {claudeOnly} from './model/failures.ts';

const MINUTES = 40;

test.runIf(isFull)(
  'a hundred handoffs in one run: each is taken up, and the job is exact',
  async () => {
    const {observed, expected, left} = await walkHundred({
      cli: claudeNew(),
      conversation: ({body}) => textAt(body, 'metadata', 'user_id') ?? '',
      contextFull: claudeOnly.contextFull,
      crash: 'SIGSEGV',
      minutes: MINUTES - 1,
    });
    expect(observed).toEqual(expected);
    expect(left).toEqual([]);
  },
  MINUTES * 60_000,
);
