import { describe, expect, test } from 'vitest';
import {
  asked,
  evaluate,
  EVERYBODY,
  flagDefinition,
  flagWith,
  FOR_PRO,
  groupsOf,
  h,
  IDS,
  NOBODY,
  PRO,
  reasonOf,
  stored,
} from '../../../test/support/flag-subject.ts';
import type { FlagCondition, FlagFilters, PropertyLayers } from '../index.ts';

describe('F-1 the order of evaluation', () => {
  const everything: FlagFilters = {
    groups: [EVERYBODY],
    feature_enrollment: true,
    holdout: { id: 3, exclusion_percentage: 100 },
  };
  const enrolled = { person: asked({ '$feature_enrollment/flag': true }) };

  test('F-1 an inactive flag is off, whatever its filters are', () => {
    const answer = evaluate(flagDefinition({ active: false, filters: everything }), enrolled);
    expect(answer).toEqual({
      value: false,
      variant: null,
      payload: null,
      reason: { code: 'flag_disabled', conditionIndex: null, description: 'Feature flag is disabled' },
    });
  });

  test('F-1 enrollment comes before the holdout, and the holdout before conditions', () => {
    expect(reasonOf(flagWith(everything), enrolled)).toEqual(['super_condition_value', 0]);
    expect(reasonOf(flagWith(everything))).toEqual(['holdout_condition_value', null]);
    expect(reasonOf(flagWith({ ...everything, holdout: null }))).toEqual(['condition_match', 0]);
  });
});

describe('F-2 early access', () => {
  const flag = flagWith({
    groups: [EVERYBODY],
    feature_enrollment: true,
    multivariate: { variants: [{ key: 'a', rollout_percentage: 100 }] },
    payloads: { true: '"in"', a: '"a"' },
  });

  test.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    [null, false],
    ['yes', false],
  ])('F-2 an enrollment of %j overrides all conditions', (got, expected) => {
    const answer = evaluate(flag, { person: stored({ '$feature_enrollment/flag': got }) });
    expect(answer).toMatchObject({
      value: expected,
      variant: null,
      payload: expected ? '"in"' : null,
      reason: { code: 'super_condition_value', conditionIndex: 0, description: 'Super condition value' },
    });
  });

  test('F-2 the property in the request overrides the stored one', () => {
    const key = '$feature_enrollment/flag';
    const person = { ...stored({ [key]: true }), request: { [key]: false } };
    expect(evaluate(flag, { person }).value).toBe(false);
  });

  test('F-2 without an enrollment property the conditions decide', () => {
    expect(evaluate(flag)).toMatchObject({ value: 'a', reason: { code: 'condition_match' } });
  });

  test('F-2 an older flag defines enrollment in super_groups', () => {
    const key = '$feature_enrollment/old-name';
    const older = flagWith({
      groups: [NOBODY],
      super_groups: [{ properties: [{ key, type: 'person', operator: 'exact', value: ['true'] }] }],
    });
    expect(reasonOf(older, { person: asked({ [key]: 'true' }) })).toEqual(['super_condition_value', 0]);
    expect(evaluate(older, { person: asked({ '$feature_enrollment/flag': true }) }).value).toBe(false);
  });
});

describe('F-3 holdouts', () => {
  test('F-3 persons whose hash is within the holdout get its variant, the same in every flag', () => {
    const filters: FlagFilters = { groups: [EVERYBODY], holdout: { id: 7, exclusion_percentage: 30 } };
    const a = flagWith(filters);
    const b = flagDefinition({ key: 'other', filters });
    for (const id of IDS) {
      const expected = h(`holdout-${id}`) <= 0.3 ? 'holdout-7' : true;
      expect(evaluate(a, { distinctId: id }).value).toBe(expected);
      expect(evaluate(b, { distinctId: id }).value).toBe(expected);
    }
  });

  test('F-3 its payload is that of its variant', () => {
    const filters: FlagFilters = {
      groups: [NOBODY],
      holdout: { id: 7, exclusion_percentage: 100 },
      payloads: { 'holdout-7': '1', true: '2' },
    };
    expect(evaluate(flagWith(filters))).toMatchObject({
      value: 'holdout-7',
      variant: 'holdout-7',
      payload: '1',
      reason: { description: 'Holdout condition value' },
    });
  });

  test('F-3 older flags have holdout_groups', () => {
    const old = { holdout_groups: [{ properties: [], rollout_percentage: 100, variant: 'holdout-9' }] };
    expect(evaluate(flagWith({ groups: [NOBODY], ...old })).value).toBe('holdout-9');
  });

  test('F-3 a group is held out by its key, and a flag on groups requires one', () => {
    const flag = flagWith({
      groups: [NOBODY],
      aggregation_group_type_index: 0,
      holdout: { id: 7, exclusion_percentage: 100 },
    });
    expect(evaluate(flag, groupsOf({ company: ['acme'] })).value).toBe('holdout-7');
    expect(reasonOf(flag, groupsOf({}))).toEqual(['no_group_type', 0]);
  });
});

