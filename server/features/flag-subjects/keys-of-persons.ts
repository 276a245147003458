/** Under which keys each person is remembered: its distinct ids, of which most persons have one. */
export interface KeysOfPersons {
  of(personId: number): readonly string[];
  add(personId: number, key: string): void;
  delete(personId: number, key: string): void;
}

/** Makes it empty. A set for each of a hundred thousand persons would take more than their keys. */
export function createKeysOfPersons(): KeysOfPersons {
  const known = new Map<number, string | Set<string>>();
  return {
    of(personId) {
      const keys = known.get(personId);
      if (keys === undefined) return [];
      return typeof keys === 'string' ? [keys] : [...keys];
    },
    add(personId, key) {
      const keys = known.get(personId);
      if (keys === undefined) known.set(personId, key);
      else if (typeof keys !== 'string') keys.add(key);
      else if (keys !== key) known.set(personId, new Set([keys, key]));
    },
    delete(personId, key) {
      const keys = known.get(personId);
      if (keys === key) known.delete(personId);
      if (typeof keys !== 'object') return;
      keys.delete(key);
      if (keys.size === 0) known.delete(personId);
    },
  };
}
