// The house plan, enforced: who may import whom, which package lives where, what pure rooms may not touch, how large
// things may grow. Every row must hold, and every row must be needed: a stale one fails too.

import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {filesBelow, linesOfCode, type SourceFile, scan} from './support/source-scan.ts';

interface Room {
  /** A folder of src, a file in src itself, or a folder of adapters. */
  room: string;
  /** `types of x`: with `import type` only. Files of the same room may always import each other. */
  may: string[];
  /** Which of Node's own modules. */
  node: 'any' | string[];
  /** Pure rooms have no clock, no chance, no process: what they need is handed to them. */
  pure: boolean;
}

const pure = (room: string, ...may: string[]): Room => ({room, may, node: [], pure: true});
const edge = (room: string, ...may: string[]): Room => ({room, may, node: 'any', pure: false});

/** What is handed to the command line, and what the edges hand back. */
const given = ['types of config', 'types of ports.ts'];
const told = ['types of doctor', 'types of import', 'types of ports.ts'];

const rooms: Room[] = [
  pure('core'),
  pure('ports.ts', 'types of core', 'types of adapter', 'types of baton'),
  pure('detect', 'core', 'types of adapter'),
  pure('adapter', 'core', 'types of baton'),
  pure('baton', 'core'),
  pure('report', 'core', 'baton'),
  pure('config', 'core', 'adapter', 'baton', 'notify'),
  pure('import', 'core', 'baton'),
  pure('history', 'core', 'baton'),
  pure('cast'),
  pure('live'),
  {
    ...pure('install', 'core', 'baton'),
    // Paths are put together here, and a file of ours is known by its SHA-256.
    node: ['node:crypto', 'node:path'],
  },
  pure('doctor', 'types of core', 'baton', 'report'),
  pure('watch', 'core', 'baton', 'report', 'types of doctor', 'types of ports.ts'),
  pure('notify', 'core', 'baton', 'report'),
  pure('run', 'core', 'detect', 'adapter', 'baton', 'report', 'types of watch', 'types of ports.ts'),
  {
    ...pure(
      'cli',
      'core',
      'adapter',
      'baton',
      'run',
      'report',
      'import',
      'cast',
      'history',
      'watch',
      'doctor',
      'install',
      ...given,
    ),
    // Cutting a path into its parts asks nothing of the machine.
    node: ['node:path'],
  },
  edge(
    'io',
    'core',
    'adapter',
    'adapters',
    'baton',
    'config',
    'cast',
    'history',
    'install',
    'live',
    'notify',
    'watch',
    ...told,
  ),
  // It must not share the code whose truth it tests.
  edge('practice'),
  edge(
    'ckpt-run.ts',
    'core',
    'adapters',
    'detect',
    'report',
    'types of config',
    'types of ports.ts',
    'cli',
    'io',
    'ckpt-run-around.ts',
    'ckpt-run-back.ts',
    'ckpt-run-detached.ts',
  ),
  edge('ckpt-run-back.ts', 'core', 'history', 'types of run', 'io', 'ckpt-trees.ts'),
  edge('ckpt-run-detached.ts', 'detect', 'report', 'io'),
  edge('ckpt-run-around.ts', 'types of core', 'baton', 'notify', 'io'),
  edge('ckpt.ts', 'core', 'cli', 'io', 'ckpt-watch.ts', 'ckpt-trees.ts', 'ckpt-install.ts', 'package.json'),
  edge('ckpt-trees.ts', 'core', 'adapters/shared', 'types of history', 'io'),
  edge('ckpt-install.ts', 'types of install', 'io'),
  edge('keep-work.ts', 'core', 'io'),
  edge('ckpt-watch.ts', 'types of watch', 'detect', 'io', 'ckpt-doctor.ts'),
  edge('ckpt-doctor.ts', 'core', 'types of adapter', 'doctor', 'io'),
  edge('start.ts', 'ckpt-run.ts'),
  pure('adapters', 'types of adapter', 'baton', 'adapters/claude', 'adapters/codex'),
  pure('adapters/claude', 'types of core', 'types of adapter', 'types of baton', 'adapters/shared'),
  {
    ...pure('adapters/codex', 'types of core', 'types of adapter', 'types of baton', 'adapters/shared'),
    // The trust of a hook is a SHA-256: same words, same hash.
    node: ['node:crypto'],
  },
  pure('adapters/shared', 'types of baton'),
];

