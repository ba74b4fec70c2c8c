// A program that does nothing but run its arguments on a stage: what the tests call "wrapped".
//
// Stands in for ckpt-run where only the stage is meant. Told by its environment:
//   STAGE_KIND   terminal (unless told), pipes, or bare
//   STAGE_LEGS   how many legs, one behind the other; only the last one's held stdout is kept
//   STAGE_SAY    a line to tell after each leg
//   STAGE_REST   ms between two legs, in which no agent is there
//   STAGE_NOTE   a file that gets what happened, one JSON line each
//   STAGE_FAULT  tap: the output tap throws; error: an uncaught error of ours after the first output
//   STAGE_STOP   JSON: the stop steps, taken at the first output
//   STAGE_LISTEN a signal that the driver handles itself, by ending with code 3 after close()
//   STAGE_STREAM pipes: pass stdout on at once

import {appendFileSync} from 'node:fs';
import type {StopStep} from '../../src/adapter/adapter.ts';
import type {ExitStatus} from '../../src/core/events.ts';
import {modeLedger} from '../../src/detect/mode-ledger.ts';
import {runBare} from '../../src/io/agent/bare.ts';
import {openPipes} from '../../src/io/agent/pipes.ts';
import {openTerminal} from '../../src/io/terminal/terminal.ts';
import type {AgentProcess, Stage} from '../../src/ports.ts';

const [file = 'sh', ...args] = process.argv.slice(2);
const told = process.env;
const env: Record<string, string> = {};
for (const [name, value] of Object.entries(told)) {
  if (value !== undefined && !name.startsWith('STAGE_')) env[name] = value;
}
const spec = {file, args, env, cwd: process.cwd()};
const legs = Number(told.STAGE_LEGS ?? '1');

const note = (what: object): void => {
  if (told.STAGE_NOTE !== undefined) appendFileSync(told.STAGE_NOTE, `${JSON.stringify(what)}\n`);
};
const endAs = (exit: ExitStatus): void => {
  process.exitCode = exit.signal === undefined ? exit.code : 128 + exit.signal;
};
const onFault = (what: string): void => note({is: 'fault', what});

const openStage = (): Stage => {
  if (told.STAGE_KIND === 'pipes') return openPipes({streams: told.STAGE_STREAM !== undefined, onFault});
  const onQuitKey = (): void => {
    note({is: 'quit-key'});
    stage?.close();
    process.exit(130);
  };
  return openTerminal({modes: modeLedger(), onQuitKey, onFault});
};

const onFirstOutput = (agent: AgentProcess): void => {
  if (told.STAGE_STOP !== undefined) {
    const steps = JSON.parse(told.STAGE_STOP) as StopStep[];
    void agent.stop(steps).then((stopped) => note({is: 'stopped', ...stopped}));
  }
  if (told.STAGE_FAULT === 'error') setImmediate(() => undefinedFunction());
};
const undefinedFunction = (): void => {
  throw new Error('an error that nobody catches');
};

const run = (stage: Stage, leg: number): void => {
  let agent: AgentProcess | undefined;
  let heard = 0;
  const started = stage.start(spec, {
    onOutput: (chunk) => {
      if (told.STAGE_FAULT === 'tap') throw new Error('a tap that fails');
      heard += chunk.length;
      if (heard === chunk.length && agent !== undefined) onFirstOutput(agent);
    },
    onResize: (cols, rows) => note({is: 'size', cols, rows}),
    onExit: (exit) => {
      note({is: 'exit', ...exit, heard});
      stage.settle();
      if (told.STAGE_SAY !== undefined) stage.tell(told.STAGE_SAY);
      void next(stage, leg, exit);
    },
  });
  if (started.ok) {
    agent = started.value;
    note({is: 'started', pid: agent.pid});
  } else {
    stage.tell(JSON.stringify(started.failure));
    stage.close();
    process.exitCode = 127;
  }
};

const next = async (stage: Stage, leg: number, exit: ExitStatus): Promise<void> => {
  await stage.keepOutput(leg === legs);
  if (leg < legs) {
    setTimeout(() => run(stage, leg + 1), Number(told.STAGE_REST ?? '0'));
    return;
  }
  stage.close();
  endAs(exit);
};

const stage = told.STAGE_KIND === 'bare' ? undefined : openStage();
if (stage === undefined) endAs(await runBare(spec));
else {
  if (told.STAGE_LISTEN !== undefined) {
    process.on(told.STAGE_LISTEN, () => {
      stage.close();
      process.exit(3);
    });
  }
  run(stage, 1);
}
