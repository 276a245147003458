/** Entries of property lists (lib/property-lists.ts) that events of one name have carried, and when each came last. */
export interface SeenEntries {
  /** Pairs of entry and minute; 0 is no entry. */
  slots: Int32Array;
  count: number;
}

/** The minute of what need never be looked at again. */
export const FOREVER = 0x7fff_ffff;

const FIRST_SLOTS = 64;

export function createSeenEntries(): SeenEntries {
  return { slots: new Int32Array(FIRST_SLOTS * 2), count: 0 };
}

/** Whether the entry was seen in this minute or later. Called for each property of each event. */
export function isSeen({ slots }: SeenEntries, entry: number, minute: number): boolean {
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
  if ((seen.count + 1) * 4 > seen.slots.length) grow(seen);
  if (put(seen.slots, entry, minute)) seen.count++;
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

/** At most half of the slots are taken, so that a look ends soon. */
function grow(seen: SeenEntries): void {
  const old = seen.slots;
  seen.slots = new Int32Array(old.length * 2);
  for (let at = 0; at < old.length; at += 2) {
    if (old[at] !== 0) put(seen.slots, old[at]!, old[at + 1]!);
  }
}
