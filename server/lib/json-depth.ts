import { closingQuote } from './exact-number.contract.ts';

/** Deeper JSON would overflow the stack of whatever writes or reads it recursively (about 4,000 levels in V8). */
export const MAX_JSON_DEPTH = 1000;

/** Whether valid JSON text is nested deeper than MAX_JSON_DEPTH. */
export function isTooDeep(json: string): boolean {
  // A level takes two characters, so short texts need no counting.
  if (json.length <= 2 * MAX_JSON_DEPTH) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x22) {
      at = closingQuote(json, at);
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_JSON_DEPTH) return true;
    } else if (code === 0x5d || code === 0x7d) {
      depth--;
    }
  }
  return false;
}
