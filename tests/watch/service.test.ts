import {describe, expect, it} from 'vitest';
import {type LastRun, serviceStep} from '../../src/watch/service-step.ts';
import {finalCodes, launchdPlist, serviceName, systemdUnit} from '../../src/watch/service-units.ts';
import {RUN, record} from './samples.ts';

const last = (fields: object, more: Partial<LastRun> = {}): LastRun => ({
  ...{record: record(fields), alive: false, stopped: false},
  ...more,
});
const over = (outcome: object): object => ({state: 'over', outcome});

describe('when the service is started', () => {
  it.each<[string, LastRun | undefined, object]>([
    ['there was no run yet', undefined, {do: 'begin'}],
    ['its process was killed', last({}), {do: 'go-on', run: RUN}],
    ['the machine was shut down', last(over({is: 'quit', signal: 15})), {do: 'go-on', run: RUN}],
    ['it is alive already', last({}, {alive: true}), {do: 'nothing'}],
    ['it was stopped by name', last(over({is: 'quit', signal: 15}), {stopped: true}), {do: 'nothing'}],
    ['a person pressed Ctrl-C', last(over({is: 'quit', signal: 2})), {do: 'nothing'}],
    ['it is parked', last(over({is: 'parked', why: 'x'})), {do: 'nothing'}],
    ['its work is done', last(over({is: 'done', note: ''})), {do: 'nothing'}],
    ['the agent gave up', last(over({is: 'gave-up', exit: {code: 1}, why: 'x'})), {do: 'nothing'}],
    ['it ended in a way that we do not know', last(over({is: 'teleported'})), {do: 'nothing'}],
  ])('and %s', (_name, given, step) => {
    expect(serviceStep(given)).toMatchObject(step);
  });

  it('a parked run is left to its person, with the words to go on', () => {
    expect(serviceStep(last(over({is: 'parked', why: 'x'})))).toEqual({
      do: 'nothing',
      why: `run ${RUN} is parked; go on with: ckpt-run --continue-run ${RUN}`,
    });
  });
});

const spec = {
  ...{
    name: 'nightly',
    cwd: '/my project/50%',
    path: '/usr/bin:/my "bin"',
    log: '/s/nightly.log',
    envFile: '/c/service.env',
  },
  command: ['/usr/bin/node', '/opt/ckpt.js', 'service', 'start', '--', 'claude', 'fix "it" for $5, 100%\nthen \\ stop'],
};

it('a unit carries every word through systemd’s own quoting', () => {
  const unit = systemdUnit(spec);
  expect(unit).toContain('WorkingDirectory=/my project/50%%\n');
  expect(unit).toContain('Environment="PATH=/usr/bin:/my \\"bin\\""\n');
  expect(unit).toContain('EnvironmentFile=-/c/service.env\n');
  expect(unit).toContain(
    'ExecStart="/usr/bin/node" "/opt/ckpt.js" "service" "start" "--" "claude" "fix \\"it\\" for $$5, 100%%\\nthen \\\\ stop"\n',
  );
});

it('a unit is not started again after what trying again cannot mend', () => {
  expect(finalCodes).toEqual([64, 65, 66, 69, 73, 75, 78, 127, 130, 143]);
  expect(systemdUnit(spec)).toContain(`RestartPreventExitStatus=${finalCodes.join(' ')}\n`);
});

it('a plist carries every word through XML', () => {
  const plist = launchdPlist({...spec, command: ['a', '<b> & "c"', 'x\u0000y']});
  expect(plist).toContain('<string>&lt;b&gt; &amp; "c"</string>');
  expect(plist).toContain('<string>xy</string>');
  expect(plist).toContain('<key>Label</key><string>run.ckpt.nightly</string>');
});

it.each([
  ['my repo-main', 'my-repo-main'],
  ['../../etc/passwd', 'etc-passwd'],
  ['ünïcode', 'n-code'],
  ['--', 'run'],
  ['', 'run'],
  ['x'.repeat(200), 'x'.repeat(80)],
])('the name %j is safe as %j', (text, name) => {
  expect(serviceName(text)).toBe(name);
});
