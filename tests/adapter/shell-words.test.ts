import fc from 'fast-check';
import {expect, test} from 'vitest';
import {simpleCommands} from '../../adapters/shared/shell-words.ts';

const short = (script: string): string =>
  simpleCommands(script)
    .map(({words, writes, joint}) => `${words.join('|')}${writes.map((file) => ` >${file}`).join('')} ${joint}`.trim())
    .join('  ');

test.each([
  ['npm test', 'npm|test'],
  ['cd x && npm test', 'cd|x &&  npm|test'],
  ['npm test 2>&1 | tail -20', 'npm|test |  tail|-20'],
  ['npm test || true; echo $?', 'npm|test ||  true ;  echo|$?'],
  ['A=1 B="x y" npm test', 'npm|test'],
  [`git commit -m "push; it && go"`, 'git|commit|-m|push; it && go'],
  [`printf 'step 7\\n' >> job.txt`, 'printf|step 7\\n >job.txt'],
  ['make >out.log 2>err.log', 'make >out.log >err.log'],
  ['make > /dev/null 2>&1 &', 'make &'],
  ['sort < in.txt > out.txt', 'sort >out.txt'],
  [`cat > src/a.ts <<'EOF'\nnpm test && x\nEOF\necho done`, 'cat >src/a.ts ;  echo|done'],
  ['cat <<EOF | wc -l\na\nEOF', 'cat |  wc|-l ;'],
  ['bash -lc "npm test; exit 3"', 'npm|test ;  exit|3'],
  ['bash -c "a | b" && c', 'a |  b &&  c'],
  ['if npm test; then echo ok; fi', 'npm|test ;  echo|ok ;'],
  ['(cd a; make) && ls', 'cd|a ;  make ;  ls'],
  ['echo $(git rev-parse HEAD; x) y', 'echo|$(git rev-parse HEAD; x)|y'],
  ['npm test # the tests; all', 'npm|test'],
  ['npm \\\n  test', 'npm|test'],
  ['a\nb\r\n', 'a ;  b ;'],
  ['echo file2>x', 'echo|file2 >x'],
  ["echo 'unclosed", 'echo|unclosed'],
  ['', ''],
])('%j is %j', (script, expected) => {
  expect(short(script)).toBe(expected);
});

test('any text at all is read to its end', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    '\n',
    "'",
    '"',
    '\\',
    '$(',
    ')',
    '(',
    '|',
    '&',
    ';',
    '<',
    '>',
    '<<E',
    '#',
    '2',
    '`',
  );
  fc.assert(
    fc.property(fc.array(piece, {maxLength: 40}), (pieces) => {
      expect(Array.isArray(simpleCommands(pieces.join('')))).toBe(true);
    }),
  );
});
