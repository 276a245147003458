/** Numeric IDs of property names; a known ID needs no lookup of the name. */
export interface PropertyNames {
  /** The number of a name, from 1; 0 for one that is too long to be listed. The reserved names come first. */
  idOf(name: string): number;
  /** The same of the key from `start` to before `end`, without quotes and escapes; `view` is over the same bytes. */
  idOfBytes(bytes: Buffer, view: DataView, start: number, end: number): number;
  /** The name of a number; U+FFFD replaces NUL and surrogates without a partner. */
  nameOf(id: number): string;
  /** Whether there may be too few numbers left for another object; the caller then creates new ones. */
  readonly isFull: boolean;
}

/** Longer names are not listed (PostHog's limit). */
export const MAX_NAME_LENGTH = 200;
/** Members of one object that are given numbers. */
export const MAX_MEMBERS = 512;
/** Numbers given out, 0 among them; hostile names are forgotten when they are used up. */
export const MAX_IDS = 32_768;
/** Slots for hashes of keys at first, a power of two; at most half of them are taken. */
const FIRST_SLOTS = 512;

/** Odd numbers with their bits well mixed; two hashes of 32 bits, so that no two names are taken for one. */
const FACTOR_A = 0x85eb_ca6b;
const FACTOR_B = 0xc2b2_ae35;

export function createPropertyNames(reserved: readonly string[]): PropertyNames {
  const names: string[] = [''];
  const ids = new Map<string, number>();
  /** Hash, other hash and number of each key in four places that lie together; a number of 0 is an empty slot. */
  let slots = new Int32Array(FIRST_SLOTS * 4);
  let taken = 0;

  function idOf(name: string): number {
    const known = ids.get(name);
    if (known !== undefined) return known;
    if (name.length > MAX_NAME_LENGTH || names.length >= MAX_IDS) return 0;
    ids.set(name, names.length);
    return names.push(name.replaceAll('\0', '\ufffd').toWellFormed()) - 1;
  }
  for (const name of reserved) idOf(name);

  function put(a: number, b: number, id: number): void {
    let slot = (a << 2) & (slots.length - 4);
    while (slots[slot + 2] !== 0) slot = (slot + 4) & (slots.length - 4);
    slots[slot] = a;
    slots[slot + 1] = b;
    slots[slot + 2] = id;
  }

  function learn(a: number, b: number, name: string): number {
    const id = idOf(name);
    if (id === 0) return 0;
    if (++taken * 8 > slots.length) {
      const old = slots;
      slots = new Int32Array(old.length * 2);
      for (let at = 0; at < old.length; at += 4) {
        if (old[at + 2] !== 0) put(old[at]!, old[at + 1]!, old[at + 2]!);
      }
    }
    put(a, b, id);
    return id;
  }

  return {
    idOf,
    idOfBytes(bytes, view, start, end) {
      // The length in other bits than those of the first letters.
      let a = Math.imul(end - start, FACTOR_B);
      let b = Math.imul(end - start, FACTOR_A);
      let at = start;
      // Four bytes at a time, the last ones with some of those before them.
      for (; at + 4 <= end; at += 4) {
        const word = view.getInt32(at, true);
        a = mix(a ^ word, FACTOR_A);
        b = mix(b ^ word, FACTOR_B);
      }
      if (at < end) {
        const word = at > start ? view.getInt32(end - 4, true) : shortWord(bytes, at, end);
        a = mix(a ^ word, FACTOR_A);
        b = mix(b ^ word, FACTOR_B);
      }
      const mask = slots.length - 4;
      for (let slot = (a << 2) & mask; ; slot = (slot + 4) & mask) {
        const id = slots[slot + 2]!;
        if (id === 0) return learn(a, b, bytes.toString('utf8', start, end));
        if (slots[slot] === a && slots[slot + 1] === b) return id;
      }
    },
    nameOf: (id) => names[id]!,
    get isFull() {
      return names.length > MAX_IDS - MAX_MEMBERS;
    },
  };
}

/** The bytes of a key shorter than four. */
function shortWord(bytes: Buffer, at: number, end: number): number {
  let word = 0;
  for (let i = at; i < end; i++) word = (word << 8) | bytes[i]!;
  return word;
}

function mix(hash: number, factor: number): number {
  const product = Math.imul(hash, factor);
  return product ^ (product >>> 15);
}
