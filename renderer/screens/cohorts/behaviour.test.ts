import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  behaviourOfLeaf,
  behaviourLabel,
  countsOf,
  leafOfBehaviour,
  timesOf,
  type Behaviour,
} from './behaviour.ts';

const aBehaviour: fc.Arbitrary<Behaviour> = fc.record({
  event: fc.string(),
  count: fc.option(
    fc.record({ operator: fc.constantFrom('gte', 'lte', 'exact'), times: fc.integer({ min: 1, max: 999 }) }),
  ),
  time: fc.record({
    value: fc.integer({ min: 1, max: 9999 }),
    interval: fc.constantFrom('hour', 'day', 'week', 'month'),
  }),
});

describe('a behavioral condition', () => {
  test('is stored and read back unchanged', () => {
    fc.assert(
      fc.property(aBehaviour, (behaviour) => {
        expect(behaviourOfLeaf(leafOfBehaviour(behaviour))).toEqual(behaviour);
      }),
    );
  });

  test('has a label', () => {
    const time = { value: 30, interval: 'day' as const };
    const words = (count: Behaviour['count']) =>
      behaviourLabel(leafOfBehaviour({ event: 'paid', count, time }));
    expect(words({ operator: 'gte', times: 3 })).toEqual({
      field: 'paid',
      relation: 'happened at least 3 times',
      value: 'in the last 30 days',
    });
    expect(words({ operator: 'gte', times: 1 }).relation).toBe('happened at least once');
    expect(words(null).relation).toBe('never happened');
  });

  test('of an unsupported kind has a label and is not editable', () => {
    const leaf = {
      type: 'behavioral' as const,
      key: 'paid',
      value: 'stopped_performing_event',
      time_value: 2,
      time_interval: 'week',
    };
    expect(behaviourOfLeaf(leaf)).toBeNull();
    expect(behaviourLabel(leaf)).toEqual({
      field: 'paid',
      relation: 'stopped happening',
      value: 'in the last 2 weeks',
    });
    const filtered = { ...leafOfBehaviour({ event: 'a', count: null, time: { value: 1, interval: 'day' } }) };
    expect(behaviourOfLeaf({ ...filtered, event_filters: [{ key: 'x' }] })).toBeNull();
  });
});

describe('typed text in a behavioral condition', () => {
  test.each([
    ['45', ['45 day', '45 week', '45 month', '45 hour']],
    ['2 weeks', ['2 week']],
    [' 6h ', ['6 hour']],
    ['1 month', ['1 month']],
    ['0', []],
    ['soon', []],
    ['99999', []],
  ])('“%s” means %j', (text, times) => {
    expect(timesOf(text).map(({ value, interval }) => `${value} ${interval}`)).toEqual(times);
  });

  test('a number is that often, at least, exactly or at most', () => {
    expect(countsOf('3 times')).toEqual([
      { operator: 'gte', times: 3 },
      { operator: 'exact', times: 3 },
      { operator: 'lte', times: 3 },
    ]);
    expect(countsOf('often')).toEqual([]);
  });
});
