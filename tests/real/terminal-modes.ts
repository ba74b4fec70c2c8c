// Which of its modes a terminal has on. Read by xterm's own parser and not by ours, so that it can judge ours.

import type xterm from '@xterm/headless';

export interface TerminalModes {
  /** DEC private modes that are not as in a fresh terminal, in ascending order: 25 means that the cursor is hidden. */
  changed: number[];
  alternate: boolean;
  /** The stack of kitty keyboard flags of the screen that is shown. */
  kitty: number[];
  /** xterm's modifyOtherKeys. */
  otherKeys: boolean;
  title: string;
  /** OSC 7501 reports, oldest first: `state=idle:app=codex`. */
  states: string[];
}

/** For a result: as a fresh terminal has it, or what is not. */
export const stateOf = ({modes}: {modes(): TerminalModes}): 'as before' | Partial<TerminalModes> => {
  const {changed, alternate, kitty, otherKeys} = modes();
  const isFresh = changed.length === 0 && !alternate && kitty.length === 0 && !otherKeys;
  return isFresh ? 'as before' : {changed, alternate, kitty, otherKeys};
};

const onByDefault = new Set([7, 25]);
const alternates = new Set([47, 1047, 1049]);

export const watchModes = (terminal: xterm.Terminal): (() => TerminalModes) => {
  const changed = watchPrivateModes(terminal);
  const keyboard = watchKeyboard(terminal);
  const states: string[] = [];
  let title = '';
  terminal.parser.registerOscHandler(7501, (data) => {
    if (data !== '?') states.push(data);
    return true;
  });
  terminal.onTitleChange((text) => {
    title = text;
  });
  return () => ({
    changed: [...changed].sort((a, b) => a - b),
    alternate: terminal.buffer.active.type === 'alternate',
    ...keyboard(),
    title,
    states: [...states],
  });
};

// Every handler below only looks: `false` lets xterm do its own part.

const watchPrivateModes = ({parser}: xterm.Terminal): Set<number> => {
  const changed = new Set<number>();
  for (const final of ['h', 'l']) {
    parser.registerCsiHandler({prefix: '?', final}, (params) => {
      for (const mode of params.map(number)) {
        if (alternates.has(mode)) continue;
        if ((final === 'h') === onByDefault.has(mode)) changed.delete(mode);
        else changed.add(mode);
      }
      return false;
    });
  }
  parser.registerEscHandler({final: 'c'}, () => {
    changed.clear();
    return false;
  });
  return changed;
};

/** kitty's flags are a stack for each of the two screens; modifyOtherKeys is one switch. */
const watchKeyboard = ({parser, buffer}: xterm.Terminal): (() => Pick<TerminalModes, 'kitty' | 'otherKeys'>) => {
  const stacks = {normal: [] as number[], alternate: [] as number[]};
  const stack = () => stacks[buffer.active.type];
  let otherKeys = false;
  parser.registerCsiHandler({prefix: '>', final: 'u'}, (params) => {
    stack().push(number(params[0]));
    return false;
  });
  parser.registerCsiHandler({prefix: '<', final: 'u'}, (params) => {
    stack().splice(-Math.max(1, number(params[0])));
    return false;
  });
  parser.registerCsiHandler({prefix: '>', final: 'm'}, (params) => {
    if (number(params[0]) === 4) otherKeys = number(params[1]) > 0;
    return false;
  });
  parser.registerEscHandler({final: 'c'}, () => {
    Object.assign(stacks, {normal: [], alternate: []});
    otherKeys = false;
    return false;
  });
  return () => ({kitty: [...stack()], otherKeys});
};

const number = (param: number | number[] | undefined): number => (Array.isArray(param) ? param[0] : param) ?? 0;
