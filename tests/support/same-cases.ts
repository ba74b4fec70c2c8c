// Every property test draws the same cases in CI each time: what lands must not hang on the draw. CKPT_LONG=1 draws others
// each time; CKPT_SEED draws those of a failure again.

import fc from 'fast-check';

const {CKPT_LONG, CKPT_SEED} = process.env;
const seed = CKPT_SEED ?? (CKPT_LONG === '1' ? undefined : '20261118');

if (seed !== undefined) fc.configureGlobal({...fc.readConfigureGlobal(), seed: Number(seed)});
