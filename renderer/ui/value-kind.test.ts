import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draftOf, readDraft, withKind, dateOf, kindOf } from './value-kind.ts';

describe('the kind of a value', () => {
  test.each([
    ['studio', 'text'],
    ['', 'text'],
    [27, 'number'],
    [false, 'boolean'],
    [null, 'nothing'],
    [['a'], 'list'],
    [{ a: 1 }, 'object'],
    ['2026-03-04', 'date'],
    ['2026-03-04T09:12:33.417Z', 'date'],
    ['2026-03-04 09:12:33+02:00', 'date'],
    ['2026-03-04T09:12', 'date'],
    ['2026-02-30', 'text'],
    ['2026-13-01', 'text'],
    ['2026', 'text'],
    ['1.2.3', 'text'],
    ['2026-03-04T25:00:00Z', 'text'],
    ['see 2026-03-04', 'text'],
  ])('%j is %s', (value, kind) => {
    expect(kindOf(value)).toBe(kind);
  });

  test('a time without a zone is UTC, a date has no zone', () => {
    expect(dateOf('2026-03-04T09:12:00')?.date.toISOString()).toBe('2026-03-04T09:12:00.000Z');
    expect(dateOf('2026-03-04T09:12:00+02:00')?.date.toISOString()).toBe('2026-03-04T07:12:00.000Z');
    const day = dateOf('2026-03-04');
    expect(day?.isDay).toBe(true);
    expect([day?.date.getFullYear(), day?.date.getMonth(), day?.date.getDate()]).toEqual([2026, 2, 4]);
  });
});

describe('typing a value', () => {
  test('every non-null value is read back unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // JSON has no minus zero.
        fc.pre(value !== null && !Object.is(value, -0));
        expect(readDraft(draftOf(value))).toEqual({ value: JSON.parse(JSON.stringify(value)) });
      }),
    );
  });

  test('an unreadable value has a message', () => {
    expect(readDraft({ kind: 'number', text: '12 monkeys' }).problem).toMatch(/number/);
    expect(readDraft({ kind: 'number', text: '' }).problem).toMatch(/number/);
    expect(readDraft({ kind: 'json', text: '{a: 1}' }).problem).toMatch(/Invalid JSON/);
    expect(readDraft({ kind: 'json', text: 'null' }).problem).toMatch(/Delete/);
  });

  test('numbers may have thousands separators', () => {
    expect(readDraft({ kind: 'number', text: ' 1 250_000 ' })).toEqual({ value: 1250000 });
  });

  test('a change of kind keeps the text, and yes or no becomes a boolean', () => {
    expect(withKind({ kind: 'text', text: '27' }, 'number')).toEqual({ kind: 'number', text: '27' });
    expect(withKind({ kind: 'text', text: 'Yes' }, 'boolean')).toEqual({ kind: 'boolean', text: 'true' });
    expect(withKind({ kind: 'text', text: 'what' }, 'boolean')).toEqual({ kind: 'boolean', text: 'false' });
  });
});
