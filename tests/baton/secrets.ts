// Secrets as their makers hand them out, generated anew at every run: by the documented format of each vendor, by real
// key generators, by chance; not from the patterns that are to find them. `secret` is the part that must not be seen.

import {createHmac, generateKeyPairSync, randomBytes} from 'node:crypto';

export interface Planted {
  kind: string;
  /** As it stands in a text. */
  text: string;
  secret: string;
}

type Random = (max: number) => number;

/** mulberry32: the same numbers for the same seed. */
export const randomFrom = (seed: number): Random => {
  let state = seed;
  return (max) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max;
  };
};

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const letters = lower + lower.toUpperCase();
const alnum = letters + digits;
const alphabets = {
  hex: `${digits}abcdef`,
  upper: lower.toUpperCase() + digits,
  low: lower + digits,
  alnum,
  letters,
  url: `${alnum}_-`,
  b64: `${alnum}+/`,
  digits,
};

/** `{alnum:36}` stands for 36 characters by chance; the rest for itself. */
const filled = (format: string, random: Random): string =>
  format.replace(/\{(\w+):(\d+)\}/g, (_, name: keyof typeof alphabets, length) => {
    const from = alphabets[name];
    return Array.from({length: Number(length)}, () => from.charAt(random(from.length))).join('');
  });

/** Known by their looks, wherever they stand. Split in two where a scanner of this repository would take them for real. */
const formats: Record<string, string[]> = {
  'github classic': ['gh', 'p_{alnum:36}'],
  'github oauth': ['gh', 'o_{alnum:36}'],
  'github app': ['gh', 's_{alnum:36}'],
  'github fine grained': ['github_', 'pat_11{upper:20}_{alnum:59}'],
  'gitlab personal': ['gl', 'pat-{url:20}'],
  'gitlab deploy': ['gl', 'dt-{url:20}'],
  'gitlab runner': ['gl', 'rt-{url:20}'],
  'aws key id': ['AK', 'IA{upper:16}'],
  'aws temporary id': ['AS', 'IA{upper:16}'],
  'google api key': ['AI', 'za{url:35}'],
  'google client secret': ['GOC', 'SPX-{url:28}'],
  'google oauth': ['ya', '29.a0{url:120}'],
  'slack bot': ['xo', 'xb-{digits:12}-{digits:13}-{alnum:24}'],
  'slack user': ['xo', 'xp-{digits:12}-{digits:12}-{digits:13}-{hex:32}'],
  'slack app': ['xa', 'pp-1-A{upper:10}-{digits:13}-{hex:64}'],
  'slack webhook': ['https://hooks.slack', '.com/services/T{upper:8}/B{upper:10}/{alnum:24}'],
  'discord webhook': ['https://discord.com/api', '/webhooks/{digits:18}/{url:68}'],
  'discord bot': ['MT', '{alnum:24}.{alnum:6}.{url:38}'],
  'telegram bot': ['{digits:10}', ':AA{url:33}'],
  'stripe live': ['sk_', 'live_{alnum:24}'],
  'stripe long': ['sk_', 'live_51{alnum:97}'],
  'stripe restricted': ['rk_', 'live_{alnum:24}'],
  'stripe webhook': ['whsec', '_{alnum:32}'],
  'twilio key': ['SK', '{hex:32}'],
  sendgrid: ['SG', '.{url:22}.{url:43}'],
  mailgun: ['key', '-{hex:32}'],
  mailchimp: ['{hex:32}', '-us12'],
  resend: ['re', '_{alnum:8}_{alnum:24}'],
  npm: ['npm', '_{alnum:36}'],
  pypi: ['pypi', '-AgEIcHlwaS5vcmc{url:150}'],
  rubygems: ['rubygems', '_{hex:48}'],
  crates: ['cio', '{alnum:32}'],
  docker: ['dckr', '_pat_{url:27}'],
  'hugging face': ['hf', '_{letters:34}'],
  openai: ['sk-', '{alnum:20}T3BlbkFJ{alnum:20}'],
  'openai project': ['sk-pr', 'oj-{url:74}T3BlbkFJ{url:74}'],
  'openai service': ['sk-svc', 'acct-{url:58}T3BlbkFJ{url:58}'],
  anthropic: ['sk-ant', '-api03-{url:93}AA'],
  'anthropic oauth': ['sk-ant', '-oat01-{url:95}'],
  openrouter: ['sk-or', '-v1-{hex:64}'],
  groq: ['gs', 'k_{alnum:52}'],
  xai: ['xa', 'i-{alnum:80}'],
  perplexity: ['pp', 'lx-{alnum:48}'],
  replicate: ['r8', '_{alnum:37}'],
  digitalocean: ['dop', '_v1_{hex:64}'],
  databricks: ['da', 'pi{hex:32}'],
  vault: ['hv', 's.{url:95}'],
  doppler: ['dp', '.pt.{alnum:43}'],
  terraform: ['{alnum:14}', '.atlasv1.{url:67}'],
  pulumi: ['pu', 'l-{hex:40}'],
  supabase: ['sb', 'p_{hex:40}'],
  planetscale: ['pscale', '_tkn_{url:43}'],
  netlify: ['nf', 'p_{alnum:36}'],
  vercel: ['vc', 'p_{alnum:24}'],
  shopify: ['shp', 'at_{hex:32}'],
  'square secret': ['sq0', 'csp-{url:43}'],
  linear: ['lin', '_api_{alnum:40}'],
  notion: ['nt', 'n_{digits:11}{alnum:35}'],
  figma: ['fig', 'd_{url:44}'],
  airtable: ['pat', '{alnum:14}.{hex:64}'],
  asana: ['1/', '{digits:16}:{hex:32}'],
  postman: ['PM', 'AK-{hex:24}-{hex:34}'],
  'grafana service': ['gl', 'sa_{alnum:32}_{hex:8}'],
  'grafana cloud': ['gl', 'c_{b64:120}'],
  'new relic': ['NR', 'AK-{upper:27}'],
  'sentry user': ['sntry', 'u_{hex:64}'],
  atlassian: ['ATA', 'TT3xFfGF0{url:170}={upper:8}'],
  circleci: ['CCI', 'PAT_{alnum:22}_{hex:40}'],
  buildkite: ['bk', 'ua_{hex:40}'],
  age: ['AGE', '-SECRET-KEY-1{upper:58}'],
  'azure client secret': ['{alnum:3}8', 'Q~{url:34}'],
  alibaba: ['LT', 'AI{alnum:20}'],
};

