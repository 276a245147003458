import { expect, test } from 'vitest';
import { takeReading, type Readings } from './retention-clock.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function readAll(times: readonly number[]): Readings {
  return times.reduce<Readings>(takeReading, { trusted: 0, jumpedTo: null });
}

test('time advances with the clock', () => {
  expect(readAll([HOUR, DAY, 2 * DAY, 4 * DAY])).toEqual({ trusted: 4 * DAY, jumpedTo: null });
});

test('a clock that jumps back changes no time', () => {
  expect(readAll([DAY, -60 * DAY])).toEqual({ trusted: DAY, jumpedTo: null });
});

test('a jump forward is trusted after a day of readings', () => {
  expect(readAll([60 * DAY])).toEqual({ trusted: 0, jumpedTo: 60 * DAY });
  expect(readAll([60 * DAY, 60 * DAY + 23 * HOUR]).trusted).toBe(0);
  expect(readAll([60 * DAY, 61 * DAY])).toEqual({ trusted: 61 * DAY, jumpedTo: null });
});

test('a clock that returns from its jump is as if it had never jumped', () => {
  expect(readAll([60 * DAY, HOUR])).toEqual({ trusted: HOUR, jumpedTo: null });
});

test('a second jump waits again', () => {
  expect(readAll([60 * DAY, 400 * DAY])).toEqual({ trusted: 0, jumpedTo: 400 * DAY });
});
