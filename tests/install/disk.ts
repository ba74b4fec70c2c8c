// A disk in memory for plans: what is there, what was installed.

import {dirname} from 'node:path';
import type {Target} from '../../src/install/agents.ts';
import type {Installed} from '../../src/install/manifest.ts';
import type {PlanWorld} from '../../src/install/plan.ts';
import type {Work} from '../../src/install/ports.ts';
import {sha256} from '../../src/install/texts/mark.ts';

export const target = (agent: Target['agent'], scope: Target['scope'], env: Target['env'] = {}): Target => ({
  ...{agent, scope, env},
  root: '/repo',
  home: '/home/me',
});

export class Disk implements PlanWorld {
  readonly files: Map<string, string>;
  readonly blocked = new Map<string, string>();
  #manifest: Installed[] = [];
  readonly #backups = new Map<string, string>();

  constructor(files: Record<string, string> = {}) {
    this.files = new Map(Object.entries(files));
  }

  look: PlanWorld['look'] = (path) => {
    const what = this.blocked.get(path);
    if (what !== undefined) return {is: 'blocked', what};
    const text = this.files.get(path);
    return text === undefined ? {is: 'absent', missing: [dirname(path)]} : {is: 'file', text};
  };

  manifest: PlanWorld['manifest'] = () => this.#manifest;

  backup: PlanWorld['backup'] = (hash) => this.#backups.get(hash);

  forget(): void {
    this.#manifest = [];
  }

  apply({changes, backups, manifest}: Work): void {
    for (const text of backups) this.#backups.set(sha256(text), text);
    for (const {path, to} of changes) {
      if (to === undefined) this.files.delete(path);
      else this.files.set(path, to);
    }
    this.#manifest = manifest;
  }

  get all(): Record<string, string> {
    return Object.fromEntries([...this.files].sort());
  }
}
