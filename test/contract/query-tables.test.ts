import { expect, test } from 'vitest';
import { answerTo, post, sendBySdk, SHOP, tally } from '../support/query-shop.ts';
import { sendEvents } from '../support/send-events.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';

async function openShop(): Promise<TestApp> {
  const app = await openTestApp();
  await sendBySdk(app);
  return app;
}

const sql = (query: string, more: object = {}) => ({ kind: 'HogQLQuery', query, ...more });
const NAMES = SHOP.map(([event]) => event);
const BY_NAME = Object.entries(tally(NAMES)).toSorted();
const NEWEST_FIRST = SHOP.toSorted(([, , a], [, , b]) => (a < b ? 1 : -1));

test('M9.9/HogQLQuery results as rows, columns, pairs of types, and all documented fields', async () => {
  const app = await openShop();
  const text = 'select event, count() from events group by event order by event';
  const answer = await answerTo(app, sql(text, { name: 'names' }));
  expect(answer).toMatchObject({
    results: BY_NAME,
    columns: ['event', 'count()'],
    types: [
      ['event', 'String'],
      ['count()', 'UInt64'],
    ],
    hasMore: false,
    limit: 100,
    offset: 0,
    query: text,
    error: null,
    is_cached: false,
    query_status: null,
  });
  expect(answer.hogql).toMatch(/^SELECT event, count\(\) FROM events GROUP BY event/);
  expect(answer.timings).toEqual(expect.any(Array));
  const explained = await answerTo(app, sql(text, { explain: true }));
  expect(explained.explain.length).toBeGreaterThan(0);
});

test('M9.9/HogQLQuery 100 rows without LIMIT, 50,000 at most', async () => {
  const app = await openTestApp();
  const rows = async (query: string) => await answerTo(app, sql(query));
  const free = await rows('select arrayJoin(range(0, 60000))');
  expect([free.results.length, free.limit, free.hasMore]).toEqual([100, 100, true]);
  const capped = await rows('select arrayJoin(range(0, 60000)) limit 60000');
  expect([capped.results.length, capped.limit, capped.hasMore]).toEqual([50_000, 50_000, true]);
});

test('M9.9/HogQLQuery filters: properties, dates and test accounts replace {filters}', async () => {
  const app = await openShop();
  const count = async (filters: object) =>
    (await answerTo(app, sql('select count() from events where {filters}', { filters }))).results[0][0];
  const pro = [{ key: 'plan', value: ['pro'], operator: 'exact', type: 'event' }];
  expect(await count({ properties: pro })).toBe(SHOP.filter(([, , , p]) => p?.['plan'] === 'pro').length);
  const dateRange = { date_from: '2026-11-17', date_to: '2026-11-18' };
  const between = SHOP.filter(([, , at]) => at >= '2026-11-17' && at < '2026-11-19').length;
  expect(await count({ dateRange })).toBe(between);
  const accounts = [{ key: '$browser', value: 'Firefox', operator: 'is_not', type: 'event' }];
  await app.ask('/api/projects/1/', { method: 'PATCH', body: { test_account_filters: accounts } });
  const others = SHOP.filter(([, , , p]) => p?.['$browser'] !== 'Firefox').length;
  expect(await count({ filterTestAccounts: true })).toBe(others);
});

test('M9.9/HogQLQuery values replace placeholders, and are never parsed as HogQL', async () => {
  const app = await openShop();
  const named = (value: unknown) =>
    answerTo(app, sql('select count() from events where event = {name}', { values: { name: value } }));
  expect((await named('signup')).results).toEqual([[NAMES.filter((name) => name === 'signup').length]]);
  expect((await named(`signup' or '1' = '1`)).results).toEqual([[0]]);
});

