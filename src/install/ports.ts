// What install and uninstall ask of the disk, and what they want done to it.

import type {LegFacts} from '../baton/facts.ts';
import type {Result} from '../core/failure.ts';
import type {Installed} from './manifest.ts';

export type Seen =
  /** `missing`: the folders that would have to be made, outermost first. */
  | {is: 'absent'; missing: string[]}
  | {is: 'file'; text: string}
  /** Something that we do not touch: a folder, a link out of the project, what is not UTF-8. */
  | {is: 'blocked'; what: string};

export interface Change {
  path: string;
  /** As it was seen, so that nobody's change in between is lost; undefined: it was not there. */
  from: string | undefined;
  /** Undefined: it goes. */
  to: string | undefined;
  /** To be made before, or to be removed behind it where they are empty; outermost first. */
  folders: string[];
}

export interface Work {
  changes: Change[];
  /** Texts to be kept before anything is changed, each under its SHA-256. */
  backups: string[];
  /** What is installed afterwards. With nothing left, the script that calls ckpt goes too. */
  manifest: Installed[];
  /** The text of that script; undefined: it stays as it is. */
  launcher?: string;
}

export interface InstallPort {
  home: string;
  /** `within`: nothing may lead out of this folder. */
  look(path: string, within: string | undefined): Seen;
  manifest(): Installed[];
  /** The text of a backup, by its SHA-256. */
  backup(hash: string): string | undefined;
  /** Where backups are. */
  backups: string;
  /** The script by which installed files call ckpt. */
  launcher: string;
  /** All or nothing. */
  apply(work: Work): Result<void>;
}

/** What the session log of a conversation shows, read whole. */
export interface Conversation {
  facts: LegFacts;
  /** When it began, by the log. */
  beganAt: number | undefined;
  bytes: number;
}

/** What `--purge` would take away. */
export interface Purgeable {
  /** Files and folders of ours in the checkpoint folder. */
  ours: string[];
  /** What else lies there, and stays. */
  others: string[];
  /** `refs/ckpt/…` of the repository that no other worktree needs. */
  refs: string[];
  /** The line in .git/info/exclude. */
  excluded: boolean;
  /** Names of the services that keep a run of this repository going. */
  services: string[];
}

export interface PurgePort {
  find(): Promise<Result<Purgeable>>;
  /** All but the services. */
  remove(found: Purgeable): Promise<Result<void>>;
}

/** What install, uninstall and hook ask of the world; loaded only for them. */
export interface InstallWorld {
  files: InstallPort;
  /** Absolute path of the node that runs us: a login shell may know none. */
  node: string;
  /** Undefined when the agent's log is not one that we can read. */
  conversation(agent: string, log: string): Promise<Conversation | undefined>;
  purge(place: {root: string; dir: string; refs: string[]}): PurgePort;
  /** Undefined when nobody can be asked. */
  ask(question: string): Promise<boolean | undefined>;
}
