/** `20.19.0` against `20.9.1`: by numbers. What is behind a dash counts less than nothing behind it (SemVer §11). */
export const compareVersions = (a: string, b: string): number => {
  const [left, right] = [parts(a), parts(b)];
  for (const [at, number] of left.numbers.entries()) {
    const other = right.numbers[at] ?? 0;
    if (number !== other) return number - other;
  }
  if (left.before === right.before) return 0;
  if (left.before === '') return 1;
  return right.before === '' || left.before > right.before ? (right.before === '' ? -1 : 1) : -1;
};

const parts = (version: string): {numbers: number[]; before: string} => {
  const [core = '', before = ''] = version.replace(/^v/, '').split(/-(.*)/s);
  const numbers = core.split('.').map((part) => Number.parseInt(part, 10) || 0);
  return {numbers: [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0], before};
};

/** The first thing that looks like a version in what `--version` printed. */
export const versionIn = (text: string): string | undefined => /\b\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(text)?.[0];