const jwt = (random: Random): string => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = part({alg: 'HS256', typ: 'JWT'});
  const body = part({sub: filled('{digits:10}', random), name: 'A Person', iat: 1_700_000_000 + random(1000)});
  const sign = createHmac('sha256', randomBytes(16)).update(`${head}.${body}`).digest('base64url');
  return `${head}.${body}.${sign}`;
};

const pems = (): string[] => [
  generateKeyPairSync('rsa', {modulusLength: 1024}).privateKey.export({type: 'pkcs1', format: 'pem'}).toString(),
  generateKeyPairSync('ec', {namedCurve: 'P-256'}).privateKey.export({type: 'sec1', format: 'pem'}).toString(),
  generateKeyPairSync('ed25519').privateKey.export({type: 'pkcs8', format: 'pem'}).toString(),
  generateKeyPairSync('rsa', {
    modulusLength: 1024,
    privateKeyEncoding: {type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x'},
    publicKeyEncoding: {type: 'spki', format: 'pem'},
  }).privateKey,
];

/** The longest line of a key: when that is gone, the key is gone. */
const pemCore = (pem: string): string => pem.split('\n').sort((a, b) => b.length - a.length)[0] ?? '';

/** What people choose or a manager makes: no shape of its own, only its place tells. */
const passwords = (random: Random): string[] => [
  filled('{alnum:20}', random),
  filled('{url:32}', random),
  filled('{hex:40}', random),
  filled('{b64:44}', random),
  `Tr0ub4dor&${filled('{digits:3}', random)}`,
  `${filled('{low:6}', random)}!${filled('{alnum:8}', random)}#`,
  `correct-horse-${filled('{low:7}', random)}`,
];

/** Places in which a value is a secret by its name. */
const namedPlaces: Record<string, (value: string, random: Random) => string> = {
  'environment file': (value) => `DB_PASSWORD=${value}`,
  exported: (value) => `export STRIPE_SECRET_KEY="${value}"`,
  'in front of a command': (value) => `API_TOKEN='${value}' npm run deploy`,
  'docker run': (value) => `docker run -e POSTGRES_PASSWORD=${value} postgres:16`,
  json: (value) => `{"user": "me", "password": "${value}"}`,
  'json in json': (value) => `{"body": "{\\"client_secret\\":\\"${value}\\"}"}`,
  'compact json': (value) => `{"apiKey":"${value}","region":"eu"}`,
  yaml: (value) => `db:\n  password: "${value}"\n  host: x`,
  javascript: (value) => `const client = new Client({apiKey: '${value}'});`,
  typescript: (value) => `const authToken: string = "${value}";`,
  python: (value) => `SECRET_KEY = '${value}'`,
  'python keyword': (value) => `connect(user="me", password="${value}")`,
  ruby: (value) => `config.secret_key = "${value}"`,
  php: (value) => `'password' => '${value}',`,
  go: (value) => `password := "${value}"`,
  toml: (value) => `access_token = "${value}"`,
  properties: (value) => `spring.datasource.password=${value}`,
  xml: (value) => `<add key="x" password="${value}" />`,
  flag: (value) => `tool login --user me --password '${value}'`,
  'flag with =': (value) => `tool --api-key=${value} run`,
  'connection string': (value) => `Server=db;User Id=sa;Password=${value};`,
  'aws credentials file': (_, random) => `aws_secret_access_key = ${filled('{b64:40}', random)}`,
  'aws config in code': (_, random) => `secretAccessKey: "${filled('{b64:40}', random)}"`,
  'terraform variable': (value) => `variable "x" { default = "a" }\nadmin_password = "${value}"`,
  kubernetes: (value) => `stringData:\n  DB_PASSWORD: "${value}"`,
};

const headerPlaces: Record<string, (value: string) => string> = {
  bearer: (value) => `curl -H "Authorization: Bearer ${value}" https://api.example.com`,
  'bearer in a log': (value) => `> authorization: Bearer ${value}`,
  basic: (value) => `Authorization: Basic ${Buffer.from(`me:${value}`).toString('base64')}`,
  'api key header': (value) => `X-Api-Key: ${value}`,
  'api key in curl': (value) => `curl -H 'x-api-key: ${value}' https://api.example.com/v1`,
  cookie: (value) => `Cookie: session=${value}; theme=dark`,
  'query string': (value) => `GET https://api.example.com/v1/x?api_key=${encodeURIComponent(value)}&page=2`,
  'access token in a url': (value) => `https://example.com/cb#x?access_token=${encodeURIComponent(value)}`,
};

const urlPlaces: Record<string, (value: string) => string> = {
  postgres: (value) => `postgres://app:${encodeURIComponent(value)}@db.internal:5432/app`,
  mysql: (value) => `DATABASE_URL=mysql://root:${encodeURIComponent(value)}@10.0.0.5/shop`,
  mongodb: (value) => `mongodb+srv://svc:${encodeURIComponent(value)}@cluster0.abcde.mongodb.net/?retryWrites=true`,
  redis: (value) => `redis://:${encodeURIComponent(value)}@cache:6379/0`,
  amqp: (value) => `amqps://user:${encodeURIComponent(value)}@mq.example.com/vhost`,
  'git remote': (value) => `git clone https://oauth2:${encodeURIComponent(value)}@git.example.com/o/r.git`,
  proxy: (value) => `https_proxy=http://me:${encodeURIComponent(value)}@proxy.example.com:3128`,
  'curl user': (value) => `curl -u me:'${value.replaceAll("'", '')}' https://example.com`,
};

/** Where a secret with a shape of its own may turn up. */
const anywhere: ((text: string) => string)[] = [
  (text) => text,
  (text) => `the key is ${text}, keep it`,
  (text) => `"${text}"`,
  (text) => `const x = '${text}';`,
  (text) => `echo ${text} | tool`,
  (text) => `[2026-11-18 10:00:00] using ${text}`,
  (text) => JSON.stringify({output: `line one\n${text}\nline three`}),
  (text) => `(${text})`,
];

export const plantSecrets = (seed: number): Planted[] => {
  const random = randomFrom(seed);
  const shaped = Object.entries(formats).flatMap(([kind, parts]) => {
    const text = filled(parts.join(''), random);
    return anywhere.map((place) => ({kind, text: place(text), secret: text}));
  });
  const token = jwt(random);
  const tokens = anywhere.map((place) => ({kind: 'jwt', text: place(token), secret: token.split('.')[2] ?? ''}));
  const keys = pems().flatMap((pem) => [
    {kind: 'private key', text: pem, secret: pemCore(pem)},
    {
      kind: 'private key in json',
      text: JSON.stringify({type: 'service_account', private_key: pem}),
      secret: pemCore(pem),
    },
    {kind: 'private key in an environment file', text: `KEY="${pem.replaceAll('\n', '\\n')}"`, secret: pemCore(pem)},
    {kind: 'private key, cut off', text: pem.slice(0, Math.floor(pem.length * 0.7)), secret: pemCore(pem)},
  ]);
  const all = {...namedPlaces, ...headerPlaces, ...urlPlaces};
  const placed = Object.entries(all).flatMap(([kind, place]) =>
    passwords(random).map((value): Planted => {
      const text = place(value, random);
      const shown = [
        value,
        encodeURIComponent(value),
        value.replaceAll("'", ''),
        Buffer.from(`me:${value}`).toString('base64'),
      ];
      const secret = shown.find((one) => text.includes(one)) ?? /[A-Za-z0-9+/]{40}/.exec(text)?.[0] ?? '';
      return {kind, text, secret};
    }),
  );
  return [...shaped, ...tokens, ...keys, ...placed];
};
