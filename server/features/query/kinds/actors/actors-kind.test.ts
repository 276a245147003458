import { describe, expect, test } from 'vitest';
import { iso } from '../../../../../test/support/app-events.ts';
import { openWithThreePersons } from '../../../../../test/support/app-persons.ts';
import { sendEvents } from '../../../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../../../test/support/test-app.ts';

const QUERY = '/api/projects/1/query/';

async function ask(app: TestApp, query: object) {
  const answer = await app.ask(QUERY, { method: 'POST', body: { query: { kind: 'ActorsQuery', ...query } } });
  expect(answer.json).not.toHaveProperty('detail');
  return answer.json;
}

/** What `properties.plan` and the first name or address of each row says. */
const NAMED = { select: ['properties.email', 'properties.plan'] };

describe('M9.9.2 ActorsQuery', () => {
  test('lists persons, the newest first, with their fields', async () => {
    const app = await openWithThreePersons();
    const found = await ask(app, {});
    expect(found).toMatchObject({
      columns: ['person', 'id'],
      hasMore: false,
      limit: 100,
      offset: 0,
      missing_actors_count: 0,
    });
    const [last, , first] = found.results;
    expect(first[0]).toMatchObject({
      type: 'person',
      id: first[1],
      uuid: first[1],
      name: 'lin@local.test',
      distinct_ids: ['u1'],
      properties: { email: 'lin@local.test', plan: 'pro', seats: 5 },
    });
    expect(last[0]).toMatchObject({ name: 'u3', distinct_ids: ['u3'] });
    const older = await app.ask(QUERY, { method: 'POST', body: { query: { kind: 'PersonsQuery' } } });
    expect(older.json.results).toEqual(found.results);
  });

  test('accepts a label after any column', async () => {
    const app = await openWithThreePersons();
    const [[whole, id]] = (await ask(app, { select: ['person', 'id'] })).results;
    const labelled = await ask(app, { select: ['person -- Who', 'id -- Id', 'properties.email -- Mail'] });
    expect(labelled.columns).toEqual(['person -- Who', 'id -- Id', 'properties.email -- Mail']);
    expect(labelled.results[0]).toEqual([whole, id, null]);
  });

  test("has the columns of PostHog's person lists: the display name, which orders too, and the button to delete", async () => {
    const app = await openWithThreePersons();
    const columns = ['person_display_name -- Person', 'id', 'person.$delete'];
    const { results, columns: names } = await ask(app, {
      select: columns,
      orderBy: ['person_display_name -- Person DESC'],
    });
    expect(names).toEqual(columns);
    const last = results.map(([name, id, button]: [any, string, number]) => [
      name.display_name,
      name.id === id,
      button,
    ]);
    expect(last.slice(0, 2)).toEqual([
      ['max@local.test', true, 1],
      ['lin@local.test', true, 1],
    ]);
  });

  test('accepts columns, order, pages, filters, and search texts', async () => {
    const app = await openWithThreePersons();
    const free = [{ key: 'plan', value: 'free', operator: 'exact', type: 'person' }];
    const lin = ['lin@local.test', 'pro'];
    const max = ['max@local.test', 'free'];
    const third = [null, 'free'];
    const expected: [object, unknown[]][] = [
      [{}, [third, max, lin]],
      [{ orderBy: ['properties.plan DESC', 'created_at'] }, [lin, max, third]],
      [{ orderBy: ['-created_at'], limit: 1, offset: 1 }, [max]],
      [{ properties: free }, [third, max]],
      [{ properties: free, search: 'LOCAL.test' }, [max]],
      [{ search: 'élan' }, [max]],
      [{ search: 'U3' }, [third]],
      [{ search: `%' or 1=1` }, []],
    ];
    for (const [query, rows] of expected)
      expect((await ask(app, { ...NAMED, ...query })).results, JSON.stringify(query)).toEqual(rows);
    expect(await ask(app, { ...NAMED, limit: 2 })).toMatchObject({ hasMore: true, limit: 2 });
  });

  test('lists the persons of SQL and of a data point of an insight', async () => {
    const app = await openWithThreePersons();
    await sendEvents(app, [
      { event: 'buy', distinct_id: 'u2', timestamp: iso(100) },
      { event: 'buy', distinct_id: 'u2', timestamp: iso(200) },
    ]);
    const sources = [
      {
        kind: 'HogQLQuery',
        query: `select person_id as p, count() from events where event = 'buy' group by p`,
      },
      {
        kind: 'InsightActorsQuery',
        day: '2026-11-01',
        series: 0,
        source: {
          kind: 'TrendsQuery',
          series: [{ kind: 'EventsNode', event: 'buy' }],
          dateRange: { date_from: '2026-11-01', date_to: '2026-11-02' },
        },
      },
    ];
    for (const source of sources) {
      const { results, hogql } = await ask(app, { ...NAMED, source });
      expect(results).toEqual([['max@local.test', 'free']]);
      expect(hogql).toContain('FROM persons');
    }
    const counted = {
      select: ['properties.email', 'event_count'],
      orderBy: ['event_count DESC'],
      source: sources[1],
    };
    expect((await ask(app, counted)).results).toEqual([['max@local.test', 2]]);
  });

  test('computes aggregates for the other columns, the greatest first', async () => {
    const app = await openWithThreePersons();
    const counted = { select: ['properties.plan', 'count()'] };
    expect((await ask(app, counted)).results).toEqual([
      ['free', 2],
      ['pro', 1],
    ]);
    const ordered = await ask(app, { ...counted, orderBy: ['properties.plan DESC'], limit: 1 });
    expect(ordered.results).toEqual([['pro', 1]]);
    // A constant is the same for all rows.
    expect((await ask(app, { select: ['count()', 'person.$delete'] })).results).toEqual([[3, 1]]);
    const query = { kind: 'ActorsQuery', select: ['person', 'count()'] };
    const { status, json } = await app.ask(QUERY, { method: 'POST', body: { query } });
    expect([status, json.detail]).toEqual([
      400,
      "'person' is a whole person and cannot be selected beside an aggregate.",
    ]);
  });

  test('sessions behind a step are counted, and listed with their persons', async () => {
    const app = await openTestApp();
    await sendEvents(
      app,
      ['s1', 's2', 's3'].map(($session_id, at) => ({
        event: 'view',
        distinct_id: at === 2 ? 'u2' : 'u1',
        timestamp: iso(at),
        properties: { $session_id },
      })),
    );
    const source = {
      kind: 'FunnelsActorsQuery',
      funnelStep: 1,
      source: {
        kind: 'FunnelsQuery',
        dateRange: { date_from: '2026-10-31', date_to: '2026-11-02' },
        series: [
          { kind: 'EventsNode', event: 'view' },
          { kind: 'EventsNode', event: 'paid' },
        ],
        funnelsFilter: { funnelAggregateByHogQL: 'properties.$session_id' },
      },
    };
    expect((await ask(app, { source, select: ['count()'] })).results).toEqual([[3]]);
    const { columns, results } = await ask(app, { source, select: ['actor'] });
    expect(columns).toEqual(['actor', 'person']);
    expect(results).toHaveLength(3);
  });

  test('a column or order of many dashes is refused immediately', async () => {
    const app = await openTestApp();
    const dashes = `${'-'.repeat(200_000)}\n`;
    for (const query of [{ select: [`${dashes}x`] }, { orderBy: [`${dashes}x`] }]) {
      const body = { query: { kind: 'ActorsQuery', ...query } };
      expect((await app.ask(QUERY, { method: 'POST', body })).status).toBe(400);
    }
  });

  test('with an empty list of orders the oldest is first, and a person without a name has its id', async () => {
    const app = await openWithThreePersons();
    const { results } = await ask(app, { select: ['person_display_name', 'id'], orderBy: [] });
    expect(results.map(([{ display_name: name }]: [{ display_name: string }]) => name)).toEqual([
      'lin@local.test',
      'max@local.test',
      results[2][1],
    ]);
  });

  test('lists groups behind a point, also those that have never been identified', async () => {
    const app = await openTestApp();
    const identified = { $group_type: 'company', $group_key: 'acme', $group_set: { name: 'Acme Inc.' } };
    const seen = (company: string) => ({ properties: { $groups: { company } }, timestamp: iso(1) });
    await sendEvents(app, [
      { event: '$groupidentify', timestamp: iso(0), properties: identified },
      seen('acme'),
      seen('zoo'),
    ]);
    const series = [{ kind: 'EventsNode', event: 'seen', math: 'unique_group', math_group_type_index: 0 }];
    const dateRange = { date_from: '2026-11-01', date_to: '2026-11-02' };
    const source = {
      kind: 'InsightActorsQuery',
      day: '2026-11-01',
      source: { kind: 'TrendsQuery', series, dateRange },
    };
    const { results } = await ask(app, { select: ['actor', 'id', 'event_count'], source });
    const properties = identified.$group_set;
    expect(results).toEqual([
      [
        {
          type: 'group',
          id: 'acme',
          group_key: 'acme',
          group_type_index: 0,
          created_at: expect.any(String),
          properties,
          group_properties: properties,
        },
        'acme',
        1,
      ],
      [{ id: 'zoo', group_type_index: 0 }, 'zoo', 1],
    ]);
    expect((await ask(app, { select: ['id'], source, search: 'ACME' })).results).toEqual([['acme']]);
    const columns = {
      select: ['index', 'id', 'key', "concat(key, '!')", 'group_key'],
      orderBy: ['key DESC'],
    };
    expect((await ask(app, { ...columns, source })).results).toEqual([
      [0, 'zoo', 'zoo', 'zoo!', 'zoo'],
      [0, 'acme', 'acme', 'acme!', 'acme'],
    ]);
    const counted = { select: ['properties.name', 'count()'], orderBy: ['count()', 'properties.name'] };
    expect((await ask(app, { ...counted, source })).results).toEqual([
      ['Acme Inc.', 1],
      [null, 1],
    ]);
    expect((await ask(app, { select: ['$virt_revenue', 'team_id'], source })).results).toEqual([
      [null, 1],
      [null, 1],
    ]);
    const alone = await app.ask(QUERY, { method: 'POST', body: { query: source } });
    expect(alone.json.columns).toEqual(['actor_id', 'event_count']);
  });

  test('a point is also answered by itself, and has the distinct ids of its events', async () => {
    const app = await openWithThreePersons();
    await sendEvents(app, [
      { event: '$create_alias', distinct_id: 'u2', timestamp: iso(4), properties: { alias: 'u2b' } },
      { event: 'buy', distinct_id: 'u2', timestamp: iso(100) },
      { event: 'buy', distinct_id: 'u2b', timestamp: iso(200) },
    ]);
    const dateRange = { date_from: '2026-11-01', date_to: '2026-11-02' };
    const point = { kind: 'InsightActorsQuery', day: '2026-11-01', source: { ...TREND, dateRange } };
    const { results } = await ask(app, { select: ['id', 'event_distinct_ids'], source: point });
    expect(results).toEqual([[expect.any(String), ['u2', 'u2b']]]);
    expect((await ask(app, { select: ['id', 'event_count'], source: point })).hogql).not.toContain(
      'groupUniqArray',
    );
    const alone = await app.ask(QUERY, { method: 'POST', body: { query: point } });
    expect(alone.json).toMatchObject({
      columns: ['actor_id', 'event_count', 'event_distinct_ids'],
      results: [[results[0][0], 2, ['u2', 'u2b']]],
    });
  });

  test('filters of a request apply to the insight whose persons are listed', async () => {
    const app = await openWithThreePersons();
    const buy = (distinct_id: string, plan: string) => ({
      event: 'buy',
      distinct_id,
      timestamp: iso(100),
      properties: { plan },
    });
    await sendEvents(app, [buy('u1', 'pro'), buy('u2', 'free')]);
    const dateRange = { date_from: '2026-11-01', date_to: '2026-11-02' };
    const source = { kind: 'InsightActorsQuery', source: { ...TREND, dateRange } };
    const emailsOf = async (filters: object) => {
      const query = { kind: 'ActorsQuery', select: ['properties.email'], source };
      const answer = await app.ask(QUERY, { method: 'POST', body: { query, filters_override: filters } });
      return answer.json.results.flat().toSorted();
    };
    expect(await emailsOf({})).toEqual(['lin@local.test', 'max@local.test']);
    const free = { key: 'plan', value: 'free', operator: 'exact', type: 'event' };
    expect(await emailsOf({ properties: [free] })).toEqual(['max@local.test']);
    expect(await emailsOf({ date_from: '2026-10-01', date_to: '2026-10-02' })).toEqual([]);
  });

  test('refuses sources without persons', async () => {
    const app = await openTestApp();
    const refused: [unknown, RegExp][] = [
      [{ kind: 'EventsQuery', select: ['event'] }, /Persons are not available for queries/],
      [{ kind: 'InsightActorsQuery' }, /object with a `kind`/],
      [{ kind: 'InsightActorsQuery', source: { kind: 'Nothing' } }, /Unknown query kind 'Nothing'/],
      [{ kind: 'HogQLQuery', query: 7 }, /requires `query`/],
      [{ kind: 'InsightActorsQuery', series: 'a', source: TREND }, /'series'/],
    ];
    for (const [source, detail] of refused) {
      const body = { query: { kind: 'ActorsQuery', source } };
      const { status, json } = await app.ask(QUERY, { method: 'POST', body });
      expect([status, json.detail], JSON.stringify(source)).toEqual([400, expect.stringMatching(detail)]);
    }
  });
});

const TREND = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'buy' }] };
