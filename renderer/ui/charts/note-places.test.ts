import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LEAST_GAP, placeNotes } from './note-places.ts';

const MONTH = { count: 31, shape: 'line', width: 600 } as const;
const note = (index: number) => ({ index, notes: [{ when: `day ${index}`, text: `v${index}` }] });

describe('marks of annotations under a chart', () => {
  test('with space between them have their texts', () => {
    const [first, second] = placeNotes([note(3), note(20)], MONTH);
    expect(first).toMatchObject({ left: 60, lines: [10], room: 160 });
    expect(second!.notes).toEqual([{ when: 'day 20', text: 'v20' }]);
  });

  test('closer than 24 pixels are one mark, which has them all', () => {
    const marks = placeNotes([note(3), note(4), note(20)], MONTH);
    expect(marks.map(({ notes, room }) => [notes.map(({ text }) => text), room > 0])).toEqual([
      [['v3', 'v4'], false],
      [['v20'], true],
    ]);
    expect(marks[0]!.left).toBeCloseTo(70);
  });

  test('of one day are one mark', () => {
    const day = { index: 3, notes: [...note(3).notes, ...note(4).notes] };
    expect(placeNotes([day], MONTH)).toMatchObject([{ room: 0, notes: [{ text: 'v3' }, { text: 'v4' }] }]);
  });

  test('have every annotation once, in order, and ninety of them leave their gaps', () => {
    const indexes = fc.uniqueArray(fc.nat(89), { maxLength: 90 });
    fc.assert(
      fc.property(indexes, fc.integer({ min: 50, max: 2000 }), (places, width) => {
        const marks = placeNotes(places.map(note), { count: 90, shape: 'line', width });
        const sorted = places.toSorted((a, b) => a - b).map((index) => `v${index}`);
        expect(marks.flatMap(({ notes }) => notes.map(({ text }) => text))).toEqual(sorted);
        const edges = marks.map(({ lines }) =>
          [lines[0]!, lines.at(-1)!].map((line) => (line * width) / 100),
        );
        edges.slice(1).forEach(([from], at) => {
          expect(from! - edges[at]![1]!).toBeGreaterThan(LEAST_GAP - 0.001);
        });
      }),
    );
  });
});
