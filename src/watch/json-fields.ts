// Looking into our own files as a later version, a crash or a person may have left them: nothing is trusted to be there.

export type Fields = Record<string, unknown>;

/** Undefined when the text is torn, empty or no object. */
export const fieldsOf = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textAt = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
};

export const numberAt = (fields: Fields, name: string): number | undefined => {
  const value = fields[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
};

export const flagAt = (fields: Fields, name: string): boolean | undefined => {
  const value = fields[name];
  return typeof value === 'boolean' ? value : undefined;
};

export const inside = (fields: Fields, name: string): Fields => {
  const value = fields[name];
  return isFields(value) ? value : {};
};

export const listAt = (fields: Fields, name: string): unknown[] => {
  const value = fields[name];
  return Array.isArray(value) ? value : [];
};

/** A time as milliseconds: written as ISO 8601, or as the number itself. */
export const timeAt = (fields: Fields, name: string): number | undefined => {
  const value = fields[name];
  const at = typeof value === 'string' ? Date.parse(value) : value;
  return typeof at === 'number' && Number.isFinite(at) ? at : undefined;
};