test('M9.9/EventsQuery columns, types as texts, rows in the order of select, and the first four always', async () => {
  const app = await openShop();
  const answer = await answerTo(app, {
    kind: 'EventsQuery',
    select: ['event', 'timestamp', 'distinct_id', 'properties.plan'],
    after: '-7d',
    orderBy: ['timestamp DESC'],
    limit: 2,
  });
  expect(answer).toMatchObject({
    columns: ['event', 'timestamp', 'distinct_id', 'properties.plan'],
    hasMore: true,
    limit: 2,
    offset: 0,
    error: null,
  });
  expect(answer.types.slice(0, 2)).toEqual(['String', `DateTime64(6, 'UTC')`]);
  const newest = NEWEST_FIRST.slice(0, 2).map(([event, who, at, p]) => [
    event,
    iso(at),
    who,
    p?.['plan'] ?? null,
  ]);
  expect(answer.results).toEqual(newest);
  expect(answer.hogql).toMatch(/^SELECT event, timestamp, .* ORDER BY timestamp DESC.* LIMIT 2( |$)/);
});

/** As results show a moment. */
function iso(at: string): string {
  return at.replace(/\.(\d{3})Z$/, '.$1000Z');
}

test('M9.9/EventsQuery `*` is an event object, beside columns and expressions', async () => {
  const app = await openShop();
  const { results } = await answerTo(app, {
    kind: 'EventsQuery',
    select: ['*', 'event', 'upper(event)'],
    event: 'signup',
    after: 'all',
  });
  expect(results).toHaveLength(NAMES.filter((name) => name === 'signup').length);
  for (const [event, name, loud] of results) {
    expect([name, loud]).toEqual(['signup', 'SIGNUP']);
    expect(event).toMatchObject({
      event: 'signup',
      uuid: expect.any(String),
      distinct_id: expect.any(String),
    });
    expect(event.properties).toMatchObject({ plan: expect.any(String) });
  }
});

test('M9.9/EventsQuery after is 24 hours ago by default, `all` has no lower bound', async () => {
  const app = await openShop();
  const names = async (more: object) =>
    (await answerTo(app, { kind: 'EventsQuery', select: ['event'], ...more })).results.flat();
  const since = new Date(app.clock.now - 86_400_000).toISOString();
  expect(await names({})).toEqual(NEWEST_FIRST.filter(([, , at]) => at > since).map(([event]) => event));
  expect(await names({ after: 'all' })).toHaveLength(SHOP.length);
  expect(await names({ after: '2026-11-17', before: '2026-11-18' })).toHaveLength(
    SHOP.filter(([, , at]) => at > '2026-11-17T00:00:00.000Z' && at < '2026-11-18').length,
  );
});

test('M9.9/EventsQuery where, event, events, properties, fixedProperties, personId, actionId: all must match', async () => {
  const app = await openShop();
  const [ada] = (await app.ask('/api/projects/1/persons/?distinct_id=ada')).json.results;
  const { id: actionId } = (await post(app, 'actions/', { name: 'Joined', steps: [{ event: 'signup' }] }))
    .json;
  const leaf = { key: 'plan', value: 'pro', operator: 'exact', type: 'event' };
  const rows: [object, (event: (typeof SHOP)[number]) => boolean][] = [
    [
      { where: [`event = 'signup'`, `properties.plan = 'pro'`] },
      ([e, , , p]) => e === 'signup' && p?.['plan'] === 'pro',
    ],
    [{ where: ['properties.seats > 1'] }, ([, , , p]) => Number(p?.['seats'] ?? 0) > 1],
    [{ event: 'signup' }, ([e]) => e === 'signup'],
    [{ events: ['signup', 'other'] }, ([e]) => e === 'signup'],
    [{ properties: [leaf] }, ([, , , p]) => p?.['plan'] === 'pro'],
    [{ fixedProperties: [{ type: 'AND', values: [leaf] }] }, ([, , , p]) => p?.['plan'] === 'pro'],
    [{ personId: ada.uuid }, ([, who]) => who === 'ada'],
    [{ actionId }, ([e]) => e === 'signup'],
    [{ actionSteps: [{ event: 'signup' }] }, ([e]) => e === 'signup'],
    [{ personId: ada.uuid, event: 'signup' }, ([e, who]) => e === 'signup' && who === 'ada'],
  ];
  for (const [more, keep] of rows) {
    const query = { kind: 'EventsQuery', select: ['event', 'distinct_id'], after: 'all', ...more };
    const expected = NEWEST_FIRST.filter(keep).map(([event, who]) => [event, who]);
    expect((await answerTo(app, query)).results, JSON.stringify(more)).toEqual(expected);
  }
});

