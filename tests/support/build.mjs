// Builds dist/: one entry per program, shared code split off, packages loaded only when needed. `ckpt`, which agents call
// all day, is one script, with its compiled form beside it (src/io/self/quick-start.ts): each module more costs it a millisecond.
// What it loads only at need lies in dist/lazy/.
// Made beside and moved: whoever runs the old one meanwhile loses nothing for long.

import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join, relative, resolve, sep} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
rmSync('dist.new', {recursive: true, force: true});

const common = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  outdir: 'dist.new',
  external: ['node-pty', 'fs-native-extensions'],
  logLevel: 'warning',
};
/** For the packages that were written for `require`. */
const banner = {js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);"};

/** Source file → its name under dist/, for each that `ckpt` imports dynamically. */
const lazy = new Map();

const lazyOnes = {
  name: 'lazy-ones',
  setup: ({onResolve}) => {
    onResolve({filter: /^\./}, ({kind, path, resolveDir}) => {
      if (kind !== 'dynamic-import') return undefined;
      const source = resolve(resolveDir, path);
      const name = `lazy/${relative('src', source).split(sep).join('-').replace(/\.ts$/, '')}`;
      lazy.set(source, name);
      return {path: `./${name}.js`, external: true};
    });
  },
};

/** Node's own modules, each loaded when a function of it is first called: an import loads all of it, and wraps all of it. */
const builtins = {
  name: 'builtins',
  setup: ({onResolve, onLoad}) => {
    onResolve({filter: /^node:/}, ({path}) => ({path, namespace: 'builtin', sideEffects: false}));
    onLoad({filter: /.*/, namespace: 'builtin'}, async ({path}) => {
      const found = Object.entries(await import(path)).filter(([name]) => name !== 'default');
      const lines = found.map(([name, value]) =>
        typeof value === 'function' && /^[a-z]/.test(name)
          ? `export const ${name} = (...args) => it().${name}(...args);`
          : `export const ${name} = /* @__PURE__ */ (() => it().${name})();`,
      );
      return {contents: [`const it = () => process.getBuiltinModule(${JSON.stringify(path)});`, ...lines].join('\n')};
    });
  },
};

// Names stay: what it says when it fails should be readable.
const script = {...common, format: 'cjs', minifyWhitespace: true, minifySyntax: true};
await build({
  ...{...script, entryPoints: {'ckpt.script': 'src/ckpt.ts'}, plugins: [lazyOnes, builtins]},
  define: {'import.meta.filename': 'program'},
  ...{banner: {js: '(function(program,load){'}, footer: {js: '})'}},
});
const file = 'dist.new/ckpt.script.js';
const code = readFileSync(file, 'utf8').replaceAll('import("./lazy/', 'load("./lazy/');
// In regular expressions esbuild leaves them as they are.
const escaped = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
writeFileSync(file, code.replace(/[^\0-\x7f]/g, escaped));
await build({
  ...{...script, entryPoints: {ckpt: 'src/io/self/quick-start.ts'}, plugins: [builtins], outExtension: {'.js': '.cjs'}},
  define: {'import.meta.filename': '__filename'},
});

// The run is one file too, with what it loads at need inside: its parts share what they remember, so they must be there once.
await build({
  ...{...common, banner, entryPoints: {'ckpt-run': 'src/ckpt-run.ts'}},
  ...{minifyWhitespace: true, minifySyntax: true},
});

const programs = ['src/keep-work.ts', 'src/start.ts', 'src/practice/practice.ts', 'tests/bench/bench.ts'];
await build({
  ...common,
  banner,
  entryPoints: [
    ...programs.filter((file) => existsSync(file)).map((file) => ({in: file, out: nameOf(file)})),
    ...[...lazy].map(([source, out]) => ({in: source, out})),
  ],
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
});

for (const name of ['ckpt-run.js', 'ckpt.cjs', 'practice.js']) chmodSync(join('dist.new', name), 0o755);
execFileSync(process.execPath, ['tests/support/compile-ckpt.cjs', 'dist.new'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
rmSync('dist', {recursive: true, force: true});
renameSync('dist.new', 'dist');

function nameOf(file) {
  return relative(dirname(file), file).replace(/\.ts$/, '');
}
