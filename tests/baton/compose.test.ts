import {describe, expect, it} from 'vitest';
import {compose} from '../../src/baton/compose.ts';
import type {LegFacts} from '../../src/baton/facts.ts';
import {renderPrompt} from '../../src/baton/render.ts';
import type {CheckpointId} from '../../src/core/ids.ts';
import {legNumber} from '../../src/core/ids.ts';
import {call, factsOf, input, otherRun, run, sample} from './samples.ts';

const leg2 = legNumber(2);
const baton = renderPrompt({
  checkpoint: sample(),
  drift: 'none',
  ckptBin: '/opt/ckpt',
  dir: '/r/runtime/checkpoints',
  legNumber: 2,
  fullPath: '/r/x.json',
});

describe('goal', () => {
  const cases: [string, Parameters<typeof input>[0], string | undefined][] = [
    ["the person's prompt", {prompt: 'do it', facts: factsOf({asks: ['later']})}, 'do it'],
    ['the first ask when there was no prompt', {facts: factsOf({asks: ['first', 'second']})}, 'first'],
    ['never one of our batons', {facts: factsOf({asks: [baton, 'real']})}, 'real'],
    [
      'the known goal, not an afterthought of a later leg',
      {leg: leg2, previous: sample(), facts: factsOf({asks: [baton, 'also do X']})},
      'migrate the billing module',
    ],
    ["another run's goal is not ours", {previous: sample({run: otherRun})}, undefined],
    ['unless this run took its baton up', {previous: sample({run: otherRun}), continued: true}, sample().goal],
    ['nothing known', {}, undefined],
  ];
  it.each(cases)('%s', (_name, changes, expected) => {
    expect(compose(input(changes)).goal).toBe(expected);
  });

  it('keeps what the person said later, over all legs, each once', () => {
    const first = compose(input({prompt: 'goal', facts: factsOf({asks: ['goal', 'also A']})}));
    expect(first.extra.instructions).toBe('also A');
    const previous = sample({...first, run});
    const second = compose(
      input({prompt: 'goal', leg: leg2, previous, facts: factsOf({asks: [baton, 'also A', 'and B']})}),
    );
    expect(second.extra.instructions).toBe('also A\n---\nand B');
  });
});

