import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cohorts,
  flags,
  GROUP_TYPES,
  somebody,
  STATIC_COHORT,
} from '../../../test/support/arbitrary-flags.ts';
import {
  asked,
  evaluate,
  flagContext,
  flagDefinition,
  flagWith,
  stored,
} from '../../../test/support/flag-subject.ts';
import {
  createFlagSet,
  evaluateFlag,
  flagTraceSchema,
  NO_PROPERTIES,
  type FlagContext,
  type FlagDefinition,
  type FlagTrace,
} from '../index.ts';

const PRO = { key: 'plan', value: 'pro', operator: 'exact', type: 'person' };

function traceOf(
  definitions: FlagDefinition | readonly FlagDefinition[],
  context: Partial<FlagContext> = {},
  known: Parameters<typeof evaluate>[2] = [],
): FlagTrace {
  return evaluate(definitions, { ...context, trace: true }, known).trace!;
}

const anybody = fc
  .tuple(somebody, somebody, fc.boolean(), fc.boolean())
  .map(([request, other, isMember, isKnown]) => ({
    distinctId: request.distinctId,
    anonDistinctId: isMember ? 'anonymous' : null,
    person: {
      request: isKnown ? request.person : null,
      geoip: isMember ? { $geoip_country_code: 'NL' } : null,
      stored: isKnown ? null : other.person,
    },
    groupTypes: GROUP_TYPES,
    groups: new Map(
      Object.entries(request.groups).map(([type, { key, properties }]) => [
        type,
        { key, properties: asked(properties) },
      ]),
    ),
    memberOf: isMember ? new Set([STATIC_COHORT]) : null,
  }));

