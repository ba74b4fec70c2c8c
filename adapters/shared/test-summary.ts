// The last lines of a test run, in the words of the runners. Asked only when the exit status does not tell.

/** How much of the end is looked at: a summary is short and stands last. */
const MAX_CHARS = 6000;
const MAX_LINES = 40;

export const summaryOf = (output: string): 'passed' | 'failed' | undefined => {
  const lines = output
    .slice(-MAX_CHARS)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours stand between the words
    .replace(/\u001b\[[\d;]*m/g, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(-MAX_LINES);
  if (lines.some((line) => failing.some((pattern) => pattern.test(line)))) return 'failed';
  return lines.some((line) => passing.some((pattern) => pattern.test(line))) ? 'passed' : undefined;
};

const failing = [
  // vitest, jest, playwright, pytest, mocha, deno, bun, nextest: a count of failures that is not 0
  /^\s*(?:Test Files|Tests|Test Suites|Snapshots)[:\s].*\b[1-9]\d* failed\b/,
  /^=*\s*(?:\d+ \w+, )*[1-9]\d* (?:failed|errors?)\b.* in [\d.]+ ?m?s/,
  /^\s*[1-9]\d* (?:failing|failed|fail)(?:\s*\(.*\))?$/,
  /^(?:FAILED|error) \| .*[1-9]\d* failed/,
  /^\s*Summary \[.*\b[1-9]\d* failed/,
  // node --test and tap
  /^(?:#|ℹ) fail\s+[1-9]/,
  // go
  /^(?:FAIL(?:\s|$)|--- FAIL:)/,
  // cargo
  /^test result: FAILED|^error: (?:\d+ )?(?:test|doctest|target)s? failed/,
  // maven, gradle
  /\bBUILD (?:FAILURE|FAILED)\b|Tests run: \d+, Failures: (?:[1-9]|\d+, Errors: [1-9])/,
  // unittest, rspec, minitest, exunit, bats, swift
  /^FAILED \((?:failures|errors)=/,
  /^\d+ (?:examples?|tests?|runs|specs?|scenarios?)\b.*\b[1-9]\d* (?:failures?|errors?|failed)\b/,
  /Executed \d+ tests?, with [1-9]\d* failures?/,
  // phpunit, dotnet, ctest
  /^(?:FAILURES|ERRORS)!/,
  /^Tests:.*\b(?:Failures|Errors): [1-9]/,
  /^(?:Failed! {2}- |Test Run Failed)/,
  /\b[1-9]\d* tests? failed out of \d+/,
];

const passing = [
  /^\s*(?:Test Files|Tests|Test Suites)[:\s].*\b\d+ passed\b/,
  /^=*\s*(?:\d+ \w+, )*\d+ passed\b.* in [\d.]+ ?m?s/,
  /^\s*\d+ (?:passing|passed|pass)(?:\s*\(.*\))?$/,
  /^ok \| \d+ passed/,
  /^\s*Summary \[.*\b\d+ passed/,
  /^(?:#|ℹ) fail\s+0$/,
  /^ok {2,}?\t?\S+|^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/,
  /^PASS$/,
  /^test result: ok\./,
  /\bBUILD SUCCESS(?:FUL)?\b|Tests run: \d+, Failures: 0, Errors: 0/,
  /^OK(?: \(.*\))?$/,
  /^\d+ (?:examples?|tests?|runs|specs?)\b.*\b0 failures?\b/,
  /Executed \d+ tests?, with 0 failures/,
  /^Passed! {2}- /,
  /\b100% tests passed/,
];
