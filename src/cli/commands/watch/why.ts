// `ckpt why [run] [leg]`: the death certificate in words, with the journal around it.

import {type Failure, fail, ok, type Result} from '../../../core/failure.ts';
import {type Handoff, handoffFields} from '../../../report/handoff.ts';
import {outcomeWords} from '../../../report/messages.ts';
import type {DeathRecord} from '../../../watch/death-record.ts';
import {type JournalLine, readJournalLine} from '../../../watch/journal-line.ts';
import type {WatchPort} from '../../../watch/ports.ts';
import {standingOf} from '../../../watch/status.ts';
import {goOnWords} from '../../../watch/status-words.ts';
import {since} from '../../../watch/when.ts';
import {aroundDeath, whyText} from '../../../watch/why-words.ts';
import {json} from '../text.ts';
import {type Common, done, type Outcome, type World} from '../world.ts';
import {type Chosen, chooseRun} from './choose-run.ts';

export interface Which {
  run: string | undefined;
  leg: string | undefined;
}

export const why = async (world: World, which: Which, flags: Common): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const watch = await world.watch();
  const named = readWhich(which);
  if (!named.ok) return named;
  const asked = {dir: opened.value.dir, wanted: named.value.run, own: world.env.CKPT_RUN};
  const chosen = await chooseRun(watch, asked);
  if (!chosen.ok) return chosen;
  const {shelf, record} = chosen.value;
  const leg = named.value.leg ?? shelf.deaths(record.run).at(-1)?.leg;
  const death = leg === undefined ? undefined : shelf.death(record.run, leg);
  if (death === undefined || leg === undefined) {
    const text = noDeathText(chosen.value, leg, watch.now());
    if (!text.ok) return text;
    world.out(flags.json ? json({run: record.run, leg, outcome: record.outcome, in_words: text.value}) : text.value);
    return done;
  }
  if ('broken' in death) return fail(brokenCertificate(chosen.value, leg, death.broken));
  const lines = await linesOf(watch, shelf.dir, record.run);
  world.out(flags.json ? jsonText(chosen.value, death, lines) : text(watch, chosen.value, {death, leg, lines}));
  return done;
};

/** `why 3` means leg 3 of the newest run: no run has such a short name. */
export const readWhich = ({run, leg}: Which): Result<{run: string | undefined; leg: number | undefined}> => {
  const [name, number] =
    leg === undefined && run !== undefined && /^\d{1,3}$/.test(run) ? [undefined, run] : [run, leg];
  if (number === undefined) return ok({run: name, leg: undefined});
  const value = Number(number.replace(/^leg-?/, ''));
  if (Number.isInteger(value) && value >= 1) return ok({run: name, leg: value});
  return fail({is: 'bad-usage', what: `${JSON.stringify(number)} is no leg`, fix: 'legs are 1, 2, 3, …'});
};

export const LEG_FILES = ['certificate.json', 'handoff.json', 'baton.md', 'terminal.cast'] as const;

/** The journal is streamed: only this run's lines are kept, and of those the newest. */
const linesOf = async (watch: WatchPort, dir: string, run: string): Promise<JournalLine[]> => {
  const kept: JournalLine[] = [];
  const tail = watch.tail.follow(`${dir}/journal.jsonl`, (text) => {
    // Most lines are of other runs: those are not even parsed.
    const line = text.includes(run) ? readJournalLine(text) : undefined;
    if (line?.run !== run) return;
    kept.push(line);
    if (kept.length > MOST_LINES) kept.splice(0, MOST_LINES / 2);
  });
  await tail.flush();
  tail.close();
  return kept;
};

const MOST_LINES = 20_000;

const text = (
  watch: WatchPort,
  {shelf, record}: Chosen,
  {death, leg, lines}: {death: DeathRecord; leg: number; lines: JournalLine[]},
): string =>
  whyText({
    run: record.run,
    leg,
    death,
    handoffs: aroundHandoffs(shelf.handoffs(record.run), leg),
    spawnedAt: lines.find((line) => line.leg === leg && line.event === 'leg-spawned')?.at,
    around: aroundDeath(lines, {leg, at: death.at}),
    files: shelf.files(record.run, leg, LEG_FILES),
    now: watch.now(),
  });

const jsonText = ({shelf, record: {run}}: Chosen, death: DeathRecord, lines: JournalLine[]): string =>
  json({
    ...{run, ...death},
    handoffs: aroundHandoffs(shelf.handoffs(run), death.leg).map(handoffFields),
    journal: aroundDeath(lines, {leg: death.leg, at: death.at}).map(({fields}) => fields),
  });

const aroundHandoffs = (all: Handoff[], leg: number): Handoff[] =>
  all.filter((one) => one.leg === leg || one.leg === leg + 1);

const noDeathText = ({record, alive, shelf}: Chosen, leg: number | undefined, now: number): Result<string> => {
  const {run} = record;
  if (leg !== undefined && leg !== record.leg) {
    return fail({
      is: 'not-found',
      what: `run ${run} has no death certificate for leg ${leg}`,
      fix: shelf.legs(run).length === 0 ? 'it had one leg only' : `its legs: ${shelf.legs(run).join(', ')}`,
    });
  }
  const age = record.since === undefined ? '' : ` for ${since(record.since, now)}`;
  switch (standingOf(record, alive)) {
    case 'live':
      return ok(`run ${run}: leg ${record.leg} is alive (${record.state}${age}); no leg has died\n`);
    case 'lost':
      return ok(
        `run ${run}: its process is gone, and wrote no end: it was killed, or the machine went down.\n` +
          `It was ${record.state} in leg ${record.leg}. Go on with: ${goOnWords(run)}\n`,
      );
    case 'over':
      return ok(
        `run ${run}: no leg died; ${record.outcome === undefined ? 'it is over' : outcomeWords(record.outcome)}\n`,
      );
  }
};

const brokenCertificate = ({record, shelf}: Chosen, leg: number, broken: string): Failure => ({
  is: 'not-found',
  what: `the death certificate of leg ${leg} cannot be read: ${broken}`,
  fix: `ckpt log ${record.run} tells the rest; the file is in ${shelf.folder(record.run)}`,
});
