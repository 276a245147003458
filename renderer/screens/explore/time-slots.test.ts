import { expect, test } from 'vitest';
import { emptySlots, momentLabel, slotAt, slotExpression, slotLabels } from './time-slots.ts';

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);

test('thirty days are slots of six hours that begin where clocks show round times', () => {
  const slots = emptySlots(at('2026-10-20T13:32:00Z'), at('2026-11-19T13:32:00Z'), HOUR);
  expect(slots).toEqual({
    from: at('2026-10-20T11:00:00Z'),
    to: at('2026-10-20T11:00:00Z') + 121 * 6 * HOUR,
    step: 6 * HOUR,
    count: 121,
  });
});

test.each([
  ['a moment', 0],
  ['an hour', HOUR],
  ['a year', 365 * 24 * HOUR],
  ['a thousand years', 365_250 * 24 * HOUR],
])('the slots of %s are at most 126 and cover it', (_, length) => {
  const from = at('2026-01-01T00:00:00Z');
  const slots = emptySlots(from, from + length, 0);
  expect(slots.count).toBeLessThanOrEqual(126);
  expect(slots.from).toBeLessThanOrEqual(from);
  expect(slots.to).toBeGreaterThanOrEqual(from + length);
});

test('a slot is numbered by whole seconds', () => {
  expect(slotExpression({ from: 1_000_500, step: 60_000 })).toBe(
    'intDiv(toUnixTimestamp(timestamp) - 1000, 60)',
  );
});

test('a moment outside is in the first or the last slot', () => {
  const slots = { from: 0, to: 30, step: 10, counts: [1, 2, 3] };
  expect([-5, 0, 19, 99].map((moment) => slotAt(slots, moment))).toEqual([0, 0, 1, 2]);
});

test('labels say times within two days, days beyond', () => {
  const now = at('2026-11-19T13:32:00Z');
  const counts = Array.from({ length: 24 }, () => 0);
  const day = { from: now - 24 * HOUR, to: now, step: HOUR, counts };
  expect(slotLabels(day, 6, now).map(({ at: place }) => place)).toEqual([
    0,
    4 / 24,
    8 / 24,
    12 / 24,
    16 / 24,
    20 / 24,
  ]);
  expect(slotLabels(day, 6, now)[0]!.text).toMatch(/^\d\d:\d\d$/);
  expect(slotLabels({ ...day, to: now + 96 * HOUR, step: 5 * HOUR }, 6, now)[0]!.text).toBe('18 Nov');
  expect(momentLabel(at('2026-11-13T00:00:00'), { step: 24 * HOUR }, now)).toBe('13 Nov');
});
