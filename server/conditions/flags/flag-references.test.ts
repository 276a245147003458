import { describe, expect, test } from 'vitest';
import {
  asked,
  evaluate,
  EVERYBODY,
  flagContext,
  flagDefinition,
  flagWith,
  h,
  IDS,
  NOBODY,
  PRO,
} from '../../../test/support/flag-subject.ts';
import {
  createFlagSet,
  evaluateFlag,
  type CohortDefinition,
  type FlagDefinition,
  type FlagFilters,
  type FlagProperty,
} from '../index.ts';

describe('F-16 flags that depend on flags', () => {
  const other = (filters: FlagFilters) => flagDefinition({ id: 2, key: 'other', filters });
  const on = other({ groups: [EVERYBODY] });
  const nowhere = other({ groups: [NOBODY] });
  const variant = other({
    groups: [EVERYBODY],
    multivariate: { variants: [{ key: 'a', rollout_percentage: 100 }] },
  });
  const asks = (value: unknown, key: string | number = '2') =>
    flagWith({
      groups: [
        {
          properties: [{ key, value, type: 'flag', operator: 'flag_evaluates_to' }],
          rollout_percentage: 100,
        },
      ],
    });

  test.each<[unknown, FlagDefinition, boolean]>([
    [true, on, true],
    [true, variant, true],
    [true, nowhere, false],
    [false, nowhere, true],
    [false, on, false],
    [false, variant, false],
    ['a', variant, true],
    ['b', variant, false],
    ['a', on, false],
    ['true', on, false],
    [1, on, false],
    [true, { ...on, active: false }, false],
    [false, { ...on, active: false }, true],
  ])('F-16 %j of %j', (value, definition, expected) => {
    expect(evaluate([asks(value), definition]).value).toBe(expected);
  });

  test.each([2, '2', 'other'])('F-16 the other flag is named by id or key: %j', (key) => {
    expect(evaluate([asks(true, key), on]).value).toBe(true);
  });

  test('F-16 the other flag is evaluated for the same person', () => {
    const half = other({ groups: [{ rollout_percentage: 50 }] });
    for (const distinctId of IDS) {
      expect(evaluate([asks(true), half], { distinctId }).value).toBe(h(`other.${distinctId}`) <= 0.5);
    }
  });

  test('F-16 a flag whose dependency is missing is off, whatever its other conditions are', () => {
    const flag = asks(true, 99);
    const two = flagWith({ groups: [...flag.filters.groups!, EVERYBODY] });
    expect(evaluate(two)).toMatchObject({
      value: false,
      reason: {
        code: 'missing_dependency',
        conditionIndex: null,
        description: 'Flag cannot be evaluated due to missing dependency',
      },
    });
    expect(evaluate([asks(false, 2), { ...two, id: 2, key: 'other' }]).value).toBe(true);
  });

  test('F-16 flags in a cycle cannot be evaluated, nor flags that depend on them; others can', () => {
    const dependency = (key: string) => ({ key, value: true, type: 'flag' });
    const link = (id: number, key: string, ...needs: string[]) =>
      flagDefinition({ id, key, filters: { groups: [{ properties: needs.map(dependency) }] } });
    const set = createFlagSet(
      [
        link(1, 'a', 'b'),
        link(2, 'b', 'c'),
        link(3, 'c', 'a'),
        link(4, 'd', 'a'),
        link(5, 'e', 'e'),
        link(6, 'f'),
      ],
      [],
    );
    expect(set.flags.map(({ definition }) => definition.key)).toEqual(['f']);
    expect(Object.fromEntries(set.errors)).toEqual({
      a: 'It depends on itself through b, c.',
      b: 'It depends on itself through c, a.',
      c: 'It depends on itself through a, b.',
      d: 'It depends on flags with a circular dependency.',
      e: 'It depends on itself.',
    });
  });

  test('F-16 a chain of ten thousand flags is evaluated', () => {
    const chain = Array.from({ length: 10_000 }, (_, n) =>
      flagDefinition({
        id: n,
        key: `f${n}`,
        filters: {
          groups: [n === 0 ? EVERYBODY : { properties: [{ key: `f${n - 1}`, value: true, type: 'flag' }] }],
        },
      }),
    ).toReversed();
    const set = createFlagSet(chain, []);
    const context = flagContext(set, { trace: false });
    expect(set.flags.every((flag) => evaluateFlag(flag, context).value === true)).toBe(true);
    expect(set.dependencyChain('f9999')).toHaveLength(10_000);
    expect(set.dependencyChain(2)).toEqual(['f0', 'f1', 'f2']);
  });
});

