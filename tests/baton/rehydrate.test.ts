import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {rehydrateText, rehydrateTokens} from '../../src/baton/rehydrate.ts';
import {tokens} from '../../src/baton/tokens.ts';
import {anyCheckpoint} from './any-checkpoint.ts';
import {sample} from './samples.ts';

const around = {drift: 'none', ckptBin: '/opt/ckpt', dir: '/c', legNumber: 2, fullPath: '/c/x.json', inRun: true};

describe('what a fresh context gets', () => {
  it('is the baton, how far the tasks are, the artifacts and the last events', () => {
    const text = rehydrateText({...around, checkpoint: sample(), events: ['09:15 started', '09:16 ended']});
    for (const part of [
      'Next: npm test',
      'migrate the billing module',
      'Tasks, counted: 1 completed, 1 pending.',
      'Artifacts (paths, plans, links):\n- /tmp/report.json',
      'What happened last:\n- 09:15 started\n- 09:16 ended',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('--track');
  });

  it('says how to name the track where no run does it', () => {
    const text = rehydrateText({...around, inRun: false, checkpoint: sample(), events: []});
    expect(text).toContain('give every snapshot --track "main"');
  });

  it('fits into 3,000 tokens, whatever is in it', () => {
    const long = fc.array(fc.string({minLength: 100, maxLength: 900}), {minLength: 5, maxLength: 60});
    fc.assert(
      fc.property(anyCheckpoint, long, long, fc.boolean(), (checkpoint, artifacts, events, inRun) => {
        const full = {...checkpoint, artifacts, note: artifacts.join('\n'), goal: events.join('\n')};
        const text = rehydrateText({...around, inRun, checkpoint: full, events});
        expect(tokens(text)).toBeLessThanOrEqual(rehydrateTokens);
      }),
    );
  });

  it('counts what had to be left out', () => {
    const events = Array.from({length: 50}, (_, n) => `event ${n} ${'x'.repeat(60)}`);
    expect(rehydrateText({...around, checkpoint: sample(), events})).toMatch(/- and \d+ more/);
  });
});
