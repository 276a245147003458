import { describe, expect, test } from 'vitest';
import { iso, T0 } from '../../../../../test/support/app-events.ts';
import { sendEvents } from '../../../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../../../test/support/test-app.ts';

const QUERY = '/api/projects/1/query/';
const UUIDS = [1, 2, 3, 4].map((n) => `0190f0c1-0000-7000-8000-00000000000${n}`);
const SENT = [
  { event: 'signup', distinct_id: 'u1', timestamp: iso(1), properties: { plan: 'pro', $browser: 'Firefox' } },
  { event: 'view', distinct_id: 'u2', timestamp: iso(2), properties: { plan: 'free' } },
  { event: 'view', distinct_id: 'u1', timestamp: iso(2), properties: { plan: 'pro' } },
  { event: 'view', distinct_id: 'u1', timestamp: iso(3), properties: {} },
].map((event, at) => ({ ...event, uuid: UUIDS[at]! }));

/** Four events in the first seconds of a day, of two persons; the clock is an hour later. */
async function openWithEvents(): Promise<TestApp> {
  const app = await openTestApp();
  app.clock.now = T0 + 3_600_000;
  await sendEvents(app, SENT);
  await sendEvents(app, [
    { event: '$set', distinct_id: 'u1', timestamp: iso(-90_000), $set: { email: 'lin@local.test' } },
  ]);
  return app;
}

async function ask(app: TestApp, query: object) {
  const answer = await app.ask(QUERY, { method: 'POST', body: { query: { kind: 'EventsQuery', ...query } } });
  expect(answer.json).not.toHaveProperty('detail');
  return answer.json;
}

const BY_TIME = { orderBy: ['timestamp ASC'] };

