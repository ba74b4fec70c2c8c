// Our own git folder beside the person's: an index that sees every file, no configuration but ours, no filters, no
// hooks. The objects go to the person's repository; nothing else of it is written through here.

import {existsSync, readFileSync, realpathSync} from 'node:fs';
import {join, relative, sep} from 'node:path';
import {fail, ok, type Result} from '../../core/failure.ts';
import {bytesOf, type GitPath, gitPath} from '../../history/git-paths.ts';
import {shortHash} from '../../history/ref-names.ts';
import {makeFolder, writeWhole} from '../files/atomic-file.ts';
import {type GitAnswer, type GitCall, git, privateEnv} from './home/git.ts';
import {type Home, makeRepository} from './home/home.ts';
import {homeFile, homeText} from './home/known-home.ts';

export interface PrivateDir {
  dir: string;
  home: Home;
  /** The checkpoint folder as git names it: never part of a tree. Undefined: it lies elsewhere. */
  own: GitPath | undefined;
  env: Record<string, string>;
  /** With the index of that name, a file of this folder. */
  ask(index: string, call: Pick<GitCall, 'args' | 'input' | 'apart' | 'timeoutMs'>): Promise<GitAnswer>;
}

export const privateDirOf = (checkpointDir: string, root: string): string =>
  join(checkpointDir, 'workspace', shortHash(root));

export const openPrivateDir = async (home: Home, checkpointDir: string): Promise<Result<PrivateDir>> => {
  const folder = join(checkpointDir, 'workspace');
  const dir = privateDirOf(checkpointDir, home.root);
  makeFolder(folder);
  const own = relative(home.root, realpathSync(checkpointDir));
  if (own === '') {
    return fail({
      is: 'store-unusable',
      path: checkpointDir,
      what: 'it is the working tree itself: nothing can be saved',
    });
  }
  // Whoever versions the checkpoint folder does not mean this.
  keep(join(folder, '.gitignore'), '*\n');
  if (!existsSync(join(dir, 'HEAD'))) {
    const made = await makeRepository(dir, home.format);
    if (!made.ok) return made;
  }
  makeFolder(join(dir, 'info'));
  keep(join(dir, 'config'), configText(home));
  keep(join(dir, 'info', 'attributes'), '* -text -crlf -eol -ident -filter -working-tree-encoding\n');
  const inside = own.startsWith('..') ? undefined : gitPath(bytesOf(own.split(sep).join('/')));
  keep(join(dir, 'info', 'exclude'), excludeText(home, inside));
  keep(join(dir, 'info', 'sparse-checkout'), home.persons === undefined ? '' : textOf(home.persons.sparse));
  keep(join(dir, homeFile), bytesOf(homeText(home)));
  const env = {...privateEnv(dir), GIT_WORK_TREE: home.root, GIT_OBJECT_DIRECTORY: home.objects};
  return ok({
    ...{dir, home, own: inside, env},
    ask: (index, call) => git({cwd: home.root, env: {...env, GIT_INDEX_FILE: join(dir, index)}, scratch: dir, ...call}),
  });
};

export const onDisk = ({home}: PrivateDir, path: GitPath, name = ''): Buffer =>
  Buffer.from(`${Buffer.from(home.root).toString('latin1')}/${path}${name === '' ? '' : `/${name}`}`, 'latin1');

export const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
};

const keep = (path: string, bytes: string): void => {
  if (existsSync(path) && textOf(path) === bytes) return;
  writeWhole(path, Buffer.from(bytes, 'latin1'));
};

const configText = ({format, config}: Home): string => {
  const core = [...config]
    .filter(([name]) => name.startsWith('core.') && name !== 'core.sharedrepository')
    .map(([name, value]) => `\t${name.slice('core.'.length)} = ${quoted(value)}`);
  return bytesOf(
    [
      '[core]',
      `\trepositoryformatversion = ${format === 'sha1' ? 0 : 1}`,
      // An index of 50,000 files is 4 MB: so only what changed in it is written each time.
      '\tbare = false\n\tautocrlf = false\n\tsafecrlf = false\n\tlogAllRefUpdates = false\n\tsplitIndex = true',
      '\tfsmonitor = false\n\tuntrackedCache = false\n\tpreloadIndex = true\n\tsharedRepository = 0600',
      ...core,
      '[splitIndex]\n\tsharedIndexExpire = 1.day.ago',
      '[gc]\n\tauto = 0',
      ...(format === 'sha1' ? [] : [`[extensions]\n\tobjectFormat = ${format}`]),
      '',
    ].join('\n'),
  );
};

/** Objects go where the person's are, and must be as readable as those. */
export const asTheirs = ({kind, config}: Home): string[] =>
  kind === 'shadow' ? [] : ['-c', `core.sharedRepository=${config.get('core.sharedrepository') ?? 'umask'}`];

const quoted = (value: string): string =>
  `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;

/** Outside git nobody has said what need not be kept; these folders are made anew by their tools, and are huge. */
export const neverKept = ['node_modules', '.venv', '__pycache__', '.hg', '.svn'];

const excludeText = ({persons}: Home, own: GitPath | undefined): string => {
  const theirs = persons === undefined ? neverKept.map((name) => `${name}/\n`).join('') : textOf(persons.exclude);
  const ours = own === undefined ? '' : `/${own.replace(/[\\*?[\]!#]/g, '\\$&').replace(/ (?= *$)/g, '\\ ')}/\n`;
  return `${theirs === '' || theirs.endsWith('\n') ? theirs : `${theirs}\n`}${ours}`;
};