/** Each package has one home: a file, or a folder. */
const homes: Record<string, string> = {
  '@xterm/headless': 'src/detect/screen.ts',
  commander: 'src/cli/',
  execa: 'src/io/repository/workspace.ts',
  'node-pty': 'src/io/agent/pty.ts',
  'strip-ansi': 'src/baton/clean.ts',
  yaml: 'src/adapter/parse.ts',
  zod: 'src/baton/schema.ts',
};
const homeless: Record<string, string> = {
  'fs-native-extensions':
    'io/files/latest-lock.ts loads its prebuilt addon by path: a quarter of the time of its wrapper',
};

/** Without blanks and comments. A function is counted without the functions inside it. */
const limits = {file: 250, test: 400, function: 50, parameters: 3, filesInRoom: 12, foldersInRoom: 2};

/** What is larger, and why it may be. */
const larger: {where: string; upTo: number; why: string}[] = [
  {where: 'files in src/io/tree', upTo: 20, why: 'one file per act on the private git tree'},
  {where: 'files in adapters/shared', upTo: 14, why: 'small pure pieces that the agents have in common'},
  {where: 'files in src/baton', upTo: 36, why: 'small pure pieces of one story'},
  {where: 'files in src/cli', upTo: 24, why: 'one definition per family of commands'},
  {where: 'files in src/cli/commands/watch', upTo: 13, why: 'one file per command of those who watch'},
  {where: 'files in src/cli/commands', upTo: 26, why: 'one file per command'},
  {where: 'files in src/cli/commands/watch', upTo: 14, why: 'one file per command'},
  {where: 'files in src/practice', upTo: 15, why: 'a whole program of its own'},
  {where: 'files in src/watch', upTo: 16, why: 'one record and one wording per kind of thing that a run leaves'},
  // Older than this test: the next one who works there makes them fit.
  ...['answer in src/cli/commands/watch/completion.ts'].map((where) => ({
    where: `parameters of ${where}`,
    upTo: 5,
    why: 'owed: one named object',
  })),
];

const sources = [...filesBelow('src'), ...filesBelow('adapters')].map((path) => scan(path));
const tests = filesBelow('tests').map((path) => ({path, lines: linesOfCode(path)}));
const MEANT = 'edit the table in tests/architecture.test.ts if you meant it';

/** `src/core/cells/x.ts` → core, `src/ports.ts` → ports.ts, `adapters/claude/x.ts` → adapters/claude. */
const roomOf = (path: string): string => {
  const [top = '', second = '', third] = path.split('/');
  if (top === 'src') return second;
  return top === 'adapters' && third !== undefined ? `${top}/${second}` : top;
};

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

const importBreaches = (file: SourceFile, table: readonly Room[]): string[] => {
  const from = table.find(({room}) => room === roomOf(file.path));
  if (!from) return [`${roomOf(file.path)} is a new room. Give it a row: ${MEANT}`];
  return file.imports.flatMap(({to, typeOnly}) => {
    if (to.startsWith('node:')) {
      const fine = from.node === 'any' || from.node.includes(to);
      return fine ? [] : [`${file.path} imports ${to}. Ask for a port instead, or ${MEANT}`];
    }
    if (!/^(?:src|adapters)\/|^package\.json$/.test(to)) return [];
    const room = roomOf(to);
    if (room === from.room || from.may.includes(room) || (typeOnly && from.may.includes(`types of ${room}`))) return [];
    const what = from.may.includes(`types of ${room}`)
      ? `a value of ${room} (its types only are free)`
      : `from ${room}`;
    return [`${file.path} imports ${what}: ${to}. Move it, or ${MEANT}`];
  });
};

const packagesOf = (file: SourceFile): string[] =>
  file.imports.map(({to}) => to).filter((to) => !/^(?:node:|src\/|adapters\/|tests\/|package\.json$)/.test(to));

