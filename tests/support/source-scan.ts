// Reads the sources of the house with a real parser: what each file imports, how long its functions are, what it touches
// that is not its own. For tests/architecture.test.ts.

import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join, normalize} from 'node:path/posix';
import {fileURLToPath} from 'node:url';
import {parseSync} from 'rolldown/utils';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Import {
  /** A path from the root, a package's name, or `node:…`. */
  to: string;
  typeOnly: boolean;
}

export interface FunctionSize {
  name: string;
  line: number;
  /** Lines of code, without those of the functions inside it. */
  lines: number;
  parameters: number;
  /** Written as an argument of a call: who calls it decides about its parameters. */
  isCallback: boolean;
}

export interface SourceFile {
  path: string;
  imports: Import[];
  functions: FunctionSize[];
  /** Globals by the name under which they are reached: `Date.now`, `process`, `setTimeout`, `new Date()`. */
  globals: {name: string; line: number}[];
  /** Lines that hold code: neither blank nor only a comment. */
  lines: number;
  defaultExport: boolean;
}

/** All TypeScript files below a folder, by their path from the root. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`)
    .sort();

/** Lines that hold code, for files of which nothing else is asked. */
export const linesOfCode = (path: string): number => {
  const text = readFileSync(join(root, path), 'utf8');
  return codeLines(text, parseSync(path, text).comments).size;
};

export const scan = (path: string, text = readFileSync(join(root, path), 'utf8')): SourceFile => {
  const {program, comments, errors} = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const code = codeLines(text, comments);
  const found: SourceFile = {path, imports: [], functions: [], globals: [], lines: 0, defaultExport: false};
  const lineAt = lineFinder(text);
  const linesIn = (node: Node): number[] =>
    range(lineAt(node.start), lineAt(node.end)).filter((line) => code.has(line));
  walk(program as unknown as Node, (node, inside, isBound) => {
    found.imports.push(...importsOf(node, path));
    const global = globalOf(node);
    if (global !== undefined && !isBound(global.split('.')[0] ?? '')) {
      found.globals.push({name: global, line: lineAt(node.start)});
    }
    if (node.type === 'ExportDefaultDeclaration') found.defaultExport = true;
    if (isFunction(node)) {
      const inner = new Set(functionsDirectlyIn(node).flatMap((one) => linesIn(one).slice(1, -1)));
      found.functions.push({
        name: nameOf(node, inside),
        line: lineAt(node.start),
        lines: linesIn(node).filter((line) => !inner.has(line)).length,
        parameters: list(node.params).length,
        isCallback: inside?.type === 'CallExpression' || inside?.type === 'NewExpression',
      });
    }
  });
  found.lines = code.size;
  return found;
};

interface Node {
  type: string;
  start: number;
  end: number;
  // biome-ignore lint/suspicious/noExplicitAny: a syntax tree has some two hundred shapes, and this walks through them all
  [field: string]: any;
}

const lineFinder = (text: string): ((place: number) => number) => {
  const lineOf = new Uint32Array(text.length + 1);
  for (let place = 0, line = 1; place <= text.length; place += 1) {
    lineOf[place] = line;
    if (text.charAt(place) === '\n') line += 1;
  }
  return (place) => lineOf[place] ?? 1;
};

const range = (from: number, to: number): number[] => Array.from({length: to - from + 1}, (_, n) => from + n);

const list = (value: unknown): Node[] => (Array.isArray(value) ? value : []);

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && typeof value.type === 'string');

type Visit = (node: Node, inside: Node | undefined, isBound: (name: string) => boolean) => void;

/** `scopes`: the names that each function around gives, so that a parameter called `process` is not taken for Node's. */
const walk = (node: Node, visit: Visit, around: {inside?: Node; scopes: Set<string>[]} = {scopes: []}): void => {
  const opens = isFunction(node) || node.type === 'Program';
  const scopes = opens ? [...around.scopes, new Set(namesGivenBy(node))] : around.scopes;
  visit(node, around.inside, (name) => scopes.some((names) => names.has(name)));
  for (const child of childrenOf(node)) walk(child, visit, {inside: node, scopes});
};

