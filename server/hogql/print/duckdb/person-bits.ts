import type { Statement } from './statement.ts';

/** What the sets of one aggregate may take together, in bytes. */
const MOST_BYTES = 8 * 1_048_576;

/** Below which number all persons are, where so many sets of them as bits are small enough; else null. */
export function personBits({ context }: Statement, sets: number | null): number | null {
  const limit = context.personLimit ?? null;
  return limit !== null && sets !== null && (sets * limit) / 8 <= MOST_BYTES ? limit : null;
}
