import {expect, test} from 'vitest';
import type {ScreenRule} from '../../src/adapter/adapter.ts';
import {signalTypes} from '../../src/core/events.ts';
import {newScreenWatch, type View} from '../../src/detect/screen-rules.ts';

const rules: ScreenRule[] = [
  {signal: 'busy', on: 'title', pattern: /^[◐◑] /u},
  {signal: 'ready', on: 'title', pattern: /^✳ /u},
  {signal: 'idle', on: 'title', pattern: /^✳ /u},
  {signal: 'busy', on: 'osc', pattern: /^7501;state=working/u},
  {signal: 'idle', on: 'osc', pattern: /^7501;state=(?:idle|done)/u},
  {signal: 'limit', on: 'screen', pattern: /^limit/mu},
];

const look = (views: Partial<View>[]): string[][] => {
  const watch = newScreenWatch(rules);
  return views.map((view) => watch.look({screen: '', title: '', osc: [], ...view}).map(({type}) => type));
};

test('a spinner in the title is told once', () => {
  const titles = ['✳ x', '◐ x', '◑ x', '◐ x', '✳ x', '✳ y'].map((title) => ({title}));
  expect(look(titles)).toEqual([['ready', 'idle'], ['busy'], [], [], ['ready', 'idle'], []]);
});

test('a text on the screen is told when it appears, and again after it had gone', () => {
  const screens = ['a\nlimit reached', 'b\nlimit reached', 'a', 'limit'].map((screen) => ({screen}));
  expect(look(screens)).toEqual([['limit'], [], [], ['limit']]);
});

test('several sequences between two looks are told in order; others do not count', () => {
  const osc = ['7501;state=idle', '9;done', '7501;state=working', '7501;state=working', '7501;state=done'];
  expect(look([{osc}, {osc: ['7501;state=error']}, {osc: ['7501;state=idle']}])).toEqual([
    ['idle', 'busy', 'idle'],
    [],
    ['idle'],
  ]);
});

test.each(signalTypes)('%s can be claimed by a rule, on the screen channel', (signal) => {
  const watch = newScreenWatch([{signal, on: 'screen', pattern: /x/u}]);
  const [sighting] = watch.look({screen: 'x', title: '', osc: []});
  expect(sighting).toMatchObject({type: signal, evidence: {channel: 'screen', detail: `screen shows ${signal}`}});
});

test('a text that appears a second time below the first is told again', () => {
  const screens = ['limit one', 'limit one\nlimit two', 'limit two', 'limit two\nlimit three'].map((screen) => ({
    screen,
  }));
  expect(look(screens)).toEqual([['limit'], ['limit'], [], ['limit']]);
});
