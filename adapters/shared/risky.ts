// May this call undo work in this folder at one stroke? Before it is done, a checkpoint is. A false yes costs a second, a
// false no may cost a day.

import {simpleCommands} from './shell-words.ts';

/** A cheap look at the hook's raw JSON, in the agent's shell: whoever does not even hold one of these words is not held. */
export const riskyHint = [
  '[^a-z](rm|unlink|shred|truncate|rimraf|trash|dropdb)[^a-z]',
  ' of=| -delete| --del',
  'git.* (reset|rebase|clean|checkout|restore|switch|stash|branch|filter-|worktree|pull|rm)',
  '(hg|jj|svn) |Delete File|[Dd][Rr][Oo][Pp] |[Tt][Rr][Uu][Nn][Cc][Aa][Tt][Ee] ',
  'migrat|alembic|prisma|flyway|liquibase|goose|dbmate|knex|sqlx|drizzle|sequelize|typeorm|atlas|diesel|supabase|(dotnet|[^a-z]) ?ef |db:|ecto|manage.py',
].join('|');

export const isRisky = (tool: string, input: string): boolean =>
  isPatch(tool) ? deletesMany(input) : isShell(tool) && isRiskyCommand(input);

const isShell = (tool: string): boolean =>
  /^(?:Bash|exec_command|shell_command|shell|local_shell|exec|PowerShell)$/i.test(tool);

const isPatch = (tool: string): boolean => tool === 'apply_patch';

const MANY = 3;
const deletesMany = (patch: string): boolean => (patch.match(/^\*\*\* Delete File: /gm)?.length ?? 0) >= MANY;

const isRiskyCommand = (input: string): boolean =>
  inside.some((pattern) => pattern.test(input)) ||
  simpleCommands(input).some(({words}) => {
    const line = words.join(' ').replace(starters, '');
    return commands.some((pattern) => pattern.test(line)) || removesMany(line);
  });

/** Programs that only start others; a path in front of a program says nothing. */
const starters =
  /^(?:(?:sudo|time|env|command|exec|nohup|nice|npx|bunx|pnpx|xargs|timeout|(?:pnpm|yarn|npm|bundle|poetry|pipenv|uv) (?:exec|run|dlx)(?= \w+ ))(?: +(?:-\S+|\d+[smh]?|[A-Za-z_]\w*=\S*))* +)*(?:\S*\/(?=[^/\s]+(?:\s|$)))?/;

const removesMany = (line: string): boolean => {
  const [program, ...rest] = line.split(' ');
  if (program !== 'rm' && program !== 'unlink') return false;
  const files = rest.filter((word) => word !== '' && !word.startsWith('-'));
  return files.length >= MANY || files.some((word) => /[*?[{]/.test(word));
};

const commands = [
  /^rm(?: \S+)*? (?:-\w*[rR]\w*|--recursive)(?: |$)/,
  /^rm$/,
  /^(?:rimraf|trash|shred|truncate|dropdb)(?: |$)/,
  /^dd\b.*\bof=/,
  /^find\b.* -(?:delete|exec(?:dir)? (?:\S*\/)?(?:rm|unlink|shred|truncate))\b/,
  /^rsync\b.* --del/,
  /^git(?: -\S+(?: [^-\s]\S*)??)* reset\b.*--(?:hard|merge|keep)\b/,
  /^git(?: -\S+(?: [^-\s]\S*)??)* (?:rebase|filter-branch|filter-repo|clean)\b/,
  /^git(?: -\S+(?: [^-\s]\S*)??)* pull\b.*(?:--rebase|-r)\b/,
  /^git(?: -\S+(?: [^-\s]\S*)??)* checkout\b.*(?: -f\b| --force\b| --(?: |$)| \.(?: |$))/,
  /^git(?: -\S+(?: [^-\s]\S*)??)* restore\b(?!.*--staged(?!.*--worktree))/,
  /^git(?: -\S+(?: [^-\s]\S*)??)* switch\b.*(?: -f\b| --force\b| --discard-changes\b)/,
  /^git(?: -\S+(?: [^-\s]\S*)??)* stash (?:drop|clear|pop)\b/,
  /^git(?: -\S+(?: [^-\s]\S*)??)* branch\b.* -(?:D|-delete)\b/,
  /^git(?: -\S+(?: [^-\s]\S*)??)* (?:rm\b.* -\w*r|worktree remove\b)/,
  /^(?:hg (?:update -C|strip|purge)|jj (?:abandon|restore)|svn revert)\b/,
  /^(?:prisma|alembic|rails|rake|knex|flyway|liquibase|goose|sqlx|drizzle-kit|sequelize|sequelize-cli|typeorm|dbmate|atlas|diesel|supabase|ef|dotnet ef)\b.*(?:migrat|upgrade|downgrade|\bpush\b|\bup\b|\bdown\b|\bapply\b|\breset\b|database update|db:(?:drop|reset|rollback))/,
  /^(?:python3?|php|bin\/rails|mix) \S*(?:manage\.py (?:migrate|flush)|artisan migrate|ecto\.(?:migrate|drop|reset)|db:migrate)/,
  /^(?:npm|pnpm|yarn|bun|make|just|task|rake|composer|deno)(?: run| task)?(?: -\S+)* \S*migrat\S*(?: |$)/,
];

/** Inside a script, a pipe into another program, a substitution. */
const inside = [
  /\b(?:DROP|TRUNCATE) (?:TABLE|DATABASE|SCHEMA)\b/i,
  /\bxargs(?: -\S+)* (?:rm|unlink|shred)\b/,
  /(?:\$\(|`) *rm -\w*[rR]/,
];
