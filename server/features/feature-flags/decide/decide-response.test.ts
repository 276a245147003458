import { describe, expect, test } from 'vitest';
import { decideResponse } from './decide-response.ts';
import type { AnswerShape } from './decide-version.ts';
import { NO_FLAGS, type Evaluation, type FlagResult } from './evaluation.ts';

const FRAME = {
  config: null,
  requestId: '0190f0c1-2222-7000-8000-0000000000ff',
  evaluatedAt: 1_795_151_426_641,
};
const MATCHED = { code: 'condition_match', conditionIndex: 0, description: 'Matched condition set 1' };
const UNMATCHED = { code: 'no_condition_match', conditionIndex: 0, description: 'No matching condition set' };
const DISABLED = { code: 'flag_disabled', conditionIndex: null, description: 'Feature flag is disabled' };

function flag(key: string, fields: Partial<FlagResult>): FlagResult {
  return {
    id: 7,
    key,
    version: 2,
    description: null,
    active: true,
    enabled: true,
    variant: null,
    payload: null,
    hasExperiment: false,
    reason: MATCHED,
    ...fields,
  };
}

const EVALUATION: Evaluation = {
  flags: [
    flag('on', { payload: '{"a": 1}' }),
    flag('multi', { variant: 'test', payload: '"hello"', hasExperiment: true, description: 'Button colour' }),
    flag('off', { enabled: false, reason: UNMATCHED }),
    flag('inactive', { enabled: false, active: false, reason: DISABLED }),
    flag('__proto__', { variant: 'odd' }),
  ],
  errors: [{ key: 'broken', cause: 'Unknown cohort 7.' }],
  quotaLimited: false,
  subject: null,
};

function answer(shape: AnswerShape, evaluation = EVALUATION): Record<string, unknown> {
  return JSON.parse(decideResponse(shape, evaluation, FRAME)) as Record<string, unknown>;
}
const STAMP = { requestId: FRAME.requestId, evaluatedAt: FRAME.evaluatedAt };

describe('the flags response', () => {
  test('7.3/1 v1 names the flags that are on', () => {
    expect(answer(1)).toEqual({ featureFlags: ['on', 'multi', '__proto__'], ...STAMP });
  });

  test('7.3/2 v2 has the values of the flags that are on', () => {
    expect(answer(2)).toEqual({
      featureFlags: { on: true, multi: 'test', ['__proto__']: 'odd' },
      ...STAMP,
    });
  });

  test('7.3/3, 7.4 v3 has the value of every flag, inactive ones too, and payloads as text', () => {
    expect(answer(3)).toEqual({
      featureFlags: { on: true, multi: 'test', off: false, inactive: false, ['__proto__']: 'odd' },
      featureFlagPayloads: { on: '{"a": 1}', multi: '"hello"' },
      errorsWhileComputingFlags: true,
      ...STAMP,
    });
  });

  test('the legacy response of /flags is that of v3 without inactive flags', () => {
    const { featureFlags } = answer('legacy');
    expect(featureFlags).toEqual({ on: true, multi: 'test', off: false, ['__proto__']: 'odd' });
  });

  test('7.3/4, 8.2 v4 has the details of each active flag', () => {
    const { flags, ...rest } = answer(4) as { flags: Record<string, unknown> };
    expect(rest).toEqual({ errorsWhileComputingFlags: true, ...STAMP });
    expect(Object.keys(flags)).toEqual(['on', 'multi', 'off', '__proto__']);
    expect(flags['multi']).toEqual({
      key: 'multi',
      enabled: true,
      variant: 'test',
      reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
      metadata: { id: 7, version: 2, description: 'Button colour', payload: '"hello"', has_experiment: true },
    });
    expect(flags['off']).toEqual({
      key: 'off',
      enabled: false,
      variant: null,
      reason: { code: 'no_condition_match', condition_index: 0, description: 'No matching condition set' },
      metadata: { id: 7, version: 2, description: null, payload: null, has_experiment: false },
    });
  });

  test('the configuration comes before the flags', () => {
    const config = JSON.stringify({ config: { enable_collect_everything: true }, siteApps: [] });
    const text = decideResponse(3, NO_FLAGS, { ...FRAME, config });
    expect(JSON.parse(text)).toEqual({
      config: { enable_collect_everything: true },
      siteApps: [],
      featureFlags: {},
      featureFlagPayloads: {},
      errorsWhileComputingFlags: false,
      ...STAMP,
    });
  });

  test('7.4 a payload is delivered only with a flag that matched', () => {
    const evaluation = { ...EVALUATION, flags: [flag('off', { enabled: false, payload: '1' })] };
    expect(answer(3, evaluation)).toMatchObject({ featureFlags: { off: false }, featureFlagPayloads: {} });
  });

  test('7.9 over quota it has no flags and names the quota', () => {
    const limited = { ...NO_FLAGS, quotaLimited: true };
    for (const shape of [1, 2, 3, 4, 'legacy'] as const) {
      expect(answer(shape, limited)).toMatchObject({ quotaLimited: ['feature_flags'] });
    }
    expect(answer(4)).not.toHaveProperty('quotaLimited');
  });
});
