import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {makeConfig} from '../../src/config/config.ts';
import {parseConfig, parseNotify} from '../../src/config/parse.ts';
import {loadConfig, loadNotify} from '../../src/io/setup/config-files.ts';
import {defaultNotify} from '../../src/notify/notify-config.ts';

const text = [
  'maxCheckpoints: 7',
  'notify:',
  '  on: [parked, done]',
  '  terminal: off',
  '  webhooks:',
  '    - {url: "https://ntfy.sh/topic", form: ntfy}',
].join('\n');

it('the person’s own file says whom to tell, beside its other settings', () => {
  expect(parseNotify(text, 'config.yaml')).toMatchObject({
    ok: true,
    value: {on: ['parked', 'done'], terminal: 'off', webhooks: [{form: 'ntfy', on: ['parked', 'done']}]},
  });
  const settings = parseConfig(text, 'config.yaml', 'person');
  if (!settings.ok) throw new Error(JSON.stringify(settings.failure));
  const config = makeConfig(settings.value);
  expect(config.maxCheckpoints).toBe(7);
  // `ckpt config` is called by agents too: an address is a secret.
  expect(JSON.stringify(config)).not.toContain('ntfy.sh');
});

it.each(['', '# words\n', 'maxCheckpoints: 7'])('without the section (%j) the defaults hold', (empty) => {
  expect(parseNotify(empty, 'config.yaml')).toEqual({ok: true, value: defaultNotify});
});

it('a mistake in it is told with file and line, also when only the rest is read', () => {
  const wrong = 'maxCheckpoints: 7\nnotify:\n  terminal: loud\n';
  for (const read of [parseNotify(wrong, 'c.yaml'), parseConfig(wrong, 'c.yaml', 'person')]) {
    expect(read).toMatchObject({
      ok: false,
      failure: {is: 'bad-config', file: 'c.yaml', line: 2, what: 'notify: "terminal" is "loud", which is none of them'},
    });
  }
});

it('a repository may not set it', () => {
  expect(parseConfig(text, 'ckpt.yaml', 'repository')).toMatchObject({ok: false, failure: {is: 'bad-config', line: 2}});
});

it('is found in the person’s config folder, and nowhere else', async () => {
  const home = mkdtempSync(join(tmpdir(), 'ckpt-test-'));
  onTestFinished(() => rmSync(home, {recursive: true, force: true}));
  expect(await loadNotify({HOME: home})).toEqual({ok: true, value: defaultNotify});
  expect(await loadNotify({})).toEqual({ok: true, value: defaultNotify});
  mkdirSync(join(home, '.config', 'ckpt-run'), {recursive: true});
  writeFileSync(join(home, '.config', 'ckpt-run', 'config.yaml'), text);
  expect(await loadNotify({HOME: home})).toMatchObject({ok: true, value: {terminal: 'off'}});
  expect(await loadConfig({root: home}, {HOME: home})).toMatchObject({ok: true, value: {maxCheckpoints: 7}});
});
