// Which parts of a user message did the person (or we, in their place) say? The rest is machinery.

import {textAt} from '../shared/json.ts';

export const personsWords = (content: unknown): string[] => {
  const texts = typeof content === 'string' ? [content] : Array.isArray(content) ? content.flatMap(blockText) : [];
  return texts
    .flatMap((text) => slashCommand(text) ?? withoutReminders(text))
    .filter((text) => text !== '' && !machinery.test(text));
};

const blockText = (block: unknown): string[] => {
  const text = textAt(block, 'type') === 'text' ? textAt(block, 'text') : undefined;
  return text === undefined ? [] : [text];
};

const withoutReminders = (text: string): string =>
  text.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '').trim();

/** A command of the person's own (`/fix-issue 42`) is an instruction; the CLI's own ones steer the CLI. */
const slashCommand = (text: string): string[] | undefined => {
  const name = /<command-name>\/?([^<]*)<\/command-name>/.exec(text)?.[1]?.trim();
  if (name === undefined || !text.startsWith('<command-')) return undefined;
  const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1]?.trim() ?? '';
  return builtIn.has(name) ? [] : [`/${name} ${args}`.trim()];
};

const builtIn = new Set(
  `add-dir agents allowed-tools bashes bug branch btw chrome clear color compact config context copy cost desktop diff
  doctor effort exit export extra-usage fast feedback files fork heapdump help hooks ide insights install-github-app
  install-slack-app keybindings login logout loops mcp memory mobile model new output-style passes permissions plan plugin
  plugins pr-comments privacy-settings quit rate-limit-options release-notes reload-plugins remote-control remote-env
  rename reset resume review rewind sandbox security-review settings skills stats status statusline stickers stop tag
  tasks teleport terminal-setup theme think-back todos undo upgrade usage vim voice web-setup`.split(/\s+/),
);

/** What the CLI writes in the person's name: the output of commands, notices of background tasks, interrupts. */
const machinery =
  /^(?:<(?:command-(?:name|message|args)|local-command-(?:stdout|stderr|caveat)|bash-(?:input|stdout|stderr)|task-notification|user-prompt-submit-hook|session-start-hook)>|\[Request interrupted by user|Caveat: The messages below were generated|This session is being continued from a previous conversation)/;
