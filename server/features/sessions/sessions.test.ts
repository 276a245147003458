import { describe, expect, test } from 'vitest';
import { send } from '../../../test/support/app-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const SESSIONS = '/api/projects/@current/sessions/';

/** Visits of today, two by way of a campaign, and one that is older than a week. */
async function openWithVisits(): Promise<TestApp> {
  const app = await openTestApp();
  const visit = (id: string, timestamp: string, utmSource?: string): object => ({
    event: '$pageview',
    timestamp,
    properties: { $session_id: id, utm_source: utmSource },
  });
  await send(app, [
    visit('s1', '2026-11-20T00:10:00Z', 'google'),
    visit('s1', '2026-11-20T00:11:00Z', 'youtube'),
    visit('s2', '2026-11-20T00:12:00Z', 'youtube'),
    visit('s3', '2026-11-20T00:13:00Z', 'google'),
    visit('s4', '2026-11-20T00:14:00Z', 'google'),
    visit('s5', '2026-11-20T00:15:00Z'),
    visit('s6', '2026-11-01T00:00:00Z', 'bing'),
  ]);
  return app;
}

async function names(app: TestApp, path: string): Promise<string[]> {
  const answer = await app.ask(SESSIONS + path);
  expect(answer.status, answer.text).toBe(200);
  return (answer.json as { results: { name: string }[] }).results.map(({ name }) => name);
}

describe('properties of sessions', () => {
  test('are the single values of the sessions table', async () => {
    const app = await openTestApp();
    const all = await names(app, 'property_definitions/');
    expect(all).toEqual(
      expect.arrayContaining([
        '$channel_type',
        '$end_timestamp',
        '$entry_has_gclid',
        '$entry_ttclid',
        '$is_bounce',
      ]),
    );
    expect(all).not.toContain('session_id');
    expect(all).not.toContain('$urls');
    expect(all).toEqual(all.toSorted());
  });

  test('are found by a part of their name', async () => {
    const app = await openTestApp();
    expect(await names(app, 'property_definitions/?search=entry_utm_s')).toEqual([
      '$entry_utm_source',
      '$entry_utm_source_platform',
    ]);
    expect(await names(app, 'property_definitions/?search=doesnotexist')).toEqual([]);
  });

  test('say whether they are numbers, truths, moments or texts', async () => {
    const app = await openTestApp();
    const { json } = await app.ask(`${SESSIONS}property_definitions/`);
    const { count, results } = json as { count: number; results: Record<string, unknown>[] };
    expect(count).toBe(results.length);
    const typeOf = (name: string): unknown => results.find((one) => one['name'] === name)!['property_type'];
    expect(typeOf('$session_duration')).toBe('Numeric');
    expect(typeOf('$is_bounce')).toBe('Boolean');
    expect(typeOf('$start_timestamp')).toBe('DateTime');
    expect(typeOf('$channel_type')).toBe('String');
    const numbers = await names(app, 'property_definitions/?is_numerical=true');
    expect(numbers).toContain('$pageview_count');
    expect(numbers).not.toContain('$entry_utm_source');
  });

  test('each can be filtered by', async () => {
    const app = await openWithVisits();
    for (const key of await names(app, 'property_definitions/')) {
      const query = {
        kind: 'TrendsQuery',
        dateRange: { date_from: '2026-11-19' },
        series: [{ kind: 'EventsNode', event: '$pageview' }],
        properties: [{ type: 'session', key, operator: 'is_set' }],
      };
      const answer = await app.ask('/api/projects/@current/query/', { method: 'POST', body: { query } });
      expect(answer.status, `${key}: ${answer.text}`).toBe(200);
    }
  });
});

describe('values of sessions', () => {
  test('are the most frequent ones of the last seven days', async () => {
    const app = await openWithVisits();
    expect(await names(app, 'values/?key=$entry_utm_source')).toEqual(['google', 'youtube']);
    expect(await names(app, 'values/?key=$entry_utm_source&value=TUB')).toEqual(['youtube']);
    expect(await names(app, 'values/?key=$entry_utm_source&value=bing')).toEqual([]);
  });

  test('are all channels, whether or not there was one', async () => {
    const app = await openTestApp();
    expect(await names(app, 'values/?key=$channel_type')).toContain('Cross Network');
    expect(await names(app, 'values/?key=$channel_type&value=paid')).toEqual([
      'Paid Search',
      'Paid Social',
      'Paid Video',
      'Paid Shopping',
      'Paid Unknown',
    ]);
  });

  test('are true and false of a truth, and none of a number or of an unknown property', async () => {
    const app = await openWithVisits();
    expect(await names(app, 'values/?key=$is_bounce')).toEqual(['true', 'false']);
    expect(await names(app, 'values/?key=$pageview_count')).toEqual([]);
    expect(await names(app, `values/?key=${encodeURIComponent("x') UNION ALL SELECT 1")}`)).toEqual([]);
    expect(await names(app, 'values/')).toEqual([]);
  });

  test('are those that a filter finds', async () => {
    const app = await openWithVisits();
    const query = {
      kind: 'HogQLQuery',
      query: 'SELECT count() FROM sessions WHERE {filters}',
      filters: { properties: [{ type: 'session', key: '$is_bounce', operator: 'exact', value: ['true'] }] },
    };
    const answer = await app.ask('/api/projects/@current/query/', { method: 'POST', body: { query } });
    expect(answer.status, answer.text).toBe(200);
    expect((answer.json as { results: unknown[][] }).results).toEqual([[5]]);
  });
});
