import { describe, expect, test } from 'vitest';
import {
  capture,
  EVENTS,
  idOf,
  json,
  listEvents,
  listProperties,
  namesOf,
  NOON,
  PROPERTIES,
  UNKNOWN,
} from '../../../test/support/app-definitions.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { eventDefinition } from './definitions.contract.ts';

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
  ])('with %s returns %j', async (query, wanted) => {
    const app = await openWithEvents();
    expect(namesOf(await listEvents(app, query))).toEqual(wanted);
  });

  test('filters by edits: verified, hidden, tags, and last seen', async () => {
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

  test('in pages with links to the next and the previous', async () => {
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

  test('shows only the names of its own project', async () => {
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

describe('a single event definition', () => {
  test('is created before its first event, and used by it', async () => {
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
  ])('created with %j is refused: %s', async (body, code, attr) => {
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

  test.each(['PATCH', 'PUT'])('is described by %s, which keeps omitted fields', async (method) => {
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
  });

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

  test('that is deleted is missing until its event is sent again; then it is new', async () => {
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

  test('keeps its edits while its events are received', async () => {
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
