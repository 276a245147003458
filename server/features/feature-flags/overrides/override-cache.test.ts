import { expect, test } from 'vitest';
import type { Override } from './flag-override.ts';
import { overriddenAnswer } from './flag-override.ts';
import { createOverrideCache } from './flag-overrides.service.ts';

const override = (more: Partial<Override>): Override => ({
  id: '019aa0a5-0000-7000-8000-000000000001',
  projectId: 1,
  flagKey: 'editor',
  distinctId: null,
  value: true,
  payload: null,
  expiresAt: null,
  ...more,
});

test('an override of a distinct id comes before one for all users, and an expired one is ignored', () => {
  let now = 10;
  const book = createOverrideCache(() => now);
  const everyone = override({ expiresAt: 30 });
  const own = override({ distinctId: 'ada', value: false, expiresAt: 20 });
  book.replaceAll([own, everyone]);
  expect([book.find(1, 'editor', 'ada'), book.find(1, 'editor', 'ben')]).toEqual([own, everyone]);
  expect([book.count(1, 'editor'), book.hasAny(1), book.hasAny(2)]).toEqual([2, true, false]);
  now = 20;
  expect(book.find(1, 'editor', 'ada')).toEqual(everyone);
  now = 30;
  expect([book.find(1, 'editor', 'ada'), book.count(1, 'editor')]).toEqual([null, 0]);
});

test('no override is found for other flags and projects, nor for names of Object.prototype', () => {
  const book = createOverrideCache(() => 10);
  book.replaceAll([override({ distinctId: 'ada' })]);
  for (const [project, key, id] of [
    [2, 'editor', 'ada'],
    [1, 'other', 'ada'],
    [1, '__proto__', 'ada'],
    [1, 'editor', 'constructor'],
  ] as const) {
    expect(book.find(project, key, id)).toBeNull();
  }
});

test('the result has the payload of the override, else that of the flag with this value', () => {
  const flag = {
    key: 'editor',
    filters: {
      multivariate: { variants: [{ key: 'friendly' }] },
      payloads: { friendly: '{"a":1}', true: { b: 2 } },
    },
  };
  const answer = (more: Partial<Override>) => overriddenAnswer(flag, override(more));
  expect(answer({ value: 'friendly' })).toMatchObject({ variant: 'friendly', payload: '{"a":1}' });
  expect(answer({ value: 'friendly', payload: '7' })).toMatchObject({ payload: '7' });
  expect(answer({ value: true })).toMatchObject({ value: true, variant: null, payload: '{"b":2}' });
  expect(answer({ value: false })).toMatchObject({
    value: false,
    payload: null,
    reason: { code: 'no_condition_match', description: 'Overridden on this machine for everyone' },
  });
  expect(answer({ value: 'formal' })).toBeNull();
});
