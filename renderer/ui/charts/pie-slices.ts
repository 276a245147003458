import { arc, pie, type PieArcDatum } from 'd3-shape';

/** One part of a whole. */
export interface PiePart {
  id: string;
  name: string;
  value: number;
  slot: number;
}

export interface PieSlice extends PiePart {
  /** Of the whole, from 0 to 1. */
  share: number;
  /** The outline of its piece of a ring with a radius of 48, around 0, 0. */
  path: string;
}

/** Slices of a ring that can still be compared; the others are drawn as one. */
const MOST = 5;
/** Of the whole: a slice below it is too thin to be seen, and joins the others. */
const LEAST_SHARE = 0.02;
const RING = arc<PieArcDatum<PiePart>>().innerRadius(30).outerRadius(48).digits(3);

/**
 * Parts as pieces of a ring, clockwise from the top, the largest first; what is negative has no piece. Small ones, and those
 * that are all others already (slot 0), are one gray piece at the end.
 */
export function pieSlices(parts: readonly PiePart[]): PieSlice[] {
  const counted = parts.filter(({ value }) => value > 0).toSorted((a, b) => b.value - a.value);
  const whole = counted.reduce((sum, { value }) => sum + value, 0);
  const own = counted.filter(({ value, slot }) => slot !== 0 && value / whole >= LEAST_SHARE);
  const isWhole = own.length === counted.length && own.length <= MOST;
  const kept = isWhole ? own : own.slice(0, MOST - 1);
  const rest = counted.filter((part) => !kept.includes(part));
  return pie<PiePart>()
    .sort(null)
    .value(({ value }) => value)(rest.length === 0 ? kept : [...kept, restOf(rest)])
    .map((slice) => ({ ...slice.data, share: slice.value / whole, path: RING(slice) ?? '' }));
}

/** One that is left over keeps its name. */
function restOf(rest: readonly PiePart[]): PiePart {
  const [only] = rest;
  if (rest.length === 1 && only) return { ...only, slot: 0 };
  const value = rest.reduce((sum, part) => sum + part.value, 0);
  return { id: 'rest', name: `Other (${rest.length})`, value, slot: 0 };
}
