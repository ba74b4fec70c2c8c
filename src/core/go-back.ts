import type {CheckpointId} from './ids.ts';

/** Where to go back to, and with what. */
export interface GoBack {
  to: CheckpointId;
  files: boolean;
  baton: boolean;
  /** Only the files under these; none: all. */
  paths: string[];
}
