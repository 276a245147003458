/**
 * The grammar of JSON (RFC 8259) over bytes that are known to be UTF-8: each function takes the position where something
 * begins and returns the position after it, or UNUSUAL. Surrogate escapes and deep nesting count as unusual.
 */

/** Returned in place of a position for what is not JSON, or is JSON of a kind left to others. */
export const UNUSUAL = -1;

/** Deeper JSON is unusual. */
const MAX_DEPTH = 64;
/** Longer numbers are unusual, as are those with larger exponents: a double may not hold them. */
const MAX_NUMBER_BYTES = 64;
const MAX_EXPONENT_DIGITS = 2;

export const SPACE = 0x20;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_ARRAY = 0x5d;
/** With which null and true begin, and no other value. */
export const FIRST_OF_NULL = 0x6e;
export const FIRST_OF_TRUE = 0x74;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

export function skipSpace(bytes: Buffer, at: number): number {
  if (bytes[at]! > 0x20) return at;
  let next = at;
  for (;;) {
    const byte = bytes[next];
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) next++;
    else return next;
  }
}

/** The position after the text that opens at `at`; UNUSUAL for control characters, wrong escapes and surrogates. */
function skipText(bytes: Buffer, at: number): number {
  const { length } = bytes;
  let next = at + 1;
  while (next < length) {
    const byte = bytes[next]!;
    if (byte === QUOTE) return next + 1;
    if (byte < 0x20) return UNUSUAL;
    if (byte === BACKSLASH) {
      next = skipEscape(bytes, next);
      if (next === UNUSUAL) return UNUSUAL;
    } else next++;
  }
  return UNUSUAL;
}

/** As skipText, for a key that names something: one with an escape might be another spelling of a name. */
export function skipKey(bytes: Buffer, at: number): number {
  const { length } = bytes;
  for (let next = at + 1; next < length; next++) {
    const byte = bytes[next]!;
    if (byte === QUOTE) return next + 1;
    if (byte < 0x20 || byte === BACKSLASH) return UNUSUAL;
  }
  return UNUSUAL;
}

/** Surrogates are left to the general way, which mends those without a partner. */
function skipEscape(bytes: Buffer, at: number): number {
  switch (bytes[at + 1]) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return at + 2;
    case 0x75: {
      for (let i = at + 2; i < at + 6; i++) if (!isHex(bytes[i])) return UNUSUAL;
      const isSurrogate = (bytes[at + 2]! | 0x20) === 0x64 && bytes[at + 3]! >= 0x38;
      return isSurrogate ? UNUSUAL : at + 6;
    }
    default:
      return UNUSUAL;
  }
}

function isHex(byte: number | undefined): boolean {
  return byte !== undefined && (isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66));
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** The position after the JSON value that begins at `at`, by the grammar of RFC 8259; UNUSUAL when there is none. */
export function skipValue(bytes: Buffer, at: number, depth: number): number {
  switch (bytes[at]) {
    case QUOTE:
      return skipText(bytes, at);
    case OPEN_OBJECT:
      return depth > MAX_DEPTH ? UNUSUAL : skipObject(bytes, at, depth + 1);
    case OPEN_ARRAY:
      return depth > MAX_DEPTH ? UNUSUAL : skipArray(bytes, at, depth + 1);
    case 0x74:
      return skipWord(bytes, at, TRUE);
    case 0x66:
      return skipWord(bytes, at, FALSE);
    case 0x6e:
      return skipWord(bytes, at, NULL);
    default:
      return skipNumber(bytes, at);
  }
}

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NULL = Buffer.from('null');

function skipWord(bytes: Buffer, at: number, word: Buffer): number {
  for (let i = 1; i < word.length; i++) if (bytes[at + i] !== word[i]) return UNUSUAL;
  return at + word.length;
}

function skipNumber(bytes: Buffer, at: number): number {
  let next = bytes[at] === 0x2d ? at + 1 : at;
  if (bytes[next] === 0x30) next++;
  else {
    if (!isDigit(bytes[next])) return UNUSUAL;
    next = skipDigits(bytes, next);
  }
  if (bytes[next] === 0x2e) {
    if (!isDigit(bytes[next + 1])) return UNUSUAL;
    next = skipDigits(bytes, next + 1);
  }
  if (bytes[next] === 0x65 || bytes[next] === 0x45) {
    next++;
    if (bytes[next] === 0x2b || bytes[next] === 0x2d) next++;
    if (!isDigit(bytes[next])) return UNUSUAL;
    const exponent = next;
    next = skipDigits(bytes, next);
    if (next - exponent > MAX_EXPONENT_DIGITS) return UNUSUAL;
  }
  return next - at > MAX_NUMBER_BYTES ? UNUSUAL : next;
}

function skipDigits(bytes: Buffer, at: number): number {
  let next = at;
  while (isDigit(bytes[next])) next++;
  return next;
}

function skipObject(bytes: Buffer, at: number, depth: number): number {
  let next = skipSpace(bytes, at + 1);
  if (bytes[next] === CLOSE_OBJECT) return next + 1;
  for (;;) {
    if (bytes[next] !== QUOTE) return UNUSUAL;
    next = skipText(bytes, next);
    if (next === UNUSUAL) return UNUSUAL;
    next = skipSpace(bytes, next);
    if (bytes[next] !== COLON) return UNUSUAL;
    next = skipValue(bytes, skipSpace(bytes, next + 1), depth);
    if (next === UNUSUAL) return UNUSUAL;
    next = skipSpace(bytes, next);
    if (bytes[next] === CLOSE_OBJECT) return next + 1;
    if (bytes[next] !== COMMA) return UNUSUAL;
    next = skipSpace(bytes, next + 1);
  }
}

function skipArray(bytes: Buffer, at: number, depth: number): number {
  let next = skipSpace(bytes, at + 1);
  if (bytes[next] === CLOSE_ARRAY) return next + 1;
  for (;;) {
    next = skipValue(bytes, next, depth);
    if (next === UNUSUAL) return UNUSUAL;
    next = skipSpace(bytes, next);
    if (bytes[next] === CLOSE_ARRAY) return next + 1;
    if (bytes[next] !== COMMA) return UNUSUAL;
    next = skipSpace(bytes, next + 1);
  }
}
