import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  draftOf,
  operatorsOf,
  previousDraft,
  stepOf,
  takeOption,
  type FilterDraft,
} from './property-filter-steps.ts';
import { OPERATORS, wordsOf, type PropertyFilter } from './property-filter.ts';

/** Takes one option after the other. */
function build(adds: readonly Parameters<typeof takeOption>[1]['adds'][], isSingle = false) {
  let draft: FilterDraft = { values: [] };
  for (const one of adds) {
    const next = takeOption(draft, { adds: one }, isSingle);
    if ('done' in next) return next.done;
    draft = next.draft;
  }
  return draft;
}

const plan = { subject: { type: 'person', key: 'plan' } } as const;

describe('building a condition', () => {
  test('a property, a relation, a value', () => {
    expect(build([plan])).toEqual({ subject: plan.subject, values: [] });
    expect(build([plan, { operator: 'gte' }, { value: '3' }])).toEqual({
      type: 'person',
      key: 'plan',
      operator: 'gte',
      value: '3',
    });
    expect(build([plan, { operator: 'is_set' }])).toEqual({
      type: 'person',
      key: 'plan',
      operator: 'is_set',
    });
  });

  test('with several values allowed, it stays open until they are confirmed', () => {
    const two = [plan, { operator: 'exact' }, { value: 'solo' }, { value: 'studio' }];
    expect(build(two)).toMatchObject({ values: ['solo', 'studio'] });
    expect(build([...two, 'end'])).toMatchObject({ operator: 'exact', value: ['solo', 'studio'] });
    expect(build([...two, { drops: 'solo' }, 'end'])).toMatchObject({ value: 'studio' });
    expect(build(two, true)).toMatchObject({ value: 'solo' });
  });

  test('between requires both bounds', () => {
    const lower = [plan, { operator: 'between' }, { value: '3' }];
    expect(build(lower)).toMatchObject({ values: ['3'] });
    expect(build([...lower, { value: '8' }])).toMatchObject({ value: ['3', '8'] });
  });

  test('a cohort, another flag, a property of a group', () => {
    expect(build([{ subject: { type: 'cohort', id: 5, name: 'Beta' } }, { operator: 'not_in' }])).toEqual({
      type: 'cohort',
      key: 'id',
      operator: 'not_in',
      value: 5,
      cohort_name: 'Beta',
    });
    const flag = { subject: { type: 'flag', id: 7, key: 'new-nav' } } as const;
    expect(build([flag, { operator: 'flag_evaluates_to' }, { value: 'true' }])).toEqual({
      type: 'flag',
      key: '7',
      operator: 'flag_evaluates_to',
      value: true,
    });
    const seats = { subject: { type: 'group', key: 'seats', groupTypeIndex: 1 } } as const;
    expect(build([seats, { operator: 'gt' }, { value: '3' }])).toMatchObject({
      type: 'group',
      group_type_index: 1,
    });
  });

  test('is undone value by value, then step by step', () => {
    const draft = { subject: plan.subject, operator: 'exact', values: ['solo'] };
    const emptied = previousDraft(draft);
    expect([stepOf(draft), stepOf(emptied), stepOf(previousDraft(emptied))]).toEqual([
      'value',
      'value',
      'operator',
    ]);
    expect(stepOf(previousDraft(previousDraft(emptied)))).toBe('subject');
  });

  test('any finished filter can be edited from its last step', () => {
    const arbitrary = fc.record({
      operator: fc.constantFrom(...OPERATORS),
      values: fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 4 }),
    });
    fc.assert(
      fc.property(arbitrary, ({ operator, values }) => {
        const adds = values.map((value) => ({ value }));
        const built = build([plan, { operator: operator.id }, ...adds, 'end']) as PropertyFilter;
        expect(built.operator).toBe(operator.id);
        expect(draftOf(built).subject).toEqual(plan.subject);
        if (operator.arity === 'many') expect(draftOf(built).values).toEqual(values);
      }),
    );
  });
});

test('operators for the type of a property are first, and all are offered', () => {
  const first = (type: 'String' | 'Numeric' | 'DateTime' | 'Boolean') =>
    operatorsOf(plan.subject, type)
      .slice(0, 4)
      .map(({ id }) => id);
  expect(first('Numeric')).toEqual(['exact', 'is_not', 'gt', 'gte']);
  expect(first('DateTime')).toEqual(['is_date_before', 'is_date_after', 'is_date_exact', 'is_set']);
  expect(first('Boolean')).toEqual(['exact', 'is_not', 'is_set', 'is_not_set']);
  expect(operatorsOf(plan.subject, 'Boolean')).toHaveLength(OPERATORS.length);
  expect(operatorsOf({ type: 'cohort', id: 1, name: 'Beta' }, null).map(({ id }) => id)).toEqual([
    'in',
    'not_in',
  ]);
});

describe('the label of a condition', () => {
  const words = (filter: Partial<PropertyFilter>) =>
    Object.values(wordsOf({ type: 'person', key: 'plan', operator: 'exact', ...filter }))
      .filter(Boolean)
      .join(' ');

  test.each([
    [{ value: 'solo' }, 'plan is solo'],
    [{ value: ['solo', 'studio'] }, 'plan is any of solo, studio'],
    [{ value: ['solo'] }, 'plan is solo'],
    [{ operator: 'between', value: [3, 8] }, 'plan is between 3 and 8'],
    [{ operator: 'is_not_set' }, 'plan is not set'],
    [{ key: 'seen', operator: 'is_date_after', value: '-7d' }, 'seen is after 7 days ago'],
    [{ key: 'seen', operator: 'is_date_before', value: '2026-03-04' }, 'seen is before 2026-03-04'],
    [{ operator: 'like_of_later', value: 1 }, 'plan like_of_later 1'],
    [{ type: 'cohort', key: 'id', operator: 'in', value: 5, cohort_name: 'Beta' }, 'Cohort is Beta'],
    [{ type: 'cohort', key: 'id', operator: 'in', negation: true, value: 5 }, 'Cohort is not #5'],
    [{ type: 'flag', key: '7', operator: 'flag_evaluates_to', value: true }, '#7 evaluates to true'],
  ] satisfies [Partial<PropertyFilter>, string][])('%j reads “%s”', (filter, text) => {
    expect(words(filter)).toBe(text);
  });

  test('flags are shown by their key where it is loaded', () => {
    const names = { flag: (id: number) => (id === 7 ? 'new-nav' : undefined) };
    const filter = { type: 'flag', key: '7', operator: 'flag_evaluates_to', value: 'blue' } as const;
    expect(wordsOf(filter, names)).toEqual({ field: 'new-nav', relation: 'evaluates to', value: 'blue' });
  });
});
