import { expect, test } from 'vitest';
import { createFlag, filtersOn, patchFlag } from '../../../../test/support/app-flags.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../../test/support/test-app.ts';

const capture = (app: TestApp, body: object) =>
  app.ask('/capture/', { method: 'POST', key: null, body: { api_key: TEST_TOKEN, ...body } });

/** What the flags of a user are, asked for with nothing but who it is, unless more is said. */
async function flagsOf(
  app: TestApp,
  id: string,
  {
    body = {},
    headers = {},
    path = '/decide/?v=3',
  }: { body?: object; headers?: Record<string, string>; path?: string } = {},
): Promise<any> {
  const sent = { api_key: TEST_TOKEN, distinct_id: id, ...body };
  const { json } = await app.ask(path, { method: 'POST', key: null, body: sent, headers });
  return json.featureFlags ?? json.flags;
}

test('7.10 a user who is asked about again and again gets what changes: the person, the flag, and what is said', async () => {
  const app = await openTestApp();
  const flag = await createFlag(app, 'pro', {
    filters: filtersOn([{ key: 'plan', value: 'pro', type: 'person' }]),
  });
  await capture(app, { event: '$set', distinct_id: 'ana', $set: { plan: 'solo' } });
  for (let i = 0; i < 3; i++) expect(await flagsOf(app, 'ana')).toEqual({ pro: false });
  expect(await flagsOf(app, 'ana', { body: { person_properties: { plan: 'pro' } } })).toEqual({ pro: true });
  expect(await flagsOf(app, 'ana')).toEqual({ pro: false });
  await capture(app, { event: '$set', distinct_id: 'ana', $set: { plan: 'pro' } });
  for (let i = 0; i < 3; i++) expect(await flagsOf(app, 'ana')).toEqual({ pro: true });
  expect(await flagsOf(app, 'ana', { path: '/decide/?v=1' })).toEqual(['pro']);
  expect(await flagsOf(app, 'ana', { path: '/flags/?v=2' })).toMatchObject({ pro: { enabled: true } });
  await patchFlag(app, flag.id, { active: false });
  for (let i = 0; i < 2; i++) expect(await flagsOf(app, 'ana')).toEqual({ pro: false });
});

test('F-10 two distinct ids of one person keep shares of their own', async () => {
  const app = await openTestApp();
  await createFlag(app, 'half', {
    filters: filtersOn([{ key: 'plan', operator: 'is_set', value: 'is_set', type: 'person' }], 50),
  });
  await capture(app, { event: '$set', distinct_id: 'a', $set: { plan: 'solo' } });
  const ids = ['a', ...Array.from({ length: 12 }, (_, n) => `a${n}`)];
  for (const id of ids.slice(1))
    await capture(app, { event: '$identify', distinct_id: 'a', properties: { $anon_distinct_id: id } });
  const first = await Promise.all(ids.map((id) => flagsOf(app, id)));
  const again = await Promise.all(ids.map((id) => flagsOf(app, id)));
  expect(again).toEqual(first);
  expect(new Set(first.map(({ half }) => half)).size).toBe(2);
});

test('P-7 a flag on a date before now changes as time goes by, though nothing is written', async () => {
  const app = await openTestApp();
  const old = { key: 'seen', value: '-1h', operator: 'is_date_before', type: 'person' };
  await createFlag(app, 'returning', { filters: filtersOn([old]) });
  const seen = new Date(app.clock.now - 59 * 60_000).toISOString();
  await capture(app, { event: '$set', distinct_id: 'ana', $set: { seen } });
  expect(await flagsOf(app, 'ana')).toEqual({ returning: false });
  app.clock.now += 2 * 60_000;
  expect(await flagsOf(app, 'ana')).toEqual({ returning: true });
});

test('A-9 the same user gets the flags of another time zone of the project', async () => {
  const app = await openTestApp();
  await createFlag(app, 'old', {
    filters: filtersOn([
      { key: 'seen', value: '2026-03-04T02:00:00Z', operator: 'is_date_before', type: 'person' },
    ]),
  });
  await capture(app, { event: '$set', distinct_id: 'ana', $set: { seen: '2026-03-04' } });
  for (let i = 0; i < 3; i++) expect(await flagsOf(app, 'ana')).toEqual({ old: true });
  await app.ask('/api/projects/1/', { method: 'PATCH', body: { timezone: 'America/New_York' } });
  for (let i = 0; i < 3; i++) expect(await flagsOf(app, 'ana')).toEqual({ old: false });
});

test('7.11 the same user from another country gets the flags of that country', async () => {
  const app = await openTestApp();
  const dutch = { key: '$geoip_country_code', value: 'NL', type: 'person' };
  await createFlag(app, 'dutch', { filters: filtersOn([dutch]) });
  await capture(app, { event: '$set', distinct_id: 'ana', $set: { plan: 'pro' } });
  const from = (ip: string) => flagsOf(app, 'ana', { headers: { 'X-Forwarded-For': ip } });
  const [here, dutchIp] = ['8.8.8.8', '145.97.20.20'];
  for (let i = 0; i < 2; i++) {
    expect(await from(here)).toEqual({ dutch: false });
    expect(await from(dutchIp)).toEqual({ dutch: true });
  }
});
