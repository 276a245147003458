import { describe, expect, test } from 'vitest';
import {
  asked,
  evaluate,
  EVERYBODY,
  flagDefinition,
  flagWith,
  h,
  IDS,
  NOBODY,
  reasonOf,
} from '../../../test/support/flag-subject.ts';
import type { FlagFilters } from '../index.ts';

describe('F-8 the hashed identifier', () => {
  const half: FlagFilters = { groups: [{ rollout_percentage: 50 }] };

  test('F-8 the distinct id', () => {
    for (const distinctId of IDS) {
      expect(evaluate(flagWith(half), { distinctId, anonDistinctId: 'a', deviceId: 'd' }).value).toBe(
        h(`flag.${distinctId}`) <= 0.5,
      );
    }
  });

  test('F-8 with continuity across identification: the stored hash key, else the anonymous id', () => {
    const flag = flagDefinition({ filters: half, ensureExperienceContinuity: true });
    for (const id of IDS) {
      const isIn = h(`flag.${id}`) <= 0.5;
      const anonymous = { anonDistinctId: id };
      expect(evaluate(flag, anonymous).value).toBe(isIn);
      expect(evaluate(flag, { hashKeys: new Map([['flag', id]]), anonDistinctId: 'other' }).value).toBe(isIn);
      expect(evaluate(flag, { hashKeys: new Map([['other', 'x']]), distinctId: id }).value).toBe(isIn);
      expect(evaluate(flagWith(half), anonymous).value).toBe(h('flag.u1') <= 0.5);
    }
  });

  test('F-8 the device, for a flag bucketed by device', () => {
    const flag = flagDefinition({ filters: half, bucketingIdentifier: 'device_id' });
    for (const id of IDS) {
      expect(evaluate(flag, { deviceId: id }).value).toBe(h(`flag.${id}`) <= 0.5);
      expect(evaluate(flag, { person: asked({ $device_id: id }) }).value).toBe(h(`flag.${id}`) <= 0.5);
    }
  });

  test.each([null, ''])('F-8 without a device such a flag is out of its rollout: %j', (deviceId) => {
    const flag = flagDefinition({ bucketingIdentifier: 'device_id' });
    expect(reasonOf(flag, { deviceId })).toEqual(['out_of_rollout_bound', 0]);
  });
});

describe('F-9 the variant of a condition', () => {
  const multivariate = {
    variants: [
      { key: 'a', rollout_percentage: 0 },
      { key: 'b', rollout_percentage: 100 },
    ],
  };

  test('F-9 overrides the hash when the flag has it', () => {
    expect(evaluate(flagWith({ groups: [{ ...EVERYBODY, variant: 'a' }], multivariate })).value).toBe('a');
    expect(evaluate(flagWith({ groups: [{ ...EVERYBODY, variant: 'gone' }], multivariate })).value).toBe('b');
    expect(evaluate(flagWith({ groups: [{ ...EVERYBODY, variant: 'gone' }] })).value).toBe(true);
  });

  test('F-9 a flag without variants is on or off', () => {
    expect(evaluate(flagWith({ groups: [EVERYBODY] }))).toMatchObject({ value: true, variant: null });
  });
});

/** The first twenty of PostHog's public test of consistency: `simple-flag` at 45 %. */
const PUBLISHED = [
  false,
  true,
  true,
  false,
  true,
  false,
  false,
  true,
  false,
  true,
  false,
  true,
  true,
  false,
  true,
  false,
  false,
  false,
  true,
  true,
];

