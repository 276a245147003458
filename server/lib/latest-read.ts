/** Reads what belongs to a key, and keeps it unless a reading that began later was kept already. */
export type LatestRead = <T>(key: number, read: () => Promise<T>, keep: (value: T) => void) => Promise<void>;

/** For memories of what the store holds: of several readings at once, the one that began last has seen the most. */
export function createLatestRead(): LatestRead {
  const newest = new Map<number, number>();
  let begun = 0;
  return async (key, read, keep) => {
    const started = ++begun;
    const value = await read();
    if (started < (newest.get(key) ?? 0)) return;
    newest.set(key, started);
    keep(value);
  };
}
