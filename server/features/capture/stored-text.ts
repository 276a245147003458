import { fail } from '../../errors.ts';
import { withoutLoneSurrogates } from '../../lib/json-text.ts';

/** Names and ids are kept to this many characters (ingestion contract 3.3). */
const MAX_NAME_LENGTH = 200;
/** Deeper JSON would overflow the stack of whatever writes or reads it recursively (about 4,000 levels in V8). */
const MAX_DEPTH = 1000;

/** A text as it is stored: U+FFFD for NUL and for surrogates without a partner, which are no text for a database. */
export function storedText(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text).toWellFormed();
}

/** An event name, distinct id or type of groups as it is stored: at most 200 characters (code points). */
export function storedName(text: string): string {
  const clean = storedText(text);
  if (clean.length <= MAX_NAME_LENGTH) return clean;
  let end = 0;
  for (let count = 0; count < MAX_NAME_LENGTH && end < clean.length; count++) {
    end += clean.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  return clean.slice(0, end);
}

/**
 * The JSON text of a value that came out of JSON.parse, with U+FFFD for surrogates without a partner: JSON.stringify
 * escapes them, and DuckDB's JSON reader refuses the escape. Throws invalid_payload past 1,000 levels of nesting.
 */
export function storedJson(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch {
    throw tooDeep();
  }
  // A level takes two characters, so short texts need no counting.
  if (text.length > 2 * MAX_DEPTH && isDeeperThan(text, MAX_DEPTH)) throw tooDeep();
  return withoutLoneSurrogates(text);
}

function tooDeep(): Error {
  return fail('invalid_payload', { detail: `invalid payload: nested deeper than ${MAX_DEPTH} levels.` });
}

function isDeeperThan(json: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x22) {
      at = closingQuote(json, at);
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > limit) return true;
    } else if (code === 0x5d || code === 0x7d) {
      depth--;
    }
  }
  return false;
}

function closingQuote(json: string, opening: number): number {
  let at = opening + 1;
  for (let code = json.charCodeAt(at); code !== 0x22; code = json.charCodeAt(++at)) {
    if (code === 0x5c) at++;
  }
  return at;
}
