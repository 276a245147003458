import { HogqlError } from '../errors.ts';

/** What a text of HogQL consists of, comments left out. Offsets are in UTF-16 units. */
export interface Token {
  kind: 'word' | 'quoted' | 'string' | 'template' | 'number' | 'symbol';
  start: number;
  end: number;
  /** Words in lower case, symbols as they are; empty for all else. */
  text: string;
}

const SPACE = /\s+/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const NUMBER = /0[xX][\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SYMBOL = /->|::|\?\?|\?\.|\|\||==|!=|<=|>=|<>|=~\*|!~\*|=~|!~|[\s\S]/y;
const LINE_END = /[\n\r]|$/g;
const MAX_TEMPLATES_WITHIN_EACH_OTHER = 3;

/** Takes a text apart as the grammar does. Throws a HogqlError for what is opened and never closed. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const blank = endOfBlank(text, at);
    if (blank > at) at = blank;
    else {
      const token = tokenAt(text, at);
      tokens.push(token);
      at = token.end;
    }
  }
  return tokens;
}

function tokenAt(text: string, start: number): Token {
  const first = text[start]!;
  if (first === "'") return { kind: 'string', start, end: endOfQuoted(text, start), text: '' };
  if (first === '`' || first === '"')
    return { kind: 'quoted', start, end: endOfQuoted(text, start), text: '' };
  if (first === 'f' && text[start + 1] === "'")
    return { kind: 'template', start, end: endOfTemplate(text, start), text: '' };
  const word = endOf(WORD, text, start);
  if (word > start) return { kind: 'word', start, end: word, text: text.slice(start, word).toLowerCase() };
  const number = endOf(NUMBER, text, start);
  if (number > start) return { kind: 'number', start, end: number, text: '' };
  const symbol = endOf(SYMBOL, text, start);
  return { kind: 'symbol', start, end: symbol, text: text.slice(start, symbol) };
}

/** Where space and one comment end that begin at an offset; the offset itself when none do. */
function endOfBlank(text: string, start: number): number {
  const space = endOf(SPACE, text, start);
  if (space > start) return space;
  const two = text.slice(start, start + 2);
  if (two === '--' || two === '//' || two === '# ' || two === '#!') {
    LINE_END.lastIndex = start;
    return LINE_END.exec(text)!.index;
  }
  if (two !== '/*') return start;
  const end = text.indexOf('*/', start + 2);
  if (end < 0) throw new HogqlError('Unclosed comment.', { start, end: start + 2 });
  return end + 2;
}

/** A quote within quotes is doubled, or has a backslash before it. */
function endOfQuoted(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) {
      if (text[at + 1] !== quote) return at + 1;
      at++;
    }
  }
  const what = quote === "'" ? 'string' : 'quoted name';
  throw new HogqlError(`Unclosed ${what}.`, { start, end: start + 1 });
}

/** `f'a {expression} b'`; the expression may hold strings and templates of its own. */
function endOfTemplate(text: string, start: number, level = 1): number {
  if (level > MAX_TEMPLATES_WITHIN_EACH_OTHER)
    throw new HogqlError('Template strings are nested too deeply.', { start, end: start + 2 });
  for (let at = start + 2; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '{') at = endOfHole(text, at, level);
    else if (text[at] === "'") {
      if (text[at + 1] !== "'") return at + 1;
      at++;
    }
  }
  throw new HogqlError('Unclosed template string.', { start, end: start + 2 });
}

/** The offset of the brace that ends the expression of a template. */
function endOfHole(text: string, start: number, level: number): number {
  let depth = 0;
  for (let at = start; at < text.length;) {
    const blank = endOfBlank(text, at);
    if (blank > at) at = blank;
    else if (text[at] === 'f' && text[at + 1] === "'") at = endOfTemplate(text, at, level + 1);
    else {
      const token = tokenAt(text, at);
      if (token.text === '{') depth++;
      if (token.text === '}' && --depth === 0) return at;
      at = token.end;
    }
  }
  throw new HogqlError('Unclosed brace.', { start, end: start + 1 });
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
