import { hashUuid, newUuidWords, readUuid, type UuidWords } from './uuid-words.ts';

/** Words of one entry in the ring: the project and the UUID. */
const ENTRY_WORDS = 5;
const FIRST_CAPACITY = 4_096;

/**
 * The last UUIDs stored, exact, in arrival order: a ring of entries with an open-addressed index over it. It starts
 * small, doubles up to `limit` entries (then 28 bytes each) and forgets the oldest one after that.
 */
export interface RecentUuids {
  /** Adds the UUID and returns true, or returns false when it is known. */
  add(projectId: number, uuid: string): boolean;
  /** As `add`, for a UUID read already. */
  addWords(projectId: number, words: UuidWords): boolean;
  /** Forgets every UUID of a project whose events are deleted. */
  forgetProject(projectId: number): void;
  /** Forgets the last `count` UUIDs added, after their commit failed. */
  forgetLast(count: number): void;
  readonly size: number;
}

/**
 * Creates an empty ring of at most `limit` UUIDs with initial room for `expected`; `onForget` is called for each
 * evicted UUID.
 */
export function createRecentUuids(
  limit: number,
  onForget: (projectId: number, words: UuidWords) => void,
  expected = 0,
): RecentUuids {
  let capacity = Math.min(Math.max(FIRST_CAPACITY, expected), limit);
  let ring = new Uint32Array(capacity * ENTRY_WORDS);
  // Twice as many slots as entries keeps probes short; a slot holds entry number + 1, or 0.
  let slots = new Int32Array(slotCount(capacity));
  let first = 0;
  let size = 0;
  const words = newUuidWords();
  const wanted = newUuidWords();

  const entryAt = (age: number): number => (first + age) % capacity;

  /** The slot of a UUID, or the free one where it belongs. */
  function findSlot(projectId: number, sought: UuidWords): number {
    const mask = slots.length - 1;
    let slot = hashUuid(sought, projectId, 0) & mask;
    for (;;) {
      const held = slots[slot]!;
      if (held === 0) return slot;
      const at = (held - 1) * ENTRY_WORDS;
      if (
        ring[at + 4] === sought[3] &&
        ring[at + 3] === sought[2] &&
        ring[at + 2] === sought[1] &&
        ring[at + 1] === sought[0] &&
        ring[at] === projectId
      ) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
  }

  function readEntry(entry: number): number {
    const at = entry * ENTRY_WORDS;
    for (let i = 0; i < 4; i++) words[i] = ring[at + 1 + i]!;
    return ring[at]!;
  }

  /** Empties the entry's slot and moves back what was pushed past it (linear probing without tombstones). */
  function removeEntry(entry: number): void {
    const mask = slots.length - 1;
    let hole = findSlot(readEntry(entry), words);
    for (let next = (hole + 1) & mask; slots[next] !== 0; next = (next + 1) & mask) {
      const home = hashUuid(words, readEntry(slots[next]! - 1), 0) & mask;
      if (((next - home) & mask) >= ((next - hole) & mask)) {
        slots[hole] = slots[next]!;
        hole = next;
      }
    }
    slots[hole] = 0;
  }

  function grow(): void {
    const wider = Math.min(capacity * 2, limit);
    const moved = new Uint32Array(wider * ENTRY_WORDS);
    // Nothing is forgotten before the limit is reached, so the oldest is still first.
    moved.set(ring);
    ring = moved;
    capacity = wider;
    slots = new Int32Array(slotCount(capacity));
    for (let entry = 0; entry < size; entry++) slots[findSlot(readEntry(entry), words)] = entry + 1;
  }

  function addWords(projectId: number, added: UuidWords): boolean {
    let slot = findSlot(projectId, added);
    if (slots[slot] !== 0) return false;
    if (size === capacity) {
      if (capacity < limit) grow();
      else forgetOldest();
      slot = findSlot(projectId, added);
    }
    const entry = entryAt(size);
    const at = entry * ENTRY_WORDS;
    ring[at] = projectId;
    for (let i = 0; i < 4; i++) ring[at + 1 + i] = added[i]!;
    slots[slot] = entry + 1;
    size++;
    return true;
  }

  function forgetOldest(): void {
    removeEntry(first);
    onForget(readEntry(first), words);
    first = (first + 1) % capacity;
    size--;
  }

  return {
    get size() {
      return size;
    },
    addWords,
    add(projectId, uuid) {
      readUuid(uuid, wanted);
      return addWords(projectId, wanted);
    },
    forgetProject(projectId) {
      const kept = new Uint32Array(ring.length);
      let count = 0;
      for (let age = 0; age < size; age++) {
        const at = entryAt(age) * ENTRY_WORDS;
        if (ring[at] !== projectId) kept.set(ring.subarray(at, at + ENTRY_WORDS), count++ * ENTRY_WORDS);
      }
      ring = kept;
      slots.fill(0);
      first = 0;
      size = count;
      for (let entry = 0; entry < size; entry++) slots[findSlot(readEntry(entry), words)] = entry + 1;
    },
    forgetLast(count) {
      for (let i = 0; i < count && size > 0; i++) {
        removeEntry(entryAt(size - 1));
        size--;
      }
    },
  };
}

function slotCount(capacity: number): number {
  return 2 ** Math.ceil(Math.log2(capacity * 1.6));
}
