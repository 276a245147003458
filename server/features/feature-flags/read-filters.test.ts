import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import { readFilters } from './read-filters.ts';

const email = { key: 'email', type: 'person', operator: 'exact', value: ['a@shop.example'] };
const on = (...properties: object[]) => ({ groups: [{ properties, rollout_percentage: 100 }] });
const variants = (...percentages: unknown[]) => ({
  groups: [{ properties: [], rollout_percentage: 100 }],
  multivariate: {
    variants: percentages.map((rollout_percentage, n) => ({ key: `v${n}`, rollout_percentage })),
  },
});

function refusalOf(sent: object): { code: string; attr: string | null; detail: string } | null {
  try {
    readFilters(JSON.parse(JSON.stringify(sent)) as Record<string, unknown>);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, attr, detail } = error.body;
    return { code, attr, detail };
  }
}

describe('M9.1/filters are refused, always at filters,', () => {
  test.each<[string, object, string]>([
    ['groups that are no list', { groups: {} }, 'invalid_input'],
    ['a condition that is not an object', { groups: ['all'] }, 'invalid_input'],
    ['properties that are no list', { groups: [{ properties: {} }] }, 'invalid_input'],
    ['a property without a type', on({ key: 'a', value: 'b' }), 'invalid_input'],
    ['a property without a key', on({ type: 'person', value: 'b' }), 'invalid_input'],
    ['a property whose key is empty', on({ ...email, key: '' }), 'invalid_input'],
    ['a value that is an object', on({ ...email, value: { a: 1 } }), 'invalid_input'],
    ['a value that is a list of lists', on({ ...email, value: [['a']] }), 'invalid_input'],
    ['a rollout below 0', { groups: [{ rollout_percentage: -1 }] }, 'invalid_input'],
    ['a rollout above 100', { groups: [{ rollout_percentage: 100.1 }] }, 'invalid_input'],
    ['a rollout that is text', { groups: [{ rollout_percentage: '50' }] }, 'invalid_input'],
    [
      'a group type that is not a number',
      { ...on(), aggregation_group_type_index: 'company' },
      'invalid_input',
    ],
    ['variants that add up to less', variants(50, 49), 'invalid_input'],
    ['variants that add up to more', variants(50, 51), 'invalid_input'],
    ['variants that do not say how many', variants(undefined), 'invalid_input'],
    ['a negative variant', variants(-10, 110), 'invalid_input'],
    ['a percentage that is not a number', variants(null, 100), 'invalid_input'],
    [
      'two variants of one key',
      {
        ...on(),
        multivariate: { variants: [50, 50].map((share) => ({ key: 'a', rollout_percentage: share })) },
      },
      'invalid_input',
    ],
    [
      'a variant without a key',
      { ...on(), multivariate: { variants: [{ key: '', rollout_percentage: 100 }] } },
      'invalid_input',
    ],
    ['a condition with a variant that is none', { groups: [{ variant: 'b' }] }, 'invalid_input'],
    ['an event property', on({ ...email, type: 'event' }), 'invalid_input'],
    [
      'a group property without groups',
      on({ ...email, type: 'group', group_type_index: 0 }),
      'invalid_input',
    ],
    ['a person property of groups', { ...on(email), aggregation_group_type_index: 0 }, 'invalid_input'],
    [
      'a property of other groups',
      { ...on({ ...email, type: 'group', group_type_index: 1 }), aggregation_group_type_index: 0 },
      'invalid_input',
    ],
    [
      'a person property where the condition is about groups',
      { groups: [{ properties: [email], aggregation_group_type_index: 0 }] },
      'invalid_input',
    ],
    [
      'a group property where the condition is about persons',
      {
        groups: [
          {
            properties: [{ ...email, type: 'group', group_type_index: 0 }],
            aggregation_group_type_index: null,
          },
        ],
        aggregation_group_type_index: 0,
      },
      'invalid_input',
    ],
    [
      'a flag by another operator',
      on({ key: '1', type: 'flag', operator: 'exact', value: true }),
      'invalid_input',
    ],
    [
      'a flag by its key',
      on({ key: 'new-nav', type: 'flag', operator: 'flag_evaluates_to', value: true }),
      'invalid_input',
    ],
    [
      'a flag that evaluates to a number',
      on({ key: '1', type: 'flag', operator: 'flag_evaluates_to', value: 1 }),
      'invalid_value',
    ],
    ['flag_evaluates_to of a person', on({ ...email, operator: 'flag_evaluates_to' }), 'invalid_input'],
    ['an unknown operator', on({ ...email, operator: 'resembles' }), 'invalid_operator'],
    ['in of a person', on({ ...email, operator: 'in' }), 'invalid_operator'],
    ['not_in of a person', on({ ...email, operator: 'not_in' }), 'invalid_operator'],
    ['an invalid cohort id', on({ key: 'id', type: 'cohort', value: 'all' }), 'cohort_does_not_exist'],
    ['a list of cohorts', on({ key: 'id', type: 'cohort', value: [1] }), 'cohort_does_not_exist'],
    ['a cohort by an order', on({ key: 'id', type: 'cohort', value: 1, operator: 'gt' }), 'invalid_operator'],
    ...['is_date_exact', 'is_date_before', 'is_date_after'].flatMap((operator) =>
      ['soon', '', '2026-13-01', '5x', 20261120, '20261120', ['-3d'], null].map(
        (value): [string, object, string] => [
          `${operator} ${JSON.stringify(value)}`,
          on({ ...email, operator, value }),
          'invalid_date',
        ],
      ),
    ),
    ...['regex', 'not_regex', 'icontains', 'not_icontains'].flatMap((operator) =>
      [1, ['a'], null, true].map((value): [string, object, string] => [
        `${operator} ${JSON.stringify(value)}`,
        on({ ...email, operator, value }),
        'invalid_value',
      ]),
    ),
    ...['gt', 'gte', 'lt', 'lte'].flatMap((operator) =>
      [[1], null, true].map((value): [string, object, string] => [
        `${operator} ${JSON.stringify(value)}`,
        on({ ...email, operator, value }),
        'invalid_value',
      ]),
    ),
    ...['exact', 'is_not', 'starts_with', 'semver_gt', undefined].map(
      (operator): [string, object, string] => [
        `${operator ?? 'no operator'} without a value`,
        on({ key: 'p', type: 'person', operator }),
        'invalid_value',
      ],
    ),
    [
      'is_date_exact without a value',
      on({ key: 'p', type: 'person', operator: 'is_date_exact' }),
      'invalid_date',
    ],
    ...[
      ['0x1', '0x20'],
      ['1', 'Infinity'],
      ['1_000', '2_000'],
      [true, 2],
      ['', '2'],
    ].map((value): [string, object, string] => [
      `between ${JSON.stringify(value)}, which nobody can be`,
      on({ ...email, operator: 'between', value }),
      'invalid_value',
    ]),
    // What lists and cohorts refuse too.
    ...[
      ['exact', null],
      ['is_not', [1, null]],
      ['starts_with', null],
      ['not_ends_with', []],
      ['icontains_multi', []],
      ['icontains_multi', null],
      ['regex', '('],
      ['not_regex', '[a'],
      ['gt', 'a'],
      ['lte', '2026-03-04'],
      ['semver_eq', 'a'],
      ['semver_gte', '1.*'],
      ['semver_wildcard', 'a'],
    ].map(([operator, value]): [string, object, string] => [
      `${String(operator)} ${JSON.stringify(value)}`,
      on({ ...email, operator, value }),
      'invalid_value',
    ]),
    ['between one number', on({ ...email, operator: 'between', value: [1] }), 'invalid_value'],
    ['between words', on({ ...email, operator: 'not_between', value: ['a', 'b'] }), 'invalid_value'],
    ['1001 values', on({ ...email, value: Array.from({ length: 1001 }, String) }), 'invalid_input'],
    ['payloads that are no object', { ...on(), payloads: ['1'] }, 'invalid_input'],
    ['a payload that is not JSON', { ...on(), payloads: { true: '{a: 1}' } }, 'invalid_input'],
    ['a payload of a variant that is none', { ...on(), payloads: { b: '1' } }, 'invalid_input'],
    ['a payload of false', { ...on(), payloads: { false: '1' } }, 'invalid_input'],
    ['a payload of true beside variants', { ...variants(100), payloads: { true: '1' } }, 'invalid_input'],
    ['a holdout without a number', { ...on(), holdout: { id: 1 } }, 'invalid_input'],
  ])('%s', (_what, filters, code) => {
    expect(refusalOf(filters)).toMatchObject({ code, attr: 'filters' });
  });

  test('with the position and the value, at a limited length', () => {
    expect(refusalOf({ groups: [{}, { rollout_percentage: 101 }] })?.detail).toContain(
      'filters.groups.1.rollout_percentage',
    );
    const long = refusalOf(on({ ...email, operator: 'regex', value: ['x'.repeat(1000)] }));
    expect(long?.detail.length).toBeLessThan(200);
  });
});

