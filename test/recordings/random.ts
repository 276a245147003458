/** Choices that are the same in each run: no library whose next version would choose otherwise. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** True once in `times`. */
  once(times: number): boolean;
  of<T>(list: readonly T[]): T;
  /** Fields of `fields`, each of which is there once in `times`. */
  some(times: number, fields: Readonly<Record<string, () => unknown>>): Record<string, unknown>;
}

/** mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    once: (times) => below(times) === 0,
    of: (list) => list[below(list.length)]!,
    some: (times, fields) =>
      Object.fromEntries(
        Object.entries(fields).flatMap(([name, make]) => (below(times) === 0 ? [[name, make()]] : [])),
      ),
  };
}
