// YAML text → Adapter. Every refusal names file, line, what is wrong and what to write instead.

import {isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument} from 'yaml';
import {signalTypes} from '../core/events.ts';
import {fail, ok, type Result} from '../core/failure.ts';
import type {Adapter, ArgvTable, ScreenRule, StopStep} from './adapter.ts';
import {type Field, FieldError, MapReader} from './yaml-fields.ts';

export const parseAdapter = (text: string, file: string): Result<Adapter> =>
  readYaml(text, file, (field) => readAdapter(field, file));

/** For any YAML file that people write: ckpt.yaml too. `read` refuses by throwing a FieldError. */
export const readYaml = <T>(text: string, file: string, read: (field: Field) => T): Result<T> => {
  const lines = new LineCounter();
  const document = parseDocument(text, {lineCounter: lines, prettyErrors: false});
  const [bad] = [...document.errors, ...document.warnings];
  if (bad) {
    const line = lines.linePos(bad.pos[0]).line;
    return fail({is: 'bad-config', file, line, what: bad.message, fix: 'mend the YAML at this line'});
  }
  try {
    const lineOf = (at: number | undefined) => (at === undefined ? 1 : Math.max(1, lines.linePos(at).line));
    return ok(read(toField(document.contents, lineOf, 0)));
  } catch (error) {
    if (error instanceof FieldError) return fail(error.in(file));
    throw error;
  }
};

const topKeys = [
  'name',
  'code',
  'binary',
  'argv',
  'first-prompt',
  'session-id',
  'env',
  'ready',
  'compaction',
  'limit',
  'stop',
  'exit',
  'screen',
];

const readAdapter = (field: Field, file: string): Adapter => {
  const top = new MapReader(field, '', topKeys);
  const binary = top.map('binary', ['names', 'version-args', 'tested', 'install', 'native']);
  const prompt = top.map('first-prompt', ['args', 'max-bytes']);
  const env = top.has('env') ? top.map('env', ['scrub', 'set']) : undefined;
  const ready = top.has('ready') ? top.map('ready', ['after-ms']) : undefined;
  const stop = top.map('stop', ['terminal', 'pipes']);
  const exit = top.map('exit', ['clean', 'killed']);
  return {
    name: readName(top),
    code: top.has('code') ? top.text('code') : 'none',
    file,
    binary: {
      names: binary.texts('names'),
      versionArgs: binary.texts('version-args'),
      tested: binary.texts('tested'),
      install: binary.text('install'),
      native: binary.record('native'),
    },
    argv: readArgv(top),
    firstPrompt: {args: readPromptArgs(prompt), maxBytes: prompt.count('max-bytes')},
    sessionId: top.has('session-id') ? top.texts('session-id') : undefined,
    env: {scrub: env?.texts('scrub') ?? [], set: env?.record('set') ?? {}},
    ready: {afterMs: ready?.count('after-ms')},
    compaction: {
      whenHeld: top.has('compaction')
        ? top.map('compaction', ['when-held']).word('when-held', ['stop', 'veto'])
        : 'veto',
    },
    limit: {wakesWithinMs: top.has('limit') ? top.map('limit', ['wakes-within-ms']).count('wakes-within-ms') : 0},
    stop: {terminal: stop.items('terminal').map(readStop), pipes: stop.items('pipes').map(readStop)},
    exit: {clean: exit.counts('clean'), killed: exit.counts('killed')},
    screen: top.items('screen').map(readRule),
  };
};

const readName = (top: MapReader): string => {
  const name = top.text('name');
  if (!/^[a-z0-9][a-z0-9._-]*$/i.test(name)) throw top.wrong('name', 'letters, digits, dots and dashes');
  return name;
};

const argvKeys = [
  'value',
  'optional-value',
  'variadic',
  'plain',
  'pass-words',
  'pass-flags',
  'headless',
  'keep-words',
  'drop-words',
  'latest',
  'drop-flags',
  'opaque',
  'stream',
];

const readArgv = (top: MapReader): ArgvTable => {
  const argv = top.map('argv', argvKeys);
  return {
    value: argv.texts('value'),
    optionalValue: argv.texts('optional-value'),
    variadic: argv.texts('variadic'),
    plain: argv.texts('plain'),
    passWords: argv.texts('pass-words'),
    passFlags: argv.texts('pass-flags'),
    headless: argv.texts('headless'),
    keepWords: argv.texts('keep-words'),
    dropWords: argv.texts('drop-words'),
    latest: argv.texts('latest'),
    dropFlags: argv.texts('drop-flags'),
    opaque: argv.has('opaque') && argv.flag('opaque'),
    stream: argv.items('stream').map((item) => {
      const choice = new MapReader(item, 'argv.stream', ['flag', 'values']);
      return {flag: choice.text('flag'), values: choice.texts('values')};
    }),
  };
};

const readPromptArgs = (prompt: MapReader): string[] => {
  const args = prompt.texts('args');
  if (args.filter((arg) => arg.includes('{prompt}')).length !== 1) {
    throw prompt.wrong('args', 'a list in which exactly one item holds {prompt}');
  }
  return args;
};

const keys: Record<string, string> = {'ctrl-c': '\x03', 'ctrl-d': '\x04', escape: '\x1b', enter: '\r'};

const readStop = (field: Field): StopStep => {
  const step = new MapReader(field, 'stop step', ['key', 'signal', 'wait-ms']);
  const waitMs = step.count('wait-ms');
  if (!step.has('key')) {
    return {waitMs, signal: step.word('signal', ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'])};
  }
  const key = keys[step.text('key')];
  if (key === undefined) throw step.wrong('key', `one of: ${Object.keys(keys).join(', ')}`);
  return {waitMs, key};
};

const readRule = (field: Field): ScreenRule => {
  const rule = new MapReader(field, 'screen rule', ['signal', 'on', 'pattern']);
  const source = rule.text('pattern');
  const signal = rule.word('signal', signalTypes);
  const on = rule.word('on', ['screen', 'title', 'osc']);
  try {
    return {signal, on, pattern: new RegExp(source, 'mu')};
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new FieldError(rule.line('pattern'), why, 'write a JavaScript regular expression in single quotes');
  }
};

/** The yaml library's nodes as our own: only maps, lists and scalars, each with its line. */
const toField = (node: unknown, lineOf: (at: number | undefined) => number, fallback: number): Field => {
  if (isMap(node)) {
    const line = lineOf(node.range?.[0] ?? fallback);
    const entries = new Map<string, {line: number; value: Field}>();
    for (const {key, value} of node.items) {
      const at = isScalar(key) ? (key.range?.[0] ?? fallback) : fallback;
      entries.set(String(isScalar(key) ? key.value : key), {line: lineOf(at), value: toField(value, lineOf, at)});
    }
    return {is: 'map', line, entries};
  }
  if (isSeq(node)) {
    const at = node.range?.[0] ?? fallback;
    return {is: 'list', line: lineOf(at), items: node.items.map((item) => toField(item, lineOf, at))};
  }
  if (isAlias(node)) throw new FieldError(lineOf(node.range?.[0]), 'aliases (*name) are not read', 'write it out');
  if (isScalar(node)) return {is: 'scalar', line: lineOf(node.range?.[0] ?? fallback), value: node.value};
  return {is: 'scalar', line: lineOf(fallback), value: node};
};
