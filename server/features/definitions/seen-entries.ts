/** Entries of property lists (lib/property-lists.ts) that events of one name have carried, and when each came last. */
export interface SeenEntries {
  /** The minute of each of the first entries, by the entry; 0 for none. */
  first: Int32Array;
  /** Pairs of entry and minute of the others; 0 is no entry. */
  slots: Int32Array;
  /** Of all. */
  count: number;
  /** Of those in `slots`. */
  others: number;
}

/** The most common names have the lowest IDs, and an array access is much faster than a hash table lookup. */
const MAX_FIRST = 2_048;

/** The minute of entries that are never checked again. */
export const FOREVER = 0x7fff_ffff;

const FIRST_SLOTS = 16;

export function createSeenEntries(): SeenEntries {
  return { first: new Int32Array(0), slots: new Int32Array(FIRST_SLOTS * 2), count: 0, others: 0 };
}

/** Whether the entry was seen in this minute or later. Called for each property of each event. */
export function isSeen({ first, slots }: SeenEntries, entry: number, minute: number): boolean {
  if (entry < first.length) return first[entry]! >= minute;
  return isAmongOthers(slots, entry, minute);
}

function isAmongOthers(slots: Int32Array, entry: number, minute: number): boolean {
  const mask = slots.length - 2;
  for (let at = slotOf(entry) & mask; ; at = (at + 2) & mask) {
    const found = slots[at];
    if (found === entry) return slots[at + 1]! >= minute;
    if (found === 0) return false;
  }
}

/** Entries of property lists differ in the kind by their last three bits, and in the name by the others. */
function slotOf(entry: number): number {
  return ((entry >>> 3) + (entry & 7) * 37) * 2;
}

/** Notes that the entry was seen in this minute. */
export function markSeen(seen: SeenEntries, entry: number, minute: number): void {
  if (entry < MAX_FIRST) {
    if (entry >= seen.first.length) seen.first = enlarged(seen.first, entry);
    if (seen.first[entry] === 0) seen.count++;
    seen.first[entry] = minute;
    return;
  }
  if ((seen.others + 1) * 4 > seen.slots.length) grow(seen);
  if (!put(seen.slots, entry, minute)) return;
  seen.others++;
  seen.count++;
}

function enlarged(first: Int32Array, entry: number): Int32Array {
  const larger = new Int32Array(2 ** (32 - Math.clz32(entry)));
  larger.set(first);
  return larger;
}

function put(slots: Int32Array, entry: number, minute: number): boolean {
  const mask = slots.length - 2;
  let at = slotOf(entry) & mask;
  while (slots[at] !== 0 && slots[at] !== entry) at = (at + 2) & mask;
  const isNew = slots[at] === 0;
  slots[at] = entry;
  slots[at + 1] = minute;
  return isNew;
}

/** At most half of the slots are used, which keeps lookups short. */
function grow(seen: SeenEntries): void {
  const old = seen.slots;
  seen.slots = new Int32Array(old.length * 2);
  for (let at = 0; at < old.length; at += 2) {
    if (old[at] !== 0) put(seen.slots, old[at]!, old[at + 1]!);
  }
}