describe('F-17 cohorts', () => {
  const cohort = (
    id: number,
    values: CohortDefinition['properties'],
    isStatic = false,
  ): CohortDefinition => ({
    id,
    name: `cohort ${id}`,
    isStatic,
    properties: values,
  });
  const inside = (property: Partial<FlagProperty> = {}) =>
    flagWith({
      groups: [
        { properties: [{ key: 'id', value: 5, type: 'cohort', ...property }], rollout_percentage: 100 },
      ],
    });
  const pro = cohort(5, { type: 'OR', values: [{ type: 'AND', values: [PRO] }] });
  const isPro = { person: asked({ plan: 'pro' }) };

  test.each<[Partial<FlagProperty>, boolean]>([
    [{}, true],
    [{ operator: 'in' }, true],
    [{ operator: 'not_in' }, false],
    [{ negation: true }, false],
    [{ operator: 'not_in', negation: true }, true],
    [{ value: '5' }, true],
    [{ value: [5] }, true],
  ])('F-17 a dynamic cohort, compared by %j', (property, expected) => {
    expect(evaluate(inside(property), isPro, [pro]).value).toBe(expected);
    expect(evaluate(inside(property), {}, [pro]).value).toBe(!expected);
  });

  test('F-17 a static cohort is a list of persons', () => {
    const list = cohort(5, null, true);
    expect(evaluate(inside(), { memberOf: new Set([5]) }, [list]).value).toBe(true);
    expect(evaluate(inside(), { memberOf: new Set([6]) }, [list]).value).toBe(false);
    expect(evaluate(inside(), { memberOf: null }, [list]).value).toBe(false);
    expect(evaluate(inside({ operator: 'not_in' }), { memberOf: null }, [list]).value).toBe(true);
    expect(createFlagSet([inside()], [list, cohort(6, null, true)]).staticCohorts).toEqual([5]);
  });

  test('F-17 trees of AND and OR, with negation, and cohorts inside cohorts', () => {
    const nl = { key: 'country', value: 'NL', type: 'person' };
    const tree = cohort(5, {
      type: 'AND',
      values: [
        { type: 'OR', values: [PRO, { key: 'id', value: 6, type: 'cohort' }] },
        { type: 'AND', values: [{ ...nl, negation: true }] },
      ],
    });
    const list = cohort(6, null, true);
    const value = (person: object, memberOf: number[] = []) =>
      evaluate(inside(), { person: asked({ ...person }), memberOf: new Set(memberOf) }, [tree, list]).value;
    expect(value({ plan: 'pro' })).toBe(true);
    expect(value({ plan: 'pro', country: 'NL' })).toBe(false);
    expect(value({ plan: 'free' })).toBe(false);
    expect(value({ plan: 'free' }, [6])).toBe(true);
    expect(createFlagSet([inside()], [tree, list]).staticCohorts).toEqual([6]);
  });

  test('F-17 an empty group matches with AND and does not match with OR', () => {
    expect(evaluate(inside(), {}, [cohort(5, { type: 'AND', values: [] })]).value).toBe(true);
    expect(evaluate(inside(), {}, [cohort(5, { type: 'OR', values: [] })]).value).toBe(false);
  });

  const leaf = (value: number): FlagProperty => ({ key: 'id', value, type: 'cohort' });
  const nested = (depth: number) => {
    let tree: CohortDefinition['properties'] = { type: 'AND', values: [PRO] };
    for (let n = 1; n < depth; n++) tree = { type: 'AND', values: [tree] };
    return tree;
  };
  test.each<[string, CohortDefinition[], string]>([
    ['unknown', [], 'Cohort 5 does not exist.'],
    [
      'with an unknown one inside',
      [cohort(5, { type: 'OR', values: [leaf(6)] })],
      'Cohort 6 does not exist.',
    ],
    [
      'about events',
      [cohort(5, { type: 'OR', values: [{ key: 'paid', type: 'behavioral', value: 'performed_event' }] })],
      'Cohort 5 (cohort 5) has behavioral conditions, which flags do not support.',
    ],
    [
      'about something else',
      [cohort(5, { type: 'OR', values: [{ key: 'x', type: 'hogql' }] })],
      'Cohort 5 (cohort 5) uses the type hogql, which flags do not support.',
    ],
    [
      'in a circle',
      [cohort(5, { type: 'OR', values: [leaf(6)] }), cohort(6, { type: 'OR', values: [leaf(5)] })],
      'Cohort 5 (cohort 5) references itself through other cohorts.',
    ],
    [
      'nested a hundred thousand deep',
      [cohort(5, nested(100_000))],
      'Cohort 5 (cohort 5) is nested more than 100 levels deep.',
    ],
    [
      'at the end of a long chain',
      Array.from({ length: 5000 }, (_, n) =>
        cohort(5 + n, { type: 'OR', values: [n === 4999 ? PRO : leaf(6 + n)] }),
      ),
      'is nested more than 100 levels deep.',
    ],
  ])('F-17 a cohort that is %s makes its flags invalid, and no others', (_, cohorts, cause) => {
    const set = createFlagSet([inside(), flagDefinition({ id: 2, key: 'other' })], cohorts);
    expect(set.find('flag')).toBeNull();
    expect(set.errors.get('flag')).toContain(cause);
    expect(set.flags.map(({ definition }) => definition.key)).toEqual(['other']);
  });

  test('F-17 a flag that depends on an invalid flag is invalid too', () => {
    const behind = flagDefinition({
      id: 2,
      key: 'behind',
      filters: { groups: [{ properties: [{ key: '1', value: false, type: 'flag' }] }] },
    });
    const set = createFlagSet([behind, inside()], []);
    expect(set.flags).toEqual([]);
    expect(set.errors.get('behind')).toBe('It depends on the flag flag, which cannot be evaluated.');
  });

  test('F-17 cohorts that refer to each other many times are evaluated once each', () => {
    const twice = Array.from({ length: 40 }, (_, n) =>
      cohort(5 + n, { type: 'AND', values: n === 39 ? [PRO] : [leaf(6 + n), leaf(6 + n)] }),
    );
    expect(evaluate(inside(), { ...isPro, trace: true }, twice).value).toBe(true);
    expect(evaluate(inside(), { trace: true }, twice).value).toBe(false);
  });
});
