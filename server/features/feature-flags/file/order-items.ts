/**
 * Items each after those that it names, as far as that is possible: in a circle the first comes first. Names that no item
 * has are passed over.
 */
export function orderItems<T>(
  items: readonly T[],
  nameOf: (item: T) => readonly string[],
  namesIn: (item: T) => readonly string[],
): T[] {
  const byName = new Map(items.flatMap((item) => nameOf(item).map((name) => [name, item] as const)));
  const done = new Set<T>();
  const ordered: T[] = [];
  for (const start of items) {
    const way: { item: T; open: string[] }[] = [];
    const enter = (item: T): void => {
      if (done.has(item)) return;
      done.add(item);
      way.push({ item, open: [...namesIn(item)].toReversed() });
    };
    enter(start);
    for (let last = way.at(-1); last !== undefined; last = way.at(-1)) {
      const next = last.open.pop();
      if (next === undefined) ordered.push(way.pop()!.item);
      else if (byName.has(next)) enter(byName.get(next)!);
    }
  }
  return ordered;
}
