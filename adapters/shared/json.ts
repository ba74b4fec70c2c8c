// Looking into JSON that others wrote: nothing is trusted to be there.

export type Json = Record<string, unknown>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isJson(inner) ? inner[key] : undefined), value);

export const textAt = (value: unknown, ...path: string[]): string | undefined => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
};

export const numberAt = (value: unknown, ...path: string[]): number | undefined => {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
};

export const listAt = (value: unknown, ...path: string[]): unknown[] => {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
};

/** The time of a log line, in milliseconds. */
export const timeOf = (entry: Json): number | undefined => {
  const time = Date.parse(textAt(entry, 'timestamp') ?? '');
  return Number.isNaN(time) ? undefined : time;
};

/** A line that is torn, empty or no object is no line. */
export const parseLine = (line: string): Json | undefined => {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
