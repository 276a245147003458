import { expect, test } from 'vitest';
import { momentsOf } from './span-moments.ts';

const NOW = Date.parse('2026-11-19T13:32:00Z');
const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());
const shown = (from: string, to: string | null = null, zone = 'UTC') => {
  const moments = momentsOf({ from, to }, zone, NOW);
  return [iso(moments.from), iso(moments.to)];
};

test('a relative beginning is as long before now as it says, by the clocks of the zone', () => {
  expect(shown('-24h')).toEqual(['2026-11-18T13:32:00.000Z', null]);
  expect(shown('-30d', null, 'Europe/Berlin')).toEqual(['2026-10-20T12:32:00.000Z', null]);
  expect(shown('-1m')).toEqual(['2026-10-19T13:32:00.000Z', null]);
  expect(shown('all')).toEqual([null, null]);
});

test('an edge is where its unit begins or ends', () => {
  expect(shown('dStart', null, 'Europe/Berlin')).toEqual(['2026-11-18T23:00:00.000Z', null]);
  expect(shown('-1dStart', '-1dEnd')).toEqual(['2026-11-18T00:00:00.000Z', '2026-11-19T00:00:00.000Z']);
  expect(shown('-1mStart', '-1mEnd')).toEqual(['2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z']);
  expect(shown('yStart')).toEqual(['2026-01-01T00:00:00.000Z', null]);
  expect(shown('qStart')).toEqual(['2026-10-01T00:00:00.000Z', null]);
  expect(shown('wStart')).toEqual(['2026-11-16T00:00:00.000Z', null]);
});

test('a last day is in the span, to its end', () => {
  expect(shown('2026-11-01', '2026-11-15')).toEqual(['2026-11-01T00:00:00.000Z', '2026-11-16T00:00:00.000Z']);
  expect(shown('2026-11-01', '2026-11-15T23:59:59.999')).toEqual([
    '2026-11-01T00:00:00.000Z',
    '2026-11-16T00:00:00.000Z',
  ]);
});

test('a moment is that of the zone, unless it names one', () => {
  expect(shown('2026-11-01 10:00', '2026-11-01T12:00:00Z', 'Europe/Berlin')).toEqual([
    '2026-11-01T09:00:00.000Z',
    '2026-11-01T12:00:00.000Z',
  ]);
});

test('a text that is no date leaves its side open', () => {
  expect(shown('soon', 'later')).toEqual([null, null]);
});
