// Secrets out, before anything is stored or rendered. Three rules: the values of the environment's own secret-looking
// variables (exact match, the strongest there is), the table of known shapes, and values that stand behind a telling name.

import {redactNamed} from './redact/named.ts';
import {shapes} from './redact/shapes.ts';

export type Redactor = (text: string) => string;

export const redactor = (secrets: readonly string[]): Redactor => {
  // Longest first: a secret that contains another must go whole.
  const exact = [...new Set(secrets)].filter((secret) => secret.length >= 8).sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const secret of exact) if (clean.includes(secret)) clean = clean.replaceAll(secret, '[redacted: environment]');
    for (const {name, hints, pattern} of shapes) {
      // To look for a fixed word is a hundred times quicker than to try a pattern at every place.
      if (!hints.some((hint) => clean.includes(hint))) continue;
      clean = clean.replace(pattern, (_all, ...groups) => {
        const before = typeof groups[0] === 'string' ? groups[0] : '';
        return `${before}[redacted: ${name}]`;
      });
    }
    return redactNamed(clean);
  };
};

/** Every string inside a value, keys left alone. */
export const redactAll = <T>(value: T, redact: Redactor): T => {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => redactAll(item, redact)) as T;
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactAll(item, redact)])) as T;
  }
  return value;
};

const secretName =
  /(?:^|_)(?:TOKEN|SECRET|PASS|PASSWD|PASSWORD|PASSPHRASE|APIKEY|API_KEY|PRIVATE_KEY|ACCESS_KEY|SECRET_KEY|ENCRYPTION_KEY|SIGNING_KEY|CREDENTIALS?|AUTH|PAT|DSN)(?:_|$|\d)/i;
/** Names of places, counts and switches, not of secrets. */
const harmlessName = /(?:_SOCK|_PATH|_FILE|_DIR|_ID|_URL|_HOST|_USER|_TYPE|_METHOD|_MODE|_LIMIT|_COUNT|_TOKENS)$/i;

/** Values of variables that look like secrets. Paths, numbers and short words are too common to be blotted out. */
export const secretValues = (env: Record<string, string | undefined>): string[] =>
  Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined || value.length < 8 || !secretName.test(name) || harmlessName.test(name)) return [];
    return /^(?:[/~.]|[\d.]+$|[a-z]+$|https?:\/\/[^@]*$)/.test(value) ? [] : [value];
  });
