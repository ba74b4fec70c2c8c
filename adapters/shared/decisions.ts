// Decisions that the agent has stated in so many words. Few and sure: a guess in the baton costs more than a gap.

import type {WithWhy} from '../../src/baton/checkpoint.ts';

const LENGTH = 240;

export const decisionsIn = (text: string): WithWhy[] =>
  prose(text)
    .flatMap(sentences)
    .flatMap((sentence) => {
      const what = stated(sentence);
      if (what !== undefined) return [withReason(what)];
      // The reason may come first: `It is slow, so we'll go with a queue.`
      const [, why = '', conclusion = ''] = /^(.{6,}?)[,;]\s+so\s+(.+)$/i.exec(sentence) ?? [];
      const concluded = stated(conclusion);
      return concluded === undefined ? [] : [{what: cut(concluded), why: cut(why)}];
    });

/** Lines outside code, quotes and tables; list marks and emphasis taken off. */
const prose = (text: string): string[] =>
  text
    .slice(0, 40_000)
    .replace(/^[ \t]*(`{3,}|~{3,})[\s\S]*?(?:^[ \t]*\1[ \t]*$|$(?![\s\S]))/gm, '')
    .split('\n')
    .filter((line) => !/^\s*(?:>|\||#{1,6}\s*$)/.test(line))
    .map((line) =>
      line
        .replace(/^\s*(?:[-*+]|\d+[.)]|#{1,6})\s+/, '')
        .replace(/\*\*|__/g, '')
        .trim(),
    )
    .filter((line) => line !== '');

/** At a full stop before a capital letter: `v2.1` and `e.g. this` stay whole. */
const sentences = (line: string): string[] => line.split(/(?<=[a-z0-9)`'"’][.!?])\s+(?=[A-Z`"'“])/);

/** In front of the statement, meaning nothing for it. */
const opening =
  /^(?:(?:ok(?:ay)?|so|therefore|hence|thus|instead|and|but|then|given (?:this|that)|for now|after (?:that|this)|in the end|on balance)[,:]?\s+)+/i;

const statements = [
  /^(?:(?:design|architecture|key|final|my) )?(?:decision|decided|choice)\s*(?::|—|–|-)\s*(.+)$/i,
  /^((?:I|we)(?:['’]ve| have)? (?:decided|chosen|chose|opted|settled|agreed|picked)\b.+)$/i,
  /^((?:I|we)(?:['’]ll| will|['’]m going to| am going to|['’]re going to| are going to) (?:go with|stick (?:with|to)|settle (?:on|for)|opt for)\b.+)$/i,
  /^((?:I|we)(?:['’]ll| will|['’]m going to| am going to) (?:use|keep|switch to|avoid|drop|prefer|store|implement|write|put)\b.+\b(?:instead of|rather than|over|not)\b.+)$/i,
  /^((?:going|sticking|went) with\b.+)$/i,
  /^(let['’]s (?:go|stick) with\b.+)$/i,
  /^((?!(?:as|what|how|that|where|when|if|so|because|since)\w*\b)[A-Z][\w'’ -]{1,60} it is)(?:[:.,;—–]|$)/i,
  /^((?:I|we) (?:use|keep|prefer|chose|went with|rejected|ruled out)\b.+\b(?:because|since|instead of|rather than|over)\b.+)$/i,
];

const stated = (sentence: string): string | undefined => {
  const plain = sentence.replace(opening, '');
  // A question, a doubt or a condition decides nothing.
  if (/\?\s*$|^(?:if|whether|should|could|would|maybe|perhaps)\b|\b(?:might|could|should we|not sure)\b/i.test(plain)) {
    return undefined;
  }
  const found = statements.map((pattern) => pattern.exec(plain)?.[1]).find((one) => one !== undefined);
  return found === undefined || found.length < 8 ? undefined : found.replace(/[.\s]+$/, '');
};

const withReason = (statement: string): WithWhy => {
  const [, what = statement, why] =
    /^(.{6,}?)(?:,|;|:| —| –)?\s+(?:because|since|as it|so that|due to|the reason is(?: that)?)\s+(.+)$/i.exec(
      statement,
    ) ?? [];
  return {what: cut(what), why: why === undefined ? undefined : cut(why)};
};

const cut = (text: string): string => (text.length > LENGTH ? `${text.slice(0, LENGTH - 1)}…` : text);
