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
  /** The outline of its piece of the ring, in a box of 100 by 100; empty where there is nothing to see. */
  path: string;
}

/** Pieces that can be told apart; the others are drawn as one. */
const MOST = 8;
const CENTER = 50;
const OUTER = 48;
const INNER = 30;

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
  let begun = 0;
  return shown.map((part) => {
    const share = part.value / whole;
    const path = ring(begun, begun + share);
    begun += share;
    return { ...part, share, path };
  });
}

function ring(from: number, to: number): string {
  // A whole circle has no two ends that an arc could join.
  const end = Math.min(to, from + 0.9999);
  const isLong = end - from > 0.5 ? 1 : 0;
  return (
    `M${at(from, OUTER)}A${OUTER} ${OUTER} 0 ${isLong} 1 ${at(end, OUTER)}` +
    `L${at(end, INNER)}A${INNER} ${INNER} 0 ${isLong} 0 ${at(from, INNER)}Z`
  );
}

function at(turn: number, radius: number): string {
  const angle = (turn - 0.25) * 2 * Math.PI;
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return `${round(CENTER + radius * Math.cos(angle))} ${round(CENTER + radius * Math.sin(angle))}`;
}
