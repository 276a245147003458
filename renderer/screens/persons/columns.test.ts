import { expect, test } from 'vitest';
import type { PersonJson as Person } from '../../../server/features/persons/persons.contract.ts';
import { columnsOf, defaultProperties } from './columns.ts';

const aPerson = (properties: Record<string, unknown>): Person => ({
  id: 1,
  uuid: '0193f2ac-5b7e-7a10-b3c4-92d1f0a6e8b7',
  name: 'ana',
  distinct_ids: ['ana'],
  properties,
  created_at: '2026-03-04T09:12:33.000Z',
  is_identified: true,
});

test('columns begin with the project’s own most frequent properties, without names', () => {
  const known = [
    { name: 'email', count: 900 },
    { name: 'seats', count: 10 },
    { name: '$geoip_country_name', count: 800 },
    { name: 'plan', count: 700 },
    { name: '$browser', count: 950 },
  ];
  expect(defaultProperties(known)).toEqual(['plan', 'seats', '$geoip_country_name']);
  expect(defaultProperties([])).toEqual([]);
});

test('a column of numbers is right-aligned, one with a text among them is not', () => {
  const persons = [aPerson({ seats: 3, code: 1 }), aPerson({ code: 'x' })];
  const [, seats, code] = columnsOf(['seats', 'code'], persons);
  expect([seats?.align, code?.align]).toEqual(['right', undefined]);
});
