import { partsLimit } from './body-limits.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENS_LIST = 0x5b;
const OPENS_OBJECT = 0x7b;

/**
 * Whether decompressed JSON text holds so many objects and lists that they would fill the memory: one takes three bytes of
 * text and fifty and more of memory. It may hold as many as a body that comes uncompressed.
 */
export function holdsTooManyParts(json: Uint8Array, maxDecodedBytes: number): boolean {
  const most = partsLimit(maxDecodedBytes);
  if (json.length < most * 3) return false;
  let parts = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = closingQuote(json, at);
    else if ((byte === OPENS_OBJECT || byte === OPENS_LIST) && ++parts > most) return true;
  }
  return false;
}

/** Where the string ends that opens at `at`; behind the text for one without an end. */
function closingQuote(json: Uint8Array, at: number): number {
  let end = at + 1;
  while (end < json.length && json[end] !== QUOTE) end += json[end] === BACKSLASH ? 2 : 1;
  return end;
}
