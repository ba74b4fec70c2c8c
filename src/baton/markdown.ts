// The human side of the store: a checkpoint as a page, LATEST.md as the page to open first.

import type {Checkpoint, WithWhy} from './checkpoint.ts';
import {clean, oneLine} from './clean.ts';
import type {Latest, LatestEntry} from './latest.ts';
import {processWords} from './left-running.ts';

export const checkpointMarkdown = (checkpoint: Checkpoint): string =>
  joined([
    `# ${oneLine(checkpoint.step) || 'Checkpoint'}`,
    headLine(checkpoint),
    block('Next', checkpoint.next_cmd),
    quote('Goal, in the person’s own words', checkpoint.goal),
    prose('What happened', checkpoint.note),
    facts(checkpoint),
    inFlight(checkpoint),
    list(
      'Tasks',
      checkpoint.tasks.map((task) => `${taskMark[task.state]} ${oneLine(task.title)}`),
    ),
    list('Next steps', checkpoint.next_steps.map(oneLine)),
    list('Decided', checkpoint.decisions_made.map(because)),
    list('Tried, and failed', checkpoint.tried_failed.map(because)),
    list('Files that matter', checkpoint.active_files.map(because)),
    list('Artifacts', checkpoint.artifacts.map(code)),
    list('Left running', (checkpoint.processes ?? []).map(processWords).map(code)),
    list('Last calls', checkpoint.recent_calls.map(code)),
    quote('Last words', checkpoint.last_words),
    list(
      'More',
      Object.entries(checkpoint.extra).map(([key, value]) => `${code(key)} = ${oneLine(value)}`),
    ),
    list('Not committed', checkpoint.dirty_files.map(code)),
  ]);

export const latestMarkdown = (latest: Latest): string => {
  const current = latest.current_track === undefined ? undefined : latest.tracks.get(latest.current_track);
  const tracks = [...latest.tracks].sort(([a], [b]) => (a < b ? -1 : 1));
  return joined([
    '# LATEST',
    'The newest checkpoint of each track. Made by `ckpt`; edit nothing here, it is written anew each time.',
    '## CURRENT',
    current === undefined ? 'No checkpoint yet.' : section(latest.current_track ?? '', current),
    ...tracks.map(([track, entry]) => joined([`## Track ${code(track)}`, section(track, entry)]).trimEnd()),
  ]);
};

const taskMark = {
  pending: '[ ]',
  in_progress: '[ ] *in progress:*',
  completed: '[x]',
  failed: '[ ] *failed:*',
  skipped: '[x] *skipped:*',
};

/** Blocks with one blank line between them; absent ones leave no gap. */
const joined = (blocks: (string | undefined)[]): string =>
  `${blocks.filter((block) => block !== undefined && block !== '').join('\n\n')}\n`;

const headLine = (checkpoint: Checkpoint): string => {
  const of = checkpoint.run === undefined ? '' : ` · run ${checkpoint.run}, leg ${checkpoint.leg ?? '?'}`;
  const number = checkpoint.number === undefined ? '' : `No. ${checkpoint.number} · `;
  return `${number}${readable(checkpoint.born)} · track ${code(checkpoint.track)} · ${checkpoint.trigger}${of}`;
};

/** `2026-11-18 09:15:00 UTC` */
const readable = (born: string): string => born.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

const facts = ({validation, branch, head, extra, conversation}: Checkpoint): string =>
  [
    '## State',
    '',
    `- validation: **${validation}**${extra.validation_cmd === undefined ? '' : ` (${code(extra.validation_cmd)})`}`,
    `- git: ${gitWords(branch, head)}`,
    ...(conversation === undefined
      ? []
      : [`- agent: ${oneLine(`${conversation.agent} ${conversation.version ?? ''}`)}`]),
  ].join('\n');

const gitWords = (branch: string | undefined, head: string | undefined): string => {
  if (branch === undefined && head === undefined) return 'none';
  return `${branch === undefined ? 'detached head' : `branch ${code(branch)}`}${head === undefined ? ', no commit yet' : ` at ${code(head.slice(0, 12))}`}`;
};

const inFlight = ({in_flight}: Checkpoint): string | undefined =>
  in_flight === undefined
    ? undefined
    : `## In flight\n\n${code(in_flight.call)}\n\nOutcome: **${in_flight.outcome}**${in_flight.outcome === 'unknown' ? ', verify first' : ''}${in_flight.outside ? '; it may have been felt outside this folder' : ''}.`;

const section = (track: string, entry: LatestEntry): string => {
  const mark = entry.closed !== undefined ? ' · closed' : entry.consumed_by !== undefined ? ' · taken up' : '';
  return joined([
    `**${oneLine(entry.step)}**`,
    `${readable(entry.born)} · track ${code(track)} · validation **${entry.validation}** · ${gitWords(entry.branch, entry.head)}${mark}`,
    entry.note === '' ? undefined : quoted(entry.note),
    `next_cmd:\n\n${fenced(entry.next_cmd)}`,
    `File: [${entry.file}](<${encodeURI(entry.file)}>)`,
  ]).trimEnd();
};

const block = (title: string, text: string): string | undefined =>
  text.trim() === '' ? undefined : `## ${title}\n\n${fenced(text)}`;

const prose = (title: string, text: string): string | undefined =>
  text.trim() === '' ? undefined : `## ${title}\n\n${quoted(text)}`;

const quote = (title: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : prose(title, text);

const list = (title: string, items: string[]): string | undefined =>
  items.length === 0 ? undefined : `## ${title}\n\n${items.map((item) => `- ${item}`).join('\n')}`;

const because = ({what, why}: WithWhy): string =>
  why === undefined || why.trim() === '' ? oneLine(what) : `${oneLine(what)} — ${oneLine(why)}`;

const quoted = (text: string): string =>
  clean(text)
    .trim()
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

/** A fence longer than any run of backticks inside. */
const fenced = (text: string): string => {
  const inside = clean(text).trim();
  const fence = '`'.repeat(Math.max(3, longestRun(inside) + 1));
  return `${fence}\n${inside}\n${fence}`;
};

const code = (text: string): string => {
  const inside = oneLine(text);
  const fence = '`'.repeat(longestRun(inside) + 1);
  const pad = inside.startsWith('`') || inside.endsWith('`') ? ' ' : '';
  return inside === '' ? '``' : `${fence}${pad}${inside}${pad}${fence}`;
};

const longestRun = (text: string): number =>
  Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => Math.min(run.length, 1000)));
