/** What we say to the person: never over the agent's screen, so it waits while an agent is there. */
export interface Notices {
  tell(line: string): void;
  /** An agent has the screen: keep the lines. */
  held(): void;
  /** The screen is ours again: print what was kept. */
  allowed(): void;
  /** The agent printed this: is the cursor at the start of a line? */
  seen(chunk: Uint8Array): void;
}

export const notices = (print: (text: string) => void): Notices => {
  let kept: string[] = [];
  let isHeld = false;
  let atStart = true;
  const say = (line: string): void => {
    // The terminal may be raw: it then needs the carriage return too. Cooked ones do not mind it.
    print(`${atStart ? '' : '\r\n'}${line.replaceAll(/\r?\n/g, '\r\n')}\r\n`);
    atStart = true;
  };
  return {
    tell: (line) => {
      if (!isHeld) say(line);
      else if (kept.length < MOST) kept.push(line);
      else kept = [...kept.slice(0, MOST - 1), line];
    },
    held: () => {
      isHeld = true;
    },
    allowed: () => {
      isHeld = false;
      const lines = kept;
      kept = [];
      for (const line of lines) say(line);
    },
    seen: (chunk) => {
      if (chunk.length > 0) atStart = chunk[chunk.length - 1] === LINE_FEED;
    },
  };
};

/** A leg may last for days. The first lines tell what happened, the last one where it stands. */
const MOST = 100;
const LINE_FEED = 0x0a;
