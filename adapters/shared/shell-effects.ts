// What a shell command does to files, read off its words. Conservative: only names that stand there in full.

import {type SimpleCommand, simpleCommands} from './shell-words.ts';

export interface ShellEffects {
  /** It only looks: nothing can have been changed by it. */
  looks: boolean;
  reads: string[];
  writes: string[];
}

export const shellEffects = (command: string): ShellEffects => {
  const commands = simpleCommands(command);
  const effects: ShellEffects = {looks: commands.length > 0 && commands.every(isLook), reads: [], writes: []};
  let folder = '';
  for (const one of commands) {
    const inFolder = (name: string): string => (/^[/~]/.test(name) ? name : `${folder}${name}`);
    effects.reads.push(...readsOf(one).filter(isName).map(inFolder));
    effects.writes.push(...writesOf(one).filter(isName).map(inFolder));
    const [program, to = ''] = one.words;
    if (program === 'cd' && isName(to)) folder = `${inFolder(to)}/`;
  }
  return effects;
};

/** A failure of these is an answer ("no match", "they differ"), not a fault. */
export const answersByStatus = (command: string, exitCode: number | undefined): boolean =>
  exitCode === 1 && askers.has(nameOf(simpleCommands(command).at(-1)?.words[0] ?? ''));

const askers = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'diff', 'cmp', 'test', '[', 'which', 'pgrep']);

const lookers = new Set(
  `ls cat head tail less more bat nl wc grep egrep fgrep rg ag find fd tree stat file du df pwd cd echo printf which type
  diff cmp sort uniq cut column jq awk test [ true false date env printenv id whoami ps pgrep lsof ss netstat
  basename dirname realpath readlink sed tr rev comm sleep`.split(/\s+/),
);
const gitLooks =
  /^(?:status|log|diff|show|blame|branch|rev-parse|ls-files|ls-tree|remote|describe|shortlog|reflog|grep|cat-file|config --get\S*|stash list|tag -l|worktree list)(?: |$)/;

const isLook = (command: SimpleCommand): boolean => {
  const [program = '', ...rest] = command.words;
  const name = nameOf(program);
  const line = rest.filter((word, at) => word !== '-C' && rest[at - 1] !== '-C' && word !== '--no-pager').join(' ');
  if (command.writes.length > 0) return false;
  if (name === 'git') return gitLooks.test(line) && !/(?:^| )-(?:[dDmM]|-delete|-move)(?: |$)/.test(line);
  if (name === 'sed') return !rest.some((word) => /^(?:-\w*i|--in-place)/.test(word));
  if (name === 'find') return !rest.some((word) => /^-(?:delete|exec|execdir|ok|fprint)/.test(word));
  return name === '' || lookers.has(name);
};

const readers = new Set(['cat', 'head', 'tail', 'less', 'more', 'bat', 'nl']);

const readsOf = ({words: [program = '', ...rest]}: SimpleCommand): string[] => {
  const name = nameOf(program);
  const files = rest.filter(
    (word, at) => !/^[-+]/.test(word) && !(/^-[nc]$/.test(rest[at - 1] ?? '') && /^\d+$/.test(word)),
  );
  if (readers.has(name)) return files;
  // `sed -n '1,80p' file`: the first word is the script.
  return name === 'sed' && rest.includes('-n') && !rest.some((word) => /^-\w*i/.test(word)) ? files.slice(1) : [];
};

const writesOf = ({words: [program = '', ...rest], writes}: SimpleCommand): string[] => {
  const files = rest.filter((word) => !word.startsWith('-'));
  const name = nameOf(program);
  if (name === 'tee') return [...writes, ...files];
  // `sed -i 's/a/b/' file`; an `-e` has the script as its value.
  if (name === 'sed' && rest.some((word) => /^(?:-\w*i|--in-place)/.test(word))) return [...writes, ...files.slice(1)];
  return writes;
};

const nameOf = (word: string): string => word.replace(/^.*\//, '');

/** A name that stands there in full: no variable, no pattern, no device. */
const isName = (word: string): boolean =>
  /^[^\s$*?`{}()<>|&;!]+$/.test(word) && !/^(?:-|\/dev\/|\/proc\/)/.test(word) && word.length < 300;