describe('a trace', () => {
  test('does not change the evaluation: value, variant, payload and reason are the same without it', () => {
    fc.assert(
      fc.property(flags(12), cohorts, anybody, (definitions, known, somebodyElse) => {
        const set = createFlagSet(definitions, known);
        const without = flagContext(set, somebodyElse);
        const context = flagContext(set, { ...somebodyElse, trace: true });
        for (const flag of set.flags) {
          const { trace, ...evaluation } = evaluateFlag(flag, context);
          expect(evaluation).toEqual(evaluateFlag(flag, without));
          expect(flagTraceSchema.safeParse(trace).error).toBeUndefined();
        }
      }),
      { numRuns: 40 },
    );
  });

  test('is consistent: its conditions, applied in order, lead to the reason', () => {
    fc.assert(
      fc.property(flags(12), cohorts, anybody, (definitions, known, person) => {
        const set = createFlagSet(definitions, known);
        const context = flagContext(set, { ...person, trace: true });
        for (const flag of set.flags) {
          const { reason, trace, value } = evaluateFlag(flag, context);
          const { conditions, decided_by: by } = trace!;
          for (const { properties, rollout, outcome } of conditions) {
            if (outcome === 'no_group_type') continue;
            const expected = !properties.every(({ matched }) => matched)
              ? 'no_condition_match'
              : rollout!.matched
                ? 'match'
                : 'out_of_rollout_bound';
            expect(outcome).toBe(expected);
          }
          const first = conditions.find(({ outcome }) => outcome === 'match');
          if (by === 'condition' && value !== false) expect(reason.conditionIndex).toBe(first!.index);
          if (by === 'none') expect(first).toBeUndefined();
          expect(by === 'dependency').toBe(reason.code === 'missing_dependency');
          expect(conditions.filter(({ decided }) => decided).map(({ index }) => index)).toEqual(
            by === 'condition' ? [reason.conditionIndex] : [],
          );
        }
      }),
      { numRuns: 40 },
    );
  });

  test('F-16 a missing dependency decides, before enrollment and holdout', () => {
    const gone = { key: '99', type: 'flag', operator: 'flag_evaluates_to', value: true };
    const trace = traceOf(
      flagWith({
        groups: [{ properties: [gone] }, { properties: [] }],
        feature_enrollment: true,
        holdout: { id: 1, exclusion_percentage: 100 },
      }),
      { person: stored({ '$feature_enrollment/flag': true }) },
    );
    expect(trace.decided_by).toBe('dependency');
    expect(trace.conditions.map(({ outcome, decided }) => [outcome, decided])).toEqual([
      ['missing_dependency', false],
      ['match', false],
    ]);
  });

  test('lists every condition in order, also after the matching one', () => {
    const { decided_by: by, conditions } = traceOf(
      flagWith({
        groups: [
          { properties: [PRO, { key: 'country', value: 'NL' }], rollout_percentage: 100 },
          { properties: [], rollout_percentage: 100 },
          { properties: [], rollout_percentage: 0 },
          { properties: [], aggregation_group_type_index: 0 },
        ],
      }),
      { person: { ...stored({ plan: 'free' }), geoip: { country: 'NL' } } },
    );
    expect(by).toBe('condition');
    expect(conditions.map(({ outcome, decided }) => [outcome, decided])).toEqual([
      ['no_condition_match', false],
      ['match', true],
      ['out_of_rollout_bound', false],
      ['no_group_type', false],
    ]);
    expect(conditions[0]!.properties).toEqual([
      {
        key: 'plan',
        type: 'person',
        operator: 'exact',
        wanted: 'pro',
        got: 'free',
        source: 'stored',
        matched: false,
        note: null,
        inside: [],
      },
      {
        key: 'country',
        type: 'person',
        operator: 'exact',
        wanted: 'NL',
        got: 'NL',
        source: 'geoip',
        matched: true,
        note: null,
        inside: [],
      },
    ]);
  });

  test.each([
    ['request', { request: { plan: 'pro' }, geoip: { plan: 'g' }, stored: { plan: 's' } }, 'pro'],
    ['geoip', { request: null, geoip: { plan: 'pro' }, stored: { plan: 's' } }, 'pro'],
    ['stored', { request: {}, geoip: {}, stored: { plan: 'pro' } }, 'pro'],
    ['none', NO_PROPERTIES, null],
  ])('has the source of a value: %s', (source, person, got) => {
    const { conditions } = traceOf(flagWith({ groups: [{ properties: [PRO] }] }), { person });
    expect(conditions[0]!.properties).toMatchObject([{ got, source, matched: got !== null }]);
  });

  test('shows the hash against the threshold, and the bounds of the variant', () => {
    const variants = [
      { key: 'a', rollout_percentage: 0 },
      { key: 'b', rollout_percentage: 100 },
    ];
    const { conditions, variant, identifier } = traceOf(
      flagWith({ groups: [{ rollout_percentage: 75 }], multivariate: { variants } }),
    );
    const { rollout } = conditions[0]!;
    expect(rollout).toEqual({ percentage: 75, hash: expect.any(Number), threshold: 0.75, matched: true });
    expect(rollout!.hash).toBeLessThanOrEqual(0.75);
    expect(variant).toEqual({ key: 'b', by: 'hash', hash: expect.any(Number), from: 0, to: 1 });
    expect(identifier).toEqual({ kind: 'distinct_id', value: 'u1' });
  });

  test('includes the conditions of cohorts, and the values of other flags', () => {
    const cohort = {
      id: 5,
      name: 'Payers',
      isStatic: false,
      properties: { type: 'AND' as const, values: [{ ...PRO, negation: true }] },
    };
    const other = flagDefinition({ id: 2, key: 'other' });
    const flag = flagWith({
      groups: [
        {
          properties: [
            { key: 'id', value: 5, type: 'cohort' },
            { key: '2', value: true, type: 'flag', operator: 'flag_evaluates_to' },
          ],
        },
      ],
    });
    const { properties } = traceOf([flag, other], { person: asked({ plan: 'pro' }) }, [cohort])
      .conditions[0]!;
    expect(properties).toEqual([
      {
        key: 'id',
        type: 'cohort',
        operator: 'in',
        wanted: 5,
        got: false,
        source: 'cohort',
        matched: false,
        note: 'Payers',
        inside: [
          {
            key: 'plan',
            type: 'person',
            operator: 'exact',
            wanted: 'pro',
            got: 'pro',
            source: 'request',
            matched: false,
            note: 'turned round',
            inside: [],
          },
        ],
      },
      {
        key: 'other',
        type: 'flag',
        operator: 'flag_evaluates_to',
        wanted: true,
        got: true,
        source: 'flag',
        matched: true,
        note: null,
        inside: [],
      },
    ]);
  });

  test('explains a comparison that can never match', () => {
    const { conditions } = traceOf(
      flagWith({ groups: [{ properties: [{ ...PRO, operator: 'regex', value: '(' }] }] }),
      { person: asked({ plan: '(' }) },
    );
    expect(conditions[0]!.properties[0]).toMatchObject({
      matched: false,
      note: expect.stringContaining('RE2'),
    });
  });

  test('names the rule that decided before the conditions', () => {
    const filters = { groups: [{}], feature_enrollment: true, holdout: { id: 4, exclusion_percentage: 100 } };
    expect(traceOf(flagDefinition({ active: false, filters })).decided_by).toBe('disabled');
    expect(traceOf(flagWith(filters))).toMatchObject({
      decided_by: 'holdout',
      holdout: { id: '4', hash: null, threshold: 1, matched: true },
      enrollment: { property: '$feature_enrollment/flag', got: null, source: 'none', matched: false },
    });
    expect(traceOf(flagWith(filters), { person: asked({ '$feature_enrollment/flag': true }) })).toMatchObject(
      {
        decided_by: 'enrollment',
        enrollment: { got: true, source: 'request', matched: true },
      },
    );
  });
});
