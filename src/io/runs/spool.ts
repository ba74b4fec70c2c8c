import {
  type FSWatcher,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import type {Spool, SpoolItem} from '../../ports.ts';
import {makeFolder, writeWhole} from '../files/atomic-file.ts';

/**
 * The letter box between the agent's world and the run: one file per hook event or request, so that it works from
 * inside a sandbox that refuses every socket (DESIGN §5a). Writers make the file under another name and rename it to
 * `<id>.json`: what has that ending is whole.
 */
export const openSpool = (dir: string): Spool => {
  makeFolder(dir);
  let look = (): void => {};
  return {
    watch: (take) => {
      let ended = false;
      look = () => {
        for (const {id, at} of waiting(dir)) {
          const item = ended ? undefined : takeOne(dir, id);
          if (item !== undefined) take({...item, at: Number(at / 1_000_000n)});
        }
      };
      const end = watchFolder(dir, look);
      return () => {
        ended = true;
        end();
        sweep(dir);
      };
    },
    look: () => look(),
    answer: (id, answer) => {
      // The relay waits for `.answer` alone: by the time it is there the other two must be whole.
      // No fsync: the agent stands still meanwhile, and after a power cut nobody waits for an answer any more.
      untilDone(() => {
        writeFileSync(join(dir, `${id}.out`), answer.stdout, OWNER_ONLY);
        writeFileSync(join(dir, `${id}.err`), answer.stderr, OWNER_ONLY);
        writeFileSync(join(dir, `.${id}.answer.tmp`), `${answer.exitCode}\n`, OWNER_ONLY);
        renameSync(join(dir, `.${id}.answer.tmp`), join(dir, `${id}.answer`));
      });
    },
    give: (text) =>
      tolerate(() => {
        writeFileSync(join(dir, '.hint.tmp'), text, OWNER_ONLY);
        renameSync(join(dir, '.hint.tmp'), join(dir, 'hint'));
      }),
    setDenial: (text) => writeWhole(join(dir, 'deny'), text),
    setContext: (text) => writeWhole(join(dir, 'context.md'), text),
  };
};

const POLL_MS = 250;
/** Longer than any relay waits. */
const TRIES = 2400;
const ENDING = '.json';
const OWNER_ONLY = {mode: 0o600};

/** fs.watch makes it quick; it is known to miss events and to fail on network folders, so the poll is what counts. */
const watchFolder = (dir: string, look: () => void): (() => void) => {
  let watcher: FSWatcher | undefined;
  const poll = setInterval(look, POLL_MS);
  const soon = setImmediate(look);
  try {
    watcher = watch(dir, look);
    watcher.on('error', () => watcher?.close());
  } catch {
    // No inotify handles left, or no such thing here: the poll finds everything.
  }
  return () => {
    clearImmediate(soon);
    clearInterval(poll);
    watcher?.close();
  };
};

/** The files that are there, oldest first by nanoseconds: hooks of one turn may lie less than 1 ms apart. */
const waiting = (dir: string): {id: string; at: bigint}[] => {
  const found: {id: string; at: bigint}[] = [];
  for (const file of tolerate(() => readdirSync(dir)) ?? []) {
    if (!file.endsWith(ENDING) || file.startsWith('.')) continue;
    const stat = tolerate(() => statSync(join(dir, file), {bigint: true}));
    if (stat?.isFile()) found.push({id: file.slice(0, -ENDING.length), at: stat.mtimeNs});
  }
  return found.sort((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? -1 : 1));
};

const takeOne = (dir: string, id: string): SpoolItem | undefined => {
  const path = join(dir, id + ENDING);
  const text = tolerate(() => readFileSync(path, 'utf8'));
  if (text === undefined) return undefined;
  const payload = parse(text);
  if (payload === undefined) {
    setAside(dir, id + ENDING);
    return undefined;
  }
  // A file that cannot be deleted would be taken again at every look: rather not at all.
  const deleted = tolerate(() => {
    unlinkSync(path);
    return true;
  });
  return deleted ? {id, name: nameOf(id), payload: payload.value} : undefined;
};

/** `4711.PreCompact`, `4711.PreCompact.2`, `k3x9.done`: the name stands behind the first dot; a count may follow it. */
const nameOf = (id: string): string => id.split('.')[1] ?? id;

/** An empty file is a request that has nothing to add. */
const parse = (text: string): {value: unknown} | undefined => {
  const json = text.replace(/^\uFEFF/, '').trim();
  if (json === '') return {value: {}};
  return tolerate(() => ({value: JSON.parse(json) as unknown}));
};

/** A relay that was killed in the midst of its writing leaves its draft behind; whoever still writes finds it gone and is silent. */
const sweep = (dir: string): void => {
  for (const file of tolerate(() => readdirSync(dir)) ?? []) {
    if (file.startsWith('.') && file.endsWith('.tmp')) tolerate(() => unlinkSync(join(dir, file)));
  }
};

const setAside = (dir: string, file: string): void => {
  tolerate(() => {
    mkdirSync(join(dir, 'bad'), {recursive: true, mode: 0o700});
    renameSync(join(dir, file), join(dir, 'bad', file));
  });
};

/** The agent stands still until it has its answer: a disk that is full for a moment must not make that long. */
const untilDone = (act: () => void, tries = TRIES): void => {
  try {
    act();
  } catch {
    if (tries > 0) setTimeout(() => untilDone(act, tries - 1), POLL_MS).unref();
  }
};

/** Others write and delete here at any moment, and the folder itself may go: none of it may end the run. */
const tolerate = <T>(act: () => T): T | undefined => {
  try {
    return act();
  } catch {
    return undefined;
  }
};
