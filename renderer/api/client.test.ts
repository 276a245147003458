import { afterEach, expect, test, vi } from 'vitest';
import { addressOf, api } from './client.ts';

afterEach(() => vi.unstubAllGlobals());

test('an address has the project and the parameters of its path, encoded', () => {
  expect(addressOf('P/cohorts/:id/', { projectId: 3, id: 14 })).toBe('/api/projects/3/cohorts/14/');
  expect(addressOf('P/burrow/persons/:id/activity/', { projectId: 3, id: 'a/b ?' })).toBe(
    '/api/projects/3/burrow/persons/a%2Fb%20%3F/activity/',
  );
  expect(addressOf('/api/burrow/geoip/', {})).toBe('/api/burrow/geoip/');
});

test('an @ of a path is sent as it is', () => {
  expect(addressOf('/api/organizations/:organization_id/members/', { organization_id: '@current' })).toBe(
    '/api/organizations/@current/members/',
  );
});

test('a request has its method, query and body, without what is undefined', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response('{"results":[],"count":0}'));
  vi.stubGlobal('fetch', fetch);
  await api.get('P/cohorts/', { projectId: 3, query: { search: undefined, type: 'static', limit: 5 } });
  await api.patch('P/cohorts/:id/', { projectId: 3, id: 4, body: { deleted: true } });
  const [listed, changed] = fetch.mock.calls;
  expect(listed![0]).toBe('/api/projects/3/cohorts/?type=static&limit=5');
  expect(listed![1]).toMatchObject({ method: 'GET' });
  expect(listed![1]!.body).toBeUndefined();
  expect(changed![0]).toBe('/api/projects/3/cohorts/4/');
  expect(changed![1]).toMatchObject({ method: 'PATCH', body: '{"deleted":true}' });
});