describe('M9.1/filters are accepted', () => {
  test.each<[string, object]>([
    ['no condition at all', { groups: [] }],
    ['a condition that says nothing', { groups: [{}] }],
    [
      'null where nothing is meant',
      { groups: [{ properties: null, rollout_percentage: null, variant: null }] },
    ],
    ['a rollout of 0 and fractions', { groups: [{ rollout_percentage: 0 }, { rollout_percentage: 0.01 }] }],
    ['is_set without a value', on({ key: 'email', type: 'person', operator: 'is_set' })],
    ['a property without an operator', on({ key: 'email', type: 'person', value: 'x' })],
    ['1000 values', on({ ...email, value: Array.from({ length: 1000 }, String) })],
    ['any kind of value', on({ ...email, value: [1, true, 'x'] })],
    ['no values, which means truthy', on({ ...email, value: [] })],
    ['a pattern that looks around', on({ ...email, operator: 'regex', value: 'a(?=b)' })],
    ['gt of a text', on({ ...email, operator: 'gt', value: '1.5' })],
    ['a span before now', on({ ...email, operator: 'is_date_after', value: '-30d' })],
    ['a span without a minus', on({ ...email, operator: 'is_date_before', value: '2w' })],
    ['a day', on({ ...email, operator: 'is_date_after', value: '2026-11-20' })],
    ['a moment', on({ ...email, operator: 'is_date_before', value: '2026-11-20T09:30:00+02:00' })],
    ['between two numbers', on({ ...email, operator: 'between', value: [1, '2.5'] })],
    ['a version', on({ ...email, operator: 'semver_gte', value: '1.2.3' })],
    ['another flag', on({ key: '3', type: 'flag', operator: 'flag_evaluates_to', value: 'b' })],
    ['another flag by a number', on({ key: 3, type: 'flag', operator: 'flag_evaluates_to', value: false })],
    ['a cohort', on({ key: 'id', type: 'cohort', value: 4, operator: 'not_in' })],
    ['a cohort in the old form', on({ key: 'id', type: 'cohort', value: 4, negation: true })],
    ['groups', { ...on({ ...email, type: 'group', group_type_index: 2 }), aggregation_group_type_index: 2 }],
    [
      'groups in one condition and persons in the other',
      {
        groups: [
          {
            properties: [{ ...email, type: 'group', group_type_index: 0 }],
            aggregation_group_type_index: 0,
          },
          { properties: [email], aggregation_group_type_index: null },
        ],
      },
    ],
    ['thirds of variants', variants(33.33, 33.33, 33.34)],
    ['one variant', variants(100)],
    ['a variant at 0 percent', variants(0, 100)],
    ['no variants in a list of them', { ...on(), multivariate: { variants: [] } }],
    ['multivariate null', { ...on(), multivariate: null, payloads: { true: '1' } }],
    ['a holdout', { ...on(), holdout: { id: 1, exclusion_percentage: 10 } }],
    ['unknown keys', { ...on({ ...email, label: 'x' }), note: { deep: [1] } }],
  ])('%s, as they were sent', (_what, filters) => {
    expect(readFilters(filters as Record<string, unknown>)).toEqual(filters);
  });

  test('numbers that are compared become text, cohorts become numbers', () => {
    const read = readFilters(
      on(
        { ...email, operator: 'gt', value: 5 },
        { ...email, operator: 'lte', value: -0.5 },
        { key: 'id', type: 'cohort', value: '7' },
      ),
    );
    expect(read.groups![0]!.properties!.map(({ value }) => value)).toEqual(['5', '-0.5', 7]);
  });

  test('payloads that are objects become JSON text, all others are unchanged', () => {
    const four = { ...variants(25, 25, 25, 25), payloads: { v0: { a: [1] }, v1: '"x"', v2: [1], v3: 2 } };
    expect(readFilters(four).payloads).toEqual({ v0: '{"a":[1]}', v1: '"x"', v2: [1], v3: 2 });
  });

  test('percentages whose decimals add up to 100, despite binary fractions', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 0, max: 2 }),
        (parts, miss) => {
          const cents = parts.map((part) => Math.min(part, Math.floor(10_000 / parts.length)));
          const rest = 10_000 - cents.reduce((sum, part) => sum + part, 0);
          const shares = [...cents, rest - Math.min(miss, rest)].map((part) => part / 100);
          const isWhole = miss === 0 || rest === 0;
          expect(refusalOf(variants(...shares)) === null).toBe(isWhole);
        },
      ),
    );
  });
});

