import fc from 'fast-check';
import {expect, test} from 'vitest';
import {sgrState} from '../../src/detect/sgr.ts';
import {runs} from './chunks.ts';
import {openOracle} from './oracle-terminal.ts';

const isPlain = (...bodies: string[]): boolean => {
  const sgr = sgrState();
  for (const body of bodies) sgr.apply(body);
  return sgr.isPlain();
};

test.each([
  [['1'], false],
  [['1', '22'], true],
  [['1;2', '22'], true],
  [['1;3', '22'], false],
  [['31'], false],
  [['31', '39'], true],
  [['97;107', '39;49'], true],
  [['97;107', '39'], false],
  [['38;5;1'], false],
  [['38;5;0', '39'], true],
  [['38;2;0;0;0'], false],
  [['48;2;0;22;39;1', '49'], false],
  [['48;2;0;22;39', '49'], true],
  [['38:2::1:2:3;48:5:7', '39;49'], true],
  [['58;5;9;4', '59;24'], true],
  [['4:3'], false],
  [['4:3', '4:0'], true],
  [['21', '24'], true],
  [['9;53', '29;55'], true],
  [['7'], false],
  [['7', ''], true],
  [['7;'], true],
  [['7', '0;1', '22'], true],
  [['5;6', '25'], true],
  [['38;7;0', '0'], true],
  [['31;48;0'], false],
  [['10;26;50;999'], true],
])('%j is plain: %s', (bodies, plain) => {
  expect(isPlain(...bodies)).toBe(plain);
});

test('a copy goes its own way', () => {
  const sgr = sgrState();
  sgr.apply('1');
  const copy = sgr.copy();
  sgr.apply('0');
  expect([sgr.isPlain(), copy.isPlain()]).toEqual([true, false]);
});

const penAfter = async (bodies: string[]): Promise<unknown> => {
  const terminal = openOracle({cols: 10, rows: 2});
  await terminal.write(bodies.map((body) => `\x1b[${body}m`).join(''));
  const {pen} = (await terminal.state()) as {pen: unknown};
  terminal.close();
  return pen;
};

const colour = fc
  .tuple(fc.constantFrom(38, 48), fc.nat(255))
  .chain(([kind, value]) =>
    fc.constantFrom(`${kind};5;${value}`, `${kind}:5:${value}`, `${kind};2;${value};0;1`, `${kind}:2::${value}:0:1`),
  );
const shorts = [1, 2, 3, 4, 5, 7, 8, 9, 21, 53, 22, 23, 24, 25, 27, 28, 29, 55, 0, 31, 42, 95, 106, 39, 49];
const part = fc.oneof(fc.constantFrom(...shorts).map(String), colour, fc.constantFrom('', '4:3', '4:0'));

test('plain is what a terminal draws plainly', {timeout: 60_000}, async () => {
  const plain = await penAfter([]);
  const bodies = fc.array(
    fc.array(part, {minLength: 1, maxLength: 4}).map((parts) => parts.join(';')),
    {maxLength: 6},
  );
  await fc.assert(
    fc.asyncProperty(bodies, async (list) => {
      expect(isPlain(...list), list.join(' m ')).toBe(JSON.stringify(await penAfter(list)) === JSON.stringify(plain));
    }),
    runs(300),
  );
});

test('what cannot be read is never taken for plain when it is not', {timeout: 60_000}, async () => {
  const plain = await penAfter([]);
  const nonsense = fc.string({unit: fc.constantFrom(...'0123458;:'), maxLength: 16});
  await fc.assert(
    fc.asyncProperty(nonsense, async (body) => {
      if (isPlain(body)) expect(await penAfter([body])).toEqual(plain);
    }),
    runs(300),
  );
});
