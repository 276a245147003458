import { describe, expect, test } from 'vitest';
import type {
  FlagDetails,
  FlagExplanation,
} from '../../../server/features/feature-flags/decide/decide.contract.ts';
import { compareFlags, filterRows, flagRows, leftOut } from './flag-rows.ts';

/** An explanation in which these flags have these values; `null`: computed and not in the answer. */
function anExplanation(values: Record<string, boolean | string | null>, errors: Record<string, string> = {}) {
  const detailsOf = (key: string, value: boolean | string): FlagDetails => ({
    key,
    enabled: value !== false,
    variant: typeof value === 'string' ? value : null,
    reason: { code: 'condition_match', condition_index: 0, description: null },
    metadata: { id: 1, version: 1, description: null, payload: null, has_experiment: false },
  });
  const answered = Object.entries(values).filter(
    (entry): entry is [string, boolean | string] => entry[1] !== null,
  );
  const trace = {
    decided_by: 'none' as const,
    identifier: { kind: 'distinct_id' as const, value: 'u' },
    enrollment: null,
    holdout: null,
    conditions: [],
    variant: null,
  };
  const explanation: FlagExplanation = {
    answer: {
      flags: Object.fromEntries(answered.map(([key, value]) => [key, detailsOf(key, value)])),
      errorsWhileComputingFlags: Object.keys(errors).length > 0,
      requestId: '0190f0c1-2222-7000-8000-0000000000ff',
      evaluatedAt: 1_795_151_426_641,
    },
    traces: Object.fromEntries(Object.keys(values).map((key) => [key, trace])),
    errors: Object.entries(errors).map(([key, cause]) => ({ key, cause })),
    person: null,
    groups: {},
    geoip: null,
  };
  return explanation;
}

describe('the flags of a response', () => {
  const now = anExplanation(
    { beta: true, tone: 'friendly', 'flag-10': false, 'flag-9': null, ['__proto__']: true },
    { circle: 'depends on itself' },
  );

  test('include all flags by name, also those that are off or could not be evaluated', () => {
    expect(flagRows(now, null).map(({ key, value }) => [key, value])).toEqual([
      ['__proto__', true],
      ['beta', true],
      ['circle', null],
      ['flag-9', null],
      ['flag-10', false],
      ['tone', 'friendly'],
    ]);
    expect(flagRows(now, null).find(({ key }) => key === 'circle')?.error).toBe('depends on itself');
  });

  test('show their value for stored properties, where it differs', () => {
    const before = anExplanation({ beta: false, tone: 'friendly', 'flag-10': false, 'flag-9': null });
    const rows = flagRows(now, before);
    expect(rows.filter((row) => 'was' in row).map(({ key, was }) => [key, was])).toEqual([
      ['__proto__', null],
      ['beta', false],
    ]);
    expect(filterRows(rows, '', 'changed').map(({ key }) => key)).toEqual(['__proto__', 'beta']);
  });

  test('are searched by name and filtered by value', () => {
    const rows = flagRows(now, null);
    expect(filterRows(rows, ' FLAG', 'all').map(({ key }) => key)).toEqual(['flag-9', 'flag-10']);
    expect(filterRows(rows, '', 'on').map(({ key }) => key)).toEqual(['__proto__', 'beta', 'tone']);
    expect(filterRows(rows, '', 'off').map(({ key }) => key)).toEqual(['circle', 'flag-9', 'flag-10']);
  });

  test('of two contexts are grouped: those that differ, and the same', () => {
    const { different, same } = compareFlags(
      anExplanation({ a: true, b: 'x', c: null }),
      anExplanation({ a: true, b: false }),
    );
    expect(different).toEqual([{ key: 'b', one: 'x', other: false }]);
    expect(same.map(({ key }) => key)).toEqual(['a', 'c']);
  });
});

describe('flags that a response leaves out', () => {
  const explanation = anExplanation({ browser: true, server: 'a', off: false });

  test.each([
    ['details of all', '{"flags":{"browser":{},"off":{}}}', ['server']],
    ['values of all', '{"featureFlags":{"browser":true},"featureFlagPayloads":{}}', ['server', 'off']],
    ['names of those that are on', '{"featureFlags":["browser"]}', []],
    ['values of those that are on', '{"featureFlags":{"browser":true}}', []],
    ['a refusal', '{"type":"authentication_error"}', []],
    ['no JSON at all', 'Bad gateway', []],
    ['null', 'null', []],
  ])('are listed for %s', (_, text, keys) => {
    expect(leftOut(explanation, text)).toEqual(keys);
  });
});
