// `ckpt` as installed files call it: a script at a place of its own with every path in it absolute. A login shell, or a
// sandbox's, may know no node; and where ckpt-run itself has moved, one install anew mends it for all agents.

import {withMark} from './mark.ts';

export const launcherText = (node: string, ckptBin: string): string =>
  withMark(
    `#!/bin/sh
node=${quoted(node)}
[ -x "$node" ] || node=node
# A snapshot must have a track: the run's own, else main. --track still goes before.
[ "$1" != snapshot ] || export CKPT_TRACK="\${CKPT_TRACK:-main}"
exec "$node" ${quoted(ckptBin)} "$@"
`,
    'hash',
  );

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
