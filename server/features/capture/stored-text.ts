import { stringifyExactly } from '../../lib/exact-number.contract.ts';
import { fail } from '../../errors.ts';
import { isTooDeep, MAX_JSON_DEPTH } from '../../lib/json-depth.ts';
import { withoutLoneSurrogates } from '../../lib/json-text.ts';

/** Names and ids are kept to this many characters (ingestion contract 3.3). */
const MAX_NAME_LENGTH = 200;

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
 * The JSON text of a value that came out of JSON, with all digits, and with U+FFFD for surrogates without a partner: JSON.stringify
 * escapes them, and DuckDB's JSON reader refuses the escape. Throws invalid_payload past 1,000 levels of nesting.
 */
export function storedJson(value: unknown): string {
  let text: string;
  try {
    text = stringifyExactly(value);
  } catch {
    throw tooDeep();
  }
  if (isTooDeep(text)) throw tooDeep();
  return withoutLoneSurrogates(text);
}

function tooDeep(): Error {
  return fail('invalid_payload', { detail: `invalid payload: nested deeper than ${MAX_JSON_DEPTH} levels.` });
}
