// `npm run bench:baton`

import {recall, scoreBatons} from './baton.ts';
import {type Kind, kinds} from './baton-tally.ts';

const score = scoreBatons('tests/fixtures/corpus');
const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (process.argv.includes('--json')) say(JSON.stringify(score, undefined, 2));
else {
  const agents = [...new Set(score.logs.map(({log}) => log.split('/')[0] ?? ''))];
  say(`${score.logs.length} session logs: ${agents.join(', ')}`);
  const row = (kind: Kind, name: string): string =>
    percent(recall(score.logs.filter(({log}) => log.startsWith(name)).map(({tally}) => tally[kind]))).padStart(16);
  say(`${'recall'.padEnd(14)}${agents.map((name) => name.padStart(16)).join('')}`);
  for (const kind of kinds) say(`${kind.padEnd(14)}${agents.map((name) => row(kind, name)).join('')}`);
  say(
    `structural ${percent(score.structural)} · in the prompt ${percent(score.inPrompt)} · stated decisions ${percent(score.decisions)}`,
  );
  say(`invented ${score.invented.length} · longest prompt ${score.maxTokens} tokens (a tokenizer's count × 1.3)`);
  for (const line of score.invented) say(`invented: ${line}`);
  for (const line of score.missed) say(`missed: ${line}`);
}