describe('hostile filters', () => {
  test('10,000 conditions with a property each are accepted', () => {
    const groups = Array.from({ length: 10_000 }, (_, n) => ({
      properties: [{ ...email, value: String(n) }],
      rollout_percentage: 1,
    }));
    expect(readFilters({ groups }).groups).toHaveLength(10_000);
  });

  test('10,000 variants with one key are refused', () => {
    const many = Array.from({ length: 10_000 }, () => ({ key: 'same', rollout_percentage: 0.01 }));
    expect(refusalOf({ ...on(), multivariate: { variants: many } })).toMatchObject({ attr: 'filters' });
  });

  test('__proto__ keys are dropped and change no object; as a property key it is kept', () => {
    const sent = JSON.parse(
      '{"groups":[{"__proto__":{"variant":"x"},"properties":[{"__proto__":{"type":"event"},"key":"__proto__","type":"person","value":"a"}]}],"__proto__":{"multivariate":{"variants":[{"key":"x","rollout_percentage":100}]}},"payloads":{"__proto__":"1"}}',
    ) as Record<string, unknown>;
    const read = readFilters(sent);
    expect(read.multivariate).toBeUndefined();
    expect(JSON.stringify(read)).toBe(
      '{"groups":[{"properties":[{"key":"__proto__","type":"person","value":"a"}]}],"payloads":{}}',
    );
    expect(({} as { variant?: string }).variant).toBeUndefined();
  });

  test('any filters are accepted or refused at filters', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), fc.jsonValue(), (any, a, b) => {
        const refusals = [
          any,
          { ...any, groups: a },
          { ...any, groups: [{ properties: [a] }], multivariate: b },
          { groups: [{ properties: [{ key: 'a', type: 'person', operator: a, value: b }] }] },
          { groups: [{ rollout_percentage: a, variant: b }], payloads: { true: a } },
        ].map(refusalOf);
        for (const refusal of refusals) expect(refusal?.attr ?? 'filters').toBe('filters');
      }),
    );
  });
});
