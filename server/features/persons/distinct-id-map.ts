/** Words of one slot: 128 bits of hash and the value; a value of 0 marks a free slot. */
const SLOT_WORDS = 5;
const VALUE = 4;
const FIRST_SLOTS = 1_024;
/** Slots in use before the table doubles. */
const MAX_LOAD = 0.7;

/** The owner of a distinct ID. */
export interface DistinctIdOwner {
  personId: number;
  /** False while only anonymous events have come with the id: `personId` is then a placeholder. */
  hasPerson: boolean;
}

/**
 * Which person each distinct id belongs to: all of them, in 20 to 60 bytes each, so that an event finds its person
 * without a query. IDs are compared by a 128-bit hash with seeds of this process.
 */
export interface DistinctIdMap {
  /** The owner, or null for an id not seen yet. The object is reused: read it before the next call. */
  find(projectId: number, distinctId: string): DistinctIdOwner | null;
  set(projectId: number, distinctId: string, personId: number, hasPerson: boolean): void;
  delete(projectId: number, distinctId: string): void;
  readonly size: number;
  /** Memory held, in bytes. */
  readonly bytes: number;
}

/** Creates an empty map. `seeds`: four random words that prevent clients from choosing colliding IDs. */
export function createDistinctIdMap(seeds: Uint32Array): DistinctIdMap {
  const hash = new Uint32Array(4);
  const owner: DistinctIdOwner = { personId: 0, hasPerson: false };
  let slots = new Uint32Array(FIRST_SLOTS * SLOT_WORDS);
  let mask = FIRST_SLOTS - 1;
  let size = 0;

  function hashOf(projectId: number, text: string): void {
    let a = seeds[0]! ^ projectId;
    let b = seeds[1]! ^ text.length;
    let c = seeds[2]!;
    let d = seeds[3]!;
    // Four lanes that feed each other (cyrb128), then a finaliser for each.
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      a = b ^ Math.imul(a ^ unit, 597399067);
      b = c ^ Math.imul(b ^ unit, 2869860233);
      c = d ^ Math.imul(c ^ unit, 951274213);
      d = a ^ Math.imul(d ^ unit, 2716044179);
    }
    hash[0] = mix(a ^ (d >>> 15));
    hash[1] = mix(b ^ hash[0]!);
    hash[2] = mix(c ^ hash[1]!);
    hash[3] = mix(d ^ hash[2]!);
  }

  /** The slot of the hashed id, or the free one for it. */
  function slotOf(): number {
    let slot = hash[0]! & mask;
    for (;;) {
      const at = slot * SLOT_WORDS;
      if (
        slots[at + VALUE] === 0 ||
        (slots[at] === hash[0] &&
          slots[at + 1] === hash[1] &&
          slots[at + 2] === hash[2] &&
          slots[at + 3] === hash[3])
      ) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
  }

  function grow(): void {
    const old = slots;
    mask = mask * 2 + 1;
    slots = new Uint32Array((mask + 1) * SLOT_WORDS);
    for (let at = 0; at < old.length; at += SLOT_WORDS) {
      if (old[at + VALUE] === 0) continue;
      let slot = old[at]! & mask;
      while (slots[slot * SLOT_WORDS + VALUE] !== 0) slot = (slot + 1) & mask;
      slots.set(old.subarray(at, at + SLOT_WORDS), slot * SLOT_WORDS);
    }
  }

  /** Frees a slot and moves those behind it that would no longer be found. */
  function free(slot: number): void {
    let hole = slot;
    let next = slot;
    for (;;) {
      next = (next + 1) & mask;
      const at = next * SLOT_WORDS;
      if (slots[at + VALUE] === 0) break;
      const home = slots[at]! & mask;
      // Whether the home of the next one lies at or before the hole, in the circle of slots.
      if (((next - home) & mask) < ((next - hole) & mask)) continue;
      slots.copyWithin(hole * SLOT_WORDS, at, at + SLOT_WORDS);
      hole = next;
    }
    slots.fill(0, hole * SLOT_WORDS, (hole + 1) * SLOT_WORDS);
  }

  return {
    get size() {
      return size;
    },
    get bytes() {
      return slots.byteLength;
    },
    find(projectId, distinctId) {
      hashOf(projectId, distinctId);
      const value = slots[slotOf() * SLOT_WORDS + VALUE]!;
      if (value === 0) return null;
      owner.personId = value >>> 1;
      owner.hasPerson = (value & 1) === 1;
      return owner;
    },
    set(projectId, distinctId, personId, hasPerson) {
      hashOf(projectId, distinctId);
      let at = slotOf() * SLOT_WORDS;
      if (slots[at + VALUE] === 0) {
        if (++size > (mask + 1) * MAX_LOAD) {
          grow();
          at = slotOf() * SLOT_WORDS;
        }
        slots.set(hash, at);
      }
      slots[at + VALUE] = personId * 2 + (hasPerson ? 1 : 0);
    },
    delete(projectId, distinctId) {
      hashOf(projectId, distinctId);
      const slot = slotOf();
      if (slots[slot * SLOT_WORDS + VALUE] === 0) return;
      free(slot);
      size--;
    },
  };
}

/** murmur3's finaliser. */
function mix(word: number): number {
  let h = word;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
