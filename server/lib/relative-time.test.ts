import { expect, test } from 'vitest';
import { parseRelativeTime } from './relative-time.ts';

const now = Date.parse('2026-03-31T10:20:30.400Z');

test.each([
  ['-24h', '2026-03-30T10:20:30.400Z'],
  ['-7d', '2026-03-24T10:20:30.400Z'],
  ['-2w', '2026-03-17T10:20:30.400Z'],
  ['-90s', '2026-03-31T10:19:00.400Z'],
  ['-5M', '2026-03-31T10:15:30.400Z'],
  ['-1m', '2026-02-28T10:20:30.400Z'],
  ['-1q', '2025-12-31T10:20:30.400Z'],
  ['-2y', '2024-03-31T10:20:30.400Z'],
  ['-0d', '2026-03-31T10:20:30.400Z'],
])('%s is %s', (text, expected) => {
  expect(new Date(parseRelativeTime(text, now)!).toISOString()).toBe(expected);
});

test.each(['', '7d', '-7', '-d', '-7 d', '-7x', '-1.5h', '2026-03-31', 'yesterday', '-999999y'])(
  '%j is not a relative time',
  (text) => {
    expect(parseRelativeTime(text, now)).toBe(null);
  },
);
