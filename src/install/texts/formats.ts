// The kinds of files in which agents look for commands, skills and rules.

import type {AgentCommand, Words} from './commands.ts';
import {withMark} from './mark.ts';

/** Claude Code: `!` and `@` in the text would act at once, so it has none. */
export const claudeCommand = ({what, hint, harmless, tell}: AgentCommand, words: Words): string =>
  markdown(
    {
      description: what,
      ...(hint === '' ? {} : {'argument-hint': hint}),
      // A path that needs quotes cannot be told in such a rule: then Claude Code asks.
      ...(words.ckpt.startsWith("'") || harmless.length === 0
        ? {}
        : {'allowed-tools': harmless.map((word) => `Bash(${words.ckpt} ${word}:*)`).join(', ')}),
      'disable-model-invocation': true,
    },
    tell(words),
  );

export const opencodeCommand = ({what, tell}: AgentCommand, words: Words): string =>
  markdown({description: what}, tell(words));

/** Cursor knows no head in a command; what was typed behind it follows the text. */
export const cursorCommand = ({what, tell}: AgentCommand, words: Words): string =>
  withMark(`# ${what}\n\n${tell(words)}\n`, 'html');

export const geminiCommand = ({what, tell}: AgentCommand, words: Words): string => {
  const text = tell(words).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return withMark(`description = ${JSON.stringify(what)}\nprompt = """\n${text}\n"""\n`, 'hash');
};

/** A command for agents that have skills only. */
export const skillCommand = (name: string, {what, tell}: AgentCommand, words: Words): string =>
  markdown({name, description: what, 'user-invocable': true, 'disable-model-invocation': true}, tell(words));

/** A skill that the agent itself reaches for. */
export const skill = (name: string, description: string, text: string): string => markdown({name, description}, text);

export const claudeRule = (text: string): string => withMark(`${text}\n`, 'html');

export const cursorRule = (description: string, text: string): string =>
  markdown({description, alwaysApply: true}, text);

/** Beside a skill of Codex: it is there for the person alone, and costs the agent's context nothing. */
export const codexForPerson = (): string => withMark('policy:\n  allow_implicit_invocation: false\n', 'hash');

/** JSON is YAML. */
const markdown = (head: Record<string, string | boolean>, text: string): string => {
  const lines = Object.entries(head).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  return withMark(`---\n${lines.join('')}---\n\n${text}\n`, 'html');
};
