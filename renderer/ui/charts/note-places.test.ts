import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeNotes } from './note-places.ts';

const MONTH = { count: 31, shape: 'line', width: 600 } as const;
const note = (index: number) => ({ index, text: `v${index}` });

describe('marks of notes in a chart', () => {
  test('with space between them are lines through the chart, with labels', () => {
    const [first, second] = placeNotes([note(3), note(20)], MONTH);
    expect(first).toMatchObject({ index: 3, left: 10, isShort: false, isTurned: false, room: 140 });
    expect(second).toMatchObject({ index: 20, isShort: false });
  });

  test('on adjacent days are short ticks', () => {
    expect(placeNotes([note(3), note(4), note(20)], MONTH).map(({ isShort }) => isShort)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('on adjacent days of a week have room for their lines', () => {
    const week = { count: 7, shape: 'bar', width: 600 } as const;
    expect(placeNotes([note(3), note(4)], week).map(({ isShort }) => isShort)).toEqual([false, false]);
  });

  test('are all there, in order, and the longer the chart the fewer are short', () => {
    const indexes = fc.uniqueArray(fc.nat(89), { maxLength: 90 });
    fc.assert(
      fc.property(indexes, fc.integer({ min: 50, max: 2000 }), (places, width) => {
        const marks = placeNotes(places.map(note), { count: 90, shape: 'line', width });
        expect(marks.map(({ index }) => index)).toEqual(places);
        const wider = placeNotes(places.map(note), { count: 90, shape: 'line', width: 2 * width });
        wider.forEach(({ isShort }, at) => expect(isShort && !marks[at]!.isShort).toBe(false));
      }),
    );
  });
});
