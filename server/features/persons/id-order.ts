import type { PlacedId } from './person-state.ts';

/**
 * The distinct ids of a person while a commit changes them. Adding to either end, also all IDs of another person, is
 * O(1), because one request may merge thousands of persons.
 */
export interface IdOrder {
  /** Put in front, the last of them first. */
  readonly front: string[];
  /** As they are stored. */
  readonly base: readonly PlacedId[];
  readonly back: (string | IdOrder)[];
}

/** The order of ids that are stored so. */
export function orderFrom(base: readonly PlacedId[]): IdOrder {
  return { front: [], base, back: [] };
}

/** Whether the ID is the first, without a full traversal. */
export function isFirst({ front, base, back }: IdOrder, distinctId: string): boolean {
  return distinctId === (front.at(-1) ?? base[0]?.distinctId ?? back[0]);
}

/** All IDs in order, without duplicates; an ID only ever moves to the front. */
export function placesOf(order: IdOrder): { all: PlacedId[]; changed: PlacedId[] } {
  const { front, base, back } = order;
  const all: PlacedId[] = [];
  const changed: PlacedId[] = [];
  const seen = new Set<string>();
  const place = (distinctId: string, position: number): void => {
    if (seen.has(distinctId)) return;
    seen.add(distinctId);
    const placed = { distinctId, position };
    all.push(placed);
    changed.push(placed);
  };
  let position = (base[0]?.position ?? 0) - front.length;
  for (const distinctId of front.toReversed()) place(distinctId, position++);
  for (const placed of base) {
    if (seen.has(placed.distinctId)) continue;
    seen.add(placed.distinctId);
    all.push(placed);
  }
  position = (base.at(-1)?.position ?? -1) + 1;
  for (const distinctId of idsOf(back)) place(distinctId, position++);
  return { all, changed };
}

/** Iterative, since orders may be nested too deep for recursion. */
function* idsOf(back: IdOrder['back']): Generator<string> {
  const waiting = back.toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') {
      yield next;
      continue;
    }
    for (const item of next.back.toReversed()) waiting.push(item);
    for (const { distinctId } of next.base.toReversed()) waiting.push(distinctId);
    for (const distinctId of next.front) waiting.push(distinctId);
  }
}
