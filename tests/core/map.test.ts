// src/README.md is true: its picture is what transition does, its tree is what is there. `UPDATE=1` draws the picture.

import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {stateDiagram} from '../support/state-diagram.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const file = join(root, 'src', 'README.md');

test('the state diagram is the one that transition draws', () => {
  const map = readFileSync(file, 'utf8');
  const place = /<!-- states -->[\s\S]*?<!-- \/states -->/;
  const wanted = `<!-- states -->\n\`\`\`mermaid\n${stateDiagram()}\`\`\`\n<!-- /states -->`;
  if (process.env.UPDATE)
    writeFileSync(
      file,
      map.replace(place, () => wanted),
    );
  expect(place.exec(readFileSync(file, 'utf8'))?.[0]).toBe(wanted);
});

test('everything in the tree is there, and named once', () => {
  const paths = namedPaths();
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(paths.filter((path, n) => paths.indexOf(path) !== n)).toEqual([]);
});

test('every room and every entry of src is in the tree, and every room of io', () => {
  const there = ['src', 'src/io']
    .flatMap((folder) => readdirSync(join(root, folder), {withFileTypes: true}).map((entry) => ({folder, entry})))
    .map(({folder, entry}) => `${folder}/${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .filter((path) => path !== 'src/README.md');
  expect(there.filter((path) => !namedPaths().includes(path))).toEqual([]);
});

/** The first word of each line, under the folders that it stands under. */
const namedPaths = (): string[] => {
  const tree = /<!-- tree -->\n```\n([\s\S]*?)```/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const above: string[] = [];
  return tree
    .trimEnd()
    .split('\n')
    .map((line) => {
      const depth = line.search(/\S/) / 2;
      above.length = depth;
      above.push(line.trim().split(/\s/, 1)[0] ?? '');
      return above.join('');
    });
};
