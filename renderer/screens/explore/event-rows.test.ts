import { expect, test } from 'vitest';
import { ALL_EVENTS, PERSON_COLUMN } from '../../insights/events-query.ts';
import { boundsOf, orderOf, pagingOf, rowOf, selectedOf, sortOf, tableColumns } from './event-rows.ts';

const select = selectedOf({ select: ['timestamp', 'properties.amount'] });
const person = { display_name: 'ana@reyes.example', id: 'p1', distinct_id: 'u1' };
const cells = [
  'e1',
  '2026-11-13T17:58:41.000000Z',
  'invoice paid',
  'u1',
  person,
  'Ana Reyes',
  'ana@reyes.example',
  3480,
];

test('a row has what it is called by, and the values of its columns', () => {
  expect(rowOf(select, cells)).toMatchObject({
    id: 'e1',
    event: 'invoice paid',
    personId: 'p1',
    name: 'Ana Reyes',
    detail: 'ana@reyes.example',
    values: { timestamp: '2026-11-13T17:58:41.000000Z', 'properties.amount': 3480 },
  });
});

test('a column that every row needs is requested once', () => {
  expect(select.filter((column) => column === 'timestamp')).toHaveLength(1);
});

test('a lower bound is before the first moment, so that an event at that moment is listed', () => {
  expect(
    boundsOf({ from: Date.parse('2026-11-01T00:00:00Z'), to: Date.parse('2026-11-02T00:00:00Z') }),
  ).toEqual({
    after: '2026-10-31T23:59:59.999999Z',
    before: '2026-11-02T00:00:00.000Z',
  });
  expect(boundsOf({ from: null, to: null })).toEqual({ after: 'all' });
});

test('a sort is written as an order and read again', () => {
  const query = { ...ALL_EVENTS, select: ['timestamp', PERSON_COLUMN, 'properties.amount -- Amount'] };
  for (const columnId of query.select)
    for (const isDescending of [true, false]) {
      const sort = { columnId, isDescending };
      expect(sortOf({ ...query, orderBy: [orderOf(sort)] })).toEqual(sort);
    }
  expect(sortOf({ ...query, orderBy: ['upper(event)'] })).toBeNull();
});

test('events by time are paged by time, in both directions; others by counting', () => {
  expect(pagingOf({ orderBy: ['timestamp DESC'] })).toBe('before');
  expect(pagingOf({ orderBy: ['timestamp'] })).toBe('after');
  expect(pagingOf({ orderBy: ['properties.amount DESC'] })).toBe('offset');
  expect(pagingOf({ orderBy: [] })).toBe('offset');
});

test('a column of numbers is right-aligned, the person has the room that is left', () => {
  const [amount, who] = tableColumns(['properties.amount', PERSON_COLUMN], [rowOf(select, cells)]);
  expect([amount!.align, who!.width]).toEqual(['right', undefined]);
});
