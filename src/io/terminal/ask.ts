// One question to the person, on the terminal, before any agent is there.

import {createInterface} from 'node:readline/promises';

export const askYesNo = async (question: string): Promise<boolean> => {
  const lines = createInterface({input: process.stdin, output: process.stderr});
  try {
    return /^y(?:es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } catch {
    // Ctrl-D, Ctrl-C: no answer is no.
    return false;
  } finally {
    lines.close();
  }
};
