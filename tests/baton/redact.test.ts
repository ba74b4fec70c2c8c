import {describe, expect, it} from 'vitest';
import {redactAll, redactor, secretValues} from '../../src/baton/redact.ts';

const redact = redactor([]);
const many = (char: string, times: number) => char.repeat(times);
/** Made up here and put together at run time, so that no scanner takes this file for a leak. */
const secrets: [string, string][] = [
  ['anthropic', `sk-ant-${'api03-'}${many('aB3_', 12)}`],
  ['anthropic oauth', `sk-ant-${'oat01-'}${many('xY9-', 12)}`],
  ['openai', `sk-${'proj-'}${many('a1B2', 12)}`],
  ['openrouter', `sk-or-v1-${many('0af9', 16)}`],
  ['github', `gh${'p_'}${many('a1B2', 9)}`],
  ['github fine', `github${'_pat_'}${many('a1B2c', 8)}`],
  ['gitlab', `glpat-${many('a1B2c', 4)}`],
  ['aws id', `AKIA${many('A1B2', 4)}`],
  ['aws secret', `aws_secret_access_key = "${many('aB3/', 10)}"`],
  ['google', `AIza${many('aB3_x', 7)}`],
  ['google oauth', `ya29.${many('aB3_x', 7)}`],
  ['slack', `xoxb-${'1234567890-'}${many('aB3x', 6)}`],
  ['slack hook', `https://hooks.slack.com/services/${'T000/B000/'}${many('aB3x', 6)}`],
  ['stripe', `sk_${'live_'}${many('aB3x', 6)}`],
  ['npm', `npm_${many('aB3x', 9)}`],
  ['npmrc', `//registry.npmjs.org/:_authToken=${many('ab3x', 9)}`],
  ['pypi', `pypi-${many('aB3x_', 12)}`],
  ['hugging face', `hf_${many('aB3xY', 7)}`],
  ['sendgrid', `SG.${many('aB3x', 5)}.${many('aB3x', 10)}`],
  ['vault', `hvs.${many('aB3x', 8)}`],
  ['jwt', `eyJ${many('hbGc', 4)}.eyJ${many('zdWI', 4)}.${many('aB3x', 8)}`],
  ['bearer', `Authorization: Bearer ${many('aB3x', 8)}`],
  ['url', `postgres://me:${'hunter2'}${'hunter2'}@db.example/x`],
  ['password', `DB_PASSWORD=${'correct-horse'}`],
  ['json password', `{"client_secret": "${many('abcd', 4)}"}`],
  ['telegram', `123456789:AA${many('aB3x', 8)}x`],
  ['digitalocean', `dop_v1_${many('0af9', 16)}`],
  ['azure', `AccountKey=${many('aB3+', 16)}==`],
  ['private key', `-----BEGIN RSA ${'PRIVATE KEY'}-----\nMIIE\nabc\n-----END RSA ${'PRIVATE KEY'}-----`],
  ['age', `AGE-SECRET-KEY-1${many('QPZR', 14)}`],
];

describe('known shapes', () => {
  it.each(secrets)('%s goes', (_name, secret) => {
    const clean = redact(`before ${secret} after`);
    expect(clean).toContain('[redacted');
    expect(clean).toMatch(/^before .* after$/s);
    const longest = secret.split(/[\s"'=:@]+/).sort((a, b) => b.length - a.length)[0] ?? '';
    expect(clean).not.toContain(longest);
    expect(redact(clean), 'twice is the same as once').toBe(clean);
  });

  it.each([
    'fa124d5fa124d5fa124d5fa124d5fa124d5fa124d',
    'npm test && git push origin main',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    'fix the password reset form and the token refresh',
    'export const password = process.env.DB_PASSWORD;',
    'PASSWORD=$DB_PASSWORD ./run.sh',
    'token limit reached after 200000 tokens',
    'https://example.com/a?b=c#d',
    'sk-learn and sk_buff are no keys',
    '/home/me/project/src/secret-store/index.ts',
    'api_key: string;',
  ])('%s stays', (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each(['a', '-', 'eyJ', 'password=', 'sk-', '-----BEGIN RSA PRIVATE KEY-----', ' token ', '?key=', 'curl -u '])(
    'a megabyte of %j is gone through to its end',
    (part) => {
      const text = part.repeat(1_000_000 / part.length);
      expect(redact(`${text}\nend`)).toMatch(/end$/);
    },
    30_000,
  );
});

describe('the environment', () => {
  it('gives the values of variables that look like secrets', () => {
    const env = {
      GITHUB_TOKEN: 'abcd-1234-efgh',
      MY_API_KEY: 'Zz9!zz9zz9',
      DB_PASSWORD: 'tr0ub4dor',
      PATH: '/usr/bin:/bin',
      SSH_AUTH_SOCK: '/tmp/ssh-x/agent.1',
      AUTH_TYPE: 'password1234',
      MAX_TOKENS: '1234567890',
      TOKEN_SHORT: 'abc',
      KEYBOARD: 'qwertz-qwertz',
    };
    expect(secretValues(env).sort()).toEqual(['Zz9!zz9zz9', 'abcd-1234-efgh', 'tr0ub4dor']);
  });

  it('is taken out wherever it stands, nested too', () => {
    const clean = redactAll(
      {a: ['x S3CR3T-VALUE y'], b: {c: 'S3CR3T-VALUE'}, n: 1},
      redactor(['S3CR3T-VALUE', 'S3CR3T-V']),
    );
    expect(clean).toEqual({a: ['x [redacted: environment] y'], b: {c: '[redacted: environment]'}, n: 1});
  });
});
