import {clean, oneLine} from '../baton/clean.ts';
import type {Finding} from './findings.ts';

const signs = {good: '✓', note: '!', bad: '✗'} as const;

/** One line each; below those that want something, what to do. */
export const findingsText = (all: Finding[]): string => {
  const width = Math.max(...all.map(({about}) => about.length)) + 2;
  const lines = all.flatMap((finding) => [
    `${signs[finding.is]} ${finding.about.padEnd(width)}${oneLine(finding.words)}`,
    ...(finding.is === 'good' || finding.fix === '' ? [] : [`  ${' '.repeat(width)}→ ${clean(finding.fix)}`]),
  ]);
  const bad = all.filter(({is}) => is === 'bad').length;
  const notes = all.filter(({is}) => is === 'note').length;
  const end = bad === 0 ? `In order${notes === 0 ? '' : `; ${notes} to know`}.` : `${bad} to mend, ${notes} to know.`;
  return `${[...lines, end].join('\n')}\n`;
};