const insteadOf: Record<string, string> = {
  'Date.now': 'take the time from the event or the Clock port',
  'new Date()': 'take the time from the event or the Clock port',
  'Math.random': 'take chance as an argument',
  process: 'take what you need (environment, folder, pid) as an argument',
  console: 'return the words; report/ and io/ print them',
  performance: 'take the time from the event or the Clock port',
  globalThis: 'take what you need as an argument',
};

const banBreaches = (file: SourceFile, table: readonly Room[]): string[] =>
  table.find(({room}) => room === roomOf(file.path))?.pure
    ? file.globals.map(
        ({name, line}) =>
          `${file.path}:${line} uses ${name} in a pure room: ${insteadOf[name] ?? 'timers are effects, the Clock port sets them'}`,
      )
    : [];

interface Size {
  where: string;
  size: number;
  limit: number;
  advice: string;
}

const lengthsOf = (files: readonly {path: string; lines: number}[], limit: number): Size[] =>
  files.map(({path, lines}) => ({where: path, size: lines, limit, advice: 'split it by what a reader looks for'}));

const sizesOf = (files: readonly SourceFile[]): Size[] => [
  ...lengthsOf(files, limits.file),
  ...files.flatMap(({path, functions}) =>
    functions.flatMap(({name, lines, parameters, isCallback}) => [
      {where: `${name} in ${path}`, size: lines, limit: limits.function, advice: 'take a named part out of it'},
      {
        where: `parameters of ${name} in ${path}`,
        size: isCallback ? 0 : parameters,
        limit: limits.parameters,
        advice: 'take one named object',
      },
    ]),
  ),
];

const crowdsOf = (paths: readonly string[]): Size[] => {
  const inFolder = new Map<string, number>();
  for (const path of paths) {
    const folder = folderOf(path);
    inFolder.set(folder, (inFolder.get(folder) ?? 0) + 1);
  }
  return [...inFolder].map(([folder, size]) => ({
    where: `files in ${folder}`,
    size,
    limit: limits.filesInRoom,
    advice: 'make a room of those that belong together',
  }));
};

const tooLarge = (sizes: readonly Size[]): string[] =>
  sizes.flatMap(({where, size, limit, advice}) => {
    const most = larger.find((row) => row.where === where)?.upTo ?? limit;
    return size > most ? [`${where}: ${size}, at most ${most}. ${advice}; if there is a good reason, ${MEANT}`] : [];
  });

const allSizes = [...sizesOf(sources), ...lengthsOf(tests, limits.test), ...crowdsOf(sources.map(({path}) => path))];

describe('imports', () => {
  test('every file imports only from where its room may', () => {
    expect([...new Set(sources.flatMap((file) => importBreaches(file, rooms)))]).toEqual([]);
  });

  test('every row is needed', () => {
    const stale = rooms.flatMap(({room, may, node}) => {
      const files = sources.filter((file) => roomOf(file.path) === room);
      if (files.length === 0) return [`there is no ${room}: remove its row`];
      const used = new Set(
        files.flatMap((file) => file.imports.map(({to}) => (to.startsWith('node:') ? to : roomOf(to)))),
      );
      const rows = [...may.map((one) => one.replace('types of ', '')), ...(node === 'any' ? [] : node)];
      return rows.filter((one) => !used.has(one)).map((one) => `${room} imports nothing from ${one}: remove it`);
    });
    expect(stale).toEqual([]);
  });

  test('the table itself goes one way: no room is above and below another', () => {
    const above = (room: string, seen: string[]): string[] => {
      if (seen.includes(room)) return [[...seen.slice(seen.indexOf(room)), room].join(' → ')];
      const row = rooms.find((one) => one.room === room);
      return (row?.may ?? []).flatMap((one) => above(one.replace('types of ', ''), [...seen, room]));
    };
    expect([...new Set(rooms.flatMap(({room}) => above(room, [])))]).toEqual([]);
  });

  test('the rooms of io lie one way: none is above and below another', () => {
    expect(cyclesIn(ioRooms(sources))).toEqual([]);
  });

  test('no file imports itself by a detour, not even a type', () => {
    expect(cyclesIn(sources)).toEqual([]);
  });
});

