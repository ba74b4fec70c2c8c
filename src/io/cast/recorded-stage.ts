// A stage whose legs are recorded: terminal.cast in each leg's folder. The recorder is an observer like any other.

import {join} from 'node:path';
import type {LegNumber} from '../../core/ids.ts';
import type {Stage} from '../../ports.ts';
import {makeFolder} from '../files/atomic-file.ts';
import {legFolder} from '../runs/run-files.ts';
import {openCastFile} from './cast-file.ts';

export interface Recording {
  runDir: string;
  title: string;
  onFailure(what: string): void;
}

export const recordedStage = (stage: Stage, {runDir, title, onFailure}: Recording): Stage => ({
  ...stage,
  start: (spec, taps) => {
    const folder = join(runDir, legFolder(Number(spec.env.CKPT_LEG) as LegNumber));
    try {
      makeFolder(folder);
    } catch (error) {
      onFailure(error instanceof Error ? error.message : String(error));
      return stage.start(spec, taps);
    }
    const env = spec.env.TERM === undefined ? {} : {TERM: spec.env.TERM};
    const cast = openCastFile({path: join(folder, 'terminal.cast'), title, env, onFailure});
    return stage.start(spec, {
      onOutput: (chunk) => {
        cast.onOutput(chunk);
        taps.onOutput(chunk);
      },
      onResize: (cols, rows) => {
        cast.onResize(cols, rows);
        taps.onResize(cols, rows);
      },
      onExit: (exit) => {
        void cast.close();
        taps.onExit(exit);
      },
    });
  },
});
