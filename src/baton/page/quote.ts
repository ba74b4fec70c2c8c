// Text from elsewhere inside a prompt of ours: it stays readable, and can neither give orders nor break the page.

import {clean, oneLine} from '../clean.ts';

/** Fences are broken up, and so is whatever an agent's CLI would act on: its own tags, and `@file`, which it would read. */
export const neutral = (text: string): string =>
  clean(text)
    .trim()
    .replace(/~{3,}/g, (run) => [...run].join(' '))
    .replace(harnessTag, '‹$1')
    // In quotes it is a word like any other to Claude Code, and the same word to a shell.
    .replace(/(^|\s)@("[^"\n]*"|[^\s'"`;,|&()<>]+)/g, "$1'@$2'");

/** Quoted text between `~~~` lines. */
export const fenced = (text: string): string => `~~~\n${neutral(text)}\n~~~`;

/** The same on one line: a command, a file name, a title. */
export const inline = (text: string): string => neutral(oneLine(text));

/** Tags in which the CLIs wrap their own words to the model. */
const harnessTag =
  /<(\/?(?:system|command|local-command|bash|task|user|environment|hook|function|tool|antml|permissions|instructions|skill|agent|assistant|human|turn|collaboration)[-_:]?\w*)/gi;
