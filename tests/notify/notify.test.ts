import {describe, expect, it} from 'vitest';
import type {Notice} from '../../src/core/effects.ts';
import {legNumber, millis} from '../../src/core/ids.ts';
import type {Outcome} from '../../src/core/state.ts';
import {type Note, noteOfNotice, noteOfOutcome, oncePer} from '../../src/notify/note.ts';
import {notifications, type Place} from '../../src/notify/notifications.ts';
import {defaultNotify, type NotifyConfig, noteKinds, readNotify} from '../../src/notify/notify-config.ts';

const about = {run: 'r-1', track: 'main', agent: 'claude', attended: false};
const note: Note = {
  kind: 'parked',
  ...{run: 'r-1', track: 'main', agent: 'claude'},
  leg: 3,
  at: 0,
  text: 'parked: no <b>',
};
const place: Place = {redact: (text) => text, terminal: {TERM: 'xterm-256color'}};
const only = (config: Partial<NotifyConfig>): NotifyConfig => ({...defaultNotify, terminal: 'off', ...config});
const leg = legNumber(3);

describe('what is worth telling', () => {
  it.each<[Notice, string | undefined]>([
    [{is: 'parked', why: 'x'}, 'parked'],
    [{is: 'needs-person', leg, what: 'permission'}, 'waiting-for-person'],
    [{is: 'limit', leg, until: millis(1), waits: true}, 'limit'],
    [{is: 'trouble', leg, what: 'no credits'}, 'trouble'],
    [{is: 'woke', leg, by: 'us'}, undefined],
    [{is: 'overload', leg, until: undefined, waits: true}, undefined],
    [{is: 'capture-failed', leg, what: 'full'}, undefined],
  ])('of the notice %j: %s', (notice, kind) => {
    expect(noteOfNotice(notice, about, 5)?.kind).toBe(kind);
  });

  const clean = {code: 0, signal: undefined};
  it.each<[Outcome, boolean, string | undefined]>([
    [{is: 'done', note: ''}, true, 'done'],
    [{is: 'ended', exit: clean}, true, undefined],
    [{is: 'ended', exit: clean}, false, 'done'],
    [{is: 'ended', exit: {code: 1, signal: undefined}}, false, 'failed'],
    [{is: 'gave-up', exit: clean, why: 'x'}, false, 'failed'],
    [{is: 'gave-up', exit: clean, why: 'x'}, true, undefined],
    [{is: 'parked', why: 'told already'}, false, undefined],
    [{is: 'quit', signal: 15, exit: undefined}, false, undefined],
  ])('of the end %j with a person there %s: %s', (outcome, attended, kind) => {
    expect(noteOfOutcome(outcome, {...about, attended}, 5)?.kind).toBe(kind);
  });

  it('says the same thing once in a while, and other things at once', () => {
    const isNew = oncePer(1000);
    expect([0, 999, 1000].map((at) => isNew({...note, at}))).toEqual([true, false, true]);
    expect(isNew({...note, at: 1001, text: 'another'})).toBe(true);
    expect(isNew({...note, at: 1001, kind: 'limit'})).toBe(true);
  });
});