describe('what was done', () => {
  it('lists finished calls, one line each, and marks the failed', () => {
    const facts = factsOf({
      recentCalls: [call('npm ci'), call('npm test', 'failed'), call('a\nb'), call('make', 'open')],
    });
    expect(compose(input({facts})).recent_calls).toEqual(['Bash: npm ci', 'Bash: npm test [failed]', 'Bash: a ⏎ b']);
  });

  it('accumulates over legs, the last 12', () => {
    const previous = sample({recent_calls: Array.from({length: 10}, (_, n) => `Bash: old ${n}`)});
    const facts = factsOf({recentCalls: [1, 2, 3, 4].map((n) => call(`new ${n}`))});
    const {recent_calls: calls} = compose(input({leg: leg2, previous, facts}));
    expect(calls).toHaveLength(12);
    expect(calls[0]).toBe('Bash: old 2');
    expect(calls.at(-1)).toBe('Bash: new 4');
  });

  it('counts a call once when an earlier checkpoint of the same leg has it already', () => {
    const previous = sample({recent_calls: ['Bash: a', 'Bash: c']});
    const facts = factsOf({recentCalls: [call('a'), call('b'), call('c'), call('d')]});
    expect(compose(input({previous, facts})).recent_calls).toEqual(['Bash: a', 'Bash: b', 'Bash: c', 'Bash: d']);
  });

  it("leaves the agent's talk with ckpt out, unless work is chained to it", () => {
    const facts = factsOf({
      recentCalls: [
        call('make'),
        call('/opt/ckpt snapshot --step "a; b"'),
        call('ckpt resume && make x'),
        call('"$CKPT_BIN" done', 'open'),
      ],
    });
    const draft = compose(input({facts}));
    expect(draft.recent_calls).toEqual(['Bash: make', 'Bash: ckpt resume && make x']);
    expect(draft.in_flight).toEqual({call: 'Bash: ckpt resume && make x', outcome: 'finished', outside: false});
  });

  it.each([
    ['open', 'unknown'],
    ['finished', 'finished'],
    ['failed', 'failed'],
  ] as const)('a last call that is %s has the outcome %s', (state, outcome) => {
    const facts = factsOf({recentCalls: [call('ls'), call('git push', state)]});
    expect(compose(input({facts})).in_flight).toEqual({call: 'Bash: git push', outcome, outside: true});
  });

  it.each<[LegFacts['lastTest'], string, string | undefined]>([
    [{command: 'npm test', outcome: 'passed', changedSince: false}, 'green', 'npm test'],
    [{command: 'pytest -q', outcome: 'failed', changedSince: false}, 'failed', 'pytest -q'],
    [{command: 'npm test | tail', outcome: 'unknown', changedSince: false}, 'unknown', 'npm test | tail'],
    [{command: 'npm test', outcome: 'passed', changedSince: true}, 'pending', 'npm test'],
    [undefined, 'unknown', undefined],
  ])('a last test run %j proves %s', (lastTest, validation, command) => {
    const draft = compose(input({facts: factsOf({recentCalls: [call('ls')], lastTest})}));
    expect(draft.validation).toBe(validation);
    expect(draft.extra.validation_cmd).toBe(command);
    expect(draft.provenance.validation).toBe('observed');
  });

  it('a call that the person cut short has an unknown outcome', () => {
    const stopped = {...call('git push', 'failed'), stopped: true};
    const draft = compose(input({facts: factsOf({recentCalls: [call('ls'), stopped]})}));
    expect(draft.in_flight).toEqual({call: 'Bash: git push', outcome: 'unknown', outside: true});
    expect(draft.next_cmd).toMatch(/^verify whether `Bash: git push` took effect/);
    const wentOn = compose(input({facts: factsOf({recentCalls: [stopped, call('ls')]})}));
    expect(wentOn.in_flight).toMatchObject({call: 'Bash: ls', outcome: 'finished'});
  });

  it('what runs in the background is no call in flight, unless it may be felt outside', () => {
    const behind = (command: string) => ({...call(command, 'open'), background: true});
    const served = compose(
      input({facts: factsOf({recentCalls: [behind('npm run dev'), call('ls')], running: ['npm run dev']})}),
    );
    expect(served.in_flight).toMatchObject({call: 'Bash: ls', outcome: 'finished'});
    expect(served.processes).toEqual([{command: 'npm run dev'}]);
    const deployed = compose(input({facts: factsOf({recentCalls: [behind('make deploy'), call('ls')]})}));
    expect(deployed.in_flight).toMatchObject({call: 'Bash: make deploy', outcome: 'unknown', outside: true});
  });

  it('what the caller sees running counts over what the log tells', () => {
    const processes = [{command: 'vite', pid: 7, ports: [5173]}];
    const facts = factsOf({running: ['npm run dev']});
    expect(compose(input({facts, processes})).processes).toEqual(processes);
    const previous = sample({processes});
    expect(compose(input({facts, previous})).processes).toEqual([...processes, {command: 'npm run dev'}]);
  });

  it('makes a dead end of what failed again and again, until it works', () => {
    const failures = [{command: 'pip install x', times: 3, exitCode: 1, said: 'no such package'}];
    const first = compose(input({facts: factsOf({failures})}));
    expect(first.tried_failed).toEqual([
      {what: 'pip install x', why: 'failed 3 times, the last time with exit 1: no such package', from: 'observed'},
    ]);
    expect(first.provenance.tried_failed).toBe('observed');
    const previous = sample({...first, tried_failed: [...sample().tried_failed, ...first.tried_failed]});
    const idle = compose(input({leg: leg2, previous}));
    expect(idle.tried_failed.map(({what}) => what)).toEqual(['regex', 'pip install x']);
    expect(idle.provenance.tried_failed).toBe('claimed');
    const ran = {command: 'pip install x', state: 'finished' as const, exitCode: 0, ms: 5};
    const worked = compose(input({leg: leg2, previous, facts: factsOf({commands: [ran]})}));
    expect(worked.tried_failed.map(({what}) => what)).toEqual(['regex']);
  });

  it('keeps decisions that were said, behind those of the agent’s own snapshot', () => {
    const facts = factsOf({
      decisions: [
        {what: 'use a queue', why: 'polling is slow'},
        {what: 'zod', why: undefined},
      ],
    });
    expect(compose(input({previous: sample(), facts})).decisions_made).toEqual([
      {what: 'zod', why: 'it is there'},
      {what: 'use a queue', why: 'polling is slow', from: 'quoted'},
    ]);
  });

  it('keeps the links that were made', () => {
    const facts = factsOf({links: ['https://example.com/pull/1']});
    expect(compose(input({previous: sample(), facts})).artifacts).toEqual([
      '/tmp/report.json',
      'https://example.com/pull/1',
    ]);
  });
});

