// What comes over sockets, from keyboards and out of other tools' folders.

import {readAutocompact} from '../../src/adapter/autocompact.ts';
import {playable} from '../../src/cast/playable.ts';
import {recordedIn, recordingKind} from '../../src/cli/recording.ts';
import type {Track} from '../../src/core/ids.ts';
import {readRelayBatons} from '../../src/import/relay-batons.ts';
import {readSessionPoints, sessionConfig} from '../../src/import/session-points.ts';
import {plainOf, readJson} from '../../src/install/hooks/json-text.ts';
import {readManifest} from '../../src/install/manifest.ts';
import {readRoom} from '../../src/io/runs/shared-wait.ts';
import {detachChord} from '../../src/live/chord.ts';
import {frame, frameKinds, frameReader, readSize} from '../../src/live/frames.ts';
import {wholeOutput} from '../../src/live/whole-output.ts';
import {readHandoff} from '../../src/watch/handoff-record.ts';
import {readLegStart} from '../../src/watch/leg-start.ts';
import type {Dice} from '../soak/dice.ts';
import {mutated, wounded} from './mutate.ts';
import type {Target} from './target.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** In up to so many pieces, at random places. */
const pieces = (dice: Dice, bytes: Buffer): Buffer[] => {
  const cuts = Array.from({length: dice.between(0, 6)}, () => dice.between(0, bytes.length)).sort((a, b) => a - b);
  return [0, ...cuts].map((from, n) => bytes.subarray(from, cuts[n] ?? bytes.length));
};

const sizeText = '{"cols":80,"rows":24}';

/** A stranger at the socket is turned away, or read; however his bytes are cut he is answered alike. */
const frameTarget: Target = {
  name: 'frames of the live socket',
  share: 2,
  play: (dice) => {
    const bodies = [latin1(sizeText), latin1('keys\x1b[A'), Buffer.alloc(dice.between(0, 300), 7)];
    const wire = Buffer.concat(Array.from({length: 4}, () => frame(dice.pick(frameKinds), dice.pick(bodies))));
    const bytes = latin1(dice.oneIn(4) ? wire.toString('latin1') : mutated(dice, wire.toString('latin1'), sizeText));
    const told = (chunks: Buffer[]): string => {
      const read = frameReader();
      const seen: unknown[] = [];
      for (const chunk of chunks) {
        const some = read(chunk);
        if (some === 'broken') break;
        for (const {kind, body} of some) seen.push([kind, Buffer.from(body).toString('latin1'), readSize(body)]);
      }
      return JSON.stringify(seen);
    };
    const cut = told(pieces(dice, bytes));
    // Whole, the frames before the broken one come with it.
    if (!told([bytes]).startsWith(cut.slice(0, -1)) && told([bytes]) !== '[]') throw new Error(`cut: ${cut}`);
  },
};

const keyTexts = ['\x1d', 'd', '\x1b[93;5u', '\x1b[100u', '\x1b[27;5;93~', '\x1b[200~x\x1d\x1b[201~', 'ls\r', '\x1b[A'];

/** What is typed reaches the agent, all of it and in order, unless the chord was complete. */
const chordTarget: Target = {
  name: 'keys of a viewer',
  share: 2,
  play: (dice) => {
    const typed = Array.from({length: dice.between(1, 12)}, () => dice.pick(keyTexts)).join('');
    const bytes = Buffer.from(mutated(dice, typed, keyTexts.join('')), 'latin1');
    const chord = detachChord();
    const passed: Uint8Array[] = [];
    for (const piece of pieces(dice, bytes)) {
      const {pass, detach} = chord.type(piece);
      passed.push(pass);
      if (detach) return;
    }
    passed.push(chord.flush());
    if (!Buffer.concat(passed).equals(bytes))
      throw new Error(`lost keys of ${JSON.stringify(bytes.toString('latin1'))}`);
  },
};

const shownTexts = [
  'text é日本',
  '\x1b[31m',
  '\x1b]0;title\x07',
  '\x1b[6n',
  '\x1bPq~\x1b\\',
  '\x1b]8;;x\x1b\\',
  '\r\n',
];

