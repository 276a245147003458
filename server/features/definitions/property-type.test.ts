import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kindOfValue } from '../../lib/value-kind.ts';
import { propertyTypeOf, widerType, type PropertyType } from './property-type.ts';

const typeOf = (name: string, value: unknown): PropertyType | null =>
  propertyTypeOf(name, kindOfValue(value));

describe('the type of a value', () => {
  test.each([
    ['city', 'Paris', 'String'],
    ['city', '', 'String'],
    ['zip', '75001', 'String'],
    ['price', 9.5, 'Numeric'],
    ['id', 1_790_000_000, 'Numeric'],
    ['paid', true, 'Boolean'],
    ['paid', 'false', 'Boolean'],
    ['day', '2026-11-20', 'DateTime'],
    ['day', '2026-11-20T09:30:00.000Z', 'DateTime'],
    ['$time', 1_790_000_000.25, 'DateTime'],
    ['timestamp', 1_790_000_000_000, 'DateTime'],
    ['signup_date', 1_790_000_000, 'DateTime'],
    ['created_at', 1_790_000_000, 'DateTime'],
    ['createdAt', 1_790_000_000, 'DateTime'],
    ['created_at', 7, 'Numeric'],
    ['created_attempts', 1_790_000_000, 'Numeric'],
    ['utm_campaign', 5, 'String'],
    ['$initial_utm_content', '2026-11-20', 'String'],
    ['$feature/beta', true, 'String'],
    ['$feature_flag_response', false, 'String'],
    ['$survey_response_2', 5, 'String'],
    ['gone', null, null],
    ['utm_campaign', null, null],
    ['cart', { total: 5 }, null],
    ['tags', ['a'], null],
  ])('of %s: %j is %s', (name, value, type) => {
    expect(typeOf(name, value)).toBe(type);
  });
});

describe('the type after several values', () => {
  const type = fc.constantFrom<PropertyType | null>('String', 'Numeric', 'Boolean', 'DateTime', null);
  const join = (types: readonly (PropertyType | null)[]) => types.reduce(widerType, null);

  test('is the same in any order, and String when they differ', () => {
    fc.assert(
      fc.property(fc.array(type), fc.infiniteStream(fc.nat()), (types, order) => {
        const shuffled = types
          .map((one): [number, PropertyType | null] => [order.next().value, one])
          .sort(([a], [b]) => a - b)
          .map(([, one]) => one);
        const told = new Set(types.filter((one) => one !== null));
        const wanted = told.size === 0 ? null : told.size === 1 ? [...told][0] : 'String';
        expect(join(types)).toBe(wanted);
        expect(join(shuffled)).toBe(wanted);
      }),
    );
  });

  test('never changes back', () => {
    fc.assert(
      fc.property(fc.array(type), fc.array(type), (before, after) => {
        const [early, late] = [join(before), join([...before, ...after])];
        expect(early === null || late === early || late === 'String').toBe(true);
      }),
    );
  });
});
