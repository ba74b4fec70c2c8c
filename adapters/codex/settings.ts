// What the person sets by -c on the command line: of two with one key Codex keeps the last.

import type {HookPlan} from '../../src/adapter/adapter.ts';

export const isSet = ({parsed}: Pick<HookPlan, 'parsed'>, key: string): boolean =>
  parsed.flags.some(({flag, values}) => /^(?:-c|--config)$/.test(flag) && values[0]?.startsWith(`${key}=`));
