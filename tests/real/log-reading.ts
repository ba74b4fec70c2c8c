// What the CLIs' own session logs say, read apart from the adapters, so that it can judge them.

import {at, type Json, listAt, textAt} from '../../adapters/shared/json.ts';

/** How the turns that failed ended, in Claude's word or Codex's; newest last. */
export const errorsIn = (logs: readonly Json[][]): string[] =>
  logs.flat().flatMap((line) => {
    if (at(line, 'isApiErrorMessage') === true) return [textAt(line, 'error') ?? ''];
    const info = at(line, 'payload', 'error', 'codex_error_info');
    if (info === undefined) return [];
    return [typeof info === 'string' ? info : JSON.stringify(info)];
  });

/** The compactions that were done. */
export const compactionsIn = (logs: readonly Json[][]): number =>
  logs.flat().filter((line) => line.subtype === 'compact_boundary' || line.type === 'compacted').length;

/** The commands that were begun and of whose end the log knows nothing. */
export const openCallsIn = (logs: readonly Json[][]): string[] => {
  const open = new Map<string, string>();
  for (const line of logs.flat()) {
    for (const block of listAt(line, 'message', 'content')) {
      if (textAt(block, 'type') === 'tool_use')
        open.set(textAt(block, 'id') ?? '', textAt(block, 'input', 'command') ?? '');
      if (textAt(block, 'type') === 'tool_result') open.delete(textAt(block, 'tool_use_id') ?? '');
    }
    const id = textAt(line, 'payload', 'call_id') ?? '';
    const type = textAt(line, 'payload', 'type');
    if (type === 'function_call') open.set(id, codexCommand(textAt(line, 'payload', 'arguments') ?? '{}'));
    if (type === 'function_call_output') open.delete(id);
  }
  return [...open.values()];
};

const codexCommand = (text: string): string => textAt(JSON.parse(text), 'cmd') ?? '';