describe('provenance', () => {
  const notFields = new Set(['track', 'label', 'trigger', 'run', 'leg', 'set_current', 'provenance']);
  const rich = factsOf({
    asks: ['goal', 'more'],
    lastWords: 'words',
    recentCalls: [call('ls')],
    tasks: [{title: 't', state: 'in_progress'}],
    failures: [{command: 'x', times: 2, exitCode: 1, said: ''}],
    running: ['npm run dev'],
  });
  it.each([
    ['nothing known', input()],
    ['facts alone', input({facts: rich})],
    ['facts over a checkpoint', input({facts: rich, previous: sample(), leg: leg2})],
    ['the agent’s snapshot', input({previous: sample({trigger: 'agent'})})],
  ])('is on every field: %s', (_name, given) => {
    const draft = compose(given);
    for (const field of Object.keys(draft)) {
      if (!notFields.has(field)) expect(draft.provenance[field], field).toMatch(/^(?:observed|claimed|quoted)$/);
    }
  });

  it('tells a list that a tool keeps from one that was said', () => {
    const tasks = [{title: 't', state: 'pending' as const}];
    expect(compose(input({facts: factsOf({tasks})})).provenance.tasks).toBe('observed');
    const said = compose(input({facts: factsOf({tasks, tasksBy: 'claimed'})}));
    expect(said.provenance).toMatchObject({tasks: 'claimed', next_cmd: 'claimed'});
  });
});

describe('a leg that did nothing', () => {
  it('hands on everything that it was given', () => {
    const previous = sample();
    const draft = compose(input({leg: leg2, previous}));
    const kept = [
      'step',
      'next_cmd',
      'validation',
      'goal',
      'in_flight',
      'recent_calls',
      'tasks',
      'last_words',
    ] as const;
    for (const field of kept) expect(draft[field], field).toEqual(previous[field]);
    expect(draft.decisions_made).toEqual(previous.decisions_made);
    expect(draft.extra.ticket).toBe('42');
    expect(draft.note).toContain('Leg 2 ended (crashed) after 0 finished calls.');
    expect(draft.note).toContain('it was harder than thought');
  });

  it('does not let the note grow from leg to leg', () => {
    let previous = sample();
    for (let leg = 2; leg < 50; leg += 1) {
      previous = sample({...compose(input({leg: legNumber(leg), previous})), leg: legNumber(leg)});
    }
    expect(previous.note.length).toBeLessThan(120);
  });

  it('says so when there is nothing before it either', () => {
    const draft = compose(input({prompt: 'build it'}));
    expect(draft.step).toBe('leg 1: nothing done yet');
    expect(draft.next_cmd).toBe('start on the goal');
  });

  it("ignores another run's checkpoint on the same track", () => {
    const draft = compose(input({prompt: 'new work', previous: sample({run: otherRun})}));
    expect(draft.recent_calls).toEqual([]);
    expect(draft.in_flight).toBeUndefined();
  });
});

describe('next_cmd', () => {
  it.each([
    [
      'an open call',
      {recentCalls: [call('ls'), call('git push', 'open')]},
      'verify whether `Bash: git push` took effect, then go on',
    ],
    [
      'the first incomplete task',
      {recentCalls: [call('ls')], tasks: sample().tasks},
      'go on with the first incomplete task: tests (last finished: `Bash: ls`)',
    ],
    [
      'what the last words announce',
      {recentCalls: [call('ls')], lastWords: 'Done.\nNext, I will run the linter.'},
      'as the last agent announced: Next, I will run the linter. (last finished: `Bash: ls`)',
    ],
    [
      'the last finished call',
      {recentCalls: [call('ls')], lastWords: 'All fine.'},
      'continue the goal after `Bash: ls`',
    ],
    [
      'the last finished call, when what was announced has been begun since',
      {recentCalls: [call('npm run lint')], lastWords: 'Next, I will run the linter.', callsSinceWords: 1},
      'continue the goal after `Bash: npm run lint`',
    ],
  ])('follows from %s', (_name, facts, expected) => {
    expect(compose(input({prompt: 'g', facts: factsOf(facts)})).next_cmd).toBe(expected);
  });
});

