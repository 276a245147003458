/** Numbers that are the same for the same seed on every machine. */
export interface Random {
  /** From 0 up to 1. */
  next(): number;
  /** Whether something happens that happens with this probability. */
  chance(probability: number): boolean;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
  /** One of the rows, by their weights. */
  weighted<T extends { readonly weight: number }>(rows: readonly T[]): T;
  /** Around `median`, with a long tail to the right; most values lie between `median / spread` and `median * spread`. */
  around(median: number, spread: number): number;
  /** So many lower-case hexadecimal digits. */
  hex(digits: number): string;
  /** A UUID of version 7 at this moment, in Unix milliseconds. */
  uuidAt(time: number): string;
}

/** mulberry32: one multiplication and a few shifts for each number, good enough to look like life. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  function hex(digits: number): string {
    let text = '';
    while (text.length < digits)
      text += Math.floor(next() * 0x1_0000_0000)
        .toString(16)
        .padStart(8, '0');
    return text.slice(0, digits);
  }

  return {
    next,
    hex,
    chance: (probability) => next() < probability,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (list) => list[Math.floor(next() * list.length)]!,
    weighted(rows) {
      let left = next() * rows.reduce((sum, { weight }) => sum + weight, 0);
      for (const row of rows) if ((left -= row.weight) < 0) return row;
      return rows.at(-1)!;
    },
    around(median, spread) {
      // Box and Muller: two even numbers give one that is normally distributed.
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return median * spread ** normal;
    },
    uuidAt(time) {
      const ms = Math.floor(time).toString(16).padStart(12, '0');
      const rest = hex(18);
      return `${ms.slice(0, 8)}-${ms.slice(8)}-7${rest.slice(0, 3)}-b${rest.slice(3, 6)}-${rest.slice(6)}`;
    },
  };
}

/** A seed for one of many, so that each has numbers of its own, whatever the others draw. */
export function seedOf(seed: number, index: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 12)) >>> 0;
}
