// The entry of keep-work.js: saves the files or the session log of a run beside it, so that nobody's bytes wait. One order
// as JSON on stdin, one answer as JSON on stdout.

import {exitCodes} from './core/failure.ts';
import {writeAll} from './io/bytes/plain-output.ts';
import {carryOut, type KeepOrder} from './io/runs/keep-order.ts';

// Whoever ends a whole service ends its last checkpoint too soon: the run has its own bound for this process.
process.on('SIGTERM', () => undefined);

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
try {
  writeAll(1, JSON.stringify(await carryOut(JSON.parse(Buffer.concat(chunks).toString('utf8')) as KeepOrder)));
} catch (error) {
  writeAll(2, `${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = exitCodes.internal;
}
