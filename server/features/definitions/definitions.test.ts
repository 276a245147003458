import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openTestStore } from '../../../test/support/store.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import {
  eventDefinition,
  eventDefinitionPage,
  propertyDefinition,
  propertyDefinitionPage,
  type EventDefinitionJson,
  type PropertyDefinitionJson,
} from './definitions.contract.ts';

const EVENTS = '/api/projects/1/event_definitions/';
const PROPERTIES = '/api/projects/1/property_definitions/';
const UNKNOWN = '0190f0c1-0000-7000-8000-000000000001';
const NOON = '2026-11-20T09:30:00.000000Z';

interface Sent {
  event: string;
  properties?: Record<string, unknown>;
}

/** Sends events as an SDK does; they are acknowledged when this returns. */
async function capture(app: TestApp, ...batch: Sent[]): Promise<void> {
  const body = { api_key: TEST_TOKEN, batch: batch.map((event) => ({ distinct_id: 'u1', ...event })) };
  expect((await app.ask('/batch/', { method: 'POST', key: null, body })).status).toBe(200);
}

async function listEvents(app: TestApp, query = ''): Promise<EventDefinitionJson[]> {
  return eventDefinitionPage.parse((await app.ask(`${EVENTS}?${query}`)).json).results;
}

async function listProperties(app: TestApp, query = ''): Promise<PropertyDefinitionJson[]> {
  return propertyDefinitionPage.parse((await app.ask(`${PROPERTIES}?${query}`)).json).results;
}

const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name);
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));

async function idOf(app: TestApp, path: string, name: string): Promise<string> {
  const { results } = (await app.ask(`${path}?search=${encodeURIComponent(name)}`)).json;
  return results.find((one: { name: string }) => one.name === name).id;
}

