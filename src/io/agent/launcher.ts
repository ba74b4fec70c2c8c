import {accessSync, constants, statSync} from 'node:fs';
import {delimiter, isAbsolute, join} from 'node:path';
import {fail, ok, type Result} from '../../core/failure.ts';
import type {LaunchSpec} from '../../ports.ts';

/**
 * What stands between our fork and the agent, for a few milliseconds: it makes the new terminal like the person's
 * (`stty`) and gives the agent job control. Then it becomes the agent, in the same process.
 *
 * Job control: the agent leads a session of its own, and the kernel ignores Ctrl-Z (SIGTSTP) in a process group that
 * no one in the same session could continue. Bare agents have their shell for that. Measured: without this Claude Code,
 * Codex, vim and less do not stop at Ctrl-Z; with it all of them do. So two processes sleep beside the agent: one in its
 * group, and that one's parent in a group of its own. That alone gives the group job control. They do nothing else. The
 * first is ended by the kernel's hang-up when the agent ends, the second follows. Neither is a child of the agent: some
 * programs (script) stumble over a child that they did not make.
 *
 * Perl, because neither Node nor the shell can move a process into another group, and it is on every macOS and nearly
 * every Linux. Where it is not, the agent is started directly, and Ctrl-Z does nothing.
 */
export const withLauncher = (spec: LaunchSpec, stty: string): LaunchSpec => {
  const perl = findOnPath('perl', '/usr/bin:/bin:/usr/local/bin');
  if (perl === undefined) return spec;
  const env: Record<string, string> = {...spec.env, PERL_BADLANG: '0'};
  for (const name of perlReads) delete env[name];
  const restore = [...perlReads, 'PERL_BADLANG', 'PWD', 'TERM'].map((name) =>
    spec.env[name] === undefined ? name : `${name}=${spec.env[name]}`,
  );
  const args = ['-e', script, '--', stty, `${restore.length}`, ...restore, spec.file, ...spec.args];
  return {file: perl, args, env, cwd: spec.cwd};
};

/** How the two sleepers are called in the list of processes. */
export const sleeperName = 'ckpt-run job control';

/** Would change how perl starts; the agent gets them back. So too what node-pty sets by itself: PWD and TERM. */
const perlReads = ['PERL5OPT', 'PERL5LIB', 'PERL5DB', 'PERL_UNICODE', 'PERLIO'];

const script = `
my ($stty, $count) = splice @ARGV, 0, 2;
for (splice @ARGV, 0, $count) {
  my ($name, $value) = split /=/, $_, 2;
  if (defined $value) { $ENV{$name} = $value } else { delete $ENV{$name} }
}
system {'/bin/sh'} 'sh', '-c', 'exec stty "$1" 2>/dev/null', 'stty', $stty if length $stty;
my $agent = $$;
my $between = fork;
if (defined $between && !$between) {
  my $outer = fork;
  exit if !defined $outer || $outer;
  $0 = '${sleeperName}';
  close STDIN; close STDOUT; close STDERR;
  $SIG{$_} = 'IGNORE' for qw(INT QUIT TERM TSTP TTIN TTOU ALRM USR1 USR2 PIPE);
  my $inner = fork;
  exit if !defined $inner;
  if (!$inner) { sleep while 1 }
  setpgrp 0, 0;
  $SIG{TERM} = 'DEFAULT';
  $SIG{CHLD} = sub {};
  while (kill 0, $agent) {
    exit if waitpid($inner, 1) == $inner;
    sleep 3;
  }
  kill 'KILL', $inner;
  exit;
}
waitpid $between, 0 if $between;
exec {$ARGV[0]} @ARGV or print STDERR "ckpt-run: $ARGV[0]: $!\\n";
exit 126;
`;

/** Looks for the program as execvp would, so that a missing one is a failure with a name and not a leg that died. */
export const checkLaunch = (spec: LaunchSpec): Result<void> => {
  const wrong = (code: string, message: string): Result<void> =>
    fail({is: 'system', doing: `start ${spec.file}`, code, message});
  if (!isFolder(spec.cwd)) return wrong('ENOENT', `there is no folder ${spec.cwd}`);
  if (!spec.file.includes('/')) {
    const there = findOnPath(spec.file, spec.env.PATH ?? '/usr/bin:/bin') !== undefined;
    return there ? ok(undefined) : wrong('ENOENT', `${spec.file} is not on PATH`);
  }
  const path = isAbsolute(spec.file) ? spec.file : join(spec.cwd, spec.file);
  if (canRun(path)) return ok(undefined);
  return exists(path) ? wrong('EACCES', `${path} is not a program`) : wrong('ENOENT', `there is no file ${path}`);
};

const findOnPath = (name: string, path: string): string | undefined =>
  path
    .split(delimiter)
    .map((folder) => join(folder === '' ? '.' : folder, name))
    .find(canRun);

const canRun = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

const exists = (path: string): boolean => statSync(path, {throwIfNoEntry: false}) !== undefined;
const isFolder = (path: string): boolean => statSync(path, {throwIfNoEntry: false})?.isDirectory() === true;
