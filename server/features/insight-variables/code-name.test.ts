import { expect, test } from 'vitest';
import { codeNameOf } from './code-name.ts';

test.each([
  ['Country', 'country'],
  ['Start date', 'start_date'],
  ['Price (in €)', 'price_in'],
  ['snake_case', 'snake_case'],
  ['Größe 2', 'größe_2'],
  ['!?', ''],
])('%s is known to SQL as %s', (name, code) => {
  expect(codeNameOf(name)).toBe(code);
});
