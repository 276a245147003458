import { expect, test } from 'vitest';
import { timeZoneGroups } from './time-zones.ts';

const zonesOf = (chosen: string, region: string) =>
  timeZoneGroups(chosen).find((group) => group.region === region)?.zones ?? [];

test('time zones are grouped by region, each once and in order', () => {
  const zones = zonesOf('Europe/Berlin', 'Europe');
  expect(zones.filter((zone) => zone === 'Europe/Berlin')).toHaveLength(1);
  expect(zones).toEqual(zones.toSorted());
  expect(zonesOf('UTC', 'Other')).toContain('UTC');
});

test('a chosen zone that the browser does not support stays in the list', () => {
  expect(zonesOf('Europe/Kyiv', 'Europe')).toContain('Europe/Kyiv');
  expect(zonesOf('EST5EDT', 'Other')).toContain('EST5EDT');
});
