import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LiveEvent, LiveFilter } from '../../api/live.api.ts';
import { optionsOf, previousDraft, stepOf, takeOption, type FilterDraft } from './filter-steps.ts';
import {
  eventsOf,
  filtersFromText,
  filtersToText,
  matchesFilters,
  needsValue,
  OPERATORS,
  wordsOf,
} from './filters.ts';

const anEvent = (event: string, properties: Record<string, unknown> = {}): LiveEvent => ({
  id: '0193f2ac-5b7e-7a10-b3c4-92d1f0a6e8b7',
  event,
  distinct_id: 'ana@reyes-studio.example',
  timestamp: '2026-11-19T13:32:08.417Z',
  received_at: null,
  properties,
  elements_chain: '',
  lib: 'web',
  lib_version: '1.0.0',
});

const aFilter: fc.Arbitrary<LiveFilter> = fc
  .record({
    field: fc.constantFrom<LiveFilter['field']>('event', 'distinct_id', 'property'),
    key: fc.string({ minLength: 1 }),
    operator: fc.constantFrom(...OPERATORS.map(({ id }) => id)),
    value: fc.string(),
  })
  .map(({ field, key, operator, value }) => ({
    field,
    ...(field === 'property' ? { key } : {}),
    operator,
    ...(needsValue(operator) ? { value } : {}),
  }));

describe('filters in the URL', () => {
  test('are read back unchanged', () => {
    fc.assert(
      fc.property(fc.array(aFilter), (filters) => {
        const search = new URLSearchParams({ filters: filtersToText(filters) ?? '' });
        expect(filtersFromText(new URLSearchParams(String(search)).get('filters'))).toEqual(filters);
      }),
    );
  });

  test('are left out of the URL when there are none', () => {
    expect(filtersToText([])).toBeUndefined();
  });

  test('arbitrary text yields only valid filters', () => {
    expect(
      filtersFromText('[{"field":"event","operator":"exact","value":"a"},7,null,{"field":"x"}]'),
    ).toHaveLength(1);
    expect(filtersFromText('[{"field":"property","operator":"is_set"}]')).toEqual([]);
    expect(filtersFromText('[{"field":"event","operator":"exact"}]')).toEqual([]);
    fc.assert(fc.property(fc.anything(), (anything) => void filtersFromText(anything)));
    fc.assert(fc.property(fc.json(), (json) => void filtersFromText(json)));
  });
});

describe('filtering stored events', () => {
  const event = anEvent('invoice sent', { amount: 480, plan: 'Pro', gone: null, tags: ['a'] });
  const passes = (filter: LiveFilter) => matchesFilters(event, [filter]);

  test('by name and person', () => {
    expect(passes({ field: 'event', operator: 'exact', value: 'invoice sent' })).toBe(true);
    expect(passes({ field: 'event', operator: 'is_not', value: 'invoice sent' })).toBe(false);
    expect(passes({ field: 'distinct_id', operator: 'icontains', value: 'REYES' })).toBe(true);
  });

  test('by property: numbers and lists by their text, a missing property is not set', () => {
    expect(passes({ field: 'property', key: 'amount', operator: 'exact', value: '480' })).toBe(true);
    expect(passes({ field: 'property', key: 'tags', operator: 'icontains', value: '"a"' })).toBe(true);
    expect(passes({ field: 'property', key: 'gone', operator: 'is_set' })).toBe(false);
    expect(passes({ field: 'property', key: 'nowhere', operator: 'is_not_set' })).toBe(true);
    expect(passes({ field: 'property', key: 'nowhere', operator: 'is_not', value: 'x' })).toBe(true);
  });

  test('all filters must match', () => {
    const both: LiveFilter[] = [
      { field: 'event', operator: 'exact', value: 'invoice sent' },
      { field: 'property', key: 'plan', operator: 'exact', value: 'Free' },
    ];
    expect(matchesFilters(event, both)).toBe(false);
    expect(matchesFilters(event, [])).toBe(true);
  });
});

describe('building a filter step by step', () => {
  const events = [
    anEvent('a', { plan: 'Pro', $lib: 'web' }),
    anEvent('a', { plan: 'Pro' }),
    anEvent('b', { plan: 'Free' }),
  ];
  const labels = (draft: FilterDraft, typed = '') =>
    optionsOf(draft, typed, events).map(({ label }) => label);

  function choose(draft: FilterDraft, label: string, typed = '') {
    return takeOption(
      draft,
      optionsOf(draft, typed, events).find((option) => option.label === label)!,
    );
  }

  test('field: event, distinct id, and the properties on screen, the frequent ones first', () => {
    expect(labels({})).toEqual(['Event', 'Distinct ID', 'plan', '$lib']);
    expect(labels({}, 'pl')).toEqual(['plan']);
    expect(labels({}, 'brand_new')).toEqual(['brand_new']);
  });

  test('relation: an event always has a name, so “is set” is offered for properties only', () => {
    expect(labels({ field: 'event' })).toEqual(['is', 'is not', 'contains']);
    expect(labels({ field: 'property', key: 'plan' })).toEqual([
      'is',
      'is not',
      'contains',
      'is set',
      'is not set',
    ]);
  });

  test('value: those on screen, preceded by the typed text', () => {
    const draft: FilterDraft = { field: 'property', key: 'plan', operator: 'exact' };
    expect(labels(draft)).toEqual(['Pro', 'Free']);
    expect(labels(draft, 'Pr')).toEqual(['Pr', 'Pro']);
    expect(labels(draft, 'Pro')).toEqual(['Pro']);
  });

  test('three choices complete a filter, two when no value is needed', () => {
    const first = choose({}, 'plan');
    expect(first).toEqual({ draft: { field: 'property', key: 'plan', operator: undefined } });
    expect(choose({ field: 'property', key: 'plan' }, 'is set')).toEqual({
      done: { field: 'property', key: 'plan', operator: 'is_set' },
    });
    expect(choose({ field: 'event', operator: 'is_not' }, 'b')).toEqual({
      done: { field: 'event', operator: 'is_not', value: 'b' },
    });
  });

  test('each step can be undone', () => {
    const draft: FilterDraft = { field: 'property', key: 'plan', operator: 'exact' };
    expect(stepOf(draft)).toBe('value');
    expect(stepOf(previousDraft(draft))).toBe('operator');
    expect(stepOf(previousDraft(previousDraft(draft)))).toBe('field');
  });
});

test('a filter has a label', () => {
  expect(wordsOf({ field: 'event', operator: 'is_not', value: '$autocapture' })).toEqual({
    field: 'Event',
    operator: 'is not',
    value: '$autocapture',
  });
  expect(wordsOf({ field: 'property', key: 'plan', operator: 'is_set' })).toEqual({
    field: 'plan',
    operator: 'is set',
    value: undefined,
  });
});

test('filters are those of Explore too: one name as its event, the rest as conditions', () => {
  expect(
    eventsOf([
      { field: 'event', operator: 'exact', value: 'invoice paid' },
      { field: 'property', key: 'plan', operator: 'exact', value: 'pro' },
      { field: 'property', key: 'note', operator: 'is_set' },
      { field: 'distinct_id', operator: 'icontains', value: "50% o'lin" },
    ]),
  ).toEqual({
    events: ['invoice paid'],
    properties: [
      { type: 'event', key: 'plan', operator: 'exact', value: ['pro'] },
      { type: 'event', key: 'note', operator: 'is_set' },
    ],
    where: ["distinct_id ILIKE '%50\\\\% o\\'lin%'"],
  });
});
