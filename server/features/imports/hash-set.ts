import { ImportError } from './import-error.ts';

/** Entries at the beginning; a power of two. */
const FIRST_SLOTS = 65_536;
/** 256 MB: some 16 million entries. */
const MAX_SLOTS = 33_554_432;

/** A set of texts that holds 64 bits of each, so that tens of millions fit into memory. */
export class HashSet {
  #high = new Uint32Array(FIRST_SLOTS);
  #low = new Uint32Array(FIRST_SLOTS);
  size = 0;

  /** Whether the text is new. Throws ImportError for far too many. */
  add(text: string): boolean {
    const [high, low] = hashOf(text);
    if (this.size * 2 >= this.#high.length) this.#grow();
    return this.#put(high, low);
  }

  #put(high: number, low: number): boolean {
    const mask = this.#high.length - 1;
    for (let at = low & mask; ; at = (at + 1) & mask) {
      if (this.#high[at] === 0) {
        this.#high[at] = high;
        this.#low[at] = low;
        this.size++;
        return true;
      }
      if (this.#high[at] === high && this.#low[at] === low) return false;
    }
  }

  #grow(): void {
    const [high, low] = [this.#high, this.#low];
    if (high.length >= MAX_SLOTS)
      throw new ImportError('The file has too many rows without an ID of their own. Split it.');
    this.#high = new Uint32Array(high.length * 2);
    this.#low = new Uint32Array(high.length * 2);
    this.size = 0;
    for (let at = 0; at < high.length; at++) if (high[at] !== 0) this.#put(high[at]!, low[at]!);
  }
}

/** Two mixes of 32 bits (MurmurHash3's finish); the first is never 0, which marks a free place. */
function hashOf(text: string): [number, number] {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2_654_435_761);
    b = Math.imul(b ^ code, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return [a >>> 0 || 1, b >>> 0];
}