/** Each room of io as if it were one file, which imports what any of its files does. */
const ioRooms = (files: readonly SourceFile[]): Importing[] => {
  const inIo = files.filter(({path}) => path.startsWith('src/io/'));
  return [...new Set(inIo.map(({path}) => folderOf(path)))].map((room) => ({
    path: room,
    imports: inIo
      .filter(({path}) => folderOf(path) === room)
      .flatMap(({imports}) => imports.map(({to}) => ({to: folderOf(to)})))
      .filter(({to}) => to !== room),
  }));
};

interface Importing {
  path: string;
  imports: {to: string}[];
}

const cyclesIn = (files: readonly Importing[]): string[] => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const visit = (path: string, way: string[]): string[] => {
    if (way.includes(path)) return [[...way.slice(way.indexOf(path)), path].join(' → ')];
    if (done.has(path)) return [];
    const found = (byPath.get(path)?.imports ?? []).flatMap(({to}) => visit(to, [...way, path]));
    done.add(path);
    return found;
  };
  return files.flatMap(({path}) => visit(path, []));
};

describe('packages', () => {
  const {dependencies} = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    dependencies: Record<string, string>;
  };

  test('each is imported at its home only', () => {
    const strays = sources.flatMap((file) =>
      packagesOf(file)
        .filter((name) => !(homes[name] && file.path.startsWith(homes[name])))
        .map((name) => `${file.path} imports ${name}, whose home is ${homes[name] ?? 'nowhere'}: ${MEANT}`),
    );
    expect(strays).toEqual([]);
  });

  test('each one in package.json has a home in which it lives, or a reason why not', () => {
    const used = new Set(sources.flatMap(packagesOf));
    expect(Object.keys(dependencies).sort()).toEqual([...Object.keys(homes), ...Object.keys(homeless)].sort());
    expect(
      Object.keys(homes).filter((name) => !used.has(name)),
      'at home nowhere: remove the row',
    ).toEqual([]);
    expect(
      Object.keys(homeless).filter((name) => used.has(name)),
      'used after all: give it a home',
    ).toEqual([]);
  });
});

describe('pure rooms', () => {
  test('have no clock, no timers, no chance, no process', () => {
    expect(sources.flatMap((file) => banBreaches(file, rooms))).toEqual([]);
  });
});

describe('sizes', () => {
  test('nothing has grown too large', () => {
    expect(tooLarge(allSizes)).toEqual([]);
  });

  test('what may be larger is', () => {
    const needed = (where: string): boolean => allSizes.some((one) => one.where === where && one.size > one.limit);
    expect(larger.filter(({where}) => !needed(where)).map(({where}) => `${where} fits again: remove its row`)).toEqual(
      [],
    );
  });

  test('every file of io is in a room of it', () => {
    expect(sources.filter(({path}) => folderOf(path) === 'src/io').map(({path}) => path)).toEqual([]);
  });

  test('rooms are not deep', () => {
    const deep = sources.filter(({path}) => path.split('/').length - 3 > limits.foldersInRoom);
    expect(deep.map(({path}) => path)).toEqual([]);
  });

  test('no default exports: a thing has one name everywhere', () => {
    expect(sources.filter(({defaultExport}) => defaultExport).map(({path}) => path)).toEqual([]);
  });
});

