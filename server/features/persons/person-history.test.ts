import { describe, expect, test } from 'vitest';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { personActivity, personOrigins, type PersonActivityJson } from './persons.contract.ts';

const BURROW = '/api/projects/1/burrow/persons/';
const ANON = '0190f0c1-2222-7000-8000-0000000000aa';

async function personOf(app: TestApp, distinctId: string): Promise<{ id: number; uuid: string }> {
  return (await app.ask(`/api/projects/1/persons/?distinct_id=${distinctId}`)).json.results[0];
}

async function originsOf(app: TestApp, distinctId: string) {
  const { id } = await personOf(app, distinctId);
  return personOrigins.strict().parse((await app.ask(`${BURROW}${id}/`)).json);
}

async function activityOf(app: TestApp, distinctId: string): Promise<PersonActivityJson> {
  const { id } = await personOf(app, distinctId);
  return personActivity.strict().parse((await app.ask(`${BURROW}${id}/activity/`)).json);
}

describe('M9.12 the sources of person properties', () => {
  test('is the event, its field and its time, or the management API', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      {
        event: 'signed up',
        timestamp: '2026-11-19T08:00:00Z',
        $set: { email: 'lin@local.test', plan: 'free' },
        $set_once: { source: 'ad' },
      },
      { event: '$set', timestamp: '2026-11-19T09:00:00Z', properties: { $set: { plan: 'pro' } } },
    ]);
    const { id } = await personOf(app, 'u1');
    const path = `/api/projects/1/persons/${id}/`;
    await app.ask(`${path}update_property/`, { method: 'POST', body: { key: 'seats', value: 3 } });
    await app.ask(`${path}delete_property/`, { method: 'POST', body: { $unset: 'email' } });
    const origins = await originsOf(app, 'u1');
    expect(origins.person).toEqual((await app.ask(path)).json);
    const at = (iso: string): unknown => expect.stringMatching(new RegExp(`^${iso}.*Z$`));
    expect(origins.property_sources).toEqual({
      plan: { event: '$set', by: '$set', at: at('2026-11-19T09:00:00') },
      source: { event: 'signed up', by: '$set_once', at: at('2026-11-19T08:00:00') },
      seats: { event: null, by: '$set', at: at('2026-11-20T09:30:00') },
    });
  });
});

describe('M9.12 the merges of a person', () => {
  test('are listed with the id in the event, newest first, also over several merges', async () => {
    const app = await openTestApp();
    await sendEvents(app, [{ distinct_id: ANON }, { distinct_id: 'u1' }, { distinct_id: 'main' }]);
    const [anonymous, u1] = [await personOf(app, ANON), await personOf(app, 'u1')];
    await sendEvents(app, [
      {
        event: '$identify',
        distinct_id: 'u1',
        timestamp: '2026-11-19T08:00:00Z',
        properties: { $anon_distinct_id: ANON },
      },
      {
        event: '$merge_dangerously',
        distinct_id: 'main',
        timestamp: '2026-11-19T09:00:00Z',
        properties: { alias: 'u1' },
      },
    ]);
    expect((await originsOf(app, ANON)).merges).toEqual([
      { uuid: u1.uuid, distinct_id: 'u1', event: '$merge_dangerously', at: '2026-11-19T09:00:00.000000Z' },
      { uuid: anonymous.uuid, distinct_id: ANON, event: '$identify', at: '2026-11-19T08:00:00.000000Z' },
    ]);
  });

  test('are empty for a person without merges, and deleted with the person', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      { distinct_id: ANON },
      { distinct_id: 'u1', event: '$identify', properties: { $anon_distinct_id: ANON } },
      { distinct_id: 'u2' },
    ]);
    expect((await originsOf(app, 'u2')).merges).toEqual([]);
    const { id } = await personOf(app, 'u1');
    await app.ask(`/api/projects/1/persons/${id}/`, { method: 'DELETE' });
    for (const path of [`${BURROW}${id}/`, `${BURROW}${id}/activity/`]) {
      expect((await app.ask(path)).status).toBe(404);
    }
    const rows = await app.store.db.all('SELECT * FROM person_merge_history');
    expect(rows).toEqual([]);
  });
});

