// Baton → first prompt, within a token budget (DESIGN §7). The sections that must be there come first when space is
// given out; the others follow by priority, whole or not at all; what is left out is named, with the full file's path.
// The page begins with what changes least from leg to leg, so that a provider's prompt cache can hold it.

import type {Checkpoint, Provenance} from './checkpoint.ts';
import {fenced, inline, neutral} from './page/quote.ts';
import {instructionSection, type Optional, optionalSections} from './page/sections.ts';
import {handoffText} from './protocol.ts';
import {shortHead} from './reconcile.ts';
import {cutToTokens, tokens} from './tokens.ts';

export interface RenderInput {
  checkpoint: Checkpoint;
  /** reconcile's sentence: 'none', or what differs. */
  drift: string;
  ckptBin: string;
  dir: string;
  /** The leg that gets this prompt. */
  legNumber: number;
  /** The checkpoint's own file, for what is cut. */
  fullPath: string;
  /** The agent that gets it, where that is known: the names of tools differ. */
  agent?: string;
  maxTokens?: number;
}

/** A block of the page, with what `ckpt baton --explain` says of it. */
export interface Part {
  items: {text: string; from: Provenance | 'ckpt-run'}[];
  why: string;
}

/** Shares of the budget that the sections that are never left out may take at most; beyond, they are cut and say so. */
const share = {goal: 0.55, next: 0.15, call: 0.12, git: 0.1};

export const renderPrompt = (input: RenderInput): string =>
  `${partsOf(input)
    .map(({items}) => items.map(({text}) => text).join('\n'))
    .join('\n\n')}\n`;

export const partsOf = (input: RenderInput): Part[] => {
  const budget = input.maxTokens ?? 2000;
  const {checkpoint, fullPath} = input;
  const track = inline(checkpoint.track);
  const head = ours(
    handoffText({ckptBin: input.ckptBin, dir: input.dir, track}),
    'the protocol, the same for every leg',
  );
  const baton = ours(batonLine(input, track), 'which baton this is, and where the whole of it lies');
  const end = [inFlight(input, budget * share.call), next(input, budget * share.next), git(input, budget * share.git)];
  const said = instructionSection(checkpoint);
  const optional = [...(said.items.length === 0 ? [] : [said]), ...optionalSections(checkpoint)];
  const longest = optional.map(({name}) => `999 of 999 ${name}`);
  const fixed = lengthOf([head, baton, ...end, ours(leftOut(longest, fullPath), '')]);
  const goal = goalPart(input, Math.max(60, Math.min(budget * share.goal, budget - fixed)));
  const {shown, cut} = giveOut(optional, budget - fixed - lengthOf([goal]) - 2);
  const [first, rest] = [shown.filter(({of}) => of === said), shown.filter(({of}) => of !== said)];
  const cutPart = cut.length === 0 ? [] : [ours(leftOut(cut, fullPath), 'there was no room for these')];
  return [head, goal, ...first, baton, ...rest, ...end, ...cutPart];
};

const ours = (text: string, why: string): Part => ({items: [{text, from: 'ckpt-run'}], why});

const lengthOf = (parts: Part[]): number =>
  tokens(parts.map(({items}) => items.map(({text}) => text).join('\n')).join('\n\n'));

const leftOut = (names: string[], fullPath: string): string =>
  `Left out for length: ${names.join(', ')}. Read them in ${inline(fullPath)} if you need them.`;

const batonLine = ({checkpoint, legNumber, fullPath, agent}: RenderInput, track: string): string => {
  const last = checkpoint.conversation?.agent;
  const other =
    agent === undefined || last === undefined || last === agent
      ? ''
      : ` The last agent was ${inline(last)}: its tools had other names than yours.`;
  return `Baton: track ${track}, leg ${legNumber}, written at ${inline(checkpoint.born)}. Full checkpoint: ${inline(fullPath)}${other}`;
};

