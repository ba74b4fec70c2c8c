// A shell command line taken apart, as far as it takes to know which programs it runs, which files it writes, and whose
// exit status it ends with. No shell is ever started; what cannot be told (variables, substitutions) stays a raw word.

export interface SimpleCommand {
  /** The program and its arguments, quotes undone; assignments and keywords in front of it left out. */
  words: string[];
  /** Files that its output is sent to. */
  writes: string[];
  /** What stands behind it. */
  joint: '' | ';' | '&' | '&&' | '||' | '|';
}

/** Longer scripts are read as far as this. */
const MAX_LENGTH = 8000;

export const simpleCommands = (script: string): SimpleCommand[] => {
  const commands: SimpleCommand[] = [];
  let command: SimpleCommand = {words: [], writes: [], joint: ''};
  for (const token of tokensOf(script.slice(0, MAX_LENGTH).replace(/\\\r?\n/g, ' '))) {
    if (token.is === 'target') command.writes.push(token.text);
    else if (token.is === 'word') {
      if (command.words.length > 0 || !leading(token.text)) command.words.push(token.text);
    } else {
      commands.push(...unwrapped({...command, joint: token.joint}));
      command = {words: [], writes: [], joint: ''};
    }
  }
  return [...commands, ...unwrapped(command)].filter(({words, writes}) => words.length > 0 || writes.length > 0);
};

const keywords = new Set(['if', 'then', 'else', 'elif', 'fi', 'for', 'while', 'until', 'do', 'done', '{', '}', '!']);
const leading = (word: string): boolean => keywords.has(word) || /^[A-Za-z_]\w*\+?=/.test(word);

/** `bash -lc "…"` is what it holds; the status of its last command is its own. */
const unwrapped = (command: SimpleCommand): SimpleCommand[] => {
  const [program = '', flag = '', script = ''] = command.words;
  if (!/^(?:\S*\/)?(?:ba|z|da|k)?sh$/.test(program) || !/^-\w*c$/.test(flag)) return [command];
  const inner = simpleCommands(script);
  return inner.length === 0 ? [command] : inner.with(-1, {...(inner.at(-1) ?? command), joint: command.joint});
};

type Token = {is: 'word'; text: string} | {is: 'target'; text: string} | {is: 'end'; joint: SimpleCommand['joint']};

const lexemes = {
  blank: /[^\S\n]+/y,
  comment: /#[^\n]*/y,
  heredoc: /\d*<<-?[^\S\n]*(["']?)([\w.-]+)\1/y,
  /** `2>&1` */
  stream: /\d*[<>]&[\d-]+/y,
  redirect: /(?:\d+|&)?(?:>>|>\||>|<<<|<>|<)/y,
  operator: /&&|\|\||\|&?|;;?&?|&|\n|[()]/y,
  single: /'([^']*)'?/y,
  double: /"((?:[^"\\]|\\[\s\S])*)"?/y,
  escaped: /\\([\s\S])/y,
  plain: /[^\s'"\\;&|()<>$`]+/y,
};

function* tokensOf(text: string): Generator<Token> {
  let at = 0;
  let word: string | undefined;
  let target: 'none' | 'read' | 'write' = 'none';
  const bodies: string[] = [];
  const match = (name: keyof typeof lexemes): RegExpExecArray | null => {
    const pattern = lexemes[name];
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const flush = (): Token[] => {
    if (word === undefined) return [];
    const token: Token = target === 'write' ? {is: 'target', text: word} : {is: 'word', text: word};
    const dropped = target === 'read' || (target === 'write' && word === '/dev/null');
    word = undefined;
    target = 'none';
    return dropped ? [] : [token];
  };
  while (at < text.length) {
    if (match('blank') !== null) yield* flush();
    else if (word === undefined && match('comment') !== null) continue;
    else if (word === undefined && match('stream') !== null) continue;
    else {
      const heredoc = match('heredoc');
      const redirect = heredoc ?? match('redirect');
      const operator = redirect === null ? match('operator') : null;
      if (redirect === null && operator === null) word = (word ?? '') + pieceAt();
      else yield* flush();
      if (heredoc !== null) bodies.push(heredoc[2] ?? '');
      else if (redirect !== null) target = redirect[0].includes('>') ? 'write' : 'read';
      if (operator !== null) yield {is: 'end', joint: jointOf(operator[0])};
      if (operator?.[0] === '\n') at = afterBodies(text, at, bodies);
    }
  }
  yield* flush();

  function pieceAt(): string {
    const quoted = match('single')?.[1] ?? match('escaped')?.[1];
    if (quoted !== undefined) return quoted;
    const double = match('double')?.[1];
    if (double !== undefined) return double.replace(/\\(["\\$`])/g, '$1');
    const plain = match('plain')?.[0];
    if (plain !== undefined) return plain;
    const end = text.startsWith('$(', at) ? closingParen(text, at) : at + 1;
    const raw = text.slice(at, end);
    at = end;
    return raw;
  }
}

const jointOf = (operator: string): SimpleCommand['joint'] => {
  if (operator === '&&' || operator === '||' || operator === '&') return operator;
  return operator.startsWith('|') ? '|' : ';';
};

/** Here-documents begin on the line after; what they hold is no command. */
const afterBodies = (text: string, from: number, bodies: string[]): number => {
  let at = from;
  for (const name of bodies.splice(0)) {
    while (at < text.length) {
      const end = text.indexOf('\n', at);
      const line = text.slice(at, end < 0 ? text.length : end);
      at = end < 0 ? text.length : end + 1;
      if (line.trim() === name) break;
    }
  }
  return at;
};

const closingParen = (text: string, from: number): number => {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
};
