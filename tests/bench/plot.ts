// The figures that compare us with others, drawn as bars. Plain SVG, made anew from the JSON each time.

import {numberAt} from './figure-fields.ts';
import type {Figures} from './proof-section.ts';

interface Chart {
  title: string;
  bars: {name: string; value: number}[];
}

const names = ['bare', 'stage', 'whole', 'plain', 'script', 'tmux', 'asciinema'];
const shown: Record<string, string> = {
  stage: 'ckpt-run',
  whole: 'ckpt-run, recording',
  plain: 'node-pty alone',
  bare: 'no wrapper',
};

const chartsOf = (figures: Figures): Chart[] =>
  (
    [
      ['throughput, MB/s (more is better)', 'mbPerSecond'],
      ['CPU seconds per GB (less is better)', 'cpuSecondsPerGb'],
      ['a key there and back, p50 in ms (less is better)', 'keyP50Ms'],
      ['a key there and back, p99 in ms (less is better)', 'keyP99Ms'],
    ] as const
  ).flatMap(([title, field]) => {
    const bars = names.flatMap((name) => {
      const value = numberAt(figures['bench-bytes'], 'figures', name, field);
      return value === undefined ? [] : [{name: shown[name] ?? name, value}];
    });
    return bars.length === 0 ? [] : [{title, bars}];
  });

const WIDTH = 640;
const LEFT = 130;
const ROW = 22;

export const plotOf = (figures: Figures): string => {
  const parts: string[] = [];
  let y = 10;
  for (const {title, bars} of chartsOf(figures)) {
    parts.push(`<text x="10" y="${y + 14}" font-weight="bold">${title}</text>`);
    y += ROW;
    const largest = Math.max(...bars.map(({value}) => value));
    for (const {name, value} of bars) {
      const width = Math.max(1, Math.round(((WIDTH - LEFT - 80) * value) / largest));
      const colour = name.startsWith('ckpt-run') ? '#2a78d6' : '#9aa3ad';
      parts.push(
        `<text x="${LEFT - 8}" y="${y + 14}" text-anchor="end">${name}</text>`,
        `<rect x="${LEFT}" y="${y + 3}" width="${width}" height="${ROW - 8}" fill="${colour}"/>`,
        `<text x="${LEFT + width + 6}" y="${y + 14}">${value}</text>`,
      );
      y += ROW;
    }
    y += 14;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" font-family="sans-serif" font-size="12">`,
    '<title>ckpt-run against script, tmux and asciinema</title>',
    `<rect width="${WIDTH}" height="${y}" fill="#ffffff"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
};