describe("M9.12 a person's activity", () => {
  const at = (day: string) => `2026-11-${day}T12:00:00Z`;

  test('counts events by day, name, distinct id and group, under all its ids', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      { distinct_id: ANON, event: 'viewed', timestamp: at('01') },
      { distinct_id: ANON, event: 'viewed', timestamp: at('02') },
      { distinct_id: 'someone else', event: 'viewed', timestamp: at('03') },
    ]);
    await sendEvents(app, [
      { distinct_id: 'u1', event: '$identify', timestamp: at('02'), properties: { $anon_distinct_id: ANON } },
      {
        distinct_id: 'u1',
        event: 'bought',
        timestamp: at('04'),
        properties: { $groups: { company: 'acme' } },
      },
      { distinct_id: 'u1', event: 'viewed', timestamp: '2025-01-01T00:00:00Z' },
    ]);
    const seen = (day: string): string => `2026-11-${day}T12:00:00.000000Z`;
    expect(await activityOf(app, 'u1')).toEqual({
      count: 5,
      first_seen: '2025-01-01T00:00:00.000000Z',
      last_seen: seen('04'),
      days: [
        { day: '2026-11-01', count: 1 },
        { day: '2026-11-02', count: 2 },
        { day: '2026-11-04', count: 1 },
      ],
      events: [
        { event: 'viewed', count: 3, last_seen: seen('02') },
        { event: '$identify', count: 1, last_seen: seen('02') },
        { event: 'bought', count: 1, last_seen: seen('04') },
      ],
      distinct_ids: [
        { distinct_id: 'u1', count: 3, first_seen: '2025-01-01T00:00:00.000000Z', last_seen: seen('04') },
        { distinct_id: ANON, count: 2, first_seen: seen('01'), last_seen: seen('02') },
      ],
      groups: [{ group_type_index: 0, group_key: 'acme', count: 1, last_seen: seen('04') }],
    });
  });

  test('follows each distinct id when a person is split', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      { distinct_id: ANON, event: 'before' },
      { distinct_id: 'u1', event: '$identify', properties: { $anon_distinct_id: ANON } },
      { distinct_id: 'u1', event: 'after' },
    ]);
    expect((await activityOf(app, 'u1')).count).toBe(3);
    const { id } = await personOf(app, 'u1');
    const body = { main_distinct_id: 'u1' };
    await app.ask(`/api/projects/1/persons/${id}/split/`, { method: 'POST', body });
    expect((await activityOf(app, 'u1')).events.map(({ event }) => event).toSorted()).toEqual([
      '$identify',
      'after',
    ]);
    expect((await activityOf(app, ANON)).events.map(({ event }) => event)).toEqual(['before']);
  });

  test('is empty when the events are deleted', async () => {
    const app = await openTestApp();
    await sendEvents(app, [{ distinct_id: 'u1' }, { distinct_id: 'u2' }]);
    const { id } = await personOf(app, 'u1');
    await app.ask(`/api/projects/1/persons/${id}/?delete_events=true`, { method: 'DELETE' });
    await sendEvents(app, [{ distinct_id: 'u1', event: 'again' }]);
    expect(await activityOf(app, 'u1')).toMatchObject({ count: 1, events: [{ event: 'again' }] });
  });

  test('needs the scope to read events, too', async () => {
    const app = await openTestApp();
    await sendEvents(app, [{ distinct_id: 'u1' }]);
    const { id } = await personOf(app, 'u1');
    const made = await app.ask('/api/personal_api_keys/', {
      method: 'POST',
      body: { label: 'reader', scopes: ['person:read'] },
    });
    const key = made.json.value as string;
    expect((await app.ask(`${BURROW}${id}/`, { key })).status).toBe(200);
    const refused = await app.ask(`${BURROW}${id}/activity/`, { key });
    expect(refused).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
    expect(refused.json.detail).toContain("missing required scope 'query:read'");
  });
});
