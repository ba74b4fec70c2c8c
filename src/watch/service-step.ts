// What a service does when systemd or launchd starts it: begin, go on, or leave it be. At every boot it is asked anew.

import type {RunRecord} from './run-record.ts';
import {standingOf} from './status.ts';
import {goOnWords} from './status-words.ts';

export interface LastRun {
  record: RunRecord;
  alive: boolean;
  /** `ckpt stop` left its mark. */
  stopped: boolean;
}

export type ServiceStep = {do: 'begin'} | {do: 'go-on'; run: string} | {do: 'nothing'; why: string};

const SIGTERM = 15;

/** `last`: the newest run of the service's track since it was installed. */
export const serviceStep = (last: LastRun | undefined): ServiceStep => {
  if (last === undefined) return {do: 'begin'};
  const {record, alive, stopped} = last;
  const {run, outcome} = record;
  switch (standingOf(record, alive)) {
    case 'live':
      return {do: 'nothing', why: `run ${run} is alive already`};
    case 'lost':
      return {do: 'go-on', run};
    case 'over':
      if (stopped) return {do: 'nothing', why: `run ${run} was stopped by ckpt stop; go on with: ${goOnWords(run)}`};
      // The machine was shut down: nobody meant the run.
      if (outcome?.is === 'quit' && outcome.signal === SIGTERM) return {do: 'go-on', run};
      if (outcome?.is === 'parked') return {do: 'nothing', why: `run ${run} is parked; go on with: ${goOnWords(run)}`};
      return {do: 'nothing', why: `run ${run} is over (${outcome?.is ?? 'no outcome was written'})`};
  }
};
