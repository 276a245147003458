/** A function of a text that is asked again and again for few of them: remembers what it made of the last ones. */
export function remembered<T>(make: (key: string) => T, atMost = 16): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    if (known.size >= atMost) known.clear();
    known.set(key, made);
    return made;
  };
}
