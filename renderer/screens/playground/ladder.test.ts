import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConditionTrace, FlagTrace } from '../../../server/conditions/flags/trace.contract.ts';
import type { FlagDetails } from '../../../server/features/feature-flags/decide/decide.contract.ts';
import { checksOf } from './checks.ts';
import { headlineOf } from './headline.ts';
import { ladderOf, partingOf, type LadderInput } from './ladder.ts';

const names = { flag: (id: string) => (id === '7' ? 'new-nav' : undefined), cohort: () => 'Our own team' };

const aProperty = (
  change: Partial<ConditionTrace['properties'][number]>,
): ConditionTrace['properties'][number] => ({
  key: 'plan',
  type: 'person',
  operator: 'exact',
  wanted: ['solo', 'studio'],
  got: 'studio',
  source: 'stored',
  matched: true,
  note: null,
  inside: [],
  ...change,
});
const aCondition = (change: Partial<ConditionTrace>): ConditionTrace => ({
  index: 0,
  group: null,
  properties: [],
  rollout: null,
  variant_override: null,
  outcome: 'match',
  decided: false,
  ...change,
});
const aTrace = (change: Partial<FlagTrace>): FlagTrace => ({
  decided_by: 'none',
  identifier: { kind: 'distinct_id', value: 'u_48213' },
  enrollment: null,
  holdout: null,
  conditions: [],
  variant: null,
  ...change,
});
const details = (change: Partial<FlagDetails> = {}): FlagDetails => ({
  key: 'reminder-tone',
  enabled: true,
  variant: 'friendly',
  reason: { code: 'condition_match', condition_index: 1, description: 'Matched condition set 2' },
  metadata: { id: 3, version: 2, description: null, payload: '{"subject":"Hi"}', has_experiment: false },
  ...change,
});
const input = (trace: FlagTrace, change: Partial<LadderInput> = {}): LadderInput => ({
  flagKey: 'reminder-tone',
  trace,
  details: details(),
  shape: {
    variants: [
      { key: 'control', rollout_percentage: 34 },
      { key: 'friendly', rollout_percentage: 33 },
      { key: 'direct', rollout_percentage: 33 },
    ],
    setNames: ['Our own team', null],
  },
  names,
  ...change,
});

/** Fails set 1, passes set 2 and its 25 %, and gets the second variant. */
const friendly = aTrace({
  decided_by: 'condition',
  conditions: [
    aCondition({
      outcome: 'no_condition_match',
      properties: [aProperty({ key: 'email', operator: 'icontains', wanted: '@paperboat', matched: false })],
    }),
    aCondition({
      index: 1,
      properties: [aProperty({}), aProperty({ key: 'invoices', operator: 'gte', wanted: '3', got: 27 })],
      rollout: { percentage: 25, hash: 0.186_312, threshold: 0.25, matched: true },
      decided: true,
    }),
    aCondition({ index: 2 }),
  ],
  variant: { key: 'friendly', by: 'hash', hash: 0.5188, from: 0.34, to: 0.67 },
});

describe('the trace of a flag', () => {
  test('has steps from the flag over each set to the payload, and marks those not evaluated', () => {
    const rungs = ladderOf(input(friendly));
    expect(rungs.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'flag yes',
      'set-0 no',
      'set-1 yes',
      'rollout-1 yes',
      'set-2 off',
      'variant yes',
      'payload plain',
    ]);
    expect(rungs.filter(({ isDeciding }) => isDeciding).map(({ id }) => id)).toEqual(['rollout-1']);
    expect(rungs[1]).toMatchObject({
      title: 'Set 1, Our own team',
      hint: 'does not match, so its 100% rollout is not evaluated',
    });
    expect(rungs[3]!.hint).toBe('the hash of `reminder-tone.u_48213` is 0.1863, within 0.25');
  });

  test('shows the rollout as one range and variants as one range each, with the matched one marked', () => {
    const rungs = ladderOf(input(friendly));
    expect(rungs[3]!.bar).toMatchObject({ hash: 0.186_312, ranges: [{ from: 0, to: 0.25, isHit: true }] });
    expect(rungs[5]!.bar!.ranges.map(({ name, isHit }) => [name, isHit])).toEqual([
      ['control', false],
      ['friendly', true],
      ['direct', false],
    ]);
    expect(rungs[5]!.bar!.ranges[1]!.to).toBeCloseTo(0.67);
  });

  test('of a disabled flag has one step', () => {
    const off = aTrace({ decided_by: 'disabled', conditions: [aCondition({})] });
    const rungs = ladderOf(input(off, { details: null }));
    expect(rungs[0]).toMatchObject({ state: 'no', title: 'The flag is disabled', isDeciding: true });
    expect(rungs.slice(1).map(({ state }) => state)).toEqual(['off']);
    expect(headlineOf(off, null)).toEqual({ value: 'no value', because: 'the flag is disabled' });
  });

  test('of a flag that depends on a missing flag shows that first', () => {
    const gone = aProperty({
      key: '99',
      type: 'flag',
      wanted: true,
      got: null,
      source: 'none',
      matched: false,
    });
    const trace = aTrace({
      decided_by: 'dependency',
      enrollment: { property: '$feature_enrollment/a', got: true, source: 'stored', matched: true },
      holdout: { id: '1', hash: 0.2, threshold: 0.5, matched: true },
      conditions: [
        aCondition({ outcome: 'missing_dependency', properties: [gone] }),
        aCondition({ index: 1 }),
      ],
    });
    const rungs = ladderOf(input(trace, { details: null }));
    expect(rungs.map(({ kind, state, isDeciding }) => [kind, state, isDeciding])).toEqual([
      ['flag', 'yes', false],
      ['dependency', 'no', true],
      ['enrollment', 'off', false],
      ['holdout', 'off', false],
      ['set', 'off', false],
      ['set', 'off', false],
    ]);
    expect(rungs[1]!.hint).toContain('`99`');
    expect(rungs[2]!.hint).toBe('not evaluated');
    expect(headlineOf(trace, details({ enabled: false, variant: null })).because).toBe(
      'it depends on a flag that does not exist',
    );
  });

  test('shows a local override, and the result without it', () => {
    const rungs = ladderOf(input({ ...friendly, decided_by: 'override' }));
    expect(rungs[1]).toMatchObject({ kind: 'override', isDeciding: true });
    expect(rungs.some(({ id }) => id === 'rollout-1')).toBe(true);
  });

  test('names a group type that a set requires and that is missing in the context', () => {
    const trace = aTrace({
      conditions: [aCondition({ outcome: 'no_group_type', group: { type: 'company', key: null } })],
    });
    expect(ladderOf(input(trace))[1]!.hint).toBe('requires a company, but none is set');
    expect(headlineOf(trace, details({ enabled: false, variant: null })).because).toBe('no company is set');
  });

  test('hashes the group key where a set is about a group', () => {
    const trace = aTrace({
      identifier: { kind: 'group_key', value: 'w_1' },
      conditions: [
        aCondition({
          group: { type: 'company', key: 'w_1' },
          outcome: 'out_of_rollout_bound',
          rollout: { percentage: 10, hash: 0.4, threshold: 0.1, matched: false },
        }),
      ],
    });
    expect(ladderOf(input(trace))[2]).toMatchObject({
      state: 'no',
      hint: 'the hash of `reminder-tone.w_1` is 0.4000, above 0.1; included from 40%',
    });
  });
});

