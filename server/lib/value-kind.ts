import { ExactNumber } from './exact-number.contract.ts';
import { BACKSLASH, QUOTE } from './json-grammar.ts';

/**
 * The kind of a JSON value, from which the type of its property is detected. Values of one kind under one name are of
 * one type, so that these kinds, and the names, are all that has to be compared to know whether an event brings
 * something new.
 */
export const VALUE_KIND = {
  /** null, an object or a list: says nothing. */
  nothing: 0,
  text: 1,
  /** The text `true` or `false`. */
  booleanText: 2,
  /** Text of a date, with or without time. */
  dateText: 3,
  number: 4,
  /** A number that is an instant if its name says so: Unix seconds or milliseconds of the years 2001 to 2286. */
  instantNumber: 5,
  boolean: 6,
} as const;
export type ValueKind = (typeof VALUE_KIND)[keyof typeof VALUE_KIND];

const MINUS = 0x2d;
const BOOLEAN_TEXT = /^(?:true|false|TRUE|FALSE)$/;
/** ISO 8601: a date, year first, also with slashes; a time behind it may leave out seconds and zone. */
const DATE_TEXT =
  /^\d{4}([-/])(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?:[Tt ](?:[01]\d|2[0-4]):[0-5]\d(?::[0-6]\d(?:[.,]\d{1,9})?)?(?: ?(?:[Zz]|[+-]\d\d:?\d\d))?)?$/;

/** The kind of a value that came out of JSON.parse. */
export function kindOfValue(value: unknown): ValueKind {
  if (value instanceof ExactNumber) return VALUE_KIND.number;
  switch (typeof value) {
    case 'string':
      return kindOfText(value);
    case 'number':
      return kindOfNumber(value);
    case 'boolean':
      return VALUE_KIND.boolean;
    default:
      return VALUE_KIND.nothing;
  }
}

function kindOfText(text: string): ValueKind {
  if (BOOLEAN_TEXT.test(text)) return VALUE_KIND.booleanText;
  return DATE_TEXT.test(text) ? VALUE_KIND.dateText : VALUE_KIND.text;
}

function kindOfNumber(value: number): ValueKind {
  const isInstant = (value >= 1e9 && value < 1e10) || (value >= 1e12 && value < 1e13);
  return isInstant ? VALUE_KIND.instantNumber : VALUE_KIND.number;
}

/** What the first byte of a value, and the first of a text, says of its kind. */
const [TEXT, NUMBER] = [7, 8];
const BY_FIRST_BYTE = new Uint8Array(256);
BY_FIRST_BYTE[QUOTE] = TEXT;
BY_FIRST_BYTE.fill(NUMBER, 0x30, 0x3a);
BY_FIRST_BYTE[MINUS] = NUMBER;
BY_FIRST_BYTE.fill(VALUE_KIND.boolean, 0x66, 0x67).fill(VALUE_KIND.boolean, 0x74, 0x75);
/** Dates begin with a digit, boolean words with f or t, and an escape may encode any character. */
const MAY_BE_SPECIAL = new Uint8Array(256).fill(1, 0x30, 0x3a);
for (const byte of Buffer.from('fFtT\\')) MAY_BE_SPECIAL[byte] = 1;

/** The kind of the JSON value from `start` to before `end`, which is known to be one; the same as of the parsed value. */
export function kindOfJson(bytes: Buffer, start: number, end: number): ValueKind {
  const kind = BY_FIRST_BYTE[bytes[start]!]!;
  if (kind === TEXT) {
    if (MAY_BE_SPECIAL[bytes[start + 1]!] === 0) return VALUE_KIND.text;
    return isSpecialText(bytes, start + 1, end - 1)
      ? kindOfText(JSON.parse(bytes.toString('utf8', start, end)) as string)
      : VALUE_KIND.text;
  }
  return kind === NUMBER ? kindOfJsonNumber(bytes, start, end) : (kind as ValueKind);
}

/** Longer texts, each character an escape of six, are no dates. */
const MAX_SPECIAL_BYTES = 6 * 40;

/** Whether a text that begins like one may be a date or a boolean word. */
function isSpecialText(bytes: Buffer, start: number, end: number): boolean {
  if (end - start > MAX_SPECIAL_BYTES || end - start < 4) return false;
  const first = bytes[start]!;
  if (first === BACKSLASH) return true;
  if (isDigit(first)) {
    let next = start + 1;
    while (next < start + 4 && isDigit(bytes[next]!)) next++;
    const byte = bytes[next];
    return byte === BACKSLASH || (next === start + 4 && (byte === MINUS || byte === 0x2f));
  }
  const second = bytes[start + 1]!;
  return second === BACKSLASH || (second | 0x20) === ((first | 0x20) === 0x74 ? 0x72 : 0x61);
}

/** By the digits before the point; an exponent moves that, and a fraction may round up, so that both are read. */
function kindOfJsonNumber(bytes: Buffer, start: number, end: number): ValueKind {
  let at = start;
  while (at < end && isDigit(bytes[at]!)) at++;
  const digits = at - start;
  const fits = digits === 10 || digits === 13;
  if (at === end) return fits ? VALUE_KIND.instantNumber : VALUE_KIND.number;
  let mustRead = fits;
  for (; at < end && !mustRead; at++) mustRead = (bytes[at]! | 0x20) === 0x65;
  return mustRead ? kindOfNumber(Number(bytes.toString('latin1', start, end))) : VALUE_KIND.number;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