describe('an acknowledged event', () => {
  test('has its name listed, whole', async () => {
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

  test('has its properties listed with their types, those the server adds among them', async () => {
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

  test('is read alike when it comes in an unusual form', async () => {
    const app = await openTestApp();
    const text = `{"api_key":"${TEST_TOKEN}","event":"a","distinct_id":"u1","properties":{"pl\\u0061n":"free","n":1e0,"n":2}}`;
    const sent = { method: 'POST', key: null, body: text, headers: { 'Content-Type': 'application/json' } };
    expect((await app.ask('/capture/', sent)).status).toBe(200);
    expect(namesOf(await listProperties(app, 'exclude_core_properties=1'))).toEqual(['n', 'plan']);
  });

  test('widens a type, and none later narrows it', async () => {
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

  test('moves the time of last sight within a minute, and leaves the first', async () => {
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

test('definitions are there after a restart, and go on from where they were', async () => {
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

describe('GET event_definitions/', () => {
  async function openWithEvents(): Promise<TestApp> {
    const app = await openTestApp();
    await capture(app, { event: '$pageview' }, { event: 'Signed Up' }, { event: 'signed out' });
    app.clock.now += 86_400_000;
    await capture(app, { event: 'order placed' });
    return app;
  }

  test.each([
    ['', ['order placed', '$pageview', 'Signed Up', 'signed out']],
    ['ordering=name', ['$pageview', 'Signed Up', 'order placed', 'signed out']],
    ['ordering=-name', ['signed out', 'order placed', 'Signed Up', '$pageview']],
    ['ordering=last_seen_at', ['$pageview', 'Signed Up', 'signed out', 'order placed']],
    ['ordering=-last_seen_at,-name', ['order placed', 'signed out', 'Signed Up', '$pageview']],
    ['ordering=event', ['order placed', '$pageview', 'Signed Up', 'signed out']],
    ['search=signed', ['Signed Up', 'signed out']],
    ['search=UP%20sign', ['Signed Up']],
    ['search=%25', []],
    ['event_type=event_custom', ['order placed', 'Signed Up', 'signed out']],
    ['event_type=event_posthog', ['$pageview']],
    ['event_type=all&search=', ['order placed', '$pageview', 'Signed Up', 'signed out']],
    ['names=signed%20out,nope', ['signed out']],
    [`excluded_properties=${json(['$pageview', 'Signed Up'])}`, ['order placed', 'signed out']],
  ])('with %s answers %j', async (query, wanted) => {
    const app = await openWithEvents();
    expect(namesOf(await listEvents(app, query))).toEqual(wanted);
  });

  test('by what people said: verified, hidden, tags, and not seen for long', async () => {
    const app = await openWithEvents();
    const say = async (name: string, body: object) =>
      app.ask(`${EVENTS}${await idOf(app, EVENTS, name)}/`, { method: 'PATCH', body });
    await say('Signed Up', { verified: true, tags: ['growth'] });
    await say('signed out', { hidden: true, tags: ['Growth', 'exit'] });
    expect(namesOf(await listEvents(app, 'verified=true'))).toEqual(['Signed Up']);
    expect(namesOf(await listEvents(app, 'verified=false&ordering=name'))).not.toContain('Signed Up');
    expect(namesOf(await listEvents(app, 'exclude_hidden=true'))).not.toContain('signed out');
    expect(namesOf(await listEvents(app, 'hidden=true'))).toEqual(['signed out']);
    expect(namesOf(await listEvents(app, 'hidden=false'))).not.toContain('signed out');
    expect(namesOf(await listEvents(app, `tags=${json(['exit', 'none'])}`))).toEqual(['signed out']);
    app.clock.now += 29 * 86_400_000 + 43_200_000;
    expect(namesOf(await listEvents(app, 'exclude_stale=true'))).toEqual(['order placed']);
  });

  test('in pages that name their neighbours', async () => {
    const app = await openWithEvents();
    const first = (await app.ask(`${EVENTS}?ordering=name&limit=3`)).json;
    expect([first.count, namesOf(first.results), first.previous]).toEqual([
      4,
      ['$pageview', 'Signed Up', 'order placed'],
      null,
    ]);
    const second = (await app.ask(first.next.slice(app.url.length))).json;
    expect([second.count, namesOf(second.results), second.next]).toEqual([4, ['signed out'], null]);
    const beyond = (await app.ask(`${EVENTS}?offset=50`)).json;
    expect([beyond.count, beyond.results]).toEqual([4, []]);
  });

  test.each([
    ['event_type=sometimes', 'invalid_choice', 'event_type'],
    ['tags=exit', 'invalid_input', 'tags'],
    ['excluded_properties=%5B1%5D', 'invalid_input', 'excluded_properties'],
    ['verified=maybe', 'invalid_input', 'verified'],
  ])('with %s is refused', async (query, code, attr) => {
    const app = await openTestApp();
    expect(await app.ask(`${EVENTS}?${query}`)).toMatchObject({ status: 400, json: { code, attr } });
  });

  test('shows the names of its own project alone', async () => {
    const app = await openWithEvents();
    const { id } = (
      await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: { name: 'Other' } })
    ).json;
    expect((await app.ask(`/api/projects/${id}/event_definitions/`)).json.count).toBe(0);
    expect((await app.ask(`/api/environments/1/event_definitions/`)).json.count).toBe(4);
    const own = await idOf(app, EVENTS, '$pageview');
    expect((await app.ask(`/api/projects/${id}/event_definitions/${own}/`)).status).toBe(404);
    expect(
      (await app.ask(`/api/projects/${id}/event_definitions/${own}/`, { method: 'DELETE' })).status,
    ).toBe(404);
  });
});

describe('one event definition', () => {
  test('is made before its first event comes, and taken up by it', async () => {
    const app = await openTestApp();
    const body = {
      name: 'upgraded',
      description: 'Paid for the first time',
      tags: [' Money ', 'money', 'plan'],
      owner: 1,
    };
    const made = await app.ask(EVENTS, { method: 'POST', body });
    expect(made.status).toBe(201);
    expect(eventDefinition.parse(made.json)).toMatchObject({
      ...body,
      tags: ['money', 'plan'],
      created_at: NOON,
      first_seen_at: null,
      last_seen_at: null,
    });
    app.clock.now += 60_000;
    await capture(app, { event: 'upgraded', properties: { plan: 'team' } });
    expect(await listEvents(app)).toEqual([
      {
        ...made.json,
        first_seen_at: '2026-11-20T09:31:00.000000Z',
        last_seen_at: '2026-11-20T09:31:00.000000Z',
      },
    ]);
  });

  test.each([
    [{}, 'required', 'name'],
    [{ name: '' }, 'blank', 'name'],
    [{ name: null }, 'null', 'name'],
    [{ name: 'x'.repeat(201) }, 'max_length', 'name'],
    [{ name: 'a' }, 'unique', 'name'],
    [{ name: 'b', tags: 'x' }, 'not_a_list', 'tags'],
    [{ name: 'b', tags: ['x'.repeat(256)] }, 'max_length', 'tags__0'],
    [{ name: 'b', owner: 7 }, 'does_not_exist', 'owner'],
    [{ name: 'b', verified: true, hidden: true }, 'invalid_input', null],
  ])('made with %j is refused: %s', async (body, code, attr) => {
    const app = await openTestApp();
    await capture(app, { event: 'a' });
    expect(await app.ask(EVENTS, { method: 'POST', body })).toMatchObject({
      status: 400,
      json: { code, attr },
    });
    expect(namesOf(await listEvents(app))).toEqual(['a']);
  });

  test('is found by its id and by its name', async () => {
    const app = await openTestApp();
    await capture(app, { event: 'a b' });
    const [listed] = await listEvents(app);
    expect((await app.ask(`${EVENTS}${listed!.id}/`)).json).toEqual(listed);
    expect((await app.ask(`${EVENTS}by_name/?name=a%20b`)).json).toEqual(listed);
    expect((await app.ask(`${EVENTS}by_name/?name=a`)).status).toBe(404);
    expect(await app.ask(`${EVENTS}by_name/`)).toMatchObject({
      status: 400,
      json: { code: 'required', attr: 'name' },
    });
    expect((await app.ask(`${EVENTS}${UNKNOWN}/`)).status).toBe(404);
    expect((await app.ask(`${EVENTS}7/`)).status).toBe(404);
    expect((await app.ask(`${EVENTS}${listed!.id}/metrics/`)).json).toEqual({ query_usage_30_day: null });
  });

  test.each(['PATCH', 'PUT'])(
    'is described by %s, which leaves alone what it does not name',
    async (method) => {
      const app = await openTestApp();
      await capture(app, { event: 'a' });
      const id = await idOf(app, EVENTS, 'a');
      const change = async (body: object) => {
        app.clock.now += 1_000;
        const answer = await app.ask(`${EVENTS}${id}/`, { method, body });
        expect(answer.status).toBe(200);
        return eventDefinition.parse(answer.json);
      };
      expect(await change({ description: 'First', name: 'renamed', created_at: 'never' })).toMatchObject({
        name: 'a',
        description: 'First',
        created_at: NOON,
        updated_at: '2026-11-20T09:30:01.000000Z',
      });
      expect(
        await change({ tags: ['B', 'a'], default_columns: ['event', 'person'], post_to_slack: 'true' }),
      ).toMatchObject({
        description: 'First',
        tags: ['b', 'a'],
        default_columns: ['event', 'person'],
        post_to_slack: true,
      });
      expect(await change({ description: null, tags: null, owner: '1' })).toMatchObject({
        description: '',
        tags: [],
        owner: 1,
      });
      expect(await change({ owner: null })).toMatchObject({ owner: null });
    },
  );

  test('is either verified or hidden', async () => {
    const app = await openTestApp();
    await capture(app, { event: 'a' });
    const id = await idOf(app, EVENTS, 'a');
    const change = async (body: object) => {
      app.clock.now += 1_000;
      return (await app.ask(`${EVENTS}${id}/`, { method: 'PATCH', body })).json;
    };
    const since = '2026-11-20T09:30:01.000000Z';
    expect(await change({ verified: true })).toMatchObject({
      verified: true,
      verified_at: since,
      hidden: false,
    });
    expect(await change({ verified: true })).toMatchObject({ verified: true, verified_at: since });
    expect(await change({ hidden: true })).toMatchObject({
      verified: false,
      verified_at: null,
      hidden: true,
    });
    expect(await change({ verified: true })).toMatchObject({ verified: true, hidden: false });
    expect(await change({ verified: false })).toMatchObject({
      verified: false,
      verified_at: null,
      hidden: false,
    });
    expect(await change({ hidden: null })).toMatchObject({ hidden: false });
    expect(await change({ verified: true, hidden: true })).toMatchObject({ code: 'invalid_input' });
  });

  test('that is deleted is gone until its event comes again; then it is new', async () => {
    const app = await openTestApp();
    await capture(app, { event: 'a', properties: { x: 1 } });
    const id = await idOf(app, EVENTS, 'a');
    await app.ask(`${EVENTS}${id}/`, { method: 'PATCH', body: { description: 'said' } });
    expect(await app.ask(`${EVENTS}${id}/`, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
    expect((await app.ask(`${EVENTS}${id}/`, { method: 'DELETE' })).status).toBe(404);
    expect((await app.ask(`${EVENTS}${id}/`, { method: 'PATCH', body: {} })).status).toBe(404);
    expect(await listEvents(app)).toEqual([]);
    await capture(app, { event: 'a', properties: { x: 1 } });
    const [again] = await listEvents(app);
    expect(again).toMatchObject({ name: 'a', description: '' });
    expect(again!.id).not.toBe(id);
    const together = `seen_together/?event_names=${json(['a'])}&property_name=x`;
    expect((await app.ask(PROPERTIES + together)).json).toEqual({ a: true });
  });

  test('keeps what is said of it while its events come in', async () => {
    const app = await openTestApp();
    await capture(app, { event: 'a' });
    const id = await idOf(app, EVENTS, 'a');
    const said = Array.from({ length: 10 }, (_, n) =>
      app.ask(`${EVENTS}${id}/`, {
        method: 'PATCH',
        body: n % 2 ? { tags: ['x'] } : { description: 'said' },
      }),
    );
    const sent = Array.from({ length: 30 }, (_, n) => {
      app.clock.now += 60_000;
      return capture(app, { event: 'a', properties: { [`p${n}`]: n } });
    });
    const [answers] = await Promise.all([Promise.all(said), Promise.all(sent)]);
    expect(answers.map(({ status }) => status)).toEqual(said.map(() => 200));
    expect((await app.ask(`${EVENTS}${id}/`)).json).toMatchObject({ description: 'said', tags: ['x'] });
    expect(await listProperties(app, 'exclude_core_properties=true')).toHaveLength(30);
  });
});

describe('GET property_definitions/', () => {
  async function openWithProperties(): Promise<TestApp> {
    const app = await openTestApp();
    await capture(
      app,
      { event: 'signup', properties: { plan: 'free', utm_source: 'mail', '$feature/beta': true } },
      { event: 'order', properties: { Plan_price: 9.5, plan: 'team', $browser: 'Firefox' } },
    );
    return app;
  }

  test.each([
    ['', ['$browser', '$feature/beta', '$ip', 'Plan_price', 'plan', 'utm_source']],
    ['search=PLAN', ['plan', 'Plan_price']],
    ['properties=plan,$browser', ['$browser', 'plan']],
    [
      `excluded_properties=${json(['plan', '$ip'])}`,
      ['$browser', '$feature/beta', 'Plan_price', 'utm_source'],
    ],
    ['exclude_core_properties=true', ['Plan_price', 'plan']],
    ['is_feature_flag=true', ['$feature/beta']],
    ['is_feature_flag=false&exclude_core_properties=1', ['Plan_price', 'plan']],
    ['is_numerical=true', ['Plan_price']],
    ['is_numerical=false&exclude_core_properties=1', ['plan']],
    [`event_names=${json(['order'])}&filter_by_event_names=true`, ['$browser', '$ip', 'Plan_price', 'plan']],
    [
      `event_names=${json(['order', 'signup'])}&filter_by_event_names=true&search=plan`,
      ['plan', 'Plan_price'],
    ],
    [`event_names=${json(['order'])}&properties=utm_source,plan`, ['plan', 'utm_source']],
    ['type=person', []],
  ])('with %s answers %j', async (query, wanted) => {
    const app = await openWithProperties();
    expect(namesOf(await listProperties(app, query))).toEqual(wanted);
  });

  test('says which were seen on the events asked for', async () => {
    const app = await openWithProperties();
    const list = await listProperties(app, `event_names=${json(['signup'])}&exclude_core_properties=1`);
    expect(list.map(({ name, is_seen_on_filtered_events: isSeen }) => [name, isSeen])).toEqual([
      ['plan', true],
      ['Plan_price', false],
    ]);
  });

  test('says of each event whether it has carried a property', async () => {
    const app = await openWithProperties();
    const names = json(['signup', 'order', 'never']);
    const together = (property: string) =>
      app.ask(`${PROPERTIES}seen_together/?event_names=${names}&property_name=${property}`);
    expect((await together('utm_source')).json).toEqual({ signup: true, order: false, never: false });
    expect((await together('plan')).json).toEqual({ signup: true, order: true, never: false });
    expect((await together('nothing')).json).toEqual({ signup: false, order: false, never: false });
    expect(await app.ask(`${PROPERTIES}seen_together/?property_name=x`)).toMatchObject({
      status: 400,
      json: { code: 'required', attr: 'event_names' },
    });
  });

  test.each([
    ['type=people', 'invalid_choice', 'type'],
    ['type=group', 'required', 'group_type_index'],
    ['type=group&group_type_index=5', 'invalid_input', 'group_type_index'],
    ['group_type_index=0', 'invalid_input', 'group_type_index'],
    ['event_names=signup', 'invalid_input', 'event_names'],
    ['excluded_properties={}', 'invalid_input', 'excluded_properties'],
  ])('with %s is refused', async (query, code, attr) => {
    const app = await openTestApp();
    expect(await app.ask(`${PROPERTIES}?${query}`)).toMatchObject({ status: 400, json: { code, attr } });
  });
});

describe('one property definition', () => {
  test('is described, verified, hidden and typed; its own type comes back', async () => {
    const app = await openTestApp();
    await capture(app, { event: 'a', properties: { x: 1 } });
    const id = await idOf(app, PROPERTIES, 'x');
    const change = async (body: object) => {
      app.clock.now += 1_000;
      const answer = await app.ask(`${PROPERTIES}${id}/`, { method: 'PATCH', body });
      expect(answer.status).toBe(200);
      return propertyDefinition.parse(answer.json);
    };
    expect(await change({ description: 'How many', tags: ['Count'], verified: true })).toMatchObject({
      description: 'How many',
      tags: ['count'],
      verified: true,
      verified_at: '2026-11-20T09:30:01.000000Z',
      updated_by: null,
      verified_by: null,
    });
    expect(await change({ hidden: true })).toMatchObject({
      hidden: true,
      verified: false,
      description: 'How many',
    });
    expect(await change({ property_type: 'Duration' })).toMatchObject({
      property_type: 'Duration',
      is_numerical: false,
    });
    await capture(app, { event: 'a', properties: { x: 'text' } });
    expect((await app.ask(`${PROPERTIES}${id}/`)).json).toMatchObject({ property_type: 'Duration' });
    expect(await change({ property_type: null })).toMatchObject({ property_type: 'String' });
    expect(
      await app.ask(`${PROPERTIES}${id}/`, { method: 'PATCH', body: { property_type: 'Text' } }),
    ).toMatchObject({
      status: 400,
      json: { code: 'invalid_choice', attr: 'property_type' },
    });
  });

  test('that is deleted is gone until an event carries it again; then it is new', async () => {
    const app = await openTestApp();
    await capture(app, { event: 'a', properties: { x: 1 } });
    await capture(app, { event: 'a', properties: { x: 'text' } });
    const id = await idOf(app, PROPERTIES, 'x');
    expect((await app.ask(`${PROPERTIES}${id}/`, { method: 'DELETE' })).status).toBe(204);
    expect((await app.ask(`${PROPERTIES}${id}/`)).status).toBe(404);
    expect((await app.ask(`${PROPERTIES}${id}/`, { method: 'DELETE' })).status).toBe(404);
    await capture(app, { event: 'a', properties: { x: 1 } });
    const [again] = await listProperties(app, `properties=x&event_names=${json(['a'])}`);
    expect(again).toMatchObject({ property_type: 'Numeric', is_seen_on_filtered_events: true });
    expect(again!.id).not.toBe(id);
  });
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