describe('F-4 the order of conditions', () => {
  const variants = { variants: ['a', 'b'].map((key) => ({ key, rollout_percentage: 50 })) };

  test('F-4 the first that matches wins', () => {
    const flag = flagWith({
      groups: [
        { ...FOR_PRO, variant: 'a' },
        { ...EVERYBODY, variant: 'b' },
        { ...EVERYBODY, variant: 'a' },
      ],
      multivariate: variants,
    });
    expect(evaluate(flag)).toMatchObject({
      value: 'b',
      reason: { conditionIndex: 1, description: 'Matched condition set 2' },
    });
    expect(evaluate(flag, { person: asked({ plan: 'pro' }) })).toMatchObject({
      value: 'a',
      reason: { conditionIndex: 0, description: 'Matched condition set 1' },
    });
  });

  test('F-4 with early_exit, evaluation ends at the first condition whose rollout excludes the person', () => {
    const groups = [NOBODY, EVERYBODY];
    expect(evaluate(flagWith({ groups })).value).toBe(true);
    expect(reasonOf(flagWith({ groups, early_exit: true }))).toEqual(['out_of_rollout_bound', 0]);
    const unlike = [{ ...NOBODY, properties: [PRO] }, EVERYBODY];
    expect(evaluate(flagWith({ groups: unlike, early_exit: true })).value).toBe(true);
  });
});

describe('F-5 when a condition matches', () => {
  test('F-5 all of its properties must match', () => {
    const both = [PRO, { key: 'country', value: 'NL' }];
    const flag = flagWith({ groups: [{ properties: both, rollout_percentage: 100 }] });
    expect(evaluate(flag, { person: asked({ plan: 'pro', country: 'NL' }) }).value).toBe(true);
    expect(evaluate(flag, { person: asked({ plan: 'pro', country: 'DE' }) }).value).toBe(false);
    expect(evaluate(flag, { person: asked({ plan: 'pro' }) }).value).toBe(false);
  });

  test('F-5 a condition without properties and percentage matches all persons', () => {
    for (const condition of [{}, { properties: null }, { properties: [], rollout_percentage: null }]) {
      expect(evaluate(flagWith({ groups: [condition] })).value).toBe(true);
    }
  });
});

describe('F-6 the reason of a flag that is off', () => {
  const noGroup = { ...EVERYBODY, aggregation_group_type_index: 0 };

  test.each<[string, FlagCondition[], [string, number | null]]>([
    ['no condition at all', [], ['no_condition_match', null]],
    ['one whose properties fail', [FOR_PRO], ['no_condition_match', 0]],
    ['the later of two alike', [FOR_PRO, FOR_PRO], ['no_condition_match', 1]],
    ['the rollout over properties', [NOBODY, FOR_PRO], ['out_of_rollout_bound', 0]],
    ['the later rollout', [NOBODY, FOR_PRO, NOBODY], ['out_of_rollout_bound', 2]],
    ['properties over a missing group', [FOR_PRO, noGroup], ['no_condition_match', 0]],
    ['a missing group', [noGroup, noGroup], ['no_group_type', 1]],
  ])('F-6 %s', (_, groups, expected) => {
    expect(reasonOf(flagWith({ groups }))).toEqual(expected);
  });

  test('F-6 each has a description', () => {
    const texts = [[FOR_PRO], [NOBODY], [noGroup]].map((groups) => evaluate(flagWith({ groups })).reason);
    expect(texts.map(({ description }) => description)).toEqual([
      'No matching condition set',
      'Out of rollout bound',
      'No group type',
    ]);
  });
});