const shownTarget: Target = {
  name: 'output for viewers',
  share: 2,
  play: (dice) => {
    const shown = Array.from({length: dice.between(1, 12)}, () => dice.pick(shownTexts)).join('');
    const bytes = Buffer.from(mutated(dice, shown, shownTexts.join('')));
    const see = wholeOutput();
    let seen = 0;
    for (const piece of pieces(dice, bytes)) seen += see(piece).length;
    if (seen > bytes.length) throw new Error(`${seen} of ${bytes.length} bytes`);
    playable()(bytes.toString('utf8'));
  },
};

const castText = `{"version":2,"width":80,"height":24,"timestamp":1795000000,"title":"ckpt-run claude"}
[0.1, "o", "Claude Code"]
[0.2, "r", "100x30"]
[0.3, "m", "x"]
{"type":"user","sessionId":"s","timestamp":"2026-11-18T10:00:00Z"}
{"type":"session_meta","payload":{},"timestamp":"2026-11-18T10:00:01Z"}`;

const recordingTarget: Target = {
  name: 'recordings to replay',
  share: 1,
  play: (dice) => {
    const lines = castText.split('\n').map((line) => (dice.oneIn(2) ? wounded(dice, line, castText) : line));
    recordingKind(lines);
    for (const is of ['terminal', 'log'] as const) void walk(recordedIn(is, given(lines)));
  },
};

async function* given(lines: string[]): AsyncGenerator<string> {
  yield* lines;
}

/** What it rejects with ends the test process as an unhandled rejection: vitest fails then. */
const walk = async (all: AsyncGenerator<unknown>): Promise<void> => {
  for await (const _ of all);
};

const pointText = `# Checkpoint 3\n\n## Summary\nit works\n\n## Current task\n- x\n\n## Next steps\n1. go on\n2. rest\n
## Decisions made\n- a: because\n\n**Timestamp**: 2026-01-02 10:00\n`;
const relayText = `{"track":"main","label":"x","step":"s","next_cmd":"c","note":"n","validation":"green","born":"2026-01-02T10:00:00Z"}`;
const roomText =
  '{"waiters":[{"run":"r","since":1,"own":2,"until":3,"seen":4}],"probe":{"run":"r","at":1},"opened":{"at":1,"last":2}}';
const manifestText = `{"version":1,"entries":[{"agent":"claude","scope":"user","root":"","is":"file","part":"texts","path":"/x","written":"0","folders":[]}]}`;
const settingsText = `{\n  // a comment\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}],},\n  "autocompact": "80"\n}`;

const texts = (name: string, text: string, read: (text: string) => unknown): Target => ({
  name,
  share: 1,
  play: (dice) => void read(wounded(dice, text, castText)),
});

export const messageTargets = (): Target[] => [
  frameTarget,
  chordTarget,
  shownTarget,
  recordingTarget,
  texts('save points of .session', pointText, (text) => {
    readSessionPoints([{name: 'cp-1.md', text, changedAt: 1}], 'main' as Track);
    sessionConfig([{name: 'config.json', text, changedAt: 1}]);
  }),
  texts('checkpoints of context_checkpoint.py', relayText, (text) =>
    ['context_checkpoint_20260102T100000Z_x.json', 'context_checkpoint_20260102T100000Z_x.md', 'LATEST.json'].map(
      (name) => readRelayBatons([{name, text, changedAt: 1}], 'main' as Track),
    ),
  ),
  texts('waiters for a limit', roomText, readRoom),
  texts('what was installed', manifestText, readManifest),
  texts('settings of other agents', settingsText, (text) => {
    const read = readJson(text);
    return [read.ok && plainOf(read.node), readAutocompact(text)];
  }),
  texts('handoff.json and start.json', '{"leg":2,"at":5,"session_id":"s","files_reread":["x"]}', (text) => [
    readHandoff(text),
    readLegStart(text),
  ]),
];
