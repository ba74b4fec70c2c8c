// Secrets that are known by their looks. Each has a fixed word in it and is bounded in length, so that a megabyte of
// anything is gone through in a moment.

export interface Shape {
  name: string;
  /** One of these must be there. */
  hints: string[];
  /** Group 1, where there is one, is what stays in front. */
  pattern: RegExp;
}

const shape = (name: string, hints: string | string[], pattern: RegExp): Shape => ({
  name,
  hints: typeof hints === 'string' ? [hints] : hints,
  pattern: new RegExp(
    pattern.source.replace(/\(\?<!\[([^\]]+)\]\)/g, (_, letters: string) => begins(letters)),
    pattern.flags,
  ),
});

/** No letter in front; but that of an escape (`\\n`, a colour) is none. */
const begins = (letters: string): string => `(?<=^|[^${letters}]|\\\\[nrtbf]|\\u001b\\[[\\d;]{0,20}m)`;

export const shapes: Shape[] = [
  // Whole; or cut off by whoever kept only the beginning, then as far as it is nothing but base64.
  shape(
    'private key',
    'PRIVATE KEY',
    /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:(?:(?!-----)[^;{}]){0,20000}-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|(?:(?:\\[nr]|\s){0,4}[A-Za-z0-9+/=]{16,80}){1,400})/g,
  ),
  shape('age key', 'AGE-SECRET-KEY-', /AGE-SECRET-KEY-1[A-Z0-9]{50,70}/g),
  // Models
  shape('anthropic key', 'sk-ant-', /sk-ant-[A-Za-z0-9_-]{16,300}/g),
  shape('openrouter key', 'sk-or-', /sk-or-v1-[A-Za-z0-9]{32,100}/g),
  shape(
    'openai key',
    'sk-',
    /(?<![A-Za-z0-9])sk-(?:proj-|svcacct-|admin-|None-)?(?=[A-Za-z_-]{0,80}\d)[A-Za-z0-9_-]{20,300}/g,
  ),
  shape('groq key', 'gsk_', /(?<![A-Za-z0-9])gsk_[A-Za-z0-9]{40,80}/g),
  shape('xai key', 'xai-', /(?<![A-Za-z0-9])xai-[A-Za-z0-9]{40,120}/g),
  shape('perplexity key', 'pplx-', /pplx-[A-Za-z0-9]{32,80}/g),
  shape('replicate token', 'r8_', /(?<![A-Za-z0-9])r8_[A-Za-z0-9]{30,60}/g),
  shape('hugging face token', ['hf_', 'api_org_'], /(?<![A-Za-z0-9])(?:hf|api_org)_[A-Za-z0-9]{30,60}/g),
  // Code hosts and registries
  shape(
    'github token',
    ['gh', 'github_pat_'],
    /(?<![A-Za-z])(?:gh[pousr]_[A-Za-z0-9_]{30,255}|github_pat_[A-Za-z0-9_]{22,255})/g,
  ),
  shape(
    'gitlab token',
    'gl',
    /(?<![A-Za-z])gl(?:pat|ptt|dt|rt|cbt|soat|ft|agent|imt|oas|ffct)-[A-Za-z0-9_.-]{20,130}/g,
  ),
  shape('bitbucket token', 'ATBB', /(?<![A-Za-z0-9])ATBB[A-Za-z0-9]{28,60}/g),
  shape('atlassian token', 'AT', /(?<![A-Za-z0-9])AT(?:ATT|CTT)3[A-Za-z0-9_=-]{60,300}/g),
  shape('npm token', 'npm_', /(?<![A-Za-z])npm_[A-Za-z0-9_]{36}(?![A-Za-z0-9_])/g),
  shape('npm token', ':_', /(:_(?:authToken|auth|password)\s{0,3}=\s{0,3})(?![$[])["']?[^\s"']{8,400}/g),
  shape('pypi token', 'pypi-', /pypi-[A-Za-z0-9_-]{50,400}/g),
  shape('rubygems key', 'rubygems_', /rubygems_[0-9a-f]{48}/g),
  shape('nuget key', 'oy2', /(?<![A-Za-z0-9])oy2[a-z0-9]{43}(?![A-Za-z0-9])/g),
  shape('crates.io token', 'cio', /(?<![A-Za-z0-9])cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/g),
  shape('docker token', 'dckr_', /dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,60}/g),
  shape('jfrog key', 'AKCp', /(?<![A-Za-z0-9])AKCp[A-Za-z0-9]{50,80}/g),
  shape('circleci token', 'CCIPAT_', /CCIPAT_[A-Za-z0-9_]{30,100}/g),
  shape('buildkite token', 'bk', /(?<![A-Za-z])bk(?:ua|at|aj)_[A-Za-z0-9]{30,80}/g),
  // Clouds
  shape(
    'aws key id',
    'A',
    /(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  ),
  shape(
    'aws secret',
    ['aws', 'AWS', 'Aws', 'ecret', 'SECRET'],
    /((?:aws[_-]?)?(?:secret[_-]?(?:access[_-]?)?key|session[_-]?token)\\?["']?\s{0,3}(?:=>|[:=])\s{0,3}\\?["']?)[A-Za-z0-9/+=]{40,1200}(?![A-Za-z0-9/+=])/gi,
  ),
  shape('google key', 'AIza', /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}/g),
  shape(
    'google token',
    ['ya29.', 'GOCSPX-', '1//'],
    /(?:ya29\.[A-Za-z0-9_-]{20,1000}|GOCSPX-[A-Za-z0-9_-]{20,60}|(?<![A-Za-z0-9/:])1\/\/0[A-Za-z0-9_-]{40,200})/g,
  ),
  shape('azure key', ['AccountKey=', 'SharedAccessKey='], /((?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/=]{40,120}/g),
  shape('azure secret', 'Q~', /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,40}/g),
  shape('alibaba key id', 'LTAI', /(?<![A-Za-z0-9])LTAI[A-Za-z0-9]{12,30}(?![A-Za-z0-9])/g),
  shape('tencent key id', 'AKID', /(?<![A-Za-z0-9])AKID[A-Za-z0-9]{13,40}(?![A-Za-z0-9])/g),
  shape('digitalocean token', 'do', /(?<![A-Za-z])do[opr]_v1_[0-9a-f]{64}/g),
  shape('heroku key', 'HRKU-', /HRKU-[A-Za-z0-9_-]{36,80}/g),
  shape(
    'fly token',
    ['fo1_', 'fm1', 'fm2_'],
    /(?<![A-Za-z0-9])(?:fo1_[A-Za-z0-9_-]{40,60}|fm[12][ar]?_[A-Za-z0-9+/=_-]{60,1000})/g,
  ),
  shape('vercel token', 'vc', /(?<![A-Za-z])vc[piark]_[A-Za-z0-9]{20,60}/g),
  shape('netlify token', 'nf', /(?<![A-Za-z])nf[cop]_[A-Za-z0-9_-]{36,60}/g),
  shape('supabase key', ['sbp_', 'sb_secret_'], /(?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,80})/g),
  shape('planetscale token', 'pscale_', /pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.=-]{32,80}/g),
  shape('terraform token', '.atlasv1.', /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}/g),
  shape('pulumi token', 'pul-', /(?<![A-Za-z0-9])pul-[0-9a-f]{40}/g),
  shape(
    'doppler token',
    'dp.',
    /(?<![A-Za-z0-9])dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,50}/g,
  ),
  shape('vault token', 'hv', /(?<![A-Za-z0-9])hv[sbr]\.[A-Za-z0-9_-]{24,400}/g),
  shape('databricks token', 'dapi', /(?<![A-Za-z0-9])dapi[0-9a-fA-F]{32}(?:-\d)?/g),
  shape('snowflake or similar token', 'ver:1-hint:', /ver:1-hint:[0-9]{5,20}-[A-Za-z0-9+/=]{40,1000}/g),
  // Talk, mail, money
  shape(
    'slack token',
    ['xox', 'xapp-', 'xwfp-'],
    /(?<![A-Za-z0-9])(?:xox[abceoprs]|xapp|xwfp)(?:\.xox[a-z])?-(?:\d-)?[A-Za-z0-9-]{10,300}/g,
  ),
  shape(
    'slack webhook',
    'hooks.slack.com',
    /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{10,120}/g,
  ),
  shape(
    'discord webhook',
    '/api/webhooks/',
    /(discord(?:app)?\.com\/api\/webhooks\/)\d{10,25}\/[A-Za-z0-9_-]{40,100}/g,
  ),
  shape('teams webhook', 'webhook.office.com', /(webhook\.office\.com\/webhookb2\/)[A-Za-z0-9@/_-]{40,300}/g),
  shape(
    'discord token',
    '.',
    /(?<![A-Za-z0-9_.-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_.-])/g,
  ),
  shape('telegram token', ':AA', /(?<![A-Za-z0-9])\d{8,10}:AA[A-Za-z0-9_-]{32,40}/g),
  shape('twilio key', ['SK', 'AC'], /(?<![A-Za-z0-9])(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])/g),
  shape('sendgrid key', 'SG.', /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}/g),
  shape('mailgun key', 'key-', /(?<![A-Za-z0-9])key-[0-9a-f]{32}(?![A-Za-z0-9])/g),
  shape('mailchimp key', '-us', /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])/g),
  shape('postmark or similar key', 're_', /(?<![A-Za-z0-9_])re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,40}/g),
  shape(
    'stripe key',
    ['sk_', 'rk_', 'pk_', 'whsec_'],
    /(?<![A-Za-z0-9])(?:(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,250}|whsec_[A-Za-z0-9+/=]{20,250})/g,
  ),
  shape(
    'square token',
    ['sq0', 'EAAA'],
    /(?<![A-Za-z0-9])(?:sq0[a-z]{3}-[A-Za-z0-9_-]{22,60}|EAAA[A-Za-z0-9_-]{56,80})/g,
  ),
  shape('shopify token', 'shp', /(?<![A-Za-z])shp(?:at|ca|pa|ss|tka|ua)_[0-9a-zA-Z]{32,64}/g),
  shape('paypal token', 'access_token$', /access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}/g),
  // Tools
  shape('linear key', 'lin_', /lin_(?:api|oauth)_[A-Za-z0-9_]{32,128}/g),
  shape(
    'notion token',
    ['ntn_', 'secret_'],
    /(?<![A-Za-z0-9])(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43})(?![A-Za-z0-9])/g,
  ),
  shape('figma token', 'fig', /(?<![A-Za-z0-9])fig[dou]r?h?_[A-Za-z0-9_-]{40,200}/g),
  shape('airtable token', 'pat', /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/g),
  shape('asana token', ['1/', '2/'], /(?<![A-Za-z0-9/])[12]\/\d{13,20}(?:\/\d{13,20})?:[0-9a-f]{32}/g),
  shape('postman key', 'PMAK-', /PMAK-[0-9a-f]{24}-[0-9a-f]{34}/g),
  shape('grafana token', 'gl', /(?<![A-Za-z])(?:glc_[A-Za-z0-9+/]{32,400}={0,2}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})/g),
  shape(
    'new relic key',
    ['NRAK-', 'NRII-', 'NRAA-', 'NRJS-', 'FFFFNRAL'],
    /NR(?:AK|II|AA|JS|RA)-[A-Za-z0-9_-]{19,64}|[0-9a-f]{36}FFFFNRAL/g,
  ),
  shape('sentry token', 'sntry', /sntry[su]_[A-Za-z0-9_+/=-]{40,300}/g),
  shape('1password token', 'ops_', /(?<![A-Za-z0-9])ops_eyJ[A-Za-z0-9+/=_-]{100,2000}/g),
  shape('dynatrace token', 'dt0', /dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}/g),
  shape(
    'launchdarkly key',
    ['api-', 'sdk-'],
    /(?<![A-Za-z0-9])(?:api|sdk)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
  ),
  shape('typeform or similar token', 'tfp_', /tfp_[A-Za-z0-9_]{40,80}/g),
  shape('prefect key', ['pnu_', 'pnb_'], /(?<![A-Za-z0-9])pn[ub]_[A-Za-z0-9]{36}/g),
  // Formats
  shape(
    'jwt',
    'eyJ',
    /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,8000}(?:\.[A-Za-z0-9_-]{0,4000}){1,3}/g,
  ),
  shape(
    'authorization',
    ['uthorization', 'UTHORIZATION'],
    /((?:proxy-)?authorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["'`]?(?:(?:bearer|basic|token|digest|apikey|negotiate|aws4-hmac-sha256)\s{1,3})?)(?!\[redacted|[$<{]|(?:bearer|basic|token)\b)[^\s"'`,;\\]{8,4000}/gi,
  ),
  shape(
    'bearer token',
    ['earer ', 'asic ', 'oken ', 'EARER '],
    /((?<![A-Za-z])(?:Bearer|Basic|token|bearer|BEARER)\s{1,3})(?!\[redacted)(?=[A-Za-z0-9._~+/=-]{0,200}[0-9])(?=[A-Za-z0-9._~+/=-]{0,200}[A-Za-z])[A-Za-z0-9._~+/=-]{20,2000}/g,
  ),
  shape(
    'password in url',
    '://',
    /((?<![A-Za-z0-9])[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/@"'`<>]{0,100}:)(?!\[redacted|[$<{*])[^\s/@"'`<>]{1,300}(?=@)/gi,
  ),
  shape('token in url', '://', /((?<![A-Za-z0-9])https?:\/\/)(?!\[redacted)[A-Za-z0-9_-]{20,300}(?=@)/g),
  shape(
    'password',
    'curl',
    /(\bcurl\b[^\n|;]{0,400}?\s(?:-u|--user)[ =]?["']?[^\s:"'$]{1,80}:["']?)(?!\[redacted|[$<{])[^\s"']{3,200}/g,
  ),
  shape('password', 'sshpass', /(\bsshpass\s+-p\s?["']?)(?!\[redacted|[$<{])[^\s"']{3,200}/g),
  shape(
    'password',
    ['mysql', 'mariadb'],
    /(\b(?:mysql|mariadb)\w*\b[^\n|;]{0,200}?\s-p)(?!\[redacted|[$<{])[^\s"'-][^\s"']{3,200}/g,
  ),
  shape('password', 'login', /(\blogin\s+\S{1,100}\s+password\s+)(?!\[redacted)\S{4,200}/g),
  shape('cookie', ['ookie:', 'OOKIE:'], /((?:set-)?cookie:\s{0,3})(?!\s{0,3}(?:\[redacted|[$<{]))[^\n"'`]{16,4000}/gi),
  shape(
    'signature in url',
    ['?', '&'],
    /([?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|access_token|refresh_token|id_token|api_?key|apikey|auth|token|secret|password|passwd|pwd|client_secret|key)=)(?![$<{[])[^\s&"'`<>#]{8,2000}/gi,
  ),
];
