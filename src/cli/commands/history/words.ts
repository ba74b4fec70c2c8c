// Words for going back and forking. Every text of these commands is made here.

import type {Checkpoint} from '../../../baton/checkpoint.ts';
import {oneLine} from '../../../baton/clean.ts';
import {cannotUndoText} from '../../../history/cannot-undo.ts';
import {shown} from '../../../history/git-paths.ts';
import type {WentBack} from '../../../history/go-back.ts';
import type {RestorePlan} from '../../../history/restore-plan.ts';
import {checkpointLine} from '../text.ts';

const maxNamed = 20;

export const restoredText = (went: WentBack, goOn: string | undefined): string => {
  const {target, dry, plan, undo, baton, cannot} = went;
  const head = `${dry ? 'would go back' : 'went back'} to ${checkpointLine(target)}\n`;
  const saved =
    undo === undefined
      ? ''
      : `the moment before is checkpoint ${undo.number ?? undo.id}; ckpt rollback brings it back\n`;
  const again =
    baton === undefined
      ? ''
      : `its baton is checkpoint ${baton.number ?? baton.id}, the newest of track ${baton.track}\n`;
  return `${head}${plan === undefined ? '' : planText(plan, dry)}${saved}${again}${cannotUndoText(cannot, target.head)}${goOn ?? ''}`;
};

const planText = ({write, remove, kept}: RestorePlan, dry: boolean): string => {
  const named = (sign: string, paths: string[]): string =>
    paths
      .slice(0, maxNamed)
      .map((path) => `  ${sign} ${oneLine(shown(path))}\n`)
      .join('') + (paths.length > maxNamed ? `  ${sign} … and ${paths.length - maxNamed} more\n` : '');
  const left = kept.slice(0, maxNamed).map(({path, why}) => `  = ${oneLine(shown(path))}: ${why}\n`);
  const more = kept.length > maxNamed ? `  = … and ${kept.length - maxNamed} more\n` : '';
  const would = dry ? 'would be ' : '';
  const counts = `files: ${write.length} ${would}written, ${remove.length} ${would}removed`;
  return [
    `${counts}${kept.length === 0 ? '' : `, ${kept.length} left as they are`}\n`,
    named(
      '<',
      write.map(({path}) => path),
    ),
    named(
      '-',
      remove.map(({path}) => path),
    ),
    ...left,
    more,
  ].join('');
};

export const restoredJson = (went: WentBack, goOn: string | undefined): object => {
  const {target, dry, plan, undo, baton, cannot} = went;
  const name = (one: Checkpoint | undefined) => (one === undefined ? undefined : {id: one.id, number: one.number});
  return {
    ...{dry_run: dry, restored: name(target), undo: name(undo), baton: name(baton)},
    files: plan === undefined ? undefined : planJson(plan),
    cannot_be_undone: {calls: cannot.calls, pushed: cannot.commits?.filter(({pushed}) => pushed)},
    go_on: goOn?.trim(),
  };
};

export const planJson = ({write, remove, kept}: RestorePlan): object => ({
  written: write.map(({path}) => shown(path)),
  removed: remove.map(({path}) => shown(path)),
  kept: kept.map(({path, why}) => ({path: shown(path), why})),
});

/** The conversation: the agent's own, if the checkpoint is its end; else the baton stands for it. */
export const goOnWords = (
  {conversation, track}: Checkpoint,
  fileSize: (path: string) => number | undefined,
): string => {
  const agent = conversation?.agent ?? '<agent>';
  const byBaton = `go on with: ckpt-run --track ${quoted(track)} --continue ${agent}\n`;
  const id = conversation?.session_id;
  if (conversation === undefined || id === undefined || conversation.log_path === undefined) return byBaton;
  const size = fileSize(conversation.log_path);
  const isEnd = size !== undefined && size === conversation.log_offset;
  const own = isEnd ? forkWords(agent, id) : undefined;
  if (own === undefined) {
    const why = size === undefined ? 'its log is gone' : 'it went on after that checkpoint';
    return `${byBaton}(the old conversation cannot be taken up there: ${isEnd ? 'this agent has no such flag' : why})\n`;
  }
  return `${byBaton}or with the old conversation, as a copy: ${own}\n`;
};

/** As the agents' own flags have it (facts/claude-code.md §6, facts/codex.md §7). */
const forkWords = (agent: string, id: string): string | undefined => {
  if (agent === 'claude') return `ckpt-run claude --resume ${id} --fork-session`;
  return agent === 'codex' ? `ckpt-run codex fork ${id}` : undefined;
};

/** For a POSIX shell. */
export const quoted = (text: string): string =>
  /^[A-Za-z0-9_./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
