/** What one entry takes beside its texts, in characters, roughly. */
const BASE_CHARACTERS = 300;

export interface MemoryLimits {
  entries: number;
  /** Characters of JSON text that the entries may stand for; in memory an object takes a few times as much. */
  characters: number;
}

/** LRU cache with a limit of entries and characters. */
export interface SubjectMemory<T> {
  /** Undefined when nothing is remembered. */
  get(key: string): T | undefined;
  has(key: string): boolean;
  put(key: string, value: T, characters: number): void;
  delete(key: string): void;
  clear(): void;
  keys(): IterableIterator<string>;
}

/** `onForget` is called with each evicted value. */
export function createSubjectMemory<T>(
  limits: MemoryLimits,
  onForget: (value: T, key: string) => void = () => {},
): SubjectMemory<T> {
  const entries = new Map<string, { value: T; size: number }>();
  let size = 0;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    size -= entry.size;
    onForget(entry.value, key);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    has: (key) => entries.has(key),
    put(key, value, characters) {
      remove(key);
      const entry = { value, size: characters + key.length + BASE_CHARACTERS };
      entries.set(key, entry);
      size += entry.size;
      while (entries.size > limits.entries || size > limits.characters) remove(entries.keys().next().value!);
    },
    delete: remove,
    clear() {
      for (const key of entries.keys()) remove(key);
    },
    keys: () => entries.keys(),
  };
}
