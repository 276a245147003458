/** Reads the value of a key and stores it, unless a read that started later was already stored. */
export type LatestRead = <T>(key: number, read: () => Promise<T>, keep: (value: T) => void) => Promise<void>;

/** For caches of stored data: of concurrent reads, the one that started last is the newest. */
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
