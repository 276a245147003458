import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type {
  FeatureFlagJson as FeatureFlag,
  FlagFilters,
} from '../../../server/features/feature-flags/feature-flags.contract.ts';
import { problemOfPayload, problemsOf, suggestKey } from './flag-checks.ts';
import {
  changeOf,
  countChanges,
  draftOf,
  emptyDraft,
  filtersOf,
  newFlagOf,
  type FlagDraft,
} from './flag-draft.ts';

let ids = 0;
const newId = () => String((ids += 1));

/** A stored flag, as far as editing reads it. */
const aFlag = (filters: FlagFilters) =>
  ({
    key: 'reminder-tone',
    name: 'Wording of the reminder',
    active: true,
    filters,
    tags: ['billing'],
    ensure_experience_continuity: false,
    evaluation_runtime: 'all',
    bucketing_identifier: null,
    is_remote_configuration: false,
  }) as FeatureFlag;

/** As they were read: what JSON cannot say, such as -0, is in none. */
const someFilters: fc.Arbitrary<FlagFilters> = fc
  .record({
    groups: fc.array(
      fc.record({
        properties: fc.array(
          fc.record({
            type: fc.constant('person' as const),
            key: fc.string(),
            operator: fc.constant('exact'),
            value: fc.string(),
          }),
          { maxLength: 2 },
        ),
        rollout_percentage: fc.integer({ min: 0, max: 100 }),
        variant: fc.constantFrom(null, 'a'),
        unknown_to_us: fc.jsonValue({ maxDepth: 1 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    holdout: fc.constantFrom(null, { id: 4, exclusion_percentage: 10 }),
    aggregation_group_type_index: fc.constantFrom(null, 0, 1),
    payloads: fc.constantFrom({}, { a: '{"x":1}' }),
  })
  .map((filters) => ({
    ...(JSON.parse(JSON.stringify(filters)) as typeof filters),
    multivariate: {
      variants: [
        { key: 'a', name: '', rollout_percentage: 60 },
        { key: 'b', name: 'B', rollout_percentage: 40 },
      ],
    },
  }));

describe('a flag draft', () => {
  test('is written as it was read, with unknown fields kept', () => {
    fc.assert(
      fc.property(someFilters, (filters) => {
        const draft = draftOf(aFlag(filters), newId);
        expect(filtersOf(draft)).toEqual(filters);
        expect(changeOf(draft, structuredClone(draft))).toEqual({});
        expect(countChanges(draft, structuredClone(draft))).toBe(0);
      }),
    );
  });

  test('sends only changed fields', () => {
    const saved = draftOf(aFlag({ groups: [{ properties: [], rollout_percentage: 25 }] }), newId);
    const draft: FlagDraft = { ...structuredClone(saved), active: false };
    expect(changeOf(saved, draft)).toEqual({ active: false });
    draft.sets[0]!.rollout = 40;
    draft.payload = '"hello"';
    expect(Object.keys(changeOf(saved, draft))).toEqual(['active', 'filters']);
    expect(countChanges(saved, draft)).toBe(3);
  });

  test('of a flag without percentage includes all, and a non-JSON payload becomes JSON', () => {
    const draft = draftOf(aFlag({ groups: [{ properties: [] }], payloads: { true: { a: 1 } } }), newId);
    expect(draft.sets[0]!.rollout).toBe(100);
    expect(JSON.parse(draft.payload)).toEqual({ a: 1 });
  });

  test('changed back to boolean has neither variants nor their payloads', () => {
    const flag = aFlag({
      groups: [{ properties: [], rollout_percentage: 50, variant: 'a' }],
      multivariate: { variants: [{ key: 'a', name: '', rollout_percentage: 100 }] },
      payloads: { a: '1' },
    });
    const draft: FlagDraft = { ...draftOf(flag, newId), answer: 'boolean' };
    expect(filtersOf(draft)).toMatchObject({ multivariate: null, payloads: {} });
    expect(filtersOf(draft).groups[0]?.variant).toBeNull();
  });
});

describe('validation of a flag draft', () => {
  test('a new flag needs a key', () => {
    expect([...problemsOf(emptyDraft(newId)).keys()]).toEqual(['key']);
    expect(newFlagOf({ ...emptyDraft(newId), key: ' a ' }).key).toBe('a');
  });

  test('two variants have two keys, and payloads are JSON', () => {
    const draft = emptyDraft(newId);
    draft.key = 'x';
    draft.answer = 'variants';
    expect([...problemsOf(draft).keys()]).toEqual(['variants']);
    const variant = { key: 'a', name: '', share: 50, payload: '', rest: {} };
    draft.variants = [
      { ...variant, id: '1' },
      { ...variant, id: '2', payload: '{a: 1}' },
    ];
    expect([...problemsOf(draft).keys()]).toEqual(['variant 2', 'payload 2']);
  });

  test.each([
    ['', ''],
    ['  ', ''],
    ['{"a": 1}', ''],
    ['"hello"', ''],
    ['hello', 'Invalid JSON'],
  ])('the payload %j: %s', (text, problem) => {
    expect(problemOfPayload(text).startsWith(problem)).toBe(true);
    if (problem === '') expect(problemOfPayload(text)).toBe('');
  });

  test.each([
    ['Wording of the reminder', 'wording-of-the-reminder'],
    ['  Größe & Maß!  ', 'gro-e-ma'],
    ['Café_2', 'cafe_2'],
    ['…', ''],
  ])('the key that %j suggests is %s', (name, key) => {
    expect(suggestKey(name)).toBe(key);
  });

  test('the key suggested for any text is a valid key or empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(suggestKey(name)).toMatch(/^[\w-]{0,60}$/);
      }),
    );
  });
});
