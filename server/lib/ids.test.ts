import { expect, test } from 'vitest';
import { newSecret, newUuid } from './ids.ts';

test('ids created in sequence are distinct, ordered, and of version 7', () => {
  const ids = Array.from({ length: 5_000 }, newUuid);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('a secret starts with its prefix and is unique', () => {
  expect(newSecret('phc_')).toMatch(/^phc_[A-Za-z0-9]{43}$/);
  expect(newSecret('')).not.toBe(newSecret(''));
});
