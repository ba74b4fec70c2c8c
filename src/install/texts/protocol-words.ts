// The protocol for agents that find it in their own files: how to checkpoint, and what to do after a lost context.

import {snapshotWords} from './commands.ts';

export const protocolWhat =
  'Checkpoints that survive a lost context. Use at every phase change, before risky changes, when tests fail or a bug is ' +
  'found, and ALWAYS first after a compaction, or when you do not know what was already done.';

export const protocolWords = (ckpt: string): string => `# Checkpoints

Your context may end at any time: compaction, a crash, a limit. What is in no checkpoint is then forgotten.

After a compaction, or whenever you do not know what was already done:

1. Run \`${ckpt} resume --live\`. It prints the last checkpoint, and compares it with git as it is now.
2. Where git has drifted from it, trust git.
3. Do its next_cmd. Do not start over, do not investigate again, do not repeat what is done or stands in tried_failed.
4. Save a fresh checkpoint before you begin anything new.

Save one at every phase change, about every 30 minutes, and:

- before a large change (\`--trigger before_refactor\`), a deletion or another risk (\`--trigger before_risky_change\`)
- when you have found a bug (\`--trigger after_bug_found\`), and when tests fail (\`--trigger on_test_failure\`)

    ${snapshotWords(ckpt)}

next_cmd is what matters most: the exact next command or action. \`--validation green\` only if a command has just proved it.
Also known: \`--active-file "path:why"\`, \`--decided "what -- why"\`, \`--tried-failed "what -- why"\`, \`--next-step "…"\`,
\`--task "in_progress: …"\`, \`--artifact "path or link"\`, \`--extra key=value\`. Agents that work side by side take a track
each, with \`--no-set-current\`.

Where CKPT_RUN is set, ckpt-run watches over you: run \`${ckpt} done --note "…"\` when the whole goal is met.`;
