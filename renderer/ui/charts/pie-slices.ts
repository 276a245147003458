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

/** The number of distinguishable slices; the others are drawn as one. */
const MOST = 8;
const RING = arc<PieArcDatum<PiePart>>().innerRadius(30).outerRadius(48).digits(3);

/** Parts as pieces of a ring, clockwise from the top in their order; what is negative has no piece. */
export function pieSlices(parts: readonly PiePart[]): PieSlice[] {
  const counted = parts.filter(({ value }) => value > 0);
  const whole = counted.reduce((sum, { value }) => sum + value, 0);
  const rest = counted.slice(MOST - 1);
  const shown =
    counted.length <= MOST
      ? counted
      : [
          ...counted.slice(0, MOST - 1),
          {
            id: 'rest',
            name: `${rest.length} more`,
            value: rest.reduce((sum, { value }) => sum + value, 0),
            slot: 0,
          },
        ];
  return pie<PiePart>()
    .sort(null)
    .value(({ value }) => value)(shown)
    .map((slice) => ({ ...slice.data, share: slice.value / whole, path: RING(slice) ?? '' }));
}
