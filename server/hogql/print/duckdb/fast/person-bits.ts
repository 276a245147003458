/** What the sets of one aggregate may take together, in bytes. */
const MOST_BYTES = 64 * 1_048_576;

/** Below which number all persons are, where so many sets of them as bits are small enough; else null. */
export function personBits(limit: number | null | undefined, sets: number | null): number | null {
  const isSmall = limit !== null && limit !== undefined && sets !== null && (sets * limit) / 8 <= MOST_BYTES;
  return isSmall ? limit : null;
}