/** Parameters, variables, functions and imports; not those of the functions inside. */
const namesGivenBy = (scope: Node): string[] => {
  const below = (node: Node): string[] => [
    ...boundBy(node),
    ...(isFunction(node) ? [] : childrenOf(node).flatMap(below)),
  ];
  return [...boundBy(scope), ...childrenOf(scope).flatMap(below)];
};

const codeLines = (text: string, comments: readonly {start: number; end: number}[]): Set<number> => {
  let bare = text;
  for (const {start, end} of comments) {
    bare = bare.slice(0, start) + bare.slice(start, end).replace(/[^\n]/g, ' ') + bare.slice(end);
  }
  return new Set(bare.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [at + 1])));
};

const importsOf = (node: Node, from: string): Import[] => {
  const source = sourceOf(node);
  if (typeof source !== 'string') return [];
  const to = source.startsWith('.') ? normalize(join(dirname(from), source)) : packageOf(source);
  const named = list(node.specifiers);
  const eachIsType = named.length > 0 && named.every((one) => one.importKind === 'type' || one.exportKind === 'type');
  return [{to, typeOnly: node.importKind === 'type' || node.exportKind === 'type' || eachIsType}];
};

const sourceOf = (node: Node): unknown => {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
      return node.source?.value;
    case 'TSImportType':
      return node.source?.value ?? node.argument?.literal?.value;
    case 'CallExpression': {
      // createRequire(import.meta.url)('x'), require('x')
      const required = node.callee.name === 'require' || node.callee.callee?.name === 'createRequire';
      return required ? node.arguments[0]?.value : undefined;
    }
    default:
      return undefined;
  }
};

/** `yaml/util` → `yaml`, `@a/b/c` → `@a/b`; `node:fs/promises` stays. */
const packageOf = (source: string): string =>
  source.startsWith('node:')
    ? source
    : source
        .split('/')
        .slice(0, source.startsWith('@') ? 2 : 1)
        .join('/');

const isFunction = ({type}: Node): boolean =>
  type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'FunctionDeclaration';

const functionsDirectlyIn = (node: Node): Node[] =>
  childrenOf(node).flatMap((child) => (isFunction(child) ? [child] : functionsDirectlyIn(child)));

const nameOf = (node: Node, inside: Node | undefined): string =>
  node.id?.name ?? inside?.id?.name ?? inside?.key?.name ?? 'a function';

const boundBy = (node: Node): string[] => {
  const names = (pattern: Node | undefined): string[] => {
    if (!pattern) return [];
    if (pattern.type === 'Identifier') return [pattern.name];
    return [...list(pattern.properties), ...list(pattern.elements)].flatMap((one) =>
      names(one?.value ?? one?.left ?? one?.argument ?? one),
    );
  };
  if (node.type === 'VariableDeclarator') return names(node.id);
  if (/^Import\w*Specifier$/.test(node.type)) return names(node.local);
  return isFunction(node) ? list(node.params).flatMap(names) : [];
};

const watched = /^(?:process|console|performance|fetch|globalThis)$/;
const timers = /^(?:setTimeout|setInterval|setImmediate|queueMicrotask|fetch)$/;

const globalOf = (node: Node): string | undefined => {
  if (node.type === 'NewExpression' && node.callee.name === 'Date') {
    return list(node.arguments).length === 0 ? 'new Date()' : undefined;
  }
  if (node.type === 'CallExpression' && timers.test(node.callee.name ?? '')) return node.callee.name;
  // `const {env} = process`
  if (node.type === 'VariableDeclarator' && watched.test(node.init?.name ?? '')) return node.init.name;
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return undefined;
  const whole = `${node.object.name}.${node.property.name}`;
  if (whole === 'Date.now' || whole === 'Math.random') return whole;
  return watched.test(node.object.name) ? node.object.name : undefined;
};
