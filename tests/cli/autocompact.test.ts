import {expect, test} from 'vitest';
import {readAutocompact} from '../../src/adapter/autocompact.ts';
import {rig} from './world-rig.ts';

const say = async (...words: string[]) => {
  const {ckpt, seen} = rig();
  const code = await ckpt('autocompact', ...words);
  return {code, file: seen.files.get('autocompact.json'), out: seen.out};
};

test.each([
  ['on', '{"autocompact":"on"}\n'],
  ['off', '{"autocompact":"off"}\n'],
  ['60', '{"autocompact":"60"}\n'],
  ['60%', '{"autocompact":"60"}\n'],
])('%s is kept', async (word, file) => {
  expect(await say(word)).toMatchObject({code: 0, file});
});

test.each(['0', '101', '1000', 'x', '6.5'])('%s is refused, and nothing is kept', async (word) => {
  expect(await say(word)).toMatchObject({code: 64, file: undefined, out: ''});
});

test('without a word it only tells', async () => {
  expect(await say()).toMatchObject({code: 0, file: undefined, out: expect.stringContaining('autocompact is on')});
});

test.each([undefined, '', '{', 'null', '{"autocompact":"sometimes"}', '{"autocompact":7}'])(
  'a file with %j in it means that nothing is set',
  (text) => {
    expect(readAutocompact(text)).toEqual({is: 'on'});
  },
);
