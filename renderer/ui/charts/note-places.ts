import { leftOf, type ChartShape } from './chart-scale.ts';

/** Annotations of one interval of a chart. */
export interface ChartNote {
  index: number;
  notes: readonly { when: string; text: string }[];
}

/** One mark under the axis, for one annotation or for several that are too near to one another. */
export interface NoteMark {
  /** Pixels from the left edge of the plot, of its middle. */
  left: number;
  /** Percent of the plot, of each interval that it is for. */
  lines: number[];
  notes: { when: string; text: string }[];
  /** Pixels for the text; none is written where there is no room for one. */
  room: number;
}

/** Pixels between two marks: nearer ones become one, which has a count and opens a list. */
export const LEAST_GAP = 24;
/** Pixels below which a text says nothing. */
const LEAST_ROOM = 48;
const MOST_ROOM = 160;

/** The marks of annotations in a chart of this width in pixels, from left to right. */
export function placeNotes(
  places: readonly ChartNote[],
  { count, shape, width }: { count: number; shape: ChartShape; width: number },
): NoteMark[] {
  const marks: NoteMark[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const { index, notes } of places.toSorted((a, b) => a.index - b.index)) {
    const line = leftOf(index, count, shape);
    const left = (line / 100) * width;
    const open = marks.at(-1);
    if (open && left - last < LEAST_GAP) {
      open.lines.push(line);
      open.notes.push(...notes);
      open.left = (((open.lines[0]! + line) / 2) * width) / 100;
    } else {
      marks.push({ left, lines: [line], notes: [...notes], room: 0 });
    }
    last = left;
  }
  return marks.map((mark, at) => ({ ...mark, room: roomOf(mark, marks[at - 1], marks[at + 1]) }));
}

/** A text is centered at its mark, between the middles to the marks beside it. */
function roomOf(
  { left, notes }: NoteMark,
  before: NoteMark | undefined,
  after: NoteMark | undefined,
): number {
  if (notes.length > 1) return 0;
  const gaps = [before, after].flatMap((mark) => (mark ? [Math.abs(mark.left - left)] : []));
  const room = Math.min(MOST_ROOM, ...gaps.map((gap) => gap - 8));
  return room < LEAST_ROOM ? 0 : room;
}
