/** A part of the line from 0 to 1 on which a hash falls. */
export interface HashRange {
  name: string;
  /** Both between 0 and 1; the next range begins where this one ends. */
  from: number;
  to: number;
  isHit: boolean;
}

/** A hash with four digits, as hashes are compared by eye: `0.1860`. Never rounded onto 1. */
export function formatHash(hash: number): string {
  return hash < 1 && hash > 0.9999 ? '0.9999' : hash.toFixed(4);
}

/** A bound between 0 and 1, with as many digits as it has: `0.25`. */
export function formatBound(bound: number): string {
  return String(Number(bound.toFixed(4)));
}

/** The alignment of a label on the line, so that it does not leave the bar: left, centered, or right. */
export function labelSide(place: number): 'start' | 'middle' | 'end' {
  if (place < 0.08) return 'start';
  return place > 0.92 ? 'end' : 'middle';
}
