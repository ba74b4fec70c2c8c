// The figures that were kept → the README's section. `npm run bench` writes it, tests/proof.test.ts compares.

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {goals, type Row} from './goals.ts';

/** File name without its ending → what is in it. */
export type Figures = Record<string, unknown>;

export const readFigures = (folder: string): Figures =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => [name.slice(0, -'.json'.length), JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown]),
  );

const BEGIN = '<!-- proof -->';
const END = '<!-- /proof -->';
const place = new RegExp(`${BEGIN}[\\s\\S]*?${END}`);

export const inReadme = (readme: string, section: string): string => readme.replace(place, () => section);
export const sectionOf = (readme: string): string | undefined => place.exec(readme)?.[0];

export const proofSection = (figures: Figures): string => {
  const rows = goals(figures);
  return [
    BEGIN,
    '| what | measured | goal | |',
    '|---|---|---|---|',
    ...rows.map(line),
    '',
    ...rows.flatMap(({what, why}) => (why === undefined ? [] : [`- ${what}: ${why}`])),
    ...(rows.some(({why}) => why !== undefined) ? [''] : []),
    `${machineOf(figures)} \`npm run soak\`, \`npm run bench\` and \`CKPT_LONG=1 npx vitest run --config tests/vitest.config.ts\`` +
      ' measure it again; the figures lie in `tests/bench/results`.',
    END,
  ].join('\n');
};

const line = ({what, measured, goal, met, but}: Row): string =>
  `| ${what} | ${measured}${but.length > 0 ? ` (${but.join(', ')})` : ''} | ${goal} | ${met ? 'yes' : 'no'} |`;

const machineOf = (figures: Figures): string => {
  const one = Object.values(figures).find(
    (value): value is {machine: {cpu: string; cores: number; node: string}} =>
      typeof value === 'object' && value !== null && 'machine' in value,
  );
  return one === undefined
    ? ''
    : `Measured on ${one.machine.cores} cores of ${one.machine.cpu}, Node ${one.machine.node}.`;
};