describe('M9.9 EventsQuery', () => {
  test('lists columns and expressions of the last day, newest first', async () => {
    const app = await openWithEvents();
    const found = await ask(app, { select: ['event', 'properties.plan', 'distinct_id -- who'] });
    expect(found).toMatchObject({
      columns: ['event', 'properties.plan', 'distinct_id -- who'],
      types: ['String', 'Nullable(String)', 'String'],
      results: [
        ['view', null, 'u1'],
        ['view', 'pro', 'u1'],
        ['view', 'free', 'u2'],
        ['signup', 'pro', 'u1'],
      ],
      hasMore: false,
      limit: 100,
      offset: 0,
      nextCursor: null,
    });
    expect(found.hogql).toContain('FROM events');
  });

  test('an unknown column named like a member of Object.prototype is refused like any other', async () => {
    const app = await openWithEvents();
    for (const name of ['constructor', 'toString', '__proto__']) {
      const query = { kind: 'EventsQuery', select: [name] };
      const { status, json } = await app.ask(QUERY, { method: 'POST', body: { query } });
      expect([status, json.detail]).toEqual([400, expect.stringContaining(`Unknown column "${name}"`)]);
    }
  });

  test('shows events and persons as objects', async () => {
    const app = await openWithEvents();
    const { results, types } = await ask(app, { select: ['*', 'person'], event: 'signup' });
    expect(types[0]).toMatch(/^Tuple\(UUID, String, /);
    const [event, person] = results[0];
    expect(event).toMatchObject({
      uuid: UUIDS[0],
      event: 'signup',
      properties: { plan: 'pro', $browser: 'Firefox' },
      timestamp: '2026-11-01T00:00:01.000000Z',
      team_id: 1,
      distinct_id: 'u1',
      elements_chain: '',
    });
    expect(person).toMatchObject({ uuid: event.person_id, distinct_id: 'u1' });
    expect(person.properties).toMatchObject({ email: 'lin@local.test' });
  });

  test('has the display name of a person, and accepts a label after any column', async () => {
    const app = await openWithEvents();
    const { columns, results } = await ask(app, {
      select: ['person_display_name -- Person', 'person -- Whole', '* -- Event', 'person_id'],
      ...BY_TIME,
    });
    expect(columns).toEqual(['person_display_name -- Person', 'person -- Whole', '* -- Event', 'person_id']);
    const [[lin, person, event, linId], [other, , , otherId]] = results;
    expect(lin).toEqual({ display_name: 'lin@local.test', id: linId, distinct_id: 'u1' });
    expect([person.uuid, event.event]).toEqual([linId, 'signup']);
    // Nothing names this one: its distinct id does.
    expect(other).toEqual({ display_name: 'u2', id: otherId, distinct_id: 'u2' });
  });

  test('accepts filters by name, expression, property, person, action, cohort and test accounts, all together', async () => {
    const app = await openWithEvents();
    const post = async (path: string, body: object) =>
      (await app.ask(`/api/projects/1/${path}/`, { method: 'POST', body })).json;
    const action = await post('actions', { name: 'Sees', steps: [{ event: 'view' }] });
    const person = { key: 'email', value: 'lin@local.test', operator: 'exact', type: 'person' };
    const cohort = await post('cohorts', {
      name: 'Lin',
      filters: { properties: { type: 'OR', values: [{ type: 'AND', values: [person] }] } },
    });
    await app.ask('/api/projects/1/', {
      method: 'PATCH',
      body: { test_account_filters: [{ ...person, operator: 'is_not' }] },
    });
    const {
      results: [[uuid]],
    } = await ask(app, { select: ['person_id'], event: 'signup' });
    const plan = { key: 'plan', value: 'pro', operator: 'exact', type: 'event' };
    const expected: [object, string[]][] = [
      [{}, ['1', '2', '3', '4']],
      [{ event: 'view' }, ['2', '3', '4']],
      [{ events: ['signup', 'none'] }, ['1']],
      [{ where: [`properties.plan = 'pro'`, `event != 'signup'`] }, ['3']],
      [{ properties: [plan] }, ['1', '3']],
      [
        { properties: { type: 'OR', values: [{ type: 'AND', values: [plan] }] }, fixedProperties: [plan] },
        ['1', '3'],
      ],
      [{ personId: uuid }, ['1', '3', '4']],
      [{ actionId: action.id }, ['2', '3', '4']],
      [{ actionId: 77 }, []],
      [{ properties: [{ key: 'id', type: 'cohort', value: cohort.id }] }, ['1', '3', '4']],
      [{ filterTestAccounts: true }, ['2']],
      [{ actionId: action.id, properties: [plan], personId: uuid }, ['3']],
    ];
    for (const [filter, numbers] of expected) {
      const { results } = await ask(app, { select: ['uuid'], ...BY_TIME, ...filter });
      expect(results.map(([id]: [string]) => id.at(-1)).toSorted(), JSON.stringify(filter)).toEqual(numbers);
    }
  });

  test('is ordered by display names, which are distinct ids where a person has none', async () => {
    const app = await openWithEvents();
    const { results } = await ask(app, {
      select: ['distinct_id', 'event'],
      event: 'view',
      orderBy: ['person_display_name -- Person DESC', 'timestamp'],
    });
    expect(results.map(([distinctId]: [string]) => distinctId)).toEqual(['u2', 'u1', 'u1']);
    const negative = {
      select: ['distinct_id'],
      event: 'view',
      orderBy: ['-person_display_name', 'timestamp'],
    };
    expect((await ask(app, negative)).results).toEqual([['u2'], ['u1'], ['u1']]);
  });

  test("a filter by the property $elements_chain is one by the event's elements", async () => {
    const app = await openTestApp();
    const clicked = (name: string, ...tags: string[]) => ({
      event: '$autocapture',
      properties: { name, $elements: tags.map((tag_name) => ({ tag_name, nth_child: 1, nth_of_type: 1 })) },
    });
    await sendEvents(app, [clicked('with', 'a', 'div'), clicked('without', 'a', 'button')]);
    const filter = { key: '$elements_chain', value: 'div', operator: 'not_icontains', type: 'event' };
    const { results } = await ask(app, { select: ['properties.name'], properties: [filter] });
    expect(results).toEqual([['without']]);
  });

  test('is limited to its date range, the last day by default', async () => {
    const app = await openWithEvents();
    await sendEvents(app, [{ event: 'later', timestamp: iso(7_200) }]);
    const names = async (bounds: object) =>
      (await ask(app, { select: ['event'], ...BY_TIME, ...bounds })).results.map(([name]: [string]) => name);
    expect(await names({})).toEqual(['signup', 'view', 'view', 'view']);
    expect(await names({ after: 'all' })).toEqual(['$set', 'signup', 'view', 'view', 'view']);
    expect(await names({ after: '-7d', before: iso(9_000) })).toHaveLength(6);
    expect(await names({ after: iso(1) })).toEqual(['view', 'view', 'view']);
    expect(await names({ before: iso(2) })).toEqual(['signup']);
    expect(await names({ after: '2026-11-01', before: '2026-11-02' })).toHaveLength(5);
    const bad = await app.ask(QUERY, {
      method: 'POST',
      body: { query: { kind: 'EventsQuery', select: ['event'], after: 'soon' } },
    });
    expect(bad.json).toMatchObject({ code: 'invalid_input', detail: expect.stringContaining(`'soon'`) });
  });

  test.each([
    ['newest', 'before', '-timestamp', ['4', '3', '2', '1']],
    ['oldest', 'after', 'timestamp', ['1', '2', '3', '4']],
  ])('pages through events, %s first, also between equal times', async (_, bound, order, all) => {
    const app = await openWithEvents();
    const seen: string[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < 4; page++) {
      const { results, nextCursor }: { results: [string][]; nextCursor: string | null } = await ask(app, {
        select: ['uuid'],
        orderBy: [order],
        limit: 1,
        ...(cursor === null ? {} : { [bound]: cursor }),
      });
      seen.push(...results.map(([id]) => id.at(-1)!));
      cursor = nextCursor;
    }
    expect(cursor).toBeNull();
    expect(seen).toEqual(all);
  });

  test('a condition on an aggregate is one on the groups', async () => {
    const app = await openWithEvents();
    const found = await ask(app, { select: ['event', 'count()'], where: [`event != 'x'`, 'count() > 1'] });
    expect(found).toMatchObject({ results: [['view', 3]] });
  });

  test('aggregates, with the largest first', async () => {
    const app = await openWithEvents();
    const found = await ask(app, { select: ['event', 'count()'] });
    expect(found).toMatchObject({
      results: [
        ['view', 3],
        ['signup', 1],
      ],
      types: ['String', 'UInt64'],
      nextCursor: null,
    });
    const wrong = await app.ask(QUERY, {
      method: 'POST',
      body: { query: { kind: 'EventsQuery', select: ['*', 'count()'] } },
    });
    expect(wrong.json).toMatchObject({ code: 'invalid_input', detail: expect.stringContaining("'*'") });
  });

  test('accepts persons from SQL, and reports the position of an invalid expression', async () => {
    const app = await openWithEvents();
    const source = { kind: 'HogQLQuery', query: `select person_id from events where event = 'signup'` };
    const { results } = await ask(app, { select: ['event', 'distinct_id'], source, ...BY_TIME });
    expect(results.map(([, who]: string[]) => who)).toEqual(['u1', 'u1', 'u1']);
    const wrong = await app.ask(QUERY, {
      method: 'POST',
      body: { query: { kind: 'EventsQuery', select: ['event', 'properties.'] } },
    });
    expect(wrong.json.detail).toMatch(/^In 'properties\.': Line 1, column \d+: /);
  });
});
