import { expect, test } from 'vitest';
import { codeNameOf } from './code-name.ts';

test.each([
  ['Country', 'country'],
  ['Start date', 'start_date'],
  ['Price (in €)', 'price_in'],
  ['snake_case', 'snake_case'],
  ['Größe 2', 'größe_2'],
  ['!?', ''],
])('%s has the code name %s', (name, code) => {
  expect(codeNameOf(name)).toBe(code);
});
