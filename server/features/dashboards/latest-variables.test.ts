import fc from 'fast-check';
import { expect, test } from 'vitest';
import { latestVariables } from './latest-variables.ts';

test('a variable that was created again is found by its code name', () => {
  const variables = { old: { code_name: 'plan', variableId: 'old', value: 'pro' } };
  expect(latestVariables(variables, [{ id: 'new', codeName: 'plan' }])).toEqual({
    new: { code_name: 'plan', variableId: 'new', value: 'pro' },
  });
});

test('of two entries for a variable the one under its own id is used', () => {
  const variables = { old: { code_name: 'plan', value: 1 }, new: { code_name: 'plan', value: 2 } };
  expect(latestVariables(variables, [{ id: 'new', codeName: 'plan' }])).toEqual({ new: variables.new });
});

test('no entry is lost while no variable has its code name', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (variables) => {
      expect(latestVariables(variables, [{ id: 'id', codeName: 'nobody has this' }])).toEqual(variables);
    }),
  );
});
