import { describe, expect, test } from 'vitest';
import { contentOf, ended, graduate, openProxy, openTwo } from '../../../test/support/two-hosts.ts';

describe('M9.14/graduate a project is copied to a host', () => {
  test('events, persons, groups, flags, cohorts, insights and dashboards are equal there', async () => {
    const { source, target } = await openTwo();
    const { id } = await graduate(source, target.url);
    const found = await ended(source, id);
    expect(found.problem).toBe(null);
    expect(found.state).toBe('done');
    expect(source.errors).toEqual([]);
    const [own, other] = [await contentOf(source), await contentOf(target)];
    for (const part of Object.keys(own)) expect(other[part], part).toEqual(own[part]);
    for (const { what, source: here, target: there } of found.checks)
      expect([what, there]).toEqual([what, here]);
  });
});
void openProxy;
