import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  draftOf,
  filterOf,
  fitsType,
  NO_DRAFT,
  operatorsOf,
  previousDraft,
  stepOf,
  withOperator,
  withSubject,
  type FilterSubject,
} from './property-filter-steps.ts';
import { operatorOf, OPERATORS, wordsOf, type PropertyFilter } from './property-filter.ts';

const plan = { type: 'person', key: 'plan' } as const;

/** A draft with all three parts. */
function build(subject: FilterSubject, operator: string, ...values: string[]) {
  return { ...withOperator(withSubject(NO_DRAFT, subject), operator), values };
}

describe('building a condition', () => {
  test('a property, a relation, a value', () => {
    const draft = withSubject(NO_DRAFT, plan);
    expect([draft.subject, stepOf(draft), filterOf(draft)]).toEqual([plan, 'operator', null]);
    expect(filterOf(build(plan, 'gte', '3'))).toEqual({ ...plan, operator: 'gte', value: '3' });
    expect(filterOf(build(plan, 'is_set'))).toEqual({ ...plan, operator: 'is_set' });
  });

  test('several values are a list, one is not', () => {
    expect(filterOf(build(plan, 'exact', 'solo', 'studio'))).toMatchObject({ value: ['solo', 'studio'] });
    expect(filterOf(build(plan, 'exact', 'studio'))).toMatchObject({ value: 'studio' });
    expect(filterOf(build(plan, 'exact'))).toBeNull();
  });

  test('between requires both bounds', () => {
    expect(filterOf(build(plan, 'between', '3'))).toBeNull();
    expect(filterOf(build(plan, 'between', '3', '8'))).toMatchObject({ value: ['3', '8'] });
  });

  test('a cohort, another flag, a property of a group, an element, an expression', () => {
    expect(filterOf(build({ type: 'cohort', id: 5, name: 'Beta' }, 'not_in'))).toEqual({
      type: 'cohort',
      key: 'id',
      operator: 'not_in',
      value: 5,
      cohort_name: 'Beta',
    });
    const flag = { type: 'flag', id: 7, key: 'new-nav' } as const;
    expect(stepOf(withSubject(NO_DRAFT, flag))).toBe('value');
    const answer = { type: 'flag', operator: 'flag_evaluates_to', value: true };
    expect(filterOf(build(flag, 'flag_evaluates_to', 'true'))).toEqual({ ...answer, key: '7' });
    expect(filterOf(build({ ...flag, isByKey: true }, 'flag_evaluates_to', 'true'))).toEqual({
      ...answer,
      key: 'new-nav',
    });
    expect(filterOf(build({ type: 'group', key: 'seats', groupTypeIndex: 1 }, 'gt', '3'))).toMatchObject({
      type: 'group',
      group_type_index: 1,
    });
    expect(operatorsOf({ type: 'element', key: 'selector' }, null).map(({ id }) => id)).toEqual([
      'exact',
      'is_not',
    ]);
    const hogql = withSubject(NO_DRAFT, { type: 'hogql' });
    expect([stepOf(hogql), filterOf(hogql)]).toEqual(['value', null]);
    expect(filterOf({ ...hogql, values: [' properties.amount > 3 '] })).toEqual({
      type: 'hogql',
      key: 'properties.amount > 3',
    });
  });

  test('is undone step by step', () => {
    const draft = build(plan, 'exact', 'solo');
    const before = previousDraft(draft);
    expect([stepOf(draft), stepOf(before), stepOf(previousDraft(before))]).toEqual([
      'value',
      'operator',
      'subject',
    ]);
    expect(stepOf(previousDraft(build({ type: 'flag', id: 7, key: 'a' }, 'flag_evaluates_to')))).toBe(
      'subject',
    );
  });

  test('another operator keeps the values that it can compare with', () => {
    const draft = build(plan, 'exact', 'solo', 'studio');
    expect(withOperator(draft, 'is_not').values).toEqual(['solo', 'studio']);
    expect(withOperator(draft, 'icontains').values).toEqual([]);
    expect(withOperator(build(plan, 'gt', '3'), 'lte').values).toEqual(['3']);
    expect(withOperator(build(plan, 'gt', '3'), 'between').values).toEqual([]);
    expect(filterOf(withOperator(draft, 'is_set'))).toEqual({ ...plan, operator: 'is_set' });
  });

  test('another property keeps the operator, and no values', () => {
    const email = { type: 'person', key: 'email' } as const;
    expect(withSubject(build(plan, 'exact', 'solo'), email)).toEqual({
      subject: email,
      operator: 'exact',
      values: [],
    });
    const cohort = { type: 'cohort', id: 5, name: 'Beta' } as const;
    expect(withSubject(build(plan, 'exact', 'solo'), cohort).operator).toBeUndefined();
    expect(filterOf(withSubject(build({ ...cohort, id: 4 }, 'not_in'), cohort))).toMatchObject({
      operator: 'not_in',
      value: 5,
    });
  });

  test('any finished filter can be edited: its draft is the same filter', () => {
    const arbitrary = fc.record({
      operator: fc.constantFrom(...OPERATORS),
      values: fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 4 }),
    });
    fc.assert(
      fc.property(arbitrary, ({ operator, values }) => {
        const most = { none: 0, one: 1, range: 2, many: values.length }[operatorOf(operator.id).arity];
        const built = filterOf(build(plan, operator.id, ...values.slice(0, most)))!;
        expect(filterOf(draftOf(built))).toEqual(built);
      }),
    );
  });
});

test('operators for the type of a property are first, and all are offered', () => {
  const first = (type: 'String' | 'Numeric' | 'DateTime' | 'Boolean') =>
    operatorsOf(plan, type)
      .slice(0, 4)
      .map(({ id }) => id);
  expect(first('Numeric')).toEqual(['exact', 'is_not', 'gt', 'gte']);
  expect(first('DateTime')).toEqual(['is_date_before', 'is_date_after', 'is_date_exact', 'is_set']);
  expect(first('Boolean')).toEqual(['exact', 'is_not', 'is_set', 'is_not_set']);
  expect(operatorsOf(plan, 'Boolean')).toHaveLength(OPERATORS.length);
  expect(OPERATORS.filter((one) => fitsType(one, 'Numeric')).map(({ fits }) => fits)).not.toContain('text');
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
    [
      { type: 'flag', key: 'new-nav', operator: 'flag_evaluates_to', value: 'blue' },
      'new-nav evaluates to blue',
    ],
    [{ type: 'hogql', key: 'properties.amount > 3' }, 'HogQL properties.amount > 3'],
  ] satisfies [Partial<PropertyFilter>, string][])('%j reads “%s”', (filter, text) => {
    expect(words(filter)).toBe(text);
  });

  test('flags are shown by their key where it is loaded', () => {
    const names = { flag: (id: number) => (id === 7 ? 'new-nav' : undefined) };
    const filter = { type: 'flag', key: '7', operator: 'flag_evaluates_to', value: 'blue' } as const;
    expect(wordsOf(filter, names)).toEqual({ field: 'new-nav', relation: 'evaluates to', value: 'blue' });
  });
});
