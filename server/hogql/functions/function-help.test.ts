import { expect, test } from 'vitest';
import { MACROS } from '../macros.ts';
import { findFunction, FUNCTIONS } from './find-function.ts';
import { helpOf } from './function-help.ts';
import { FUNCTION_LINES } from './function-lines.ts';

test('each help line is for an existing function, once', () => {
  const names = FUNCTION_LINES.trim()
    .split('\n')
    .map((line) => /^\w+/.exec(line)![0]);
  expect(
    names.filter((name) => (findFunction(name) ?? MACROS.get(name.toLowerCase()))?.name !== name),
  ).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('a function has a signature and a sentence', () => {
  expect(helpOf(findFunction('quantile')!)).toEqual({
    name: 'quantile',
    kind: 'aggregate',
    signature: 'quantile(level)(x)',
    help: 'The value below which a share of all lies: quantile(0.9)(x).',
  });
  expect(helpOf(findFunction('row_number')!)).toMatchObject({ kind: 'window', signature: 'row_number()' });
});

test('a function without help has a signature from its number of arguments', () => {
  expect(helpOf(findFunction('atan2')!)).toMatchObject({ signature: 'atan2(x1, x2)', help: '' });
  expect(helpOf(findFunction('sipHash64')!).signature).toBe('sipHash64(x1, [x2], [x3], [x4], …)');
  expect(FUNCTIONS.map(helpOf).filter(({ signature }) => !/^\w+\(.*\)$/.test(signature))).toEqual([]);
});
