// @ts-check

/** Slots for the keys of one object, of which half may be taken; a power of two. */
const SLOTS = 1_024;
/** Returned for every name that is not reserved. */
const OTHER = 1_000_000;

/**
 * In the place of server/lib/property-lists.ts: makes no lists, and does what reading a request needs all the same, that
 * is to find a key that comes twice and the reserved ones.
 * @param {readonly string[]} reserved
 */
export function createPropertyLists(reserved) {
  const starts = new Int32Array(SLOTS);
  const ends = new Int32Array(SLOTS);
  const rounds = new Int32Array(SLOTS);
  /** @type {{ id: number, bytes: Buffer }[][]} */
  const byLength = [];
  reserved.forEach((name, index) => {
    const bytes = Buffer.from(name);
    (byLength[bytes.length] ??= []).push({ id: index + 1, bytes });
  });
  let round = 0;
  let size = 0;

  /** @param {Buffer} bytes @param {number} start @param {number} end */
  function isNew(bytes, start, end) {
    if (++size > SLOTS / 2) return false;
    const [middle = 0, last = 0] = [bytes[(start + end) >>> 1], bytes[end - 1]];
    let slot = (last * 31 + middle * 7 + end - start) & (SLOTS - 1);
    while (rounds[slot] === round) {
      const { [slot]: at = 0 } = starts;
      const { [slot]: to = 0 } = ends;
      if (to - at === end - start && isSame(bytes, bytes, at, start, end)) return false;
      slot = (slot + 1) & (SLOTS - 1);
    }
    rounds[slot] = round;
    starts[slot] = start;
    ends[slot] = end;
    return true;
  }

  return {
    begin() {
      round++;
      size = 0;
    },
    /** @param {Buffer} bytes @param {DataView} _ @param {number} start @param {number} end */
    add(bytes, _, start, end) {
      if (!isNew(bytes, start, end)) return 0;
      const named = byLength[end - start]?.find((name) => isSame(name.bytes, bytes, 0, start, end));
      return named === undefined ? OTHER : named.id;
    },
    end: () => null,
    ofObject: () => null,
  };
}

/** @param {Buffer} one @param {Buffer} other @param {number} at @param {number} start @param {number} end */
function isSame(one, other, at, start, end) {
  for (let i = start; i < end; i++) if (one[at + i - start] !== other[i]) return false;
  return true;
}
