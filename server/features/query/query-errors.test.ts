import { expect, test } from 'vitest';
import { DatabaseError, InterruptedError } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { HogqlError } from '../../hogql/errors.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { refusalOf } from './query-errors.ts';

const AT = { start: 9, end: 10 };

test.each([
  [
    new HogqlError('Unknown column.', AT),
    'select\n1, x',
    'invalid_input',
    'Line 2, column 3: Unknown column.',
  ],
  [new HogqlError('Unknown column.', AT), null, 'invalid_input', 'Unknown column.'],
  [fail('not_found'), null, 'not_found', 'Not found.'],
  [new InterruptedError('INTERRUPT Error: Interrupted!'), null, 'query_timeout', /exceeded the time limit/],
  [
    new DatabaseError('Out of Memory Error: failed to pin block of size 256.0 KiB'),
    null,
    'query_memory',
    /memory/,
  ],
])('%s is returned unchanged', (error, text, name, detail) => {
  expect(refusalOf(error, text)).toMatchObject({ errorName: name, message: expect.stringMatching(detail) });
});

test('an engine error caused by a value of the query is returned as a message without the value', async () => {
  const store = await openTestStore();
  const failing = [
    `SELECT 'secret'::INTEGER`,
    `SELECT (9e18::BIGINT * 9)`,
    `SELECT regexp_matches('secret', '(')`,
    `SELECT 'secret' + INTERVAL 1 DAY + DATE '2026-01-01'`,
  ];
  for (const sql of failing) {
    const error = await store.analytics.all(sql).catch((thrown: unknown) => thrown);
    const refusal = refusalOf(error, null);
    expect(refusal, `${sql}: ${String(error)}`).toMatchObject({ errorName: 'invalid_input' });
    expect(refusal!.message).not.toContain('secret');
  }
  await store.close();
});

test('an error that the query did not cause is not a refusal', () => {
  expect(refusalOf(new DatabaseError('INTERNAL Error: attempted to access index 7'), null)).toBeNull();
  expect(refusalOf(new Error('boom'), null)).toBeNull();
  expect(refusalOf('boom', null)).toBeNull();
});
