// Every built-in adapter parses, and every signal that its screen rules claim has screens that fire it and screens that
// merely quote it.

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {codeNames, isCodeName, loadCode} from '../adapters/code.ts';
import type {Adapter} from '../src/adapter/adapter.ts';
import {newScreenWatch, type View} from '../src/detect/screen-rules.ts';
import {adapterNames, findAdapter, packageRoot} from '../src/io/setup/adapter-files.ts';

const home = {HOME: '/nonexistent'};
const adapter = (name: string): Adapter => {
  const found = findAdapter(name, home);
  if (!found.ok) throw new Error(JSON.stringify(found.failure));
  return found.value;
};

const screens = join(packageRoot(), 'tests', 'fixtures', 'screens');
const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
};

/** `x.title.txt` and `x.osc.txt` hold one title or sequence per line, other files a whole screen. */
const views = (file: string): View[] => {
  const text = readFileSync(file, 'utf8').replace(/\n$/, '');
  const blank = {screen: '', title: '', osc: []};
  if (file.endsWith('.title.txt')) return text.split('\n').map((title) => ({...blank, title}));
  if (file.endsWith('.osc.txt')) return text.split('\n').map((osc) => ({...blank, osc: [osc]}));
  return [{...blank, screen: text}];
};

const seen = (name: string, view: View): string[] =>
  newScreenWatch(adapter(name).screen)
    .look(view)
    .map(({type}) => type);

describe.each(adapterNames(home))('%s', (name) => {
  test('parses, and its code is there', async () => {
    const {code, stop} = adapter(name);
    expect(codeNames).toContain(code);
    if (isCodeName(code)) expect(await loadCode(code)).toHaveProperty('newLogReader');
    expect(stop.terminal.at(-1)).toMatchObject({signal: 'SIGKILL'});
    expect(stop.pipes.at(-1)).toMatchObject({signal: 'SIGKILL'});
  });

  const claimed = [...new Set(adapter(name).screen.map(({signal}) => signal))];
  describe.each(claimed)('%s on the screen', (signal) => {
    const fires = filesIn(join(screens, name, signal, 'fires'));
    const silent = filesIn(join(screens, name, signal, 'silent'));

    test('has screens that fire it and screens that quote it', () => {
      expect(fires).not.toEqual([]);
      expect(silent).not.toEqual([]);
    });

    test.each(fires.map((file) => [file.slice(screens.length), file]))('%s fires', (_, file) => {
      for (const view of views(file)) expect(seen(name, view)).toContain(signal);
    });

    test.each(silent.map((file) => [file.slice(screens.length), file]))('%s is silent', (_, file) => {
      for (const view of views(file)) expect(seen(name, view)).not.toContain(signal);
    });
  });

  test('every rule is fired by some screen', () => {
    const {screen} = adapter(name);
    const all = claimed.flatMap((signal) => filesIn(join(screens, name, signal, 'fires'))).flatMap(views);
    for (const rule of screen) {
      const texts = all.flatMap((view) => [view[rule.on]].flat());
      expect(
        texts.some((text) => rule.pattern.test(text)),
        `${rule.on}: ${rule.pattern}`,
      ).toBe(true);
    }
  });
});
