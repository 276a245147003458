import { describe, expect, test } from 'vitest';
import { noteMarks } from './note-marks.ts';

const DAYS = ['2026-11-10', '2026-11-11', '2026-11-12'];
const note = (day: string, text = 'v1') => ({ day, text });

describe('annotations in the range of a result', () => {
  test('are at their day, with and without a time', () => {
    expect(noteMarks([note('2026-11-11'), note('2026-11-12 23:59:59')], DAYS, 'day')).toEqual([
      { index: 1, notes: [{ when: 'Wed 11 Nov', text: 'v1' }] },
      { index: 2, notes: [{ when: 'Thu 12 Nov at 23:59', text: 'v1' }] },
    ]);
  });

  test('are left out before its first day and after its last', () => {
    expect(noteMarks([note('2026-11-09 23:59:59'), note('2026-11-13')], DAYS, 'day')).toEqual([]);
  });

  test('of the same day are merged into one mark', () => {
    const notes = [note('2026-11-11 08:00:00', 'v1'), note('2026-11-11 09:00:00', 'v2')];
    expect(noteMarks(notes, DAYS, 'day')).toMatchObject([
      { index: 1, notes: [{ text: 'v1' }, { text: 'v2' }] },
    ]);
  });

  test('are at their hour, week or month', () => {
    const hours = ['2026-11-10 08:00:00', '2026-11-10 09:00:00'];
    const at = (day: string, days: string[], interval: string) =>
      noteMarks([note(day)], days, interval)[0]?.index;
    expect(at('2026-11-10 08:40:00', hours, 'hour')).toBe(0);
    expect(at('2026-11-10 09:59:00', hours, 'hour')).toBe(1);
    expect(at('2026-11-10 10:00:00', hours, 'hour')).toBeUndefined();
    expect(at('2026-11-15', ['2026-11-01', '2026-11-08'], 'week')).toBeUndefined();
    expect(at('2026-11-14 12:00:00', ['2026-11-01', '2026-11-08'], 'week')).toBe(1);
    expect(at('2026-12-31', ['2026-11-01', '2026-12-01'], 'month')).toBe(1);
    expect(at('2027-01-01', ['2026-11-01', '2026-12-01'], 'month')).toBeUndefined();
  });

  test('are left out where days are counted instead of named', () => {
    expect(noteMarks([note('2026-11-10')], [1, 2, 3], 'day')).toEqual([]);
    expect(noteMarks([note('2026-11-10')], [], 'day')).toEqual([]);
  });
});
