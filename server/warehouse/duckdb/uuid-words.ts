/**
 * A UUID as four 32-bit words, for tables that hold millions of them. Reused between calls: read it before the next.
 */
export type UuidWords = Uint32Array & { readonly length: 4 };

export function newUuidWords(): UuidWords {
  return new Uint32Array(4) as UuidWords;
}

const HEX = new Uint8Array(128);
for (let i = 0; i < 16; i++) {
  HEX[i.toString(16).charCodeAt(0)] = i;
  HEX[i.toString(16).toUpperCase().charCodeAt(0)] = i;
}

function eight(text: string, at: number): number {
  let word = 0;
  for (let i = at; i < at + 8; i++) word = (word << 4) | HEX[text.charCodeAt(i)]!;
  return word >>> 0;
}

function four(text: string, at: number): number {
  return (
    (HEX[text.charCodeAt(at)]! << 12) |
    (HEX[text.charCodeAt(at + 1)]! << 8) |
    (HEX[text.charCodeAt(at + 2)]! << 4) |
    HEX[text.charCodeAt(at + 3)]!
  );
}

/** Reads a canonical UUID text (8-4-4-4-12 hexadecimal digits) into `words`. */
export function readUuid(text: string, words: UuidWords): void {
  words[0] = eight(text, 0);
  words[1] = ((four(text, 9) << 16) | four(text, 14)) >>> 0;
  words[2] = ((four(text, 19) << 16) | four(text, 24)) >>> 0;
  words[3] = eight(text, 28);
}

/** Words of a UUID as DuckDB stores it: a number of 128 bits, lowest word first, with its highest bit flipped for the order. */
const STORED_WORDS = 4;
const HIGHEST_BIT = 0x8000_0000;

/** Writes a UUID to its place, counted from 0, in the data of a vector of UUIDs. */
export function storeUuid(words: UuidWords, stored: Uint32Array, place: number): void {
  const at = place * STORED_WORDS;
  stored[at] = words[3]!;
  stored[at + 1] = words[2]!;
  stored[at + 2] = words[1]!;
  stored[at + 3] = words[0]! ^ HIGHEST_BIT;
}

/** Reads it back into `words`. */
export function readStoredUuid(stored: Uint32Array, place: number, words: UuidWords): void {
  const at = place * STORED_WORDS;
  words[0] = stored[at + 3]! ^ HIGHEST_BIT;
  words[1] = stored[at + 2]!;
  words[2] = stored[at + 1]!;
  words[3] = stored[at]!;
}

/**
 * A 32-bit mix of a project and a UUID (murmur3's finaliser over the words): the random bits of versions 4 and 7 alike
 * reach every bit of the hash.
 */
export function hashUuid(words: UuidWords, projectId: number, seed: number): number {
  let h = (seed ^ Math.imul(projectId, 0x9e3779b1)) >>> 0;
  for (let i = 0; i < 4; i++) {
    let k = Math.imul(words[i]!, 0xcc9e2d51);
    k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
    h ^= k;
    h = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
  }
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