test('M9.9/EventsQuery nextCursor pages through all events, each once, also when their times are equal', async () => {
  const app = await openTestApp();
  const timestamp = '2026-11-19T12:00:00.000Z';
  await sendEvents(
    app,
    Array.from({ length: 7 }, (_, n) => ({ event: `e${n}`, timestamp })),
  );
  const seen: string[] = [];
  let before: string | undefined;
  for (;;) {
    const query = { kind: 'EventsQuery', select: ['event'], after: 'all', limit: 3, before };
    const page = await answerTo(app, query);
    seen.push(...page.results.flat());
    if (!page.hasMore) break;
    before = page.nextCursor;
  }
  expect(seen.toSorted()).toEqual(['e0', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6']);
});

test('M9.9/EventsQuery aggregates group the rows by the other selected columns', async () => {
  const app = await openShop();
  const query = { kind: 'EventsQuery', select: ['event', 'count()'], after: 'all', orderBy: ['event'] };
  expect((await answerTo(app, query)).results).toEqual(BY_NAME);
});

test('M9.9.2/ActorsQuery without source lists persons; select is person and id by default', async () => {
  const app = await openShop();
  for (const kind of ['ActorsQuery', 'PersonsQuery']) {
    const answer = await answerTo(app, { kind });
    expect(answer).toMatchObject({
      columns: ['person', 'id'],
      missing_actors_count: 0,
      hasMore: false,
      offset: 0,
    });
    expect(answer.results).toHaveLength(new Set(SHOP.map(([, who]) => who)).size);
    for (const [person, id] of answer.results)
      expect(person).toMatchObject({ id, distinct_ids: [expect.any(String)] });
    expect(answer.types).toHaveLength(2);
  }
});

test('M9.9.2/ActorsQuery search, properties, orderBy, limit and offset', async () => {
  const app = await openShop();
  await sendEvents(app, [
    { distinct_id: 'ada', event: '$set', $set: { email: 'ada@shop.test', plan: 'pro' } },
    { distinct_id: 'bob', event: '$set', $set: { email: 'bob@shop.test', plan: 'free' } },
    { distinct_id: 'cy', event: '$set', $set: { email: 'cy@else.test', plan: 'pro' } },
  ]);
  const found = async (more: object) =>
    (await answerTo(app, { kind: 'ActorsQuery', select: ['properties.email'], ...more })).results.flat();
  const orderBy = ['properties.email'];
  const pro = [{ key: 'plan', value: 'pro', operator: 'exact', type: 'person' }];
  const emailed = [{ key: 'email', operator: 'is_set', type: 'person' }];
  expect(await found({ search: 'shop.test', orderBy })).toEqual(['ada@shop.test', 'bob@shop.test']);
  expect(await found({ properties: pro, orderBy })).toEqual(['ada@shop.test', 'cy@else.test']);
  const all = ['ada@shop.test', 'bob@shop.test', 'cy@else.test'];
  expect(await found({ properties: emailed, orderBy: ['properties.email DESC'] })).toEqual(all.toReversed());
  expect(await found({ properties: emailed, orderBy, limit: 1, offset: 1 })).toEqual(all.slice(1, 2));
});

test('M9.9/HogQLMetadata and DatabaseSchemaQuery return results', async () => {
  const app = await openShop();
  const wrong = { kind: 'HogQLMetadata', language: 'hogQL', query: 'select evnt from events' };
  expect(await answerTo(app, wrong)).toMatchObject({ isValid: false, errors: [{ start: 7, end: 11 }] });
  const right = { ...wrong, query: 'select event from events' };
  expect(await answerTo(app, right)).toMatchObject({ isValid: true, errors: [], table_names: ['events'] });
  const { tables } = await answerTo(app, { kind: 'DatabaseSchemaQuery' });
  for (const name of ['events', 'persons', 'groups', 'person_distinct_ids', 'cohort_people', 'sessions'])
    expect(tables).toHaveProperty(name);
});
