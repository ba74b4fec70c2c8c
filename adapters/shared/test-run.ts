// Was this command a test run, and did the tests pass? The exit status counts only where it is the test's own: agents
// write `npm test 2>&1 | tail`, and that ends with the status of `tail`. Then the runner's own summary is asked.

import {type SimpleCommand, simpleCommands} from './shell-words.ts';
import {summaryOf} from './test-summary.ts';

export interface Ended {
  command: string;
  failed: boolean;
  output: string;
}

/** Undefined: no test run. */
export const testOutcome = ({command, failed, output}: Ended): 'passed' | 'failed' | 'unknown' | undefined => {
  const commands = simpleCommands(command);
  const at = commands.findLastIndex(({words}) => isTest(words));
  if (at < 0) return undefined;
  switch (whoseStatus(command, commands, at)) {
    case 'its own':
      return failed ? 'failed' : 'passed';
    case 'its own if good':
      return failed ? (summaryOf(output) ?? 'failed') : 'passed';
    case "another's":
      return summaryOf(output) ?? 'unknown';
  }
};

/** A build, a lint, a type check: like a test it fails until the work is done, so its failures are no dead ends. */
export const isCheck = (command: string): boolean =>
  simpleCommands(command).some(({words}) => checks.test(words.map(nameOf).join(' ')));

const checks =
  /(?:^|\s)(?:(?:npm|pnpm|yarn|bun)(?: run)? \S*(?:build|lint|check|compile|types?|format)\S*|tsc|eslint|biome|oxlint|prettier|ruff|mypy|pyright|flake8|pylint|black|cargo (?:build|check|clippy|fmt)|go (?:build|vet)|golangci-lint|mvn .*(?:compile|package|install)|gradle .*(?:build|assemble|compile)|make|cmake|ninja|dotnet build|docker build|webpack|vite build|rollup|esbuild|gcc|g\+\+|clang|rustc|javac|swiftc|shellcheck)(?:\s|$)/;

export const isTestCommand = (command: string): boolean => simpleCommands(command).some(({words}) => isTest(words));

const whoseStatus = (
  command: string,
  commands: SimpleCommand[],
  at: number,
): 'its own' | 'its own if good' | "another's" => {
  if (/(?:^|[\s;])(?:if|while|until|for)\s/.test(command)) return "another's";
  // Skipped when what came before `||` went well.
  if (commands[at - 1]?.joint === '||' || commands[at]?.joint === '&') return "another's";
  const behind = commands.slice(at, -1).map(({joint}) => joint);
  if (behind.length === 0) return 'its own';
  if (behind.every((joint) => joint === '|') && /\bpipefail\b/.test(command)) return 'its own';
  return behind.every((joint) => joint === '&&') ? 'its own if good' : "another's";
};

const programs =
  /^(?:vitest|jest|mocha|ava|tap|jasmine|karma|cypress|pytest|py\.test|nosetests|tox|nox|rspec|minitest|phpunit|pest|ctest|bats|prove|gotestsum|cargo-nextest|behave|cucumber|testcafe|nightwatch|uvu|lit|kaocha|busted)$/;

/** program → what its next words must be; joined by blanks. */
const subcommands: Record<string, RegExp> = {
  npm: /^(?:-\S+ (?:\w\S* )??)*(?:t|tst|test|run(?:-script)? test\S*)(?: |$)/,
  pnpm: /^(?:-\S+ (?:\w\S* )??)*(?:t|test|run test\S*|test:\S+)(?: |$)/,
  yarn: /^(?:workspace \S+ )?(?:run )?test\S*(?: |$)/,
  bun: /^(?:run )?test\S*(?: |$)/,
  deno: /^(?:test|task test\S*)(?: |$)/,
  node: /^(?:\S+ )*--test(?:[ =]|$)/,
  tsx: /^(?:\S+ )*--test(?:[ =]|$)/,
  python: /^-m (?:pytest|unittest|nose2?|tox|nox|django test)(?: |$)|^(?:\S*\/)?(?:manage\.py|setup\.py) test(?: |$)/,
  django: /^test(?: |$)/,
  go: /^test(?: |$)/,
  cargo: /^(?:\+\S+ )?(?:test|t|nextest)(?: |$)/,
  mvn: /(?:^| )(?:test|verify|integration-test|surefire:test|failsafe:\S+)(?: |$)/,
  gradle: /(?:^| )(?::?\S*:)?(?:test|check|connectedAndroidTest|integrationTest)\S*(?: |$)/,
  dotnet: /^test(?: |$)/,
  make: /(?:^| )(?:test|tests|check|unittest|test-\S+|test\/\S+|\S+-tests?)(?: |$)/,
  just: /^(?:test|tests|check)\S*(?: |$)/,
  task: /^(?:test|tests)\S*(?: |$)/,
  rake: /^(?:test|spec)\S*(?: |$)/,
  rails: /^test\S*(?: |$)/,
  composer: /^(?:run |run-script )?test\S*(?: |$)/,
  artisan: /^test(?: |$)/,
  swift: /^test(?: |$)/,
  xcodebuild: /(?:^| )test\S*(?: |$)/,
  flutter: /^test(?: |$)/,
  dart: /^(?:run )?test(?: |$)/,
  mix: /^test\S*(?: |$)/,
  sbt: /(?:^| )(?:\S+\/)?(?:test|testOnly|testQuick)(?: |$)/,
  lein: /^test(?: |$)/,
  stack: /^test(?: |$)/,
  cabal: /^(?:v2-)?test(?: |$)/,
  zig: /^(?:build )?test(?: |$)/,
  bazel: /^(?:\S+ )*(?:test|coverage)(?: |$)/,
  buck2: /^test(?: |$)/,
  nx: /^(?:test|run \S+:test|run-many (?:.* )?(?:-t|--targets?)[ =]test|affected (?:.* )?(?:-t|--targets?)[ =]test)(?: |$)/,
  turbo: /^(?:run )?test\S*(?: |$)/,
  lerna: /^run test\S*(?: |$)/,
  playwright: /^test(?: |$)/,
  ng: /^test(?: |$)/,
  'react-scripts': /^test(?: |$)/,
  meson: /^test(?: |$)/,
  R: /^CMD check(?: |$)/,
  forge: /^test(?: |$)/,
  hardhat: /^test(?: |$)/,
};