describe('the summary above the trace', () => {
  const out = aTrace({
    conditions: [
      aCondition({
        properties: [aProperty({})],
        outcome: 'out_of_rollout_bound',
        rollout: { percentage: 25, hash: 0.3127, threshold: 0.25, matched: false },
      }),
      aCondition({ index: 1, outcome: 'no_condition_match', properties: [aProperty({ matched: false })] }),
    ],
  });

  test.each([
    ['matches set 2 and is within its 25% rollout', friendly],
    ['matches set 1, but is outside its 25% rollout', out],
    [
      'set 1 matches everyone',
      aTrace({ decided_by: 'condition', conditions: [aCondition({ decided: true })] }),
    ],
    ['does not match the condition set', aTrace({ conditions: [out.conditions[1]!] })],
    ['it has no condition set', aTrace({})],
    ['a local override is set', aTrace({ decided_by: 'override' })],
    ['is in a holdout', aTrace({ decided_by: 'holdout' })],
  ])('%s', (because, trace) => {
    expect(headlineOf(trace, details()).because).toBe(because);
  });

  test('two traces differ from the first different step on', () => {
    const other = {
      ...friendly,
      decided_by: 'none' as const,
      conditions: [friendly.conditions[0]!, out.conditions[0]!],
    };
    other.conditions[1] = { ...other.conditions[1]!, index: 1 };
    expect(partingOf(ladderOf(input(friendly)), ladderOf(input(other)))).toBe('rollout-1');
    expect(partingOf(ladderOf(input(friendly)), ladderOf(input(friendly)))).toBeNull();
  });
});

describe('the checks of a condition set', () => {
  test('have expected value, actual value and source; a missing value is null', () => {
    const lines = checksOf(
      [
        aProperty({ wanted: ['solo', 'studio'] }),
        aProperty({ key: '$geoip_country_code', wanted: 'ES', got: 'ES', source: 'geoip' }),
        aProperty({ key: 'seats', operator: 'gte', wanted: '3', got: null, source: 'none', matched: false }),
        aProperty({
          key: '7',
          type: 'flag',
          operator: 'flag_evaluates_to',
          wanted: true,
          got: true,
          source: 'flag',
        }),
      ],
      names,
    );
    expect(lines.map(({ property, wanted, got, from }) => [property, wanted, got, from])).toEqual([
      ['plan', 'is any of solo, studio', 'studio', 'stored'],
      ['$geoip_country_code', 'is ES', 'ES', 'address'],
      ['seats', 'is at least 3', null, '(none)'],
      ['new-nav', 'evaluates to true', 'true', 'flag'],
    ]);
  });

  test('of a cohort are below it, indented by one', () => {
    const lines = checksOf(
      [
        aProperty({
          type: 'cohort',
          key: 'id',
          operator: 'in',
          wanted: 5,
          got: true,
          source: 'cohort',
          inside: [aProperty({})],
        }),
      ],
      names,
    );
    expect(lines.map(({ wanted, depth }) => [wanted, depth])).toEqual([
      ['is in Our own team', 0],
      ['is any of solo, studio', 1],
    ]);
  });

  test('have a text for any expected and actual value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (wanted, got, operator) => {
        const [line] = checksOf([aProperty({ wanted, got, operator })], names);
        expect([typeof line!.wanted, typeof line!.got]).toEqual(['string', 'string']);
      }),
    );
  });
});
