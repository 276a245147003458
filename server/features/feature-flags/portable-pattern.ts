/** Escapes that mean the same in JavaScript and in Rust's regex crate, which PostHog's server uses. */
const ESCAPE = /\\(?:x[\da-fA-F]{2}|[dDsSwWfnrtv]|[ -/:;=?@[-`{-~])/y;
/** A piece of a set of characters; in a set, \b is a backspace. */
const PIECE = /\\(?:x[\da-fA-F]{2}|[dDsSwWbBfnrtv]|[ -/:;=?@[-`{-~])|[^\\[\]]/y;
/** Set operations of Rust. */
const SET_OPERATION = /&&|--|~~/;

/** What means different things in the two, once escapes and sets are taken as letters. */
const AMBIGUOUS = [
  /\(\?(?!:)/,
  /[*+?}][+{]/,
  /[\^$][*+?{]/,
  /\((?:\?:)?\)\)*[*+?{]/,
  /(?:^|\||\(|\(\?:)\{/,
  /\{(?!\d{1,9}(?:,\d{0,9})?\})/,
];

/**
 * Whether SDKs match a pattern themselves. posthog-node (5.70, @posthog/core) does so only where JavaScript and
 * PostHog's server surely agree, and asks the server about every other pattern; an invalid pattern never matches.
 */
export function isPortablePattern(pattern: string): boolean {
  // oxlint-disable-next-line no-control-regex -- the borders of ASCII
  if (/[^\x00-\x7f]/.test(pattern)) return false;
  const read = readPattern(pattern);
  if (read === null || AMBIGUOUS.some((one) => one.test(read.plain))) return false;
  return !compiles(pattern) || read.sets.every((set) => compiles(set, 'u'));
}

interface Read {
  /** The pattern with the letter `a` for each escape and each set. */
  plain: string;
  sets: string[];
}

/** Null when an escape or a set is not portable. */
function readPattern(pattern: string): Read | null {
  const read: Read = { plain: '', sets: [] };
  for (let at = 0; at < pattern.length;) {
    if (pattern[at] === '[') {
      const set = readSet(pattern, at);
      if (set === null) return null;
      read.sets.push(set);
      read.plain += 'a';
      at += set.length;
    } else if (pattern[at] === '\\') {
      const escape = matchAt(ESCAPE, pattern, at);
      // A backslash at the very end makes it no pattern.
      if (escape === null) return at === pattern.length - 1 ? read : null;
      read.plain += 'a';
      at += escape.length;
    } else read.plain += pattern[at++];
  }
  return read;
}

/** The set that begins here, or all of the rest when it is never closed; null when it is not portable. */
function readSet(pattern: string, start: number): string | null {
  const first = start + (pattern[start + 1] === '^' ? 2 : 1);
  let plain = '';
  let at = first;
  while (at < pattern.length && pattern[at] !== ']') {
    const piece = matchAt(PIECE, pattern, at);
    if (piece === null && at < pattern.length - 1) return null;
    if (piece === null && pattern[at] === '[') return null;
    plain += piece?.length === 1 ? piece : 'a';
    at += piece?.length ?? 1;
  }
  const isEmpty = at === first && pattern[at] === ']';
  return isEmpty || SET_OPERATION.test(plain) ? null : pattern.slice(start, at + 1);
}

function matchAt(expression: RegExp, text: string, at: number): string | null {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? null;
}

function compiles(pattern: string, flags = ''): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