/** Gives the space out by priority; shows what fits in the order of the page. */
const giveOut = (optional: Optional[], budget: number): {shown: (Part & {of: Optional})[]; cut: string[]} => {
  let left = budget;
  const cut: string[] = [];
  const shown = new Map<Optional, Part['items']>();
  for (const section of [...optional].sort((a, b) => a.priority - b.priority)) {
    let room = left - tokens(section.title) - 4;
    // Newest first where the end matters more: what cannot be shown is the oldest, or too long by itself.
    const order = section.keep === 'last' ? [...section.items].reverse() : section.items;
    const kept: Part['items'] = [];
    for (const {text, from} of order) {
      const length = text === undefined ? room + 1 : tokens(text, room) + 2;
      if (text === undefined || length > room) continue;
      room -= length;
      kept.push({text, from});
    }
    const missing = order.length - kept.length;
    if (missing > 0) cut.push(kept.length === 0 ? section.name : `${missing} of ${order.length} ${section.name}`);
    if (kept.length === 0) continue;
    left = room;
    shown.set(section, section.keep === 'last' ? kept.reverse() : kept);
  }
  const parts = optional.flatMap((of): (Part & {of: Optional})[] => {
    const items = shown.get(of);
    return items === undefined ? [] : [{of, why: of.why, items: [{text: of.title, from: 'ckpt-run'}, ...items]}];
  });
  return {shown: parts, cut};
};

const goalPart = ({checkpoint}: RenderInput, room: number): Part => {
  const title = {text: "Goal (the person's own words):", from: 'ckpt-run' as const};
  const why = 'what the person asked for; never paraphrased, never left out';
  if (checkpoint.goal === undefined) {
    return {items: [title, {text: 'not known; go by the rest of the baton', from: 'ckpt-run'}], why};
  }
  const text = cutToTokens(checkpoint.goal, {
    max: room - tokens(title.text) - 10,
    pointer: pointer('goal'),
    safely: neutral,
  });
  return {items: [title, {text: fenced(text), from: checkpoint.provenance.goal ?? 'quoted'}], why};
};

const next = ({checkpoint}: RenderInput, room: number): Part => {
  const text = checkpoint.next_cmd.trim() === '' ? 'continue the goal' : checkpoint.next_cmd;
  const line = `Next: ${cutToTokens(text, {max: room, pointer: pointer('next_cmd'), safely: inline})}`;
  return {
    items: [{text: line, from: checkpoint.provenance.next_cmd ?? 'claimed'}],
    why: 'the first thing to do, by the order in src/baton/next.ts; never left out',
  };
};

const inFlight = ({checkpoint}: RenderInput, room: number): Part => {
  const title = 'In flight when the last agent died:';
  const why = 'the last call in the session log, and whether its end was seen; never left out';
  const from = checkpoint.provenance.in_flight ?? 'observed';
  const call = checkpoint.in_flight;
  if (call === undefined || call.outcome === 'none') return {items: [{text: `${title} nothing`, from}], why};
  const outcome = call.outcome === 'unknown' ? 'unknown — verify first' : call.outcome;
  const outside =
    call.outside && call.outcome === 'unknown' ? ' (it may have been felt outside this folder: look there)' : '';
  const text = cutToTokens(call.call, {max: room, pointer: pointer('in_flight'), safely: inline});
  return {
    items: [
      {text: title, from: 'ckpt-run'},
      {text: `- ${text}\n  outcome: ${outcome}${outside}`, from},
    ],
    why,
  };
};

const git = ({checkpoint, drift}: RenderInput, room: number): Part => {
  const state = `Git: branch ${checkpoint.branch ?? '(none)'}, head ${shortHead(checkpoint.head) ?? '(none)'}; drift: `;
  const text = cutToTokens(`${state}${drift}`, {max: room, pointer: pointer('drift'), safely: inline});
  return {items: [{text, from: 'observed'}], why: 'git at the checkpoint, and what has moved since; never left out'};
};

const pointer = (field: string): string => ` … [cut here; the whole of ${field} is in the full checkpoint]`;
