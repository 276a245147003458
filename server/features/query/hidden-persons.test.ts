import { beforeAll, describe, expect, test } from 'vitest';
import { putRule } from '../../../test/support/access-rules.ts';
import { addMember, type TestMember } from '../../../test/support/members.ts';
import { shareTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

const P = '/api/projects/1/';
const SECRET = 'ada-of-acme';
const open = shareTestApp();

let app: TestApp;
let member: TestMember;
let person: string;

beforeAll(async () => {
  app = await open.forAll();
  member = await addMember(app, 'lin@local.test');
  const properties = {
    plan: 'team',
    $session_id: 's1',
    $pathname: '/a',
    $set: { email: `${SECRET}@x.test`, city: `${SECRET} City` },
  };
  await app.ask('/batch/', {
    method: 'POST',
    key: null,
    body: {
      api_key: TEST_TOKEN,
      batch: ['opened', '$pageview', 'closed'].map((event) => ({ event, distinct_id: SECRET, properties })),
    },
  });
  person = (await app.ask(`${P}persons/`)).json.results[0].uuid;
  const cohort = { name: 'List', is_static: true };
  await app.ask(`${P}cohorts/`, { method: 'POST', body: cohort });
  await hide('person');
});

async function hide(resource: string, level: string | null = 'none'): Promise<void> {
  const rule = { resource, organization_member: member.membershipId, access_level: level };
  const { status, text } = await putRule(app, 'resource_access_controls/', rule);
  if (status >= 300) throw new Error(text);
}

const sql = (query: string) => ({ kind: 'HogQLQuery', query });
const ask = (query: object, more: object = {}) =>
  member.ask(`${P}query/`, { method: 'POST', body: { query, ...more } });
const SERIES = [{ kind: 'EventsNode', event: 'opened' }];
const TRENDS = { kind: 'TrendsQuery', series: SERIES };
const EMAIL = { key: 'email', type: 'person', operator: 'icontains', value: 'ada' };

const SHOWING_SQL = [
  'select id from persons',
  'select count() from persons',
  'select distinct_id from person_distinct_ids',
  'select person_id from cohort_people',
  'select person.properties.email from events',
  'select poe.properties.email from events',
  'select pdi.distinct_id from events',
  'select session.person.properties.email from events',
  'select distinct_id from events',
  'select events.distinct_id from events',
  'select e.distinct_id from events e',
  'select distinct_id from sessions',
  'select session.distinct_id from events',
  'select * from events',
  'select * from sessions',
  'select groupArray(distinct_id) from events',
  'select any(distinct_id) from events',
  'select topK(3)(distinct_id) from events',
  'select upper(distinct_id) from events',
  `select count() from events where distinct_id = '${SECRET}'`,
  `select countIf(distinct_id = '${SECRET}') from events`,
  `select uniqIf(event, distinct_id = '${SECRET}') from events`,
  `select count(distinct if(distinct_id = '${SECRET}', 1, null)) from events`,
  'select count() from events group by distinct_id',
  'select event from events order by distinct_id',
  `select count() from (select '${SECRET}' as distinct_id) a join events e using distinct_id`,
  'select d from (select distinct_id as d from events)',
  'with e as (select distinct_id from events) select uniq(distinct_id) from e',
  'select distinct_id as d, uniq(d) from events group by d',
  'select event from events union all select distinct_id from events',
  'select person_id from events',
  'select toString(person_id) from events',
  'select [person_id] from events',
  'select (person_id, 1) from events',
  'select max(person_id) from events',
  'select groupUniqArray(person_id) from events',
  'select cityHash64(person_id) from events',
  'select p from (select person_id as p from events)',
  'select count() from events where person_id in (select id from persons)',
  'select properties from events',
  'select properties.$set from events',
  `select properties['$set'] from events`,
  'select properties.$set.email from events',
  `select JSONExtractString(properties, '$set', 'email') from events`,
  `select count() from events where person.properties.email like 'ada%'`,
];

function showing(): object[] {
  return [
    ...SHOWING_SQL.map(sql),
    sql(`select count() from events where person_id = '${person}'`),
    sql(`select count() from events where person_id in ('${person}')`),
    { kind: 'EventsQuery', select: ['*'] },
    { kind: 'EventsQuery', select: ['person'] },
    { kind: 'EventsQuery', select: ['person_display_name'] },
    { kind: 'EventsQuery', select: ['distinct_id'] },
    { kind: 'EventsQuery', select: ['person_id'] },
    { kind: 'EventsQuery', select: ['event'], personId: person },
    { kind: 'EventsQuery', select: ['event'], properties: [EMAIL] },
    { kind: 'ActorsQuery' },
    { kind: 'PersonsQuery' },
    { kind: 'ActorsQuery', select: ['id'], source: { kind: 'InsightActorsQuery', source: TRENDS } },
    { kind: 'ActorsQuery', source: sql('select person_id from events') },
    { ...TRENDS, breakdownFilter: { breakdown_type: 'person', breakdown: 'email' } },
    { ...TRENDS, properties: [EMAIL] },
    { kind: 'WebOverviewQuery', properties: [EMAIL] },
  ];
}

const COUNTING = [
  sql('select count(), event, properties.plan from events group by 2, 3'),
  sql('select uniq(person_id), count(distinct person_id) from events'),
  sql('select uniq(distinct_id), count(distinct distinct_id) from events'),
  sql(`select uniqIf(distinct_id, event = 'opened'), uniqExact(distinct_id) from events`),
  sql('select count() from (select person_id as p, count() from events group by p)'),
  sql('select $session_duration, session_id from sessions'),
  { kind: 'EventsQuery', select: ['event', 'timestamp', 'properties.plan', 'count()'] },
  { ...TRENDS, series: [{ ...SERIES[0], math: 'dau' }] },
  { ...TRENDS, series: [{ ...SERIES[0], math: 'weekly_active' }] },
  { ...TRENDS, breakdownFilter: { breakdown_type: 'event', breakdown: 'plan' } },
  {
    kind: 'FunnelsQuery',
    series: [...SERIES, { kind: 'EventsNode', event: 'closed' }],
  },
  { kind: 'RetentionQuery', retentionFilter: {} },
  { kind: 'LifecycleQuery', series: SERIES },
  { kind: 'StickinessQuery', series: SERIES },
  { kind: 'PathsQuery', pathsFilter: { includeEventTypes: ['$pageview'] } },
  { kind: 'WebOverviewQuery', conversionGoal: { customEventName: 'closed' } },
  { kind: 'WebStatsTableQuery', breakdownBy: 'Page', includeBounceRate: true, includeAvgTimeOnPage: true },
  { kind: 'WebGoalsQuery' },
  { ...TRENDS, series: [{ ...SERIES[0], math: 'dau' }], trendsFilter: { display: 'CalendarHeatmap' } },
  ...[{}, { kind: 'ActorsQuery', select: ['actor', 'event_count'] }].map((list) => {
    const series = [{ ...SERIES[0], math: 'unique_group', math_group_type_index: 0 }];
    const point = { kind: 'InsightActorsQuery', source: { ...TRENDS, series } };
    return 'kind' in list ? { ...list, source: point } : point;
  }),
];

describe('A-10 with person: none', () => {
  test('A-10 a query that shows persons is refused, and the error is about persons', async () => {
    const wrong: string[] = [];
    for (const query of showing()) {
      const { status, json, text } = await ask(query);
      const isRefused = status === 403 && json.code === 'permission_denied' && /persons/.test(json.detail);
      if (!isRefused || text.includes(`${SECRET}@`))
        wrong.push(`${JSON.stringify(query)}: ${status} ${text}`);
    }
    expect(wrong).toEqual([]);
  });

  test('A-10 a file of such a query is refused, also in each format', async () => {
    for (const format of ['csv', 'json', 'parquet'])
      for (const query of [
        sql('select id from persons'),
        { kind: 'EventsQuery', select: ['*'] },
        { kind: 'ActorsQuery' },
      ]) {
        const body = { query, format };
        const { status } = await member.ask(`${P}burrow/query/export/`, { method: 'POST', body });
        expect([status, format]).toEqual([403, format]);
      }
  });

  test('A-10 persons can be counted', async () => {
    const wrong: string[] = [];
    for (const query of COUNTING) {
      const { status, text } = await ask(query);
      if (status !== 200 || text.includes(SECRET)) wrong.push(`${JSON.stringify(query)}: ${status} ${text}`);
    }
    expect(wrong).toEqual([]);
  });

  test('A-10 results cached for the owner are not returned to the member', async () => {
    const query = sql('select person.properties.email from events');
    const body = { query, client_query_id: 'of-the-owner', refresh: 'force_async' };
    expect((await app.ask(`${P}query/`, { method: 'POST', body: { query } })).text).toContain(SECRET);
    await app.ask(`${P}query/`, { method: 'POST', body });
    await expect
      .poll(async () => (await app.ask(`${P}query/of-the-owner/`)).text)
      .toContain(`${SECRET}@x.test`);
    for (const refresh of ['blocking', 'force_cache', 'async', 'force_async'])
      expect((await ask(query, { refresh })).status, refresh).toBe(403);
    expect((await member.ask(`${P}query/of-the-owner/`)).status).toBe(404);
    expect((await member.ask(`${P}query/of-the-owner/`, { method: 'DELETE' })).status).toBe(404);
  });

  test('A-10 insights, tiles, files and links of the member show no persons', async () => {
    const make = async (path: string, body: object) =>
      (await app.ask(P + path, { method: 'POST', body })).json;
    const dashboard = await make('dashboards/', { name: 'Weekly' });
    const query = {
      kind: 'DataVisualizationNode',
      source: sql('select person.properties.email from events'),
    };
    const insight = await make('insights/', { name: 'Mails', query, dashboards: [dashboard.id] });
    const path = `${P}insights/${insight.id}/`;
    expect((await app.ask(`${path}?refresh=blocking`)).text).toContain(`${SECRET}@`);
    const seen = [
      await member.ask(`${path}?refresh=blocking`),
      await member.ask(`${path}?refresh=force_cache`),
      await member.ask(`${path}?format=csv`),
      await member.ask(`${P}insights/?refresh=force_cache`),
      await member.ask(`${P}dashboards/${dashboard.id}/?refresh=blocking`),
      await member.ask(`${P}dashboards/${dashboard.id}/`),
    ];
    for (const { text } of seen) expect(text).not.toContain(`${SECRET}@`);
    expect(seen[0]!.json.query_status.error_message).toContain('persons');
    // What is hidden from one member is no failure of the insight.
    expect((await app.ask(`${P}burrow/failed_insights/`)).json.results).toEqual([]);
    const link = await member.ask(`${P}dashboards/${dashboard.id}/sharing/`, {
      method: 'PATCH',
      body: { enabled: true },
    });
    const shared = await app.ask(`/shared/${link.json.access_token}.json`, { key: null });
    expect(shared.status).toBe(200);
    expect(shared.text).not.toContain(`${SECRET}@`);
  });

  test('A-10 lists of events, the live stream and values that name persons are refused', async () => {
    const id = (await app.ask(`${P}events/`)).json.results[0].id;
    for (const path of [
      'events/',
      'events/?format=csv',
      'events/?select=["event"]',
      `events/${id}/`,
      'events/values/?key=distinct_id&is_column=true',
      'events/values/?key=$set',
      `events/values/?key=plan&properties_distinct_id=["${SECRET}"]`,
      'persons/',
      'persons/values/?key=email',
      'burrow/live/',
      'burrow/ingestion_warnings/',
      'groups/related/?group_type_index=0&id=acme',
    ]) {
      const { status, text } = await member.ask(P + path);
      expect([path, status]).toEqual([path, 403]);
      expect(text).not.toContain(SECRET);
    }
    expect((await member.ask(`${P}events/values/?key=plan`)).json).toEqual([{ name: 'team' }]);
  });

  test('A-10 the simulation of a flag counts persons and shows none', async () => {
    const filters = { groups: [{ properties: [], rollout_percentage: 100 }] };
    const body = { filters, key: 'trial' };
    const { text } = await member.ask(`${P}burrow/feature_flags/simulate/`, { method: 'POST', body });
    expect(text).not.toContain(SECRET);
  });
});