describe("the agent's own snapshot", () => {
  const own = sample({
    trigger: 'agent',
    step: 'claimed step',
    note: 'claimed note',
    next_cmd: 'claimed next',
    validation: 'pending',
  });
  const snapshotCall = call('/opt/ckpt snapshot --step "claimed step"');

  it('is taken when nothing came after it', () => {
    const draft = compose(input({previous: own, facts: factsOf({recentCalls: [call('ls'), snapshotCall]})}));
    expect(draft).toMatchObject({
      step: 'claimed step',
      note: 'claimed note',
      next_cmd: 'claimed next',
      validation: 'pending',
    });
    expect(draft.provenance).toMatchObject({step: 'claimed', next_cmd: 'claimed', head: 'observed'});
  });

  it('is still fresh when the agent only looked around after it', () => {
    const look = {...call('src/a.ts', 'finished', 'Read'), does: 'look' as const};
    const draft = compose(
      input({previous: own, facts: factsOf({recentCalls: [snapshotCall, look, {...look, id: 'b'}]})}),
    );
    expect(draft.next_cmd).toBe('claimed next');
  });

  it('is not taken for the one in whose midst the agent died', () => {
    const at = Date.parse(own.born);
    const died = {...call('/opt/ckpt snapshot --step "later"', 'open'), id: 'late', at: at + 60_000};
    const facts = factsOf({recentCalls: [{...snapshotCall, at: at - 50}, call('make'), died]});
    expect(compose(input({previous: own, facts})).step).toBe('leg 1: Bash: make');
    const written = {...died, at: at - 50};
    expect(compose(input({previous: own, facts: factsOf({recentCalls: [call('make'), written]})})).step).toBe(
      'claimed step',
    );
  });

  it('is not believed about tests that were seen to fail', () => {
    const lastTest = {command: 'npm test', outcome: 'failed' as const, changedSince: false};
    const facts = factsOf({recentCalls: [snapshotCall], lastTest});
    const draft = compose(input({previous: {...own, validation: 'green'}, facts}));
    expect(draft).toMatchObject({step: 'claimed step', validation: 'failed'});
    expect(draft.provenance).toMatchObject({step: 'claimed', validation: 'observed'});
    const edited = {...facts, lastTest: {...lastTest, changedSince: true}};
    expect(compose(input({previous: {...own, validation: 'green'}, facts: edited})).validation).toBe('green');
  });

  it('never overrides work seen after it, but its plan is told', () => {
    const draft = compose(input({previous: own, facts: factsOf({recentCalls: [snapshotCall, call('make deploy')]})}));
    expect(draft.step).toBe('leg 1: Bash: make deploy');
    expect(draft.next_cmd).toBe(
      "continue the goal after `Bash: make deploy`; the plan at the agent's last snapshot, before that, was: claimed next",
    );
    expect(draft.note).toContain('claimed note');
    expect(draft.provenance.step).toBe('observed');
  });

  it('is not planned again when its next_cmd is visibly done', () => {
    const draft = compose(
      input({previous: own, facts: factsOf({recentCalls: [snapshotCall, call('cd x && claimed next')]})}),
    );
    expect(draft.next_cmd).toBe('continue the goal after `Bash: cd x && claimed next`');
  });

  it('of an earlier leg is stale once this leg has worked', () => {
    const draft = compose(input({leg: leg2, previous: own, facts: factsOf({recentCalls: [call('ls')]})}));
    expect(draft.step).toBe('leg 2: Bash: ls');
  });

  it('written by hand while the run lived counts; an older one does not', () => {
    const manual = (born: string) => sample({trigger: 'manual', run: undefined, leg: undefined, born, step: 'by hand'});
    expect(compose(input({previous: manual('2026-11-18T09:20:00.000Z')})).step).toBe('by hand');
    expect(compose(input({previous: manual('2026-11-18T09:00:00.000Z')})).step).toBe('leg 1: nothing done yet');
  });

  it('older than a checkpoint of ours is no longer fresh', () => {
    const previous = sample({
      id: '20261118T091700000Z_later' as CheckpointId,
      step: 'observed later',
      trigger: 'interval',
    });
    expect(compose(input({previous, own})).step).toBe('observed later');
  });

  it('keeps an older call of unknown outcome in the note when the next leg worked and died too', () => {
    const draft = compose(input({leg: leg2, previous: sample(), facts: factsOf({recentCalls: [call('git log')]})}));
    expect(draft.note).toContain('leg 1 died during `Bash: git push`, outcome then unknown');
  });

  it('is not lost when a checkpoint of ours lies between it and the death', () => {
    const facts = factsOf({recentCalls: [call('ls'), snapshotCall]});
    const interval = sample({...compose(input({previous: own, trigger: 'interval', death: undefined, facts}))});
    const quiet = compose(input({previous: interval, facts}));
    expect(quiet).toMatchObject({step: 'claimed step', next_cmd: 'claimed next', validation: 'pending'});
    expect(quiet.note).toBe('Leg 1 ended (crashed) after 2 finished calls.\nclaimed note');
    expect(quiet.provenance.next_cmd).toBe('claimed');
    const worked = factsOf({recentCalls: [...facts.recentCalls, call('make')]});
    const stale = sample({...compose(input({previous: own, trigger: 'interval', death: undefined, facts: worked}))});
    expect(stale.extra.agent_plan).toBe('claimed next');
    const more = factsOf({recentCalls: [...worked.recentCalls, call('make x')]});
    expect(compose(input({previous: stale, facts: more})).next_cmd).toContain('was: claimed next');
    const done = factsOf({recentCalls: [...worked.recentCalls, call('claimed next')]});
    expect(compose(input({previous: stale, facts: done})).extra).not.toHaveProperty('agent_plan');
  });
});
