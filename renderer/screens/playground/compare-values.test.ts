import { expect, test } from 'vitest';
import type { ConditionTrace, FlagTrace } from '../../../server/conditions/flags/trace.contract.ts';
import type { FlagExplanation } from '../../../server/features/feature-flags/decide/decide.contract.ts';
import { compareText, differentValues } from './compare-values.ts';
import { EMPTY_CONTEXT } from './context-text.ts';
import { expiryOf } from './expiry.ts';
import type { Explained } from './use-explained.ts';

const asks = (type: 'person' | 'group', key: string): ConditionTrace => ({
  index: 0,
  group: type === 'group' ? { type: 'company', key: null } : null,
  properties: [
    {
      key,
      type,
      operator: 'is_set',
      wanted: null,
      got: null,
      source: 'none',
      matched: false,
      note: null,
      inside: [],
    },
  ],
  rollout: null,
  variant_override: null,
  outcome: 'no_condition_match',
  decided: false,
});
const trace: FlagTrace = {
  decided_by: 'none',
  identifier: { kind: 'distinct_id', value: 'u' },
  enrollment: null,
  holdout: null,
  conditions: [asks('person', 'plan'), asks('person', 'seats'), asks('group', 'size')],
  variant: null,
};

function explained(
  properties: Record<string, unknown>,
  context: Partial<Explained['context']> = {},
  groups: FlagExplanation['groups'] = {},
): Explained {
  return {
    context: { ...EMPTY_CONTEXT, distinctId: 'u', ...context },
    explanation: {
      answer: {
        flags: {},
        errorsWhileComputingFlags: false,
        requestId: '0190f0c1-2222-7000-8000-0000000000ff',
        evaluatedAt: 1_795_151_426_641,
      },
      traces: { tone: trace },
      errors: [],
      person: {
        id: 1,
        uuid: '0193f2ac-5b7e-7a10-b3c4-92d1f0a6e8b7',
        name: 'Ana',
        distinct_ids: ['u'],
        properties,
        created_at: '2026-03-04T09:12:33.000Z',
        is_identified: true,
      },
      groups,
      geoip: null,
    },
    before: null,
    raw: { status: 200, text: '{}', milliseconds: 1 },
  };
}

test('of two contexts, only values that flags use and that differ are listed', () => {
  const one = explained({ plan: 'solo', seats: 3, other: 1 });
  const two = explained({ plan: 'studio', seats: 3, other: 2 });
  expect(differentValues(one, two)).toEqual([{ name: 'plan', one: 'solo', other: 'studio' }]);
});

test('an edited value is listed, and so are groups and their properties', () => {
  const one = explained({ seats: 3 }, { personProperties: { seats: 4 } });
  const group = { company: { key: 'w_1', properties: { size: 9 } } };
  const two = explained({ seats: 3 }, { groups: { company: 'w_1' } }, group);
  expect(differentValues(one, two)).toEqual([
    { name: 'seats', one: 4, other: 3 },
    { name: 'company', one: undefined, other: 'w_1' },
    { name: 'company: size', one: undefined, other: 9 },
  ]);
});

test('a comparison is exported as text', () => {
  const why = (value: string, because: string) => ({
    headline: { value, because },
    rungs: [],
    error: null,
    trace: null,
    details: null,
  });
  const text = compareText({
    names: ['Ana', 'Greta'],
    ids: ['u_1', 'u_2'],
    total: 3,
    different: [{ key: 'tone', one: why('friendly', 'passes set 2'), other: why('false', 'passes no set') }],
    values: [{ name: 'plan', one: 'solo', other: undefined }],
  });
  expect(text.split('\n')).toEqual([
    'Ana (u_1) and Greta (u_2)',
    '1 of 3 flags differ.',
    '',
    'tone',
    '  Ana: friendly, passes set 2',
    '  Greta: false, passes no set',
    '',
    'Values that differ',
    '  plan: solo / –',
  ]);
});

test('a local override expires after the chosen time, or never', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  expect(expiryOf('hour', now)).toBe('2026-11-20T13:00:00.000Z');
  expect(expiryOf('week', now)).toBe('2026-11-27T12:00:00.000Z');
  expect(expiryOf('none', now)).toBeNull();
});
