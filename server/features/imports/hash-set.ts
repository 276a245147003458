import { COUNTED_IDS } from '../../lib/counted-ids.contract.ts';

/** Places at the beginning; a power of two. */
const FIRST_SLOTS = 65_536;

/** A set of texts that holds 64 bits of each, so that tens of millions fit into memory. */
export class HashSet {
  readonly #limit: number;
  #high = new Uint32Array(FIRST_SLOTS);
  #low = new Uint32Array(FIRST_SLOTS);
  size = 0;

  /** `limit`: a power of two; one of 16 million takes 256 MB. */
  constructor(limit = COUNTED_IDS) {
    this.#limit = limit;
  }

  /** It takes no more. */
  get isFull(): boolean {
    return this.size >= this.#limit;
  }

  has(text: string): boolean {
    const [high, low] = hashOf(text);
    return this.#high[this.#placeOf(high, low)] !== 0;
  }

  /** Does nothing with a text that it has. */
  add(text: string): void {
    const [high, low] = hashOf(text);
    if (this.size * 2 >= this.#high.length) this.#grow();
    this.#put(high, low);
  }

  #put(high: number, low: number): void {
    const at = this.#placeOf(high, low);
    if (this.#high[at] === 0) this.size++;
    this.#high[at] = high;
    this.#low[at] = low;
  }

  /** Where it is, else the free place for it. */
  #placeOf(high: number, low: number): number {
    const mask = this.#high.length - 1;
    let at = low & mask;
    while (this.#high[at] !== 0 && (this.#high[at] !== high || this.#low[at] !== low)) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const [high, low] = [this.#high, this.#low];
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
