import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ODD_TEXTS } from '../../test/support/arbitrary-of-schema.ts';
import { trendsQuery } from '../features/query/kinds/trends/schema.ts';
import { eventsQuery } from '../features/query/kinds/events/schema.ts';
import { laxBoolean, laxInteger, laxNumber } from './lax-fields.contract.ts';
import { hogqlQuery } from '../features/query/kinds/hogql/schema.ts';

/** Texts near those of numbers and booleans. */
const texts = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, min: -1e9, max: 1e9 }).map(String),
  fc.stringMatching(/^[ +-]?[0-9]{0,3}[.e]?[0-9]{0,3} ?$/),
  fc.constantFrom('true', 'false', 'True', 'yes', 'on', '1', '0', '1e3', ' 14', '014', '0x1F', 'NaN', '½'),
  fc.constantFrom(...ODD_TEXTS),
);
const values = fc.oneof(
  { weight: 4, arbitrary: texts },
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(null, undefined, [], {}, [1], 14.0),
);

/** What JSON reads as a number, without an exponent and without spaces around it. */
function numberOf(text: string): number | null {
  if (/[eE\s]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'number' ? value : null;
  } catch {
    return null;
  }
}

function taken(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : 'refused';
}

describe('A-8 a text that is exactly a number or a boolean', () => {
  const isSafe = (value: unknown): boolean => Number.isSafeInteger(value);

  test('is accepted as a whole number, and only when it is exactly one', () => {
    fc.assert(
      fc.property(values, (value) => {
        const isText = typeof value === 'string';
        const number = isText ? (/\./.test(value) ? null : numberOf(value)) : value;
        const expected = isSafe(number) ? number : 'refused';
        expect(taken(laxInteger(z.int()), value)).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is accepted as a number, and only when it is exactly one', () => {
    fc.assert(
      fc.property(values, (value) => {
        const number = typeof value === 'string' ? numberOf(value) : value;
        const expected = typeof number === 'number' && Number.isFinite(number) ? number : 'refused';
        expect(taken(laxNumber(z.number()), value)).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is accepted as a boolean, and only when it is exactly one', () => {
    fc.assert(
      fc.property(values, (value) => {
        const expected = ({ true: true, false: false } as const)[String(value) as 'true'];
        const isKnown = typeof value === 'boolean' || value === 'true' || value === 'false';
        expect(taken(laxBoolean(), value)).toEqual(isKnown ? expected : 'refused');
      }),
      { numRuns: 1_000 },
    );
  });

  test('is accepted in queries, and values of filters, breakdowns and SQL are unchanged', () => {
    const query = trendsQuery.parse({
      kind: 'TrendsQuery',
      series: [{ kind: 'ActionsNode', id: '214129', math: 'unique_group', math_group_type_index: '0' }],
      filterTestAccounts: 'true',
      samplingFactor: '0.5',
      dateRange: { date_from: '14', explicitDate: 'false' },
      properties: [
        { key: 'plan', type: 'event', value: '14' },
        { key: 'ok', type: 'event', value: ['true'] },
      ],
      breakdownFilter: { breakdown: '14', breakdown_limit: '5' },
      trendsFilter: { smoothingIntervals: '7' },
    });
    expect(query).toMatchObject({
      series: [{ id: 214129, math_group_type_index: 0 }],
      filterTestAccounts: true,
      samplingFactor: 0.5,
      dateRange: { date_from: '14', explicitDate: false },
      properties: [{ value: '14' }, { value: ['true'] }],
      breakdownFilter: { breakdown: '14', breakdown_limit: 5 },
      trendsFilter: { smoothingIntervals: 7 },
    });
    const rows = eventsQuery.parse({
      kind: 'EventsQuery',
      select: ['1'],
      limit: '10',
      offset: '0',
      actionId: '3',
    });
    expect(rows).toMatchObject({ select: ['1'], limit: 10, offset: 0, actionId: 3 });
    const sql = hogqlQuery.parse({ kind: 'HogQLQuery', query: '1', values: { a: '14' }, explain: 'true' });
    expect(sql).toMatchObject({ query: '1', values: { a: '14' }, explain: true });
    for (const limit of ['1e3', ' 14', 'ten', '1.5', ''])
      expect(eventsQuery.safeParse({ kind: 'EventsQuery', select: ['1'], limit }).success, limit).toBe(false);
  });
});
