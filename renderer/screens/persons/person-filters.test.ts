import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PersonFilter } from '../../api/persons.api.ts';
import { filtersFromText, filtersToText, PERSON_OPERATORS, personFilterOf } from './person-filters.ts';

const aFilter: fc.Arbitrary<PersonFilter> = fc
  .record({
    key: fc.string({ minLength: 1 }),
    operator: fc.constantFrom(...PERSON_OPERATORS),
    values: fc.tuple(fc.string(), fc.string()),
  })
  .map(({ key, operator: { id, arity }, values }) => ({
    key,
    type: 'person' as const,
    operator: id,
    ...(arity === 'none' ? {} : { value: arity === 'one' ? values[0] : values }),
  }));

describe('filters in the URL', () => {
  test('are read back unchanged', () => {
    fc.assert(
      fc.property(fc.array(aFilter), (filters) => {
        const search = new URLSearchParams({ filters: filtersToText(filters) ?? '' });
        expect(filtersFromText(new URLSearchParams(String(search)).get('filters'))).toEqual(filters);
      }),
    );
  });

  test('arbitrary text yields only valid filters', () => {
    expect(
      filtersFromText(
        '[["plan","exact","studio"],7,["plan","like","x"],["plan","exact"],["plan","between",["1"]],["plan","gt",["1"]]]',
      ),
    ).toEqual([{ key: 'plan', type: 'person', operator: 'exact', value: 'studio' }]);
    fc.assert(fc.property(fc.anything(), (anything) => void filtersFromText(anything)));
    fc.assert(fc.property(fc.json(), (json) => void filtersFromText(json)));
  });

  test('are left out of the URL when there are none', () => {
    expect(filtersToText([])).toBeUndefined();
  });
});

test('a filter of the editor is converted to a person filter', () => {
  expect(personFilterOf({ type: 'person', key: 'plan', operator: 'exact', value: ['a', 'b'] })).toEqual({
    type: 'person',
    key: 'plan',
    operator: 'exact',
    value: ['a', 'b'],
  });
});

test('a cohort is read back from the URL with its name, and nonsense is not', () => {
  const filter = personFilterOf({
    type: 'cohort',
    key: 'id',
    operator: 'not_in',
    value: 7,
    cohort_name: 'Power users',
  });
  expect(filter).toEqual({
    type: 'cohort',
    key: 'id',
    operator: 'not_in',
    value: 7,
    cohort_name: 'Power users',
  });
  expect(filtersFromText(filtersToText([filter]))).toEqual([filter]);
  expect(filtersFromText('[[0,"in","x"],[7,"exact","x"],[1.5,"in","x"]]')).toEqual([]);
});
