import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PersonFilter } from '../../api/persons.api.ts';
import {
  draftOf,
  filtersFromText,
  filtersToText,
  OPERATORS,
  previousDraft,
  stepOf,
  takeOption,
  wordsOf,
  type FilterDraft,
  type FilterOption,
} from './person-filters.ts';

const aFilter: fc.Arbitrary<PersonFilter> = fc
  .record({ key: fc.string({ minLength: 1 }), operator: fc.constantFrom(...OPERATORS), value: fc.string() })
  .map(({ key, operator, value }) => ({
    key,
    type: 'person' as const,
    operator: operator.id,
    ...(operator.needsValue ? { value } : {}),
  }));

describe('filters in the address', () => {
  test('come back as they went', () => {
    fc.assert(
      fc.property(fc.array(aFilter), (filters) => {
        const search = new URLSearchParams({ filters: filtersToText(filters) ?? '' });
        expect(filtersFromText(new URLSearchParams(String(search)).get('filters'))).toEqual(filters);
      }),
    );
  });

  test('whatever somebody types there, only filters come out', () => {
    expect(filtersFromText('[["plan","exact","studio"],7,["plan","like","x"],["plan","exact"]]')).toEqual([
      { key: 'plan', type: 'person', operator: 'exact', value: 'studio' },
    ]);
    fc.assert(fc.property(fc.anything(), (anything) => void filtersFromText(anything)));
    fc.assert(fc.property(fc.json(), (json) => void filtersFromText(json)));
  });

  test('none leave the address short', () => {
    expect(filtersToText([])).toBeUndefined();
  });
});

describe('building a filter', () => {
  const option = (adds: FilterOption['adds']): FilterOption => ({ id: 'x', label: 'x', adds });
  const next = (draft: FilterDraft, adds: FilterOption['adds']) => takeOption(draft, option(adds));

  test('property, relation, value', () => {
    expect(stepOf({})).toBe('key');
    expect(next({}, { key: 'plan' })).toEqual({ draft: { key: 'plan' } });
    expect(stepOf({ key: 'plan' })).toBe('operator');
    expect(next({ key: 'plan' }, { operator: 'exact' })).toEqual({
      draft: { key: 'plan', operator: 'exact' },
    });
    expect(next({ key: 'plan', operator: 'exact' }, { value: 'studio' })).toEqual({
      done: { key: 'plan', type: 'person', operator: 'exact', value: 'studio' },
    });
  });

  test('a relation without a value ends it', () => {
    expect(next({ key: 'plan' }, { operator: 'is_set' })).toEqual({
      done: { key: 'plan', type: 'person', operator: 'is_set' },
    });
  });

  test('changing one begins with its value, or with the relation of one that has none', () => {
    expect(stepOf(draftOf({ key: 'plan', type: 'person', operator: 'exact', value: 'solo' }))).toBe('value');
    expect(stepOf(draftOf({ key: 'plan', type: 'person', operator: 'is_set' }))).toBe('operator');
  });

  test('goes back step by step', () => {
    expect(previousDraft({ key: 'plan', operator: 'exact' })).toEqual({ key: 'plan' });
    expect(previousDraft({ key: 'plan' })).toEqual({});
  });
});

test('the words of a chip', () => {
  expect(wordsOf({ key: 'plan', type: 'person', operator: 'gte', value: '3' })).toEqual({
    field: 'plan',
    relation: 'is at least',
    value: '3',
  });
});
