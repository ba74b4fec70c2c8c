// A week with nobody there: three limits of five hours, one of a week, and the night in which the clocks go back.

import {expect, test} from 'vitest';
import {beginDays, type Days, HOUR} from './days.ts';

const LONG = 60_000;

/** 2.1.197 tells the reset only in words, in the person's own zone. */
const limited = async (days: Days, words: string) => {
  const content = [{type: 'text', text: `You've hit your session limit · resets ${words}`}];
  await days.line({
    ...{type: 'assistant', isApiErrorMessage: true, error: 'rate_limit'},
    message: {model: '<synthetic>', content},
  });
};

test(
  'each limit is waited out to the second, also over the change of the clocks, and one nudge wakes the same leg',
  async () => {
    // Saturday, 24 October 2026, 18:00 in Berlin; at three o'clock that night it is two again.
    const days = await beginDays({start: Date.UTC(2026, 9, 24, 16), policy: {maxMs: 14 * 24 * HOUR}});
    await days.works();
    const rides = async (words: string) => {
      await limited(days, words);
      await days.untilNudged();
      await days.hook('UserPromptSubmit');
      await days.passes(2 * HOUR, {busy: true});
    };
    await rides('9pm (Europe/Berlin)');
    // 23:00 there. Four hours by the clock on the wall, five by any other.
    await rides('3am (Europe/Berlin)');
    await rides('10am (UTC)');
    await days.hook('Stop');
    await days.untilNudged();
    await days.hook('UserPromptSubmit');
    await rides('Oct 30, 6am (UTC)');
    days.spools.drop('spool', 'done', {note: 'all of it'});
    await days.hook('Stop');
    const {outcome, summary} = await days.end;
    await expect(days.told()).toMatchFileSnapshot('journals/limits.txt');
    expect(outcome).toEqual({is: 'done', note: 'all of it'});
    expect(summary).toMatchObject({legs: 1, deaths: {}});
    expect(days.nudges()).toBe(5);
  },
  LONG,
);
