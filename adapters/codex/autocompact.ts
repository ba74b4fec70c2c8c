// `ckpt autocompact PCT` for Codex: when it compacts by itself, in percent of its window, for one run through -c. Codex
// does it at 90 % and can only be told to do it earlier; never is not to be had.

import type {HookPlan} from '../../src/adapter/adapter.ts';
import {isSet} from './settings.ts';

const KEY = 'model_auto_compact_token_limit';
/** Of the raw window: Codex's own limit. */
const OWN_LIMIT = 90;
/** The raw window of the models that were measured; a limit above the real one changes nothing. */
const WINDOW = 272_000;

type Asked = Pick<HookPlan, 'autocompact' | 'parsed' | 'readFile'>;

export const autocompactArgs = (plan: Asked): string[] => {
  const {setting, env} = plan.autocompact;
  // What the person has set on this command line is nearer than what was once set for the folder.
  if (setting.is !== 'percent' || setting.percent > OWN_LIMIT || isSet(plan, KEY)) return [];
  const limit = Math.floor((WINDOW * setting.percent) / 100);
  const theirs = inConfig(plan.readFile(`${env.CODEX_HOME || `${env.HOME ?? ''}/.codex`}/config.toml`) ?? '');
  return theirs !== undefined && theirs <= limit ? [] : ['-c', `${KEY}=${limit}`];
};

/** Why the setting changes nothing, where it does not. */
export const autocompactCaution = ({autocompact: {setting}}: Pick<HookPlan, 'autocompact'>): string | undefined => {
  if (setting.is === 'on' || (setting.is === 'percent' && setting.percent <= OWN_LIMIT)) return undefined;
  const asked = setting.is === 'off' ? 'off' : `${setting.percent} %`;
  return `Codex compacts at ${OWN_LIMIT} % of its context by itself and can only be told to do it earlier, so autocompact ${asked} changes nothing; --on-compaction restart holds that compaction and hands over`;
};

/** A key of the file itself, before its first table. */
const inConfig = (text: string): number | undefined => {
  const [own = ''] = text.split(/^\s*\[/m, 1);
  const found = new RegExp(`^\\s*${KEY}\\s*=\\s*([\\d_]+)`, 'm').exec(own)?.[1];
  return found === undefined ? undefined : Number(found.replaceAll('_', ''));
};
