import { leftOf, type ChartShape } from './chart-scale.ts';

/** Where what is noted at a place is marked in a chart. */
export interface NotePlace {
  index: number;
  text: string;
  /** Percent of the width. */
  left: number;
  /** Words stand left of the line. */
  isTurned: boolean;
  /** Pixels for words; none are written where they are fewer than `LEAST_WORDS`. */
  room: number;
  /** Another mark is so near that two lines would be a fence: a short one is enough. */
  isShort: boolean;
}

/** Pixels below which words of a note say nothing. */
export const LEAST_WORDS = 40;
/** Pixels that the words of a note take at most. */
const MOST_WORDS = 140;
/** Percent of the width from which on words stand left of their line. */
const TURN = 70;
/** Pixels between two marks below which neither has a line through the whole chart. */
const FENCE = 28;

/**
 * The marks of notes in a chart of this width in pixels. A label ends where the next note begins; the text of a mark
 * without a label is shown when its point is hovered.
 */
export function placeNotes(
  notes: readonly { index: number; text: string }[],
  { count, shape, width }: { count: number; shape: ChartShape; width: number },
): NotePlace[] {
  const lefts = notes.map(({ index }) => leftOf(index, count, shape));
  return notes.map(({ index, text }, at) => {
    const left = lefts[at]!;
    const isTurned = left > TURN;
    const pixelsTo = (other: number): number => (Math.abs(other - left) / 100) * width;
    const gaps = lefts
      .filter((other) => (isTurned ? other < left : other > left))
      .map((other) => pixelsTo(other) / (other > TURN === isTurned ? 1 : 2));
    const room = Math.min(MOST_WORDS, ...gaps.map((gap) => gap - 8));
    const isShort = lefts.some((other, place) => place !== at && pixelsTo(other) < FENCE);
    return { index, text, left, isTurned, room, isShort };
  });
}
