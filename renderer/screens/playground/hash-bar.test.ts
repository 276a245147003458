import { expect, test } from 'vitest';
import { formatBound, formatHash, labelSide } from './hash-bar.ts';

test('a hash has four digits and is never rounded up to 1', () => {
  expect([0, 0.186, 0.99996, 1].map(formatHash)).toEqual(['0.0000', '0.1860', '0.9999', '1.0000']);
});

test('a bound has all of its digits', () => {
  expect([0, 0.25, 0.1 + 0.2, 1].map(formatBound)).toEqual(['0', '0.25', '0.3', '1']);
});

test('a label near an end does not leave the bar', () => {
  expect([0, 0.5, 1].map(labelSide)).toEqual(['start', 'middle', 'end']);
});
