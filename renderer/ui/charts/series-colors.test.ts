import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COLORS, colorSlots } from './series-colors.ts';

const texts = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 12 });

describe('colors of values', () => {
  test('do not depend on rank: the same values in another order have the same colors', () => {
    fc.assert(
      fc.property(texts, (values) => {
        const slots = colorSlots(values);
        const turned = colorSlots(values.toReversed()).toReversed();
        expect(turned).toEqual(slots);
      }),
    );
  });

  test('are distinct within a chart as long as there are enough', () => {
    fc.assert(
      fc.property(texts, (values) => {
        const distinct = new Set(colorSlots(values)).size;
        expect(distinct).toBe(Math.min(COLORS, values.length));
      }),
    );
  });

  test('are the same in every chart for values that prefer different colors', () => {
    const [free] = colorSlots(['Free']);
    const others = ['Solo', 'Studio', 'Team', 'Trial'].filter((name) => colorSlots([name])[0] !== free);
    expect(others.length).toBeGreaterThan(0);
    for (const name of others) expect(colorSlots([name, 'Free'])[1]).toBe(free);
  });

  test('of a repeated text are one', () => {
    const [first, , third] = colorSlots(['Norway', 'Chile', 'Norway']);
    expect(first).toBe(third);
  });
});
