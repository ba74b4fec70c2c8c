// What a person can type in an agent, and what the agent is then told. The same words for every agent: only how a file
// names what was typed behind the command differs.

export interface AgentCommand {
  name: string;
  /** The line in the agent's menu. */
  what: string;
  /** What may stand behind it; empty when nothing does. */
  hint: string;
  /** The words of `ckpt` that it needs and that change no file of the project: these may run without asking. */
  harmless: string[];
  tell(words: Words): string;
}

export interface Words {
  /** How the agent's shell calls ckpt. */
  ckpt: string;
  /** What the person typed behind the command. */
  typed: string;
}

/** No variable in it: Claude Code asks the person about every command that has one. The launcher gives the track. */
export const snapshotWords = (ckpt: string): string =>
  `${ckpt} snapshot --step "what is done" --note "what was learned" \
--next-cmd "the exact next command or action" --validation unknown`;

const saving = (ckpt: string): string => `    ${snapshotWords(ckpt)}

Whoever reads it has forgotten everything else, so fill in every field from what you know. \`--validation green\` only if a
command has just proved it, \`failed\` if one has just failed. Add what there is of \`--active-file "path:why"\`,
\`--decided "what -- why"\`, \`--tried-failed "what -- why"\`, \`--next-step "…"\`, \`--task "in_progress: …"\`,
\`--artifact "path or link"\`; each may be given more than once. \`--track NAME\` where this work has a lane of its own.`;

export const commands: AgentCommand[] = [
  {
    name: 'checkpoint',
    what: 'Save a checkpoint of this work, with a note',
    hint: '"note"',
    harmless: ['snapshot'],
    tell: ({
      ckpt,
      typed,
    }) => `Save a checkpoint of this work now, before anything else. The person's note, which goes into --note \
together with what you have learned: ${typed}

Run in your shell:

${saving(ckpt)}

Show the person the line that it prints. Then go on with what you were doing.`,
  },
  {
    name: 'checkpoints',
    what: 'List all checkpoints, with times and summaries',
    hint: '',
    harmless: ['list'],
    tell: ({ckpt, typed}) => `Run in your shell, and show the person its output as it is. Do nothing else.

    ${ckpt} list

Options that the person typed, to be put behind it: ${typed}`,
  },
  {
    name: 'restore',
    what: 'Bring files and baton back to checkpoint N (1 = oldest)',
    hint: 'N',
    harmless: ['list', 'rehydrate'],
    tell: ({ckpt, typed}) => `Restore a checkpoint. Which one the person asked for (a number, id or label): ${typed}

If they named none, run \`${ckpt} list\`, show it, and ask which; do not choose by yourself. Else run in your shell:

    ${ckpt} restore WHICH

It changes the files of this project; a checkpoint of how they are now is taken first, so that it can be undone. Show the
person what it prints, also what it says cannot be undone. Then run \`${ckpt} rehydrate\` and go on from there: what you
remember of the files is no longer true. If a run is watching over you it may end this conversation and begin a fresh one.`,
  },
  {
    name: 'rollback',
    what: 'Bring files and baton back to the last checkpoint',
    hint: '',
    harmless: ['rehydrate'],
    tell: ({ckpt, typed}) => `Go back to the last checkpoint. Run in your shell:

    ${ckpt} rollback

Options that the person typed, to be put behind it: ${typed}

It changes the files of this project; a checkpoint of how they are now is taken first, so that it can be undone. Show the
person what it prints, also what it says cannot be undone. Then run \`${ckpt} rehydrate\` and go on from there: what you
remember of the files is no longer true. If a run is watching over you it may end this conversation and begin a fresh one.`,
  },
  {
    name: 'prune',
    what: 'Remove old automatic checkpoints (the last 10 stay)',
    hint: '[--keep N] [--older-than 7d]',
    harmless: [],
    tell: ({
      ckpt,
      typed,
    }) => `Remove old checkpoints. Run in your shell, and show the person its output as it is. Do nothing else.

    ${ckpt} prune

Options that the person typed, to be put behind it (a bare number N means --keep N): ${typed}`,
  },
  {
    name: 'rehydrate',
    what: 'Read the last checkpoint and go on where it left off',
    hint: '[--track T]',
    harmless: ['rehydrate', 'resume'],
    tell: ({ckpt, typed}) => `You have lost your context, or part of it. Run in your shell:

    ${ckpt} rehydrate

Options that the person typed, to be put behind it: ${typed}

It prints the baton: goal, what is done, what must be verified first, the next step. Act on it. Do not start over, do not
investigate again what it already tells you, do not repeat what has been done or has failed.`,
  },
  {
    name: 'reload',
    what: 'Save a checkpoint, then go on in a fresh conversation',
    hint: '',
    harmless: ['snapshot'],
    tell: ({
      ckpt,
      typed,
    }) => `The person wants a fresh conversation that goes on with this work. What they said about it: ${typed}

1. Save a checkpoint:

${saving(ckpt)}

2. Then run \`${ckpt} reload\`. If ckpt-run is watching over this session, it starts a fresh agent with that checkpoint.
   If it says that there is no run here, tell the person to begin a new conversation and to call rehydrate in it.`,
  },
  {
    name: 'autocompact',
    what: 'Show or set when the context is compacted: status, on, off, PERCENT',
    hint: '[status|on|off|PERCENT]',
    harmless: ['autocompact status'],
    tell: ({ckpt, typed}) => `Run in your shell, and show the person its output as it is. Do nothing else.

    ${ckpt} autocompact WHAT

WHAT is what the person typed, and \`status\` if they typed nothing: ${typed}`,
  },
];