describe('F-10, F-11 the rollout', () => {
  test('F-10 matches the values published by PostHog', () => {
    const flag = flagDefinition({ key: 'simple-flag', filters: { groups: [{ rollout_percentage: 45 }] } });
    const got = PUBLISHED.map((_, n) => evaluate(flag, { distinctId: `distinct_id_${n}` }).value);
    expect(got).toEqual(PUBLISHED);
  });

  test('F-10 hashes UTF-8', () => {
    for (const distinctId of ['é', '😀', '名前', '\u0000', ' ']) {
      const percentage = h(`flag.${distinctId}`) * 100;
      const at = (rollout_percentage: number) =>
        evaluate(flagWith({ groups: [{ rollout_percentage }] }), { distinctId }).value;
      expect(at(percentage + 1e-9)).toBe(true);
      expect(at(percentage - 1e-9)).toBe(false);
    }
  });

  test('F-11 0 includes no ids, 100 includes all, and the bound itself is included', () => {
    for (const distinctId of IDS) {
      const at = (rollout_percentage: number) =>
        evaluate(flagWith({ groups: [{ rollout_percentage }] }), { distinctId }).value;
      expect(at(0)).toBe(false);
      expect(at(100)).toBe(true);
    }
  });
});

describe('F-12 unusual identifiers', () => {
  const zero: FlagFilters = {
    groups: [NOBODY],
    multivariate: {
      variants: [
        { key: 'a', rollout_percentage: 50 },
        { key: 'b', rollout_percentage: 50 },
      ],
    },
  };

  test('F-12 an empty identifier hashes to 0: always included, and in the first variant', () => {
    expect(evaluate(flagWith(zero), { distinctId: '' }).value).toBe('a');
  });

  test.each(['x', '😀', '\ud800'])(
    'F-12 of a long identifier only the first 200 scalars are hashed: %j',
    (scalar) => {
      const filters: FlagFilters = {
        groups: [{ rollout_percentage: h(`flag.${scalar.repeat(200)}`) * 100 + 1e-9 }],
      };
      const below: FlagFilters = {
        groups: [{ rollout_percentage: h(`flag.${scalar.repeat(200)}`) * 100 - 1e-9 }],
      };
      for (const tail of ['', 'y', scalar.repeat(10_000)]) {
        expect(evaluate(flagWith(filters), { distinctId: scalar.repeat(200) + tail }).value).toBe(true);
        expect(evaluate(flagWith(below), { distinctId: scalar.repeat(200) + tail }).value).toBe(false);
      }
    },
  );
});

describe('F-13, F-14 variants by hash', () => {
  const shares = [
    { key: 'a', rollout_percentage: 10 },
    { key: 'b', rollout_percentage: 0 },
    { key: 'c', rollout_percentage: 50 },
  ];
  const flag = flagWith({ groups: [EVERYBODY], multivariate: { variants: shares } });

  test('F-13, F-14 the first variant whose range contains the hash; above the last one the flag is on without a variant', () => {
    const seen = new Set<unknown>();
    for (const distinctId of IDS) {
      const hash = h(`flag.${distinctId}variant`);
      const expected = hash < 0.1 ? 'a' : hash < 0.6 ? 'c' : null;
      const answer = evaluate(flag, { distinctId });
      expect(answer).toMatchObject({ value: expected ?? true, variant: expected });
      seen.add(expected);
    }
    expect(seen).toEqual(new Set(['a', 'c', null]));
  });
});

describe('F-15 payloads', () => {
  const payloads = { true: '{"a": 1}', a: 'not JSON', b: { deep: [1] }, c: null, d: '', e: 0 };

  test.each([
    [undefined, '{"a": 1}'],
    ['a', 'not JSON'],
    ['b', '{"deep":[1]}'],
    ['c', null],
    ['d', null],
    ['e', '0'],
    ['toString', null],
  ])('F-15 of the variant %s: %j', (key, expected) => {
    const multivariate = key === undefined ? null : { variants: [{ key, rollout_percentage: 100 }] };
    expect(evaluate(flagWith({ groups: [EVERYBODY], multivariate, payloads })).payload).toBe(expected);
  });

  test('F-15 a flag that is off has no payload', () => {
    expect(evaluate(flagWith({ groups: [NOBODY], payloads: { true: '1', false: '2' } })).payload).toBeNull();
  });
});
