// Values that stand behind a telling name: `DB_PASSWORD=…`, `"client_secret": "…"`, `--token …`. Source code is full of
// such names, so the value itself is judged: a type, a call, a variable or a word of the interface is no secret.

export const redactNamed = (text: string): string => {
  let clean = '';
  let done = 0;
  for (const {0: found, index} of text.matchAll(telling)) {
    if (index < done) continue;
    const value = valueBehind(text, index + found.length);
    if (value === undefined || !isSecret(nameAround(text, index, found), value)) continue;
    clean += `${text.slice(done, value.start)}[redacted: secret]`;
    done = value.start + value.text.length;
  }
  return clean + text.slice(done);
};

const telling =
  /(?:pass(?:word|wd|phrase|code|wort)|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|master[_-]?key|auth[_-]?key|account[_-]?key|credentials?)[A-Za-z0-9_-]{0,30}/gi;

interface Value {
  text: string;
  start: number;
  quoted: boolean;
  /** `name=value` without blanks, or behind a flag. */
  joint: '=' | 'flag' | 'other';
}

/** A type may stand between: `token: string = "…"`. */
const link =
  /(?:[ \t]{0,2}:[ \t]{0,2}(?:string|String|str|&(?:'static )?str|Final(?:\[str\])?)(?: \| \w{1,20})?(?=[ \t]{0,2}=))?\\?["'`]?\]?([ \t]{0,4})(=>|:=|=|:)([ \t]{0,4})(?:[bru]{1,2}(?=["']))?(\\?["'`])?/y;
const afterFlag = /[ \t]{1,3}(["'])?/y;
const bareValue = /[^\s"'`,;<>]{4,400}/y;

const valueBehind = (text: string, at: number): Value | undefined => {
  link.lastIndex = at;
  const linked = link.exec(text);
  afterFlag.lastIndex = at;
  const joined = linked ?? afterFlag.exec(text);
  if (joined === null) return undefined;
  const start = linked === null ? afterFlag.lastIndex : link.lastIndex;
  const quote = linked === null ? joined[1] : joined[4];
  const tight = linked !== null && joined[1] === '' && joined[2] === '=' && joined[3] === '';
  const joint = linked === null ? 'flag' : tight ? '=' : 'other';
  if (quote !== undefined) {
    const end = text.indexOf(quote, start);
    if (end < 0 || end - start > 400) return undefined;
    const inside = text.slice(start, end);
    return inside.includes('\n') ? undefined : {text: inside, start, quoted: true, joint};
  }
  bareValue.lastIndex = start;
  const bare = bareValue.exec(text)?.[0].replace(/[)}\]]+$/, '');
  return bare === undefined ? undefined : {text: bare, start, quoted: false, joint};
};

interface Name {
  text: string;
  isFlag: boolean;
  /** `DB_PASSWORD`: a variable of the environment; `X-Api-Key`: a header. Nothing but a value stands behind these. */
  isVariable: boolean;
  isPassword: boolean;
}

const nameChar = /[A-Za-z0-9_.-]/;

const nameAround = (text: string, index: number, found: string): Name => {
  let from = index;
  while (from > 0 && from > index - 40 && nameChar.test(text.charAt(from - 1))) from -= 1;
  const name = `${text.slice(from, index)}${found}`;
  return {
    text: name,
    isFlag: name.startsWith('--'),
    isVariable: /^(?:[A-Z][A-Z0-9_]*|[Xx]-[\w-]+)$/.test(name),
    isPassword: /(?:pass(?:word|wd|phrase|code|wort)?|pwd)\d{0,2}$/i.test(name),
  };
};

/** What is behind these is a number, a place, a word for people: `max_tokens`, `token_type`, `passwordLabel`. */
const harmless =
  /(?:s|[_-]?(?:ids?|type|name|length|len|count|limit|url|uri|path|file|dir|field|input|label|hint|regexp?|pattern|policy|rules?|error|expir\w*|ttl|age|kind|prefix|suffix|header|param|prompt|placeholder|text|message|title|class|style|icon|button|form|page|view|schema|model|table|column|index|map|list|set|size|usage|budget|env|var|source|provider|manager|store|service|format|encoding|algorithm|strategy|required|enabled|valid\w*|check\w*|reset|request|response|endpoint|ref|status|state|version|mode|scope|option))$/i;

const isSecret = (name: Name, value: Value): boolean => {
  const {text} = value;
  if (value.joint === 'flag' && !name.isFlag) return false;
  if (/^(?:OLD)?PWD$/i.test(name.text) || (harmless.test(name.text) && !/credentials$/i.test(name.text))) return false;
  if (notLiteral.test(text) || /^[\d.,:_-]*$/.test(text)) return false;
  if (/^(?:true|false|null|none|undefined|nil|string|number|boolean|unknown|object|required|optional)$/i.test(text)) {
    return false;
  }
  return value.quoted ? quotedSecret(name, text) : bareSecret(name, value);
};

/** Put in only later (`$VAR`, `${…}`, `<your key>`, `{{…}}`, `%s`), masked (`***`), redacted already, or a place. */
const notLiteral =
  /^(?:[$<{*%[(]|\\|\.{1,2}\/|\/[\w.-]+\/|~\/|https?:\/\/|process\.|import\.|os\.|env\.|x{4,}|\.{3})|\$\{|\{\{|^%[sd@]/i;

const wordsOnly = /^[A-Za-z]+(?:[-_.:/ ]+[A-Za-z]+)*$/;

const quotedSecret = (name: Name, text: string): boolean => {
  const isSure = name.isVariable || name.isFlag;
  if (text.length < (name.isPassword || isSure ? 6 : 8)) return false;
  if (/\s/.test(text)) return isSure && text.length >= 12;
  if (wordsOnly.test(text)) {
    if (telling.test(text)) {
      telling.lastIndex = 0;
      return false;
    }
    const isWord = /^[A-Za-z]+$/.test(text);
    return isSure || (isWord ? text.length >= 16 : name.isPassword);
  }
  // A pattern, a snippet of code.
  return isSure || name.isPassword || !/[[\](){}|\\]/.test(text);
};

const bareSecret = (name: Name, {text, joint}: Value): boolean => {
  const isCall = /^[A-Za-z_$][\w$.?!]*[([]/.test(text);
  if (isCall) return false;
  if (name.isVariable && (joint === '=' || /^x-/i.test(name.text))) return text.length >= 6;
  if (name.isFlag)
    return (
      text.length >= 6 && !/^(?:-|[A-Z_]+$)/.test(text) && (joint === '=' || name.isPassword || !wordsOnly.test(text))
    );
  const isMember = /^[A-Za-z_$][\w$]*[?!]?\.[A-Za-z_$]/.test(text);
  if (text.length < 8 || isMember || !/\d/.test(text) || !/[A-Za-z]/.test(text)) return false;
  // `base64Token` is a name; `x7Kq2mVb9` is not.
  if (/^[A-Za-z_$][\w$]*$/.test(text)) return (text.match(/\d+/g)?.length ?? 0) >= 2 && text.length >= 10;
  return !/[(){}|]/.test(text);
};
