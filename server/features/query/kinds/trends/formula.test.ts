import { expect, test } from 'vitest';
import { HogqlError } from '../../../../hogql/errors.ts';
import { compileFormula } from './formula.ts';

const of = (formula: string, ...numbers: number[]): number =>
  compileFormula(formula, numbers.length)((series) => numbers[series]!, 0);

test.each<[formula: string, value: number]>([
  ['A + 2 * B', 16],
  ['A**2', 36],
  ['2 ** 3 ** 2', 512],
  ['-A ** 2', -36],
  ['2 ** -1', 0.5],
  ['(A + B) / 2', 5.5],
  ['A / B / 2', 0.6],
  ['A - B - 1', 0],
  ['-A % B', 4],
  ['A % -4', -2],
  ['+A - -B', 11],
  ['a + b', 11],
  ['1.5e1 + .5', 15.5],
  ['greatest(A, B) - least(A, B)', 1],
  ['round(A / B, 1)', 1.2],
  ['A / (B - 5)', 0],
  ['A % 0', 0],
  ['0 ** -1', 0],
  ['sqrt(-A)', 0],
])('A-5 the formula %s', (formula, value) => {
  expect(of(formula, 6, 5)).toBe(value);
});

test.each([
  '',
  'A +',
  'A B',
  '2 A',
  'A + C',
  '(A',
  'A)',
  'A = B',
  "'a'",
  'A.b',
  'sleep(A)',
  'toString(A)',
  'least(A B)',
  '__proto__',
])('A-5 %s is not a formula', (formula) => {
  expect(() => of(formula, 1, 2)).toThrow(HogqlError);
});

test('a formula may not be nested without an end', () => {
  for (const text of ['('.repeat(10_000), '2**'.repeat(10_000), 'abs('.repeat(10_000)]) {
    expect(() => of(text, 1)).toThrow('nested too deeply');
  }
  expect(of(`${'-'.repeat(10_000)}A`, 1)).toBe(1);
});
