// The small projects that the jobs work on. Their tools print what the real ones print, and end as they end.

const program = (body: string): string => `#!/bin/sh\n${body}\n`;

/** \`npm test\` is green once the parser trims. */
export const javascript: Record<string, string> = {
  'package.json': `${JSON.stringify({name: 'billing', version: '1.0.0', scripts: {test: 'node test.js', build: 'node build.js', lint: 'node -e "process.exit(0)"'}}, undefined, 2)}\n`,
  'src/parser.js': 'exports.parse = (text) => text.split(",");\n',
  'src/ledger.js': 'exports.total = (rows) => rows.length;\n',
  'build.js': "console.log('built 3 modules');\n",
  'test.js': `const {readFileSync} = require('node:fs');
const green = readFileSync('src/parser.js', 'utf8').includes('trim');
console.log(green ? ' ✓ test/parser.test.js (3 tests)' : ' FAIL  test/parser.test.js > trims the fields');
console.log(green ? ' Test Files  1 passed (1)\\n      Tests  3 passed (3)' : ' Test Files  1 failed (1)\\n      Tests  1 failed | 2 passed (3)');
process.exit(green ? 0 : 1);
`,
  'deploy.sh': program('echo "deploying $1"\nsleep 97\necho deployed'),
  'server.js': "setTimeout(() => {}, 600_000);\nconsole.log('listening on 5173');\n",
  'docs/notes.md': '# Notes\n\nThe fields come with blanks around them.\n',
};

/** `pytest` is green once the rounding is there. */
export const python: Record<string, string> = {
  'app/money.py': 'def total(rows):\n    return sum(rows)\n',
  'tests/test_money.py': 'from app.money import total\n\n\ndef test_total():\n    assert total([0.1, 0.2]) == 0.3\n',
  'requirements.txt': 'pytest==8.3.3\n',
  'tools/pytest': program(
    `if grep -q round app/money.py; then
  printf '..                                                        [100%%]\\n2 passed in 0.02s\\n'
else
  printf 'F.                                                        [100%%]\\nE       assert 0.30000000000000004 == 0.3\\nFAILED tests/test_money.py::test_total\\n1 failed, 1 passed in 0.03s\\n'
  exit 1
fi`,
  ),
  'tools/pip': program(
    'echo "ERROR: Could not find a version that satisfies the requirement $2"\necho "ERROR: No matching distribution found for $2"\nexit 1',
  ),
};

export const golang: Record<string, string> = {
  'go.mod': 'module example/shop\n\ngo 1.23\n',
  'cart.go': 'package shop\n\nfunc Sum(prices []int) int {\n\treturn 0\n}\n',
  'tools/go': program(
    `if grep -q range cart.go; then
  printf 'ok  \\texample/shop\\t0.004s\\n'
else
  printf -- '--- FAIL: TestSum (0.00s)\\n    cart_test.go:9: got 0, want 6\\nFAIL\\nFAIL\\texample/shop\\t0.003s\\nFAIL\\n'
  exit 1
fi`,
  ),
};

export const rust: Record<string, string> = {
  'Cargo.toml': '[package]\nname = "clock"\nversion = "0.1.0"\nedition = "2021"\n',
  'src/lib.rs': 'pub fn next(hour: u8) -> u8 {\n    hour + 1\n}\n',
  'tools/cargo': program(
    `case "$1" in
  build) echo '    Finished dev profile in 0.5s' ;;
  *) if grep -q '% 24' src/lib.rs; then
    printf 'running 2 tests\\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured\\n'
  else
    printf 'running 2 tests\\ntest wraps ... FAILED\\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured\\nerror: test failed, to rerun pass --lib\\n'
    exit 101
  fi ;;
esac`,
  ),
};
