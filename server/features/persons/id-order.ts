import type { PlacedId } from './person-state.ts';

/**
 * The distinct ids of a person while a commit changes them. Putting one in front, or one or all of another person behind,
 * costs the same however many there are, because one request may merge thousands of persons into each other.
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

/** Whether the id is the first, as far as that is known without walking through all. */
export function isFirst({ front, base, back }: IdOrder, distinctId: string): boolean {
  return distinctId === (front.at(-1) ?? base[0]?.distinctId ?? back[0]);
}

/** All ids in their order, each where it stands first: an id is only ever moved to the front. */
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

/** One after another; orders may be nested so deep that recursion would overflow the stack. */
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
