import { describe, expect, test } from 'vitest';
import { findFunction, nearestFunctions, refusal } from './find-function.ts';

describe('functions are found by name', () => {
  test('in any case, and with combinators of aggregates', () => {
    expect(findFunction('COUNT')?.name).toBe('count');
    expect(findFunction('tostartofday')?.name).toBe('toStartOfDay');
    expect(findFunction('sumIf')).toMatchObject({ name: 'sumIf', minArgs: 2, maxArgs: 2, aggregate: true });
    expect(findFunction('uniqArrayIf')).toMatchObject({ minArgs: 2, aggregate: true });
  });

  test('not by names of Object.prototype, and not with combinators of other functions', () => {
    for (const name of ['constructor', '__proto__', 'toString ', '', 'lowerIf', 'read_csv', 'getenv']) {
      expect(findFunction(name)).toBeNull();
    }
  });

  test('an unknown one has suggestions', () => {
    expect(nearestFunctions('toStartOfDya')[0]).toBe('toStartOfDay');
    expect(nearestFunctions('cuontIf')[0]).toBe('countIf');
    expect(nearestFunctions('x'.repeat(5000))).toEqual([]);
  });

  test('combinators of unfinished aggregates are refused by name', () => {
    expect(refusal('sumState')).toContain('-State');
    expect(refusal('uniqMerge')).toContain('-Merge');
    expect(refusal('nonsense')).toBeNull();
  });
});