describe('the checks can fail', () => {
  const breaches = (path: string, text: string): string[] => {
    const file = scan(path, text);
    return [...importBreaches(file, rooms), ...banBreaches(file, rooms), ...tooLarge(sizesOf([file]))];
  };

  test.each<[what: string, path: string, text: string, says: RegExp]>([
    ['an import', 'src/core/x.ts', `import {y} from '../io/y.ts';`, /core\/x\.ts imports from io: src\/io\/y\.ts/],
    ['a type import', 'src/core/x.ts', `import type {Y} from '../baton/y.ts';`, /imports from baton/],
    ['an import on the way', 'src/run/x.ts', `const y = await import('../io/y.ts');`, /imports from io/],
    ['a type on the way', 'src/core/x.ts', `type Y = import('../io/y.ts').Y;`, /imports from io/],
    ['an export', 'src/core/x.ts', `export {y} from '../io/y.ts';`, /imports from io/],
    ['a value where types are free', 'src/detect/x.ts', `import {y} from '../adapter/y.ts';`, /a value of adapter/],
    ['one of Node’s modules', 'src/baton/x.ts', `import {readFileSync} from 'node:fs';`, /imports node:fs/],
    ['another agent', 'adapters/claude/x.ts', `import {y} from '../codex/y.ts';`, /imports from adapters\/codex/],
    ['a new room', 'src/cellar/x.ts', '', /^cellar is a new room/],
    ['the clock', 'src/core/x.ts', 'export const x = () => Date.now();', /core\/x\.ts:1 uses Date\.now in a pure room/],
    ['the time of day', 'src/report/x.ts', 'export const x = new Date();', /uses new Date\(\)/],
    ['a timer', 'src/run/x.ts', '\nsetTimeout(() => {}, 1);', /run\/x\.ts:2 uses setTimeout/],
    ['the process', 'adapters/codex/x.ts', 'const {env} = process;', /uses process/],
    ['chance', 'src/cli/x.ts', 'export const x = Math.random();', /uses Math\.random/],
    ['a long file', 'src/io/x.ts', 'f();\n'.repeat(251), /src\/io\/x\.ts: 251, at most 250/],
    [
      'a long function',
      'src/io/x.ts',
      `const x = () => {\n${'f();\n'.repeat(49)}};`,
      /x in src\/io\/x\.ts: 51, at most 50/,
    ],
    ['many parameters', 'src/io/x.ts', 'const x = (a, b, c, d) => a;', /parameters of x in .*: 4, at most 3/],
  ])('%s', (_, path, text, says) => {
    expect(breaches(path, text)).toEqual([expect.stringMatching(says)]);
  });

  test.each<[what: string, path: string, text: string]>([
    ['types where types are free', 'src/detect/x.ts', `import {type Y, type Z} from '../adapter/y.ts';`],
    ['words in a text', 'src/core/x.ts', 'export const x = `import "../io/y.ts"; Date.now(); process.exit()`;'],
    ['words in a comment', 'src/core/x.ts', '// process.exit(), Date.now()\nexport const x = 1;'],
    ['a parameter of that name', 'src/run/x.ts', 'const x = ({process}: {process: {pid: number}}) => process.pid;'],
    ['a time that was given', 'src/core/x.ts', 'export const x = (at: number) => new Date(at);'],
    ['comments and blanks', 'src/io/x.ts', '// words\n\n'.repeat(300)],
    [
      'functions inside a function',
      'src/io/x.ts',
      `const x = () => {\n${'const y = () => {\nf();\nf();\nf();\n};\n'.repeat(20)}};`,
    ],
    ['parameters that a caller chose', 'src/io/x.ts', 'on((a, b, c, d) => a);'],
  ])('%s are fine', (_, path, text) => {
    expect(breaches(path, text)).toEqual([]);
  });

  test('a cycle', () => {
    const files = [scan('src/core/a.ts', `import './b.ts';`), scan('src/core/b.ts', `import type {A} from './a.ts';`)];
    expect(cyclesIn(files)).toEqual(['src/core/a.ts → src/core/b.ts → src/core/a.ts']);
  });

  test('rooms of io that import each other, though no two of their files do', () => {
    const files = [
      scan('src/io/a/x.ts', `import '../b/x.ts';`),
      scan('src/io/a/y.ts', `import './x.ts';`),
      scan('src/io/b/x.ts', ''),
      scan('src/io/b/y.ts', `import type {Y} from '../a/y.ts';`),
    ];
    expect(cyclesIn(files)).toEqual([]);
    expect(cyclesIn(ioRooms(files))).toEqual(['src/io/a → src/io/b → src/io/a']);
  });

  test('a package that is asked for at run time is seen', () => {
    const file = scan('src/core/x.ts', `createRequire(import.meta.url)('node-pty'); require('@a/b/c');`);
    expect(packagesOf(file)).toEqual(['node-pty', '@a/b']);
  });
});
