// The estimate against two public tokenizers. Claude's own is not public: the 1.3 is the margin for that.

import {readdirSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {cutToTokens, tokens} from '../../src/baton/tokens.ts';
import {counted} from './counted.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const chunks = (text: string): string[] => text.match(/[\s\S]{1,2000}/g)?.filter((chunk) => chunk.length > 500) ?? [];
const filesIn = (folder: string, ending: string): string =>
  readdirSync(`${root}${folder}`, {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith(ending))
    .sort()
    .slice(0, 60)
    .map((name) => readFileSync(`${root}${folder}/${name}`, 'utf8').slice(0, 20_000))
    .join('\n');

describe('never less than 1.3 times what a tokenizer counts', () => {
  test.each<[string, string]>([
    ['this project’s code', filesIn('src', '.ts')],
    ['session logs', filesIn('tests/fixtures/logs', '.jsonl')],
    ['help texts', filesIn('tests/fixtures/help', '.txt')],
    ['licences and readmes', filesIn('node_modules/commander', '.md') + filesIn('node_modules/execa', '.md')],
    ['bundled JavaScript', filesIn('node_modules/yaml', '.js')],
    ['a lock file', readFileSync(`${root}package-lock.json`, 'utf8')],
  ])('%s', (_, text) => {
    const parts = chunks(text);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts)
      expect(tokens(part), part.slice(0, 80)).toBeGreaterThanOrEqual(counted(part) * 1.3 * 0.97);
    // Nor so much more that the baton would be half empty.
    const whole = parts.join('\n');
    expect(tokens(whole)).toBeLessThan(counted(whole) * 1.3 * 1.6);
  });

  test.each([
    ['Chinese', '请继续执行数据库迁移并且不要重复已经完成的步骤。测试失败的原因是配置文件缺少必要的字段'],
    ['Japanese', '次のコマンドを実行してください。テストは失敗しましたが、原因はまだわかりません。'],
    ['Korean', '다음 명령을 실행하고 테스트가 통과하는지 확인하십시오. 데이터베이스 마이그레이션을 계속합니다.'],
    ['Russian', 'Продолжай миграцию базы данных и не повторяй уже выполненные шаги. Тесты не прошли.'],
    ['Arabic', 'استمر في ترحيل قاعدة البيانات ولا تكرر الخطوات التي تم تنفيذها بالفعل.'],
    ['German', 'Führe die Datenbankmigration weiter aus und überprüfe die Größenänderung.'],
    ['Hindi', 'डेटाबेस माइग्रेशन जारी रखें और पहले से पूरे किए गए चरणों को न दोहराएं।'],
    ['Thai', 'ดำเนินการย้ายฐานข้อมูลต่อไปและอย่าทำซ้ำขั้นตอนที่เสร็จสิ้นแล้ว'],
    ['emoji', '😀🚀✅❌🔥💡🧪👩‍💻'],
    ['boxes', '├── src │ └── ⏎ … — ‹ › “ ” ’ '],
  ])('%s', (_, text) => {
    const long = text.repeat(10);
    expect(tokens(long)).toBeGreaterThanOrEqual(counted(long) * 1.3);
  });

  const letters = 'abcdefghijklmnopqrstuvwxyz';
  test.each([
    ['hashes', '0123456789abcdef'],
    ['base64', `${letters}${letters.toUpperCase()}0123456789+/`],
    ['small letters', letters],
    ['capitals', letters.toUpperCase()],
    ['signs', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'],
    ['numbers', '0123456789 '],
    ['anything a keyboard has', `${letters}${letters.toUpperCase()}0123456789!"#$%&'()*+,-./:;<=>?@ \n\t`],
  ])('at random: %s', (_, alphabet) => {
    const text = fc.string({unit: fc.constantFrom(...alphabet), minLength: 1500, maxLength: 1500});
    fc.assert(
      fc.property(text, (random) => {
        expect(tokens(random)).toBeGreaterThanOrEqual(counted(random) * 1.3 * 0.93);
      }),
      {numRuns: 20},
    );
  });
});

describe('a text that is cut', () => {
  test('fits, and ends with the pointer', () => {
    const pointer = ' … [cut here]';
    fc.assert(
      fc.property(
        fc.string({unit: 'binary', minLength: 100, maxLength: 600}),
        fc.integer({min: 20, max: 200}),
        (text, max) => {
          const cut = cutToTokens(text, {max, pointer});
          expect(tokens(cut)).toBeLessThanOrEqual(max + 1);
          expect(cut.endsWith(pointer) || tokens(cut) <= max).toBe(true);
          expect(/\p{Cs}/u.test(cut)).toBe(false);
        },
      ),
    );
  });

  test('is not searched through to its end', () => {
    expect(tokens('word '.repeat(1_000_000), 50)).toBeLessThan(60);
  });
});
