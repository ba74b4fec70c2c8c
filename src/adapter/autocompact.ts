// When the agent is to compact by itself in supervised runs: as it likes, never, or at a part of its context window.

export type Autocompact = {is: 'on'} | {is: 'off'} | {is: 'percent'; percent: number};

export const autocompactFile = 'autocompact.json';

/** `on`, `off`, `60`, `60%`; undefined when it is none of these. */
export const parseAutocompact = (word: string): Autocompact | undefined => {
  if (word === 'on' || word === 'off') return {is: word};
  const percent = /^(\d{1,3})%?$/.exec(word)?.[1];
  return percent !== undefined && Number(percent) >= 1 && Number(percent) <= 100
    ? {is: 'percent', percent: Number(percent)}
    : undefined;
};

/** What lies in the file; broken or absent means that nothing was ever set. */
export const readAutocompact = (text: string | undefined): Autocompact => {
  try {
    const value: unknown = JSON.parse(text ?? '');
    const word = typeof value === 'object' && value !== null && 'autocompact' in value ? value.autocompact : undefined;
    return (typeof word === 'string' ? parseAutocompact(word) : undefined) ?? {is: 'on'};
  } catch {
    return {is: 'on'};
  }
};

export const wordOf = (setting: Autocompact): string => (setting.is === 'percent' ? `${setting.percent}` : setting.is);

export const autocompactText = (setting: Autocompact): string => `${JSON.stringify({autocompact: wordOf(setting)})}\n`;
