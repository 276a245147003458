/** Which of the colors of charts a value has: the same in every chart, whatever its rank there. */

/** The number of distinguishable colors. */
export const COLORS = 8;
/** The slot of all other values together: gray. */
export const REST = 0;

/** A color as CSS reads it. */
export function slotColor(slot: number): string {
  return slot === REST ? 'var(--c-rest)' : `var(--c-${slot})`;
}

/** The dash of a line as CSS reads it: all lines of the rest are whole. */
export function slotDash(slot: number): string {
  return slot === REST ? 'none' : `var(--dash-${slot})`;
}

/**
 * The slots of texts, from 1. Each text has its own order of preference, from its characters alone. Where two of one chart
 * prefer the same color, the one whose hash is lower has it and the other takes its next choice, so that no color is used
 * twice as long as there are enough; without such a conflict a text has its color in every chart.
 */
export function colorSlots(texts: readonly string[]): number[] {
  const slots = new Map<string, number>();
  const used = Array.from({ length: COLORS }, () => 0);
  const unique = [...new Set(texts)].toSorted((a, b) => hashOf(a) - hashOf(b) || (a < b ? -1 : 1));
  for (const text of unique) {
    const least = Math.min(...used);
    const slot = preferences(text).find((one) => used[one - 1] === least)!;
    used[slot - 1]! += 1;
    slots.set(text, slot);
  }
  return texts.map((text) => slots.get(text)!);
}

/** All slots, the preferred one first; the step is odd, so that each is met once. */
function preferences(text: string): number[] {
  const hash = hashOf(text);
  const step = ((hash >>> 8) % (COLORS / 2)) * 2 + 1;
  return Array.from({ length: COLORS }, (_, at) => ((hash + at * step) % COLORS) + 1);
}

/** FNV-1a of the characters, mixed once more, because its lowest bits hardly differ in short texts. */
function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (const character of text.normalize('NFC')) {
    hash = Math.imul(hash ^ character.codePointAt(0)!, 16_777_619);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
  return (hash ^ (hash >>> 16)) >>> 0;
}