const otherNames: Record<string, string> = {
  python3: 'python',
  py: 'python',
  gradlew: 'gradle',
  mvnw: 'mvn',
  gmake: 'make',
  bazelisk: 'bazel',
  yarnpkg: 'yarn',
};

/** How many programs may start one another before nobody cares any more. */
const DEPTH = 4;
const WORDS = 60;

const isTest = (all: string[], depth = 0): boolean => {
  const words = all.slice(0, WORDS);
  // With nothing but a question to the program no test runs.
  if (words.some((word) => /^(?:--version|--help|--collect-only|--listTests|--list)$/.test(word))) return false;
  const [first = '', ...rest] = words;
  const name = nameOf(first);
  if (programs.test(name)) return !/^(?:list|init)\b/.test(rest[0] ?? '');
  if (subcommands[name]?.test(rest.join(' ')) || scripts.test(name)) return true;
  return depth < DEPTH && carriedBy(words).some((carried) => isTest(carried, depth + 1));
};

/** `./run_tests.sh`, `scripts/test.py` */
const scripts = /^(?:run[_-]?)?(?:unit[_-]?|all[_-]?)?tests?\.(?:sh|py|js|mjs|cjs|ts|rb|pl)$/;

/** `/usr/bin/python3.12` is `python`. */
const nameOf = (word: string): string => {
  const base = word.replace(/^.*\//, '').replace(/\.(?:exe|cmd|bat)$/i, '');
  const plain = /^python3\.\d+$/.test(base) ? 'python' : base;
  return otherNames[plain] ?? plain;
};

const starters = /^(?:sudo|time|env|command|exec|nice|npx|bunx|pnpx|xvfb-run|timeout|cross-env)$/;
const runners = /^(?:npm|pnpm|yarn|bun|bundle|poetry|pipenv|uv|hatch|rye|pdm|mise|direnv|nix|devbox)$/;
const interpreters = /^(?:bash|sh|node|tsx|ts-node|python|ruby|perl|php)$/;

/** What is started by a program that only starts others (`sudo`, `npx`, `poetry run`, `docker compose exec web`). */
const carriedBy = (words: string[]): string[][] => {
  const [first = '', second = '', third = ''] = words;
  const name = nameOf(first);
  if (starters.test(name)) return [afterOptions(words.slice(1))];
  if (runners.test(name) && /^(?:exec|run|dlx|x)$/.test(second)) return [afterOptions(words.slice(2))];
  if (interpreters.test(name) && words.length > 1) return [afterOptions(words.slice(1))];
  const isBox = /^(?:docker|podman|docker-compose|kubectl)$/.test(name);
  if (isBox && /^(?:run|exec)$/.test(second === 'compose' ? third : second)) {
    // Its options have values and the box has a name: the program is one of the words behind.
    return words.slice(3, 9).map((_, at) => words.slice(3 + at));
  }
  return [];
};

/** Without the options, durations and assignments in front. */
const afterOptions = (words: string[]): string[] => {
  const at = words.findIndex((word) => !/^(?:-|\d+[smh]?$|[A-Za-z_]\w*=)/.test(word));
  return at < 0 ? [] : words.slice(at);
};
