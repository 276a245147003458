/** Caches the last results of a function of a text. */
export function memoize<T>(make: (key: string) => T, maxEntries = 16): (key: string) => T {
  const cache = new Map<string, T>();
  return (key) => {
    const found = cache.get(key);
    if (found !== undefined) return found;
    const value = make(key);
    if (cache.size >= maxEntries) cache.clear();
    cache.set(key, value);
    return value;
  };
}
