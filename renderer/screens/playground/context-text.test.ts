import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FlagContext } from '../../api/flag-explanations.api.ts';
import {
  contextFromQuery,
  contextFromText,
  contextToQuery,
  contextToText,
  countChanges,
  endpointFromText,
  EMPTY_CONTEXT,
  withoutChanges,
  withValue,
} from './context-text.ts';

/** JSON after a round trip: -0 becomes 0. */
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const properties = fc.dictionary(fc.string(), json);
const aContext: fc.Arbitrary<FlagContext> = fc.record({
  distinctId: fc.string(),
  personProperties: properties,
  groups: fc.dictionary(fc.string(), fc.string({ minLength: 1 })),
  groupProperties: fc.dictionary(fc.string(), properties),
  ip: fc.string(),
  anonDistinctId: fc.string(),
  deviceId: fc.string(),
});

describe('a context in the URL', () => {
  test('is read back unchanged, alone and as the context of a comparison', () => {
    fc.assert(
      fc.property(aContext, (context) => {
        const given = Object.entries(contextToQuery(context)).filter(([, text]) => text !== undefined);
        const query = Object.fromEntries(new URLSearchParams(given as [string, string][]));
        expect(contextFromQuery(query)).toEqual(context);
        expect(contextFromText(contextToText(context))).toEqual(context);
      }),
    );
  });

  test('adds nothing to the URL while it is empty', () => {
    expect(Object.values(contextToQuery(EMPTY_CONTEXT)).filter((text) => text !== undefined)).toEqual([]);
  });

  test('arbitrary text yields a valid context', () => {
    expect(
      contextFromQuery({
        id: ['a', 'b'],
        props: '[1]',
        groups: '{"company":7,"team":"t"}',
        group_props: '{"a":1}',
      }),
    ).toEqual({ ...EMPTY_CONTEXT, groups: { team: 't' } });
    expect(contextFromQuery({ props: '{"__proto__":{"plan":"pro"}}' }).personProperties).not.toHaveProperty(
      'plan',
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), (query) => void contextFromQuery(query)),
    );
    fc.assert(fc.property(fc.anything(), (anything) => void contextFromText(anything)));
    expect(endpointFromText('decide3').path).toBe('/decide/?v=3');
    expect(endpointFromText('decide9').path).toBe('/flags/?v=2');
  });
});

describe('edited values', () => {
  const context: FlagContext = {
    ...EMPTY_CONTEXT,
    distinctId: 'u_1',
    personProperties: { country: 'Germany', seats: 3 },
    groups: { company: 'w_1' },
    groupProperties: { company: { plan: 'pro' } },
    ip: '203.0.113.24',
  };

  test('are counted, of the person, of groups, and the IP address', () => {
    expect(countChanges(context)).toBe(4);
    expect(countChanges(withoutChanges(context))).toBe(0);
    expect(withoutChanges(context).groups).toEqual({ company: 'w_1' });
  });

  test('replace a value in place, or remove it', () => {
    expect(Object.entries(withValue({ a: 1, b: 2 }, 'a', 3))).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
    expect(withValue({ a: 1, b: 2 }, 'b', undefined)).toEqual({ a: 1 });
    expect(Object.keys(withValue<number>({}, '__proto__', 1))).toEqual(['__proto__']);
  });
});