describe('F-7 conditions on groups', () => {
  const plan = [{ ...PRO, type: 'group', group_type_index: 0 }];
  const flag = flagWith({
    groups: [{ properties: plan, rollout_percentage: 100 }],
    aggregation_group_type_index: 0,
  });

  test('F-7 use the properties of the group that the request names', () => {
    const pro = groupsOf({ company: ['acme', stored({ plan: 'pro' })] });
    expect(evaluate(flag, pro).value).toBe(true);
    expect(evaluate(flag, { ...groupsOf({ company: ['acme'] }), person: asked({ plan: 'pro' }) }).value).toBe(
      false,
    );
  });

  test.each([
    ['the request has no group', groupsOf({})],
    ['the request names a group of another type', groupsOf({ project: ['p', stored({ plan: 'pro' })] })],
    ['the type is unknown', { ...groupsOf({ company: ['acme', stored({ plan: 'pro' })] }), groupTypes: [] }],
  ])('F-7 fail with no_group_type when %s', (_, context) => {
    expect(reasonOf(flag, context)).toEqual(['no_group_type', 0]);
  });

  test('F-7 hash the key of the group', () => {
    const half = flagWith({ groups: [{ rollout_percentage: 50 }], aggregation_group_type_index: 0 });
    for (const key of IDS) {
      expect(evaluate(half, groupsOf({ company: [key] })).value).toBe(h(`flag.${key}`) <= 0.5);
    }
  });

  test('F-7 a condition may be on another group type than its flag', () => {
    const mixed = flagWith({
      groups: [{ properties: plan, aggregation_group_type_index: 0 }, FOR_PRO],
    });
    const company = groupsOf({ company: ['acme', stored({ plan: 'pro' })] });
    expect(reasonOf(mixed, company)).toEqual(['condition_match', 0]);
    expect(reasonOf(mixed, { person: asked({ plan: 'pro' }) })).toEqual(['condition_match', 1]);
  });

  test('F-7 a condition with group type null is on persons, also in a flag on groups', () => {
    const mixed = flagWith({
      groups: [{ ...FOR_PRO, aggregation_group_type_index: null }],
      aggregation_group_type_index: 0,
    });
    const person = asked({ plan: 'pro' });
    expect(reasonOf(mixed, { person })).toEqual(['condition_match', 0]);
    const company = groupsOf({ company: ['acme', stored({ plan: 'pro' })] });
    expect(reasonOf(mixed, company)).toEqual(['no_condition_match', 0]);
  });

  test('F-7 the key itself is a property of the group', () => {
    const byKey = flagWith({
      groups: [{ properties: [{ key: '$group_key', value: ['acme'], type: 'group', group_type_index: 0 }] }],
      aggregation_group_type_index: 0,
    });
    expect(evaluate(byKey, groupsOf({ company: ['acme'] })).value).toBe(true);
    expect(evaluate(byKey, groupsOf({ company: ['other'] })).value).toBe(false);
  });
});

describe('7.10, 7.11 the sources of properties', () => {
  const layers: PropertyLayers = {
    request: { r: 1, rg: 1, rs: 1, all: 1, utm_source: 'now', $browser: 'Safari' },
    geoip: { rg: 2, g: 2, gs: 2, all: 2 },
    stored: { s: 3, rs: 3, gs: 3, all: 3, distinct_id: 'stored', $initial_browser: 'Firefox' },
  };
  const value = (key: string, wanted: unknown, person: PropertyLayers = layers) =>
    evaluate(flagWith({ groups: [{ properties: [{ key, value: wanted, type: 'person' }] }] }), { person })
      .value;

  test.each([
    ['r', 1],
    ['g', 2],
    ['s', 3],
    ['rg', 1],
    ['rs', 1],
    ['gs', 2],
    ['all', 1],
  ])('7.10, 7.11 the request overrides GeoIP, and GeoIP overrides stored properties: %s', (key, expected) => {
    expect(value(key, expected)).toBe(true);
    expect(value(key, 4)).toBe(false);
  });

  test('7.10 the distinct id is a property, unless the request has another value', () => {
    expect(value('distinct_id', 'u1')).toBe(true);
    expect(value('distinct_id', 'mine', asked({ distinct_id: 'mine' }))).toBe(true);
  });

  test('7.10 a missing $initial_X is X of the request', () => {
    expect(value('$initial_utm_source', 'now')).toBe(true);
    expect(value('$initial_browser', 'Firefox')).toBe(true);
    expect(value('$initial_browser', 'Safari', { ...layers, stored: null })).toBe(true);
    expect(value('$initial_s', 3)).toBe(false);
  });
});
