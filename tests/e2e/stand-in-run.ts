// A run without an agent: the files, the journal and the spool of a real one. `deaf` ones hear signals only.

import {legNumber, millis, runId} from '../../src/core/ids.ts';
import {openRunFiles} from '../../src/io/runs/run-files.ts';
import {openSpool} from '../../src/io/runs/spool.ts';

const [dir = '', mode = ''] = process.argv.slice(2);
const run = runId(millis(Date.now()), 'abcd');
const files = openRunFiles({dir, run});
const at = (): string => new Date().toISOString();
const tell = (state: string, more: object = {}): void => {
  files.writeRun({
    ...{schema_version: 1, run, agent: 'claude', version: '2.1.326', track: 'main', cwd: process.cwd()},
    ...{started_at: at(), updated_at: at(), state, leg: 2},
    ...more,
  });
  files.journal({at: at(), run, leg: 2, event: state === 'over' ? 'agent-exited' : 'busy', state});
};
const end = (signal: number): void => {
  tell('finishing');
  tell('over', {outcome: {is: 'quit', signal, exit: {code: 0}}});
  process.exit(0);
};

files.journal({at: at(), run, leg: 1, event: 'leg-spawned', pid: 7, state: 'starting'});
files.journal({
  at: at(),
  run,
  leg: 1,
  event: 'agent-exited',
  exit: {code: 0, signal: 9},
  meaning: 'killed',
  from: 'working',
  state: 'capturing',
  death: 'killed',
});
files.writeLeg(
  legNumber(1),
  'certificate.json',
  JSON.stringify({
    cause: 'killed',
    leg: 1,
    at: at(),
    evidence: [{channel: 'exit', detail: 'signal 9'}],
    progress: true,
  }),
);
process.on('SIGTERM', () => end(15));
if (mode !== 'deaf') openSpool(files.spool).watch(({name}) => name === 'stop' && end(15));
setInterval(() => {}, 1000);
tell('working');
process.stdout.write(`${run}\n`);