describe('where it is sent', () => {
  it('a terminal gets a bell and OSC 9', () => {
    expect(notifications(note, defaultNotify, place)).toEqual([
      {by: 'terminal', bytes: '\u0007\u001b]9;ckpt-run: claude, track main: parked: no <b>\u0007'},
    ]);
  });

  it.each([
    ['bell', {TERM: 'xterm'}, '\u0007'],
    ['both', {TERM: 'linux'}, '\u0007'],
    ['both', {TERM: 'dumb'}, '\u0007'],
    ['both', {}, '\u0007'],
    [
      'osc9',
      {TERM: 'xterm', TMUX: '/tmp/x'},
      '\u001bPtmux;\u001b\u001b]9;ckpt-run: claude, track main: parked: no <b>\u0007\u001b\\',
    ],
  ] as const)('as %s on %j', (terminal, on, bytes) => {
    expect(notifications(note, only({terminal}), {...place, terminal: on})).toEqual([{by: 'terminal', bytes}]);
  });

  it('without a terminal, or switched off, none is written to', () => {
    expect(notifications(note, defaultNotify, {...place, terminal: undefined})).toEqual([]);
    expect(notifications(note, only({}), place)).toEqual([]);
  });

  it('what the agent said cannot end the sequence or hide in it', () => {
    const evil = {...note, text: 'a\u0007\u001b]52;c;eA==\u0007\u202eb\nc'};
    const [sent] = notifications(evil, only({terminal: 'osc9'}), place);
    expect(sent).toEqual({by: 'terminal', bytes: '\u001b]9;ckpt-run: claude, track main: ab ⏎ c\u0007'});
  });

  it('a desktop gets title and body, urgent when nothing goes on without a person', () => {
    const desktop = only({desktop: true});
    expect(notifications(note, desktop, place)).toEqual([
      {by: 'desktop', title: 'ckpt-run: claude, track main', body: 'parked: no <b>', urgent: true},
    ]);
    expect(notifications({...note, kind: 'done'}, desktop, place)[0]).toMatchObject({urgent: false});
  });

  const hook = (form: 'json' | 'ntfy' | 'slack', url = 'https://host.example/a/topic') =>
    only({webhooks: [{url, form, headers: {authorization: 'Bearer x'}, on: [...noteKinds]}]});
  const sent = (config: NotifyConfig) => {
    const [one] = notifications(note, config, place);
    return one?.by === 'webhook' ? {...one, body: JSON.parse(one.body)} : undefined;
  };

  it('a plain webhook gets everything as JSON', () => {
    expect(sent(hook('json'))).toEqual({
      by: 'webhook',
      url: 'https://host.example/a/topic',
      headers: {'content-type': 'application/json', authorization: 'Bearer x'},
      body: {
        ...{source: 'ckpt-run', event: 'parked', title: 'ckpt-run: claude, track main', text: 'parked: no <b>'},
        ...{run: 'r-1', track: 'main', agent: 'claude', leg: 3, at: '1970-01-01T00:00:00.000Z'},
      },
    });
  });

  it('ntfy gets its topic in the body, at the root of its server', () => {
    expect(sent(hook('ntfy'))).toMatchObject({
      url: 'https://host.example/a/',
      body: {
        topic: 'topic',
        title: 'ckpt-run: claude, track main',
        message: 'parked: no <b>',
        priority: 4,
        tags: ['parked'],
      },
    });
    expect(sent(hook('ntfy', 'https://ntfy.example/t%C3%A9st'))).toMatchObject({
      url: 'https://ntfy.example/',
      body: {topic: 'tést'},
    });
  });

  it('Slack gets a text in which nothing is markup that we did not mean', () => {
    expect(sent(hook('slack'))?.body).toEqual({text: '*ckpt-run: claude, track main* (parked)\nparked: no &lt;b&gt;'});
  });

  it('a command gets it in its environment and on its stdin, without the mark of an agent', () => {
    const [one] = notifications(note, only({commands: [{words: ['say', 'x'], on: ['parked']}]}), place);
    expect(one).toMatchObject({by: 'command', words: ['say', 'x'], env: {CKPT_NOTIFY_EVENT: 'parked'}});
    if (one?.by !== 'command') throw new Error('no command');
    expect(JSON.parse(one.stdin)).toMatchObject({event: 'parked', run: 'r-1'});
    expect(Object.keys(one.env)).not.toContain('CKPT_RUN');
  });

  it('secrets are taken out before anything leaves', () => {
    const redact = (text: string): string => text.replaceAll('hunter2', '[redacted]');
    const config = {...hook('json'), terminal: 'both' as const};
    const all = JSON.stringify(notifications({...note, text: 'key hunter2'}, config, {...place, redact}));
    expect(all).toContain('key [redacted]');
    expect(all).not.toContain('hunter2');
  });

  it('each way has its own list of occasions', () => {
    const config: NotifyConfig = {
      ...{on: ['limit'], terminal: 'bell', desktop: true, commands: [{words: ['a'], on: ['done']}]},
      webhooks: [{url: 'https://h.example/x', form: 'json', headers: {}, on: ['parked']}],
    };
    const ways = (kind: Note['kind']) => notifications({...note, kind}, config, place).map(({by}) => by);
    expect(ways('limit')).toEqual(['terminal', 'desktop']);
    expect(ways('parked')).toEqual(['webhook']);
    expect(ways('done')).toEqual(['command']);
    expect(ways('trouble')).toEqual([]);
  });
});

describe('the section of the config', () => {
  it('is full of defaults when it is not there', () => {
    expect(readNotify(undefined)).toEqual({ok: true, value: defaultNotify});
    expect(readNotify(null)).toEqual({ok: true, value: defaultNotify});
  });

  it('is read whole', () => {
    const raw = {
      on: ['parked', 'done'],
      terminal: 'off',
      desktop: true,
      webhooks: [
        {url: 'https://ntfy.sh/x', form: 'ntfy', on: ['done']},
        {url: 'http://127.0.0.1:1/x', headers: {a: 'b'}},
      ],
      commands: [['say', 'hi'], 'echo $CKPT_NOTIFY_TEXT', {run: ['x'], on: ['limit']}],
    };
    expect(readNotify(raw)).toEqual({
      ok: true,
      value: {
        ...{on: ['parked', 'done'], terminal: 'off', desktop: true},
        webhooks: [
          {url: 'https://ntfy.sh/x', form: 'ntfy', headers: {}, on: ['done']},
          {url: 'http://127.0.0.1:1/x', form: 'json', headers: {a: 'b'}, on: ['parked', 'done']},
        ],
        commands: [
          {words: ['say', 'hi'], on: ['parked', 'done']},
          {words: ['/bin/sh', '-c', 'echo $CKPT_NOTIFY_TEXT'], on: ['parked', 'done']},
          {words: ['x'], on: ['limit']},
        ],
      },
    });
  });

  it.each([
    [[], 'notify'],
    [{onn: []}, 'notify.onn'],
    [{on: ['parkd']}, 'on[0]'],
    [{on: 'parked'}, 'on'],
    [{terminal: 'loud'}, 'terminal'],
    [{desktop: 'yes'}, 'desktop'],
    [{webhooks: [{url: 'ftp://x/y'}]}, 'webhooks[0].url'],
    [{webhooks: [{}]}, 'webhooks[0].url'],
    [{webhooks: [{url: 'https://ntfy.sh/', form: 'ntfy'}]}, 'webhooks[0].url'],
    [{webhooks: [{url: 'https://a/b', form: 'irc'}]}, 'webhooks[0].form'],
    [{webhooks: [{url: 'https://a/b', headers: {x: 1}}]}, 'webhooks[0].headers.x'],
    [{commands: [[]]}, 'commands[0]'],
    [{commands: [['a', 1]]}, 'commands[0][1]'],
    [{commands: [{run: ''}]}, 'commands[0].run'],
  ])('%j is refused, with the place and what to write', (raw, key) => {
    expect(readNotify(raw)).toEqual({
      ok: false,
      failure: {key, what: expect.stringMatching(/\w/), fix: expect.stringMatching(/\w/)},
    });
  });

  it('`off` that a reader took for false is still off', () => {
    expect(readNotify({terminal: false})).toMatchObject({value: {terminal: 'off'}});
  });
});
