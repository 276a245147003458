import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { spanEnd, spanStart } from './time-bounds.ts';

const NOW = Date.UTC(2026, 10, 20, 9, 30);
const iso = (ms: number) => new Date(ms).toISOString();

describe('a span of time', () => {
  test('of days starts and ends with them in the time zone', () => {
    expect(iso(spanStart('2026-11-20', 'Europe/Berlin', NOW))).toBe('2026-11-19T23:00:00.000Z');
    expect(iso(spanEnd('2026-11-20', 'Europe/Berlin', NOW))).toBe('2026-11-20T23:00:00.000Z');
  });

  test('of times includes both of them', () => {
    expect(iso(spanStart('2026-11-20T08:00:00.000000Z', 'UTC', NOW))).toBe('2026-11-20T08:00:00.000Z');
    expect(iso(spanEnd('2026-11-20T08:00:00.000000Z', 'UTC', NOW))).toBe('2026-11-20T08:00:00.001Z');
    expect(iso(spanStart('-1d', 'UTC', NOW))).toBe('2026-11-19T09:30:00.000Z');
  });

  test('that starts before the calendar is cut to its start', () => {
    fc.assert(
      fc.property(fc.nat(999_999), fc.constantFrom(...'sMhdwmqy'), (count, unit) => {
        const start = spanStart(`-${count}${unit}`, 'UTC', NOW);
        expect(start).toBeGreaterThanOrEqual(Date.parse('0001-01-01T00:00:00Z'));
        expect(start).toBeLessThanOrEqual(NOW);
      }),
    );
  });
});
