import { beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../server/features/api-reference/index.ts';
import { addMember } from '../support/members.ts';
import { shareTestApp, TEST_TOKEN, type TestApp } from '../support/test-app.ts';
import { FILTERS, NO_FILTERS } from './list-filter-table.ts';

const P = '/api/projects/1/';
const HOUR = 3_600_000;
const MONTH = 31 * 24 * HOUR;
const open = shareTestApp();

let app: TestApp;
/** The ids of placeholders in a query. */
let places: Readonly<Record<string, string>>;

async function make(path: string, body: object, key?: string): Promise<any> {
  app.clock.now += HOUR;
  const answer = await app.ask(path.startsWith('/') ? path : P + path, {
    method: 'POST',
    body,
    ...(key === undefined ? {} : { key }),
  });
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
  return answer.json;
}

const patch = async (path: string, body: object): Promise<void> => {
  const { status, text } = await app.ask(P + path, { method: 'PATCH', body });
  expect([path, status, text]).toEqual([path, 200, text]);
};

const trends = (event: string, kind = 'TrendsQuery'): object => ({
  kind: 'InsightVizNode',
  source: {
    kind,
    series: [
      { kind: 'EventsNode', event },
      ...(kind === 'FunnelsQuery' ? [{ kind: 'EventsNode', event: 'paid' }] : []),
    ],
  },
});
const on = { groups: [{ properties: [], rollout_percentage: 100 }] };
const question = [{ type: 'open', question: 'Why?' }];

/** Objects of each kind, some by the owner and some by Lin, an hour after each other from 2026-11-20 10:30 on. */
beforeAll(async () => {
  app = await open.forAll();
  const lin = (await addMember(app, 'lin@local.test')).key;
  app.clock.now -= MONTH;
  await make('/batch/', {
    api_key: TEST_TOKEN,
    batch: [{ event: 'old', distinct_id: 'ada', properties: { $process_person_profile: false } }],
  });
  app.clock.now += MONTH - HOUR;
  const events: [string, string, object][] = [
    ['signup', 'ada', { plan: 'pro', seats: 3, $set: { email: 'ada@x.test', plan: 'pro' } }],
    ['signup', 'bob', { plan: 'free', '$feature/first': true, $set: { email: 'bob@x.test', plan: 'free' } }],
    ['paid', 'ada', { amount: 12, $groups: { company: 'acme' } }],
    ['$pageview', 'eve', { $browser: 'Firefox', $set: { name: 'Eve' } }],
    [
      '$groupidentify',
      'ada',
      { $group_type: 'company', $group_key: 'acme', $group_set: { size: 3, name: 'Acme' } },
    ],
    ['$groupidentify', 'ada', { $group_type: 'company', $group_key: 'zoo', $group_set: { size: 9 } }],
    ['', 'nobody', {}],
  ];
  await app.ask('/batch/', {
    method: 'POST',
    key: null,
    body: {
      api_key: TEST_TOKEN,
      batch: events.map(([event, distinct_id, properties], index) => ({
        event,
        distinct_id,
        properties,
        uuid: `0190f0c1-0000-7000-8000-00000000000${index}`,
        timestamp: new Date(app.clock.now - (10 - index) * HOUR).toISOString(),
      })),
    },
  });
  await make('dashboards/', { name: 'Weekly', description: 'Numbers', pinned: true });
  await make('dashboards/', { name: 'Board' }, lin);
  await make('dashboards/', { name: 'Copy', use_dashboard: 1 });
  await make('insights/', {
    name: 'Signups',
    query: trends('signup'),
    favorited: true,
    dashboards: [1],
    saved: true,
  });
  await make(
    'insights/',
    {
      name: 'Way',
      description: 'To pay',
      query: trends('signup', 'FunnelsQuery'),
      dashboards: [1, 2],
      saved: true,
    },
    lin,
  );
  await make('insights/', { name: 'By flag', query: trends('$feature/first'), saved: false });
  await make('insights/', {
    name: 'Text',
    query: { kind: 'DataVisualizationNode', source: { kind: 'HogQLQuery', query: 'SELECT 1' } },
    saved: true,
  });
  await make('actions/', { name: 'Signed up', steps: [{ event: 'signup' }] });
  const [insight] = (await app.ask(`${P}insights/?search=signups`)).json.results;
  const [other] = (await app.ask(`${P}insights/?search=flag`)).json.results;
  for (const [name, on] of [
    ['Few signups', insight.id],
    ['Many signups', insight.id],
    ['Few by flag', other.id],
  ]) {
    const body = {
      insight: on,
      name,
      subscribed_users: [],
      condition: { type: 'absolute_value' },
      threshold: { configuration: { type: 'absolute', bounds: { lower: 1 } } },
      config: { type: 'TrendsAlertConfig', series_index: 0 },
    };
    const answer = await app.ask(`${P}alerts/`, { method: 'POST', body });
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    if (name === 'Many signups') await patch(`alerts/${answer.json.id}/`, { snoozed_until: '90d' });
  }
  await make('actions/', { name: 'Paid', description: 'Money came', steps: [{ event: 'paid' }] }, lin);
  await make('cohorts/', {
    name: 'Pro',
    description: 'Who pays',
    filters: { properties: { type: 'AND', values: [{ key: 'plan', type: 'person', value: 'pro' }] } },
  });
  await make(
    'cohorts/',
    {
      name: 'Active',
      filters: {
        properties: {
          type: 'AND',
          values: [
            {
              type: 'behavioral',
              value: 'performed_event',
              key: 'paid',
              event_type: 'events',
              time_value: 30,
              time_interval: 'day',
            },
          ],
        },
      },
    },
    lin,
  );
  await make('cohorts/', { name: 'List', is_static: true, csv: 'bob' });
  await make('annotations/', { content: 'Release' });
  await make('annotations/', { content: 'Outage', scope: 'organization' }, lin);
  await make('annotations/', { content: 'Dip', scope: 'dashboard_item', dashboard_item: 1 });
  const flag = { filters: on, _should_create_usage_dashboard: false };
  await make('feature_flags/', { ...flag, key: 'first', name: 'The start', tags: ['a'] });
  await make(
    'feature_flags/',
    {
      ...flag,
      key: 'variants',
      filters: { ...on, multivariate: { variants: [{ key: 'x', rollout_percentage: 100 }] } },
      evaluation_runtime: 'server',
    },
    lin,
  );
  await make('feature_flags/', {
    ...flag,
    key: 'remote',
    is_remote_configuration: true,
    filters: { ...on, payloads: { true: '1' } },
  });
  await make('feature_flags/', {
    filters: on,
    key: 'off',
    active: false,
    tags: ['web'],
    evaluation_tags: ['web'],
  });
  await make('surveys/', { name: 'Why', description: 'Reasons', type: 'popover', questions: question });
  await make('surveys/', { name: 'How', type: 'api', questions: question, archived: true });
  await make('early_access_feature/', {
    name: 'Fast',
    description: 'Speed',
    stage: 'beta',
    feature_flag_id: 1,
  });
  await make('early_access_feature/', { name: 'Draft', stage: 'draft' });
  const template = {
    dashboard_filters: {},
    tiles: [{ type: 'TEXT', body: 'Hi', layouts: {} }],
    variables: [],
  };
  await make('dashboard_templates/', {
    ...template,
    template_name: 'Start',
    dashboard_description: 'A first one',
    tags: ['x'],
  });
  await make('dashboard_templates/', {
    ...template,
    template_name: 'Flag',
    dashboard_description: '',
    tags: [],
    scope: 'feature_flag',
  });
  const definitions = async (kind: string): Promise<Map<string, string>> =>
    new Map(
      (await app.ask(`${P}${kind}/?limit=200&type=event`)).json.results.map(({ name, id }: any) => [
        name,
        id,
      ]),
    );
  const names = await definitions('event_definitions');
  await patch(`event_definitions/${names.get('signup')}/`, { tags: ['core'], verified: true });
  await patch(`event_definitions/${names.get('paid')}/`, { hidden: true });
  const properties = await definitions('property_definitions');
  await patch(`property_definitions/${properties.get('plan')}/`, { verified: true });
  await patch(`property_definitions/${properties.get('seats')}/`, { hidden: true });
  await make('burrow/flag_overrides/', { key: 'first', value: true });
  await make('burrow/flag_overrides/', { key: 'variants', value: 'x', distinct_id: 'ada' });
  await patch('dashboards/1/', { name: 'Every week' });
  const [eve] = (await app.ask(`${P}persons/?search=eve`)).json.results;
  places = {
    '{eve}': eve.uuid,
    '{insight}': insight.short_id,
    '{insightId}': String(insight.id),
    '{otherId}': String(other.id),
  };
});

function nameOf(row: any): string {
  if (typeof row === 'string') return row;
  if (row.activity !== undefined && row.scope !== undefined)
    return `${row.scope} ${String(row.item_id).replaceAll(/[0-9a-f-]{36}/g, '*')} ${row.activity}`;
  return String(
    row.name ||
      row.content ||
      row.template_name ||
      row.group_key ||
      row.key ||
      row.event ||
      row.type ||
      row.user?.email ||
      row.id,
  );
}

describe.each(Object.entries(FILTERS))('%s', (path, filters) => {
  test.each(filters)('?%s returns the matching rows', async (query, names) => {
    const text = `${path.startsWith('/') ? path : P + path}?${query}`;
    const answer = await app.ask(encodeURI(text.replaceAll(/\{\w+\}/g, (place) => places[place] ?? place)));
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    const rows: unknown[] = answer.json.results ?? answer.json;
    expect(rows.map(nameOf)).toEqual(names);
  });
});

/** Parameters of paths that are not lists of rows, and the tests that cover them. */
const ELSEWHERE: readonly RegExp[] = [
  /^burrow\/live\/ /, // live-tap.test.ts
  /^dashboards\/\{id\}\//, // dashboards.test.ts, dashboard-filters.test.ts
  /^insights\/\{id\}\/ from_dashboard/, // answered-tiles.test.ts
  /^feature_flags\/(my_flags|evaluation_reasons)\//, // flag-questions.test.ts
  /^(groups\/find|event_definitions\/by_name|property_definitions\/seen_together)\//, // one object each
  /^alerts\/\{id\}\//, // alerts.test.ts
  /^search\/ /, // search.test.ts
  /^events\/ select$/, // columns, not rows
];

test('each filter of each list is in this table', async () => {
  const { paths } = (await app.ask('/openapi.json')).json as OpenApiDocument;
  const missing = Object.entries(paths)
    .filter(([path]) => !path.startsWith('/api/environments/'))
    .flatMap(([path, { get }]) => {
      const short = path.replace('/api/projects/{project_id}/', '').replace('{organization_id}', '@current');
      const queries = (FILTERS[short] ?? []).map(([query]) => `&${query}`).join('');
      return (get?.parameters ?? [])
        .filter(({ in: place, name }) => place === 'query' && !NO_FILTERS.has(name))
        .filter(({ name }) => !queries.includes(`&${name}=`))
        .map(({ name }) => `${short} ${name}`);
    });
  expect(missing.filter((name) => !ELSEWHERE.some((pattern) => pattern.test(name)))).toEqual([]);
});
