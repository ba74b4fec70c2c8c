// The adapter's screen rules against what the terminal shows now → sightings, on change only.

import type {ScreenRule, Sighting} from '../adapter/adapter.ts';
import {unreachable} from '../core/unreachable.ts';

/** What the terminal shows. `osc`: the sequences since the last look, as `7501;state=idle:app=codex`. */
export interface View {
  screen: string;
  title: string;
  osc: readonly string[];
}

export interface ScreenWatch {
  look(view: View): Sighting[];
}

export const newScreenWatch = (rules: readonly ScreenRule[]): ScreenWatch => {
  const on = (place: ScreenRule['on']) => rules.filter((rule) => rule.on === place);
  const places = {screen: on('screen'), title: on('title'), osc: on('osc')};
  const shown = new Map<ScreenRule, number>();
  const said = new Map<string, string>();
  return {
    look: ({screen, title, osc}) => [
      ...osc.flatMap((text) => changed(places.osc, {text, place: `osc ${text.split(';', 1)[0]}`}, said)),
      ...changed(places.title, {text: title, place: 'title'}, said),
      ...places.screen.filter((rule) => appeared(rule, screen, shown)).map(sighting),
    ],
  };
};

/** A spinner changes the title ten times a second and says the same each time. */
const changed = (
  rules: readonly ScreenRule[],
  {text, place}: {text: string; place: string},
  said: Map<string, string>,
): Sighting[] => {
  const matching = rules.filter(({pattern}) => pattern.test(text));
  const now = matching.map(({signal}) => signal).join();
  if ((said.get(place) ?? '') === now) return [];
  said.set(place, now);
  return matching.map(sighting);
};

/** It stands there more often than before: a second compaction is news while the first still stands above it. */
const appeared = (rule: ScreenRule, screen: string, shown: Map<ScreenRule, number>): boolean => {
  const times = [...screen.matchAll(new RegExp(rule.pattern, `${rule.pattern.flags.replace('g', '')}g`))].length;
  const before = shown.get(rule) ?? 0;
  shown.set(rule, times);
  return times > before;
};

/** What a text cannot tell (who asked for a compaction, when a limit ends) is filled with what harms least. */
const sighting = ({signal, on}: ScreenRule): Sighting => {
  const evidence = {channel: 'screen' as const, detail: `${on} shows ${signal}`};
  switch (signal) {
    case 'waiting-for-person':
      return {type: signal, what: 'a question on the screen', evidence};
    case 'compaction-started':
      return {type: signal, trigger: 'auto', held: false, evidence};
    case 'compaction-done':
      return {type: signal, trigger: 'auto', evidence};
    case 'limit':
      return {type: signal, resetsAt: undefined, evidence};
    case 'fatal':
      return {type: signal, what: 'a message on the screen', evidence};
    case 'ready':
    case 'busy':
    case 'idle':
    case 'compaction-failed':
    case 'context-full':
    case 'overload':
    case 'auth':
      return {type: signal, evidence};
    default:
      return unreachable(signal);
  }
};
