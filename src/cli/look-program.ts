// The commands that only look.

import {Option} from 'commander';
import {diff} from './commands/compare.ts';
import {config} from './commands/config.ts';
import {events} from './commands/events.ts';
import {current, latest, list, protocol, schema, show, tracks} from './commands/look.ts';
import {rehydrate} from './commands/rehydrate.ts';
import {all, type Definer} from './define-program.ts';

export const defineLooks = (definer: Definer): void => {
  defineList(definer);
  defineNow(definer);
};

const ownTrack = "the track (default: the run's own, else the current one)";

const defineList = ({world, command, finish}: Definer): void => {
  const files = () => import('./commands/history/files.ts');
  command('list', 'list all checkpoints, oldest first', (self) =>
    self
      .option('--track <track>', 'of one track only')
      .option('--last <n>', 'the newest n only')
      .action(() => finish(list(world, all(self)))),
  );
  command('show <which>', 'show one checkpoint, by number, id or label', (self) =>
    self
      .option('--files', 'its files, against the HEAD of that moment')
      .action(async (which: string, flags: {files?: boolean}) =>
        finish(flags.files ? (await files()).showFiles(world, which, all(self)) : show(world, which, all(self))),
      ),
  );
  command('diff <one> [other]', 'show what differs between two, by number, id or label', (self) =>
    self
      .option('--files', 'their files; with one only: against the files as they are now')
      .action(async (one: string, other: string | undefined, flags: {files?: boolean}) =>
        finish(
          flags.files
            ? (await files()).diffFiles(world, [one, other], all(self))
            : diff(world, [one, other], all(self)),
        ),
      ),
  );
  command('events', 'tell what happened to the runs, from journal.jsonl', (self) =>
    self
      .option('--last <n>', 'so many of the newest (default: 30)')
      .option('--all', 'from the beginning')
      .option('--run <id>', 'of one run only')
      .action(() => finish(events(world, all(self)))),
  );
};

const defineNow = ({world, command, finish}: Definer): void => {
  command('latest', 'show the newest checkpoint of each track', (self) =>
    self.action(() => finish(latest(world, all(self)))),
  );
  command('current', 'show the active summary: the newest checkpoint, whole', (self) =>
    self.option('--track <track>', ownTrack).action(() => finish(current(world, all(self)))),
  );
  command('baton', 'print what the next leg of a track would get', (self) =>
    self
      .option('--track <track>', ownTrack)
      .addOption(new Option('--for <agent>', 'the agent that would get it').choices(['claude', 'codex']))
      .option('--explain', 'say of each line why it is there and who vouches for it')
      .action(async () => finish((await import('./commands/baton.ts')).baton(world, all(self)))),
  );
  command('tracks', 'list the tracks', (self) => self.action(() => finish(tracks(world, all(self)))));
  command(
    'rehydrate',
    'print what a fresh context needs: baton, tasks, artifacts, last events (3,000 tokens at most)',
    (self) => self.option('--track <track>', ownTrack).action(() => finish(rehydrate(world, all(self)))),
  );
  command('protocol', 'print the standing instructions for an agent', (self) =>
    self
      .option('--track <track>', 'the lane of work (in a run: its own)')
      .action(() => finish(protocol(world, all(self)))),
  );
  command('config', 'show every setting, its value and where that came from', (self) =>
    self.action(() => finish(config(world, all(self)))),
  );
  command('schema', 'print the JSON Schema of a checkpoint file', (self) => self.action(() => finish(schema(world))));
};
