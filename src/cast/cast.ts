// asciicast v2, the lines of a terminal recording: https://docs.asciinema.org/manual/asciicast/v2

export interface CastHeader {
  width: number;
  height: number;
  /** When it began, in milliseconds. */
  startedAt: number;
  /** Seconds between the begin of the leg's recording and of this part; 0 for the first. */
  offset: number;
  /** 0, 1, 2, …: in the order in which they were begun. */
  part: number;
  title?: string;
  env?: Record<string, string>;
}

/** Output, a new size (`100x30`), or a mark for players. */
export type CastCode = 'o' | 'r' | 'm';

export interface CastEvent {
  /** Seconds since the begin of its part. */
  at: number;
  code: CastCode;
  data: string;
}

export const headerLine = ({width, height, startedAt, offset, part, title, env}: CastHeader): string =>
  `${JSON.stringify({
    version: 2,
    width,
    height,
    timestamp: Math.floor(startedAt / 1000),
    ...(title === undefined ? {} : {title}),
    ...(env === undefined ? {} : {env}),
    // A key of ours; players do not mind.
    ...(part === 0 ? {} : {ckpt: {part, offset: Math.round(offset * 1000) / 1000}}),
  })}\n`;

/** Microseconds, as asciinema writes them. */
export const eventLine = ({at, code, data}: CastEvent): string =>
  `[${Math.max(0, at).toFixed(6)}, "${code}", ${JSON.stringify(data)}]\n`;

/** Undefined when the line is torn, or of another version. */
export const readHeader = (line: string): CastHeader | undefined => {
  const value = parsed(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const {version, width, height, timestamp, ckpt, title} = value as Record<string, unknown>;
  const {part, offset} = (typeof ckpt === 'object' && ckpt !== null ? ckpt : {}) as Record<string, unknown>;
  if (version !== 2 || !isSize(width) || !isSize(height)) return undefined;
  return {
    width,
    height,
    startedAt: typeof timestamp === 'number' ? timestamp * 1000 : 0,
    offset: typeof offset === 'number' && offset > 0 ? offset : 0,
    part: typeof part === 'number' ? part : 0,
    ...(typeof title === 'string' ? {title} : {}),
  };
};

/** Undefined for what is torn or of a kind that we do not play. */
export const readEvent = (line: string): CastEvent | undefined => {
  const value = parsed(line);
  if (!Array.isArray(value)) return undefined;
  const [at, code, data] = value as unknown[];
  if (typeof at !== 'number' || !Number.isFinite(at) || typeof data !== 'string') return undefined;
  return code === 'o' || code === 'r' || code === 'm' ? {at, code, data} : undefined;
};

const isSize = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 10_000;

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};
