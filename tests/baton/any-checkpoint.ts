// Checkpoints of every kind, for properties that must hold for all of them.

import fc from 'fast-check';
import {type Checkpoint, type Provenance, triggers, validations} from '../../src/baton/checkpoint.ts';
import {legNumber, type Track} from '../../src/core/ids.ts';
import {sample} from './samples.ts';

const text = fc.string({unit: 'binary'});
const maybe = fc.option(text, {nil: undefined});
const why = fc
  .record({what: text, why: maybe, from: fc.constantFrom('observed', 'claimed', 'quoted', undefined)})
  .map(({from, ...entry}) => (from === undefined ? entry : {...entry, from: from as Provenance}));
export const anyCheckpoint = fc
  .record({
    step: text,
    note: text,
    next_cmd: text,
    goal: maybe,
    trigger: fc.constantFrom(...triggers),
    validation: fc.constantFrom(...validations),
    track: fc.constantFrom('main', 'a/b', 'Spur Ä', '__proto__') as fc.Arbitrary<Track>,
    active_files: fc.array(why),
    tried_failed: fc.array(why),
    processes: fc.array(
      fc.record({command: text, pid: fc.nat(), ports: fc.array(fc.nat())}, {requiredKeys: ['command']}),
    ),
    worktree: text,
    next_steps: fc.array(text),
    recent_calls: fc.array(text),
    last_words: maybe,
    extra: fc.dictionary(
      text.filter((key) => key !== '__proto__'),
      text,
    ),
    leg: fc.option(fc.integer({min: 1, max: 200}).map(legNumber), {nil: undefined}),
    set_current: fc.boolean(),
  })
  .map((changes): Checkpoint => sample(changes));
