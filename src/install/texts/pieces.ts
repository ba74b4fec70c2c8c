// What an agent gets: one piece per command, and the protocol. A piece has a name that may be taken, and then another.

import {join} from 'node:path';
import {type Agent, baseOf, type Target} from '../agents.ts';
import {type AgentCommand, commands, type Words} from './commands.ts';
import {
  claudeCommand,
  claudeRule,
  codexForPerson,
  cursorCommand,
  cursorRule,
  geminiCommand,
  opencodeCommand,
  skill,
  skillCommand,
} from './formats.ts';
import {protocolWhat, protocolWords} from './protocol-words.ts';

export interface WantedFile {
  path: string;
  text: string;
}

export interface Piece {
  /** The names in the order in which they are tried. */
  names: string[];
  /** What the issue calls it, when the agent itself has that name for something else. */
  wanted: string;
  /** How the person calls it; undefined for what the agent reads by itself. */
  call: ((name: string) => string) | undefined;
  files(name: string): WantedFile[];
  /** Files of others that would answer to the same name. */
  rivals(name: string): string[];
}

export const piecesOf = (target: Target, ckpt: string): Piece[] => [
  ...commands.map((command) => commandPiece(target, command, ckpt)),
  protocolPiece(target, ckpt),
];

const prefix = 'ckpt-';

/** Names that mean something else to the agent. Claude Code's /checkpoint is only an alias there, and ours wins. */
const ownNames: Partial<Record<Agent, string[]>> = {gemini: ['restore']};

const commandPiece = (target: Target, command: AgentCommand, ckpt: string): Piece => {
  const {agent} = target;
  const base = baseOf(target);
  const {name} = command;
  const taken = ownNames[agent]?.includes(name) === true;
  return {
    names: [...(taken ? [] : [name]), `${prefix}${name}`, `${prefix}run-${name}`],
    wanted: name,
    call: (given) => callOf[agent](given),
    files: (given) => commandFiles[agent]({base, name: given, command, ckpt}),
    rivals: (given) => (rivals[agent] ?? []).map((path) => join(base, path.replace('*', given))),
  };
};

const callOf: Record<Agent, (name: string) => string> = {
  claude: (name) => `/${name}`,
  codex: (name) => `$${name}`,
  cursor: (name) => `/${name}`,
  gemini: (name) => `/${name}`,
  // It makes underscores of all that is no letter or digit.
  openclaw: (name) => `/${name.replaceAll('-', '_')}`,
  opencode: (name) => `/${name}`,
};

interface Making {
  base: string;
  name: string;
  command: AgentCommand;
  ckpt: string;
}

/** Claude Code and opencode put it in; the others leave what was typed where the person typed it. */
const typedAs = (ckpt: string, typed: string): Words => ({ckpt, typed});
const behind = 'see what stands behind the name of this command in their message';
const mention = 'see their message, behind the name of this skill';

const commandFiles: Record<Agent, (making: Making) => WantedFile[]> = {
  claude: ({base, name, command, ckpt}) => [
    {path: join(base, 'commands', `${name}.md`), text: claudeCommand(command, typedAs(ckpt, '$ARGUMENTS'))},
  ],
  codex: ({base, name, command, ckpt}) => [
    {path: join(base, 'skills', name, 'SKILL.md'), text: skillCommand(name, command, typedAs(ckpt, mention))},
    {path: join(base, 'skills', name, 'agents', 'openai.yaml'), text: codexForPerson()},
  ],
  cursor: ({base, name, command, ckpt}) => [
    {path: join(base, 'commands', `${name}.md`), text: cursorCommand(command, typedAs(ckpt, behind))},
  ],
  gemini: ({base, name, command, ckpt}) => [
    {path: join(base, 'commands', `${name}.toml`), text: geminiCommand(command, typedAs(ckpt, '{{args}}'))},
  ],
  openclaw: ({base, name, command, ckpt}) => [
    {path: join(base, 'skills', name, 'SKILL.md'), text: skillCommand(name, command, typedAs(ckpt, mention))},
  ],
  opencode: ({base, name, command, ckpt}) => [
    {path: join(base, 'commands', `${name}.md`), text: opencodeCommand(command, typedAs(ckpt, '$ARGUMENTS'))},
  ],
};

/** Below the base, `*` for the name. Where a skill and a command have one name, Claude Code takes the skill. */
const rivals: Partial<Record<Agent, string[]>> = {
  claude: ['skills/*/SKILL.md'],
  cursor: ['skills/*/SKILL.md'],
  opencode: ['command/*.md'],
};

const protocolPiece = (target: Target, ckpt: string): Piece => {
  const base = baseOf(target);
  const text = protocolWords(ckpt);
  const asSkill = (name: string): WantedFile => ({
    path: join(base, 'skills', name, 'SKILL.md'),
    text: skill(name, protocolWhat, text),
  });
  const files = (name: string): WantedFile[] => {
    if (target.agent === 'claude') return [{path: join(base, 'rules', `${name}.md`), text: claudeRule(text)}];
    // The person's own rules are in Cursor's settings, where no file reaches them.
    if (target.agent === 'cursor' && target.scope === 'project')
      return [{path: join(base, 'rules', `${name}.mdc`), text: cursorRule(protocolWhat, text)}];
    return [asSkill(name)];
  };
  return {
    names: ['ckpt', 'ckpt-protocol', 'ckpt-run-protocol'],
    wanted: 'ckpt',
    call: undefined,
    files,
    rivals: () => [],
  };
};
