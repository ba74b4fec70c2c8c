// A process that writes checkpoints and says after each which one is safe. To be killed at any moment.
// argv: folder, name, how many, tracks (comma), lock ('kernel' | 'link'), uid to write as

import type {Track} from '../../../src/core/ids.ts';
import {openCheckpoints} from '../../../src/io/checkpoints/checkpoint-files.ts';
import {linkLock} from '../../../src/io/files/latest-lock.ts';
import {draftOf} from './checkpoint-files-draft.ts';

const [dir = '', name = '', count = '0', tracks = 'main', lock = 'kernel', uid = ''] = process.argv.slice(2);
if (uid !== '') process.setuid?.(Number(uid));
const names = tracks.split(',') as Track[];
// Generous: 32 of them take their turns by chance, and the machine may have other work.
const store = openCheckpoints({dir, lockWaitMs: 300_000, ...(lock === 'link' ? {lock: linkLock} : {})});

for (let n = 0; n < Number(count); n += 1) {
  const track = names[n % names.length] ?? ('main' as Track);
  const saved = await store.save(draftOf({track, label: `${name} ${n}`, step: `${name} ${n}`, note: 'x'.repeat(300)}));
  if (!saved.ok) {
    process.stderr.write(`${JSON.stringify(saved.failure)}\n`);
    process.exit(1);
  }
  process.stdout.write(`${saved.value.id}\t${track}\n`);
}
