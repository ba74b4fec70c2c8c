// One snapshot in a process of its own, which may be killed or be somebody else:
// `node take-once <root> <checkpoints> [<uid to become>]`.

import type {Track} from '../../../src/core/ids.ts';
import {openTreeSnapshots} from '../../../src/io/tree/snapshots.ts';

const [root = '', checkpointDir = '', uid = ''] = process.argv.slice(2);
if (uid !== '') process.setuid?.(Number(uid));
const taken = await openTreeSnapshots({root, checkpointDir}).take({track: 'main' as Track, message: 'once'});
process.stdout.write(JSON.stringify(taken));
