import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  capture,
  EVENTS,
  idOf,
  listEvents,
  listProperties,
  namesOf,
  NOON,
  PROPERTIES,
} from '../../../test/support/app-definitions.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { openTestApp, TEST_TOKEN } from '../../../test/support/test-app.ts';

describe('an acknowledged event', () => {
  test('has its name listed in full', async () => {
    const app = await openTestApp();
    await capture(app, { event: 'signup', properties: { plan: 'free' } });
    const { json: page } = await app.ask(EVENTS);
    expect(page).toMatchObject({ count: 1, next: null, previous: null });
    expect(page.results).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'signup',
        owner: null,
        description: '',
        tags: [],
        created_at: NOON,
        updated_at: NOON,
        updated_by: null,
        last_seen_at: NOON,
        first_seen_at: NOON,
        last_updated_at: NOON,
        verified: false,
        verified_at: null,
        verified_by: null,
        hidden: false,
        is_action: false,
        action_id: null,
        is_calculating: false,
        last_calculated_at: null,
        created_by: null,
        post_to_slack: false,
        default_columns: [],
        media_preview_urls: [],
      },
    ]);
  });

  test('has its properties listed with their types, including those added by the server', async () => {
    const app = await openTestApp();
    const properties = {
      plan: 'free',
      seats: 5,
      trial: true,
      renews_at: '2026-12-01',
      cart: {},
      $groups: { company: 'acme' },
    };
    await capture(app, { event: 'signup', properties });
    expect((await listProperties(app)).map(({ name, property_type: type }) => [name, type])).toEqual([
      ['$group_0', 'String'],
      ['$ip', 'String'],
      ['cart', null],
      ['plan', 'String'],
      ['renews_at', 'DateTime'],
      ['seats', 'Numeric'],
      ['trial', 'Boolean'],
    ]);
    expect((await listProperties(app, 'properties=seats'))[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'seats',
      description: '',
      tags: [],
      is_numerical: true,
      updated_at: NOON,
      updated_by: null,
      is_seen_on_filtered_events: null,
      property_type: 'Numeric',
      verified: false,
      verified_at: null,
      verified_by: null,
      hidden: false,
      first_seen_at: NOON,
      last_seen_at: NOON,
    });
  });

  test('has the properties of its person and of its group listed', async () => {
    const app = await openTestApp();
    await capture(
      app,
      { event: '$set', properties: { $set: { email: 'a@b.c' }, $set_once: { first_plan: 'free' } } },
      {
        event: '$groupidentify',
        properties: { $group_type: 'company', $group_key: 'acme', $group_set: { seats: 5 } },
      },
    );
    expect(namesOf(await listProperties(app, 'type=person'))).toEqual(['email', 'first_plan']);
    expect(namesOf(await listProperties(app, 'type=group&group_type_index=0'))).toEqual(['seats']);
    expect(await listProperties(app, 'type=group&group_type_index=1')).toEqual([]);
    expect(await listProperties(app, 'type=session')).toEqual([]);
  });

  test('is read the same in an unusual encoding', async () => {
    const app = await openTestApp();
    const text = `{"api_key":"${TEST_TOKEN}","event":"a","distinct_id":"u1","properties":{"pl\\u0061n":"free","n":1e0,"n":2}}`;
    const sent = { method: 'POST', key: null, body: text, headers: { 'Content-Type': 'application/json' } };
    expect((await app.ask('/capture/', sent)).status).toBe(200);
    expect(namesOf(await listProperties(app, 'exclude_core_properties=1'))).toEqual(['n', 'plan']);
  });

  test('widens a type, and later events do not narrow it', async () => {
    const app = await openTestApp();
    const typeAfter = async (value: unknown) => {
      await capture(app, { event: 'a', properties: { x: value } });
      return (await listProperties(app, 'properties=x'))[0]!.property_type;
    };
    expect(await typeAfter(null)).toBeNull();
    expect(await typeAfter(5)).toBe('Numeric');
    expect(await typeAfter(6)).toBe('Numeric');
    expect(await typeAfter('six')).toBe('String');
    expect(await typeAfter(7)).toBe('String');
  });

  test('updates the last seen time within a minute, and keeps the first', async () => {
    const app = await openTestApp();
    await capture(app, { event: 'a', properties: { x: 1 } });
    app.clock.now += 60_000;
    await capture(app, { event: 'a', properties: { x: 1 } });
    const later = '2026-11-20T09:31:00.000000Z';
    expect((await listEvents(app))[0]).toMatchObject({
      first_seen_at: NOON,
      last_seen_at: later,
      created_at: NOON,
    });
    expect((await listProperties(app, 'properties=x'))[0]).toMatchObject({
      first_seen_at: NOON,
      last_seen_at: later,
    });
  });
});

test('definitions are kept after a restart, and updated from there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-definitions-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'burrow.duckdb');
  const first = await openTestStore({ path });
  const before = await openTestApp({ store: first });
  await capture(before, { event: 'a', properties: { x: 1 } });
  const id = await idOf(before, EVENTS, 'a');
  await before.ask(`${EVENTS}${id}/`, { method: 'PATCH', body: { description: 'said' } });
  await first.close();

  const second = await openTestStore({ path });
  onTestFinished(() => second.close());
  const after = await openTestApp({ store: second });
  await capture(after, { event: 'a', properties: { x: 'text' } }, { event: 'b' });
  expect((await listEvents(after)).map(({ name, description }) => [name, description])).toEqual([
    ['a', 'said'],
    ['b', ''],
  ]);
  expect((await listProperties(after, 'properties=x'))[0]).toMatchObject({ property_type: 'String' });
});

test('a key needs the scope to read or to write', async () => {
  const app = await openTestApp();
  await capture(app, { event: 'a', properties: { x: 1 } });
  const [event, property] = [await idOf(app, EVENTS, 'a'), await idOf(app, PROPERTIES, 'x')];
  const keyWith = async (...scopes: string[]) =>
    (await app.ask('/api/personal_api_keys/', { method: 'POST', body: { label: 'k', scopes } })).json
      .value as string;
  const reader = await keyWith('event_definition:read', 'property_definition:read');
  for (const [path, id] of [
    [EVENTS, event],
    [PROPERTIES, property],
  ] as const) {
    expect((await app.ask(path, { key: reader })).status).toBe(200);
    expect((await app.ask(`${path}${id}/`, { key: reader })).status).toBe(200);
    expect((await app.ask(`${path}${id}/`, { key: reader, method: 'PATCH', body: {} })).status).toBe(403);
    expect((await app.ask(`${path}${id}/`, { key: reader, method: 'DELETE' })).status).toBe(403);
  }
  const other = await keyWith('person:write');
  expect((await app.ask(EVENTS, { key: other })).status).toBe(403);
  expect((await app.ask(PROPERTIES, { key: other })).status).toBe(403);
});
