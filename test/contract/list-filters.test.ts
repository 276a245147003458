import { beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../server/features/api-reference/index.ts';
import { addMember } from '../support/members.ts';
import { shareTestApp, TEST_TOKEN, type TestApp } from '../support/test-app.ts';

const P = '/api/projects/1/';
const HOUR = 3_600_000;
const MONTH = 31 * 24 * HOUR;
const open = shareTestApp();

let app: TestApp;
/** What stands for an id in a query. */
let places: Readonly<Record<string, string>>;

type Filter = readonly [query: string, names: readonly string[]];

/** By the path of a list: a query for each filter, and the names of what it leaves, in the order of the answer. */
const FILTERS: Readonly<Record<string, readonly Filter[]>> = {
  'dashboards/': [
    ['', ['Every week', 'Board', 'Copy', 'Generated Dashboard: off Usage']],
    ['search=week', ['Every week']],
    ['pinned=true', ['Every week']],
    ['pinned=false', ['Board', 'Copy', 'Generated Dashboard: off Usage']],
    ['creation_mode=duplicate', ['Copy']],
    ['creation_mode=default', ['Every week', 'Board']],
    ['exclude_generated=true', ['Every week', 'Board', 'Copy']],
  ],
  'insights/': [
    ['', ['Signups', 'Way', 'By flag', 'Text', 'Feature flag calls', 'Users by flag value']],
    ['short_id=x', []],
    ['created_by=2', ['Way']],
    ['created_by=1', ['Signups', 'By flag', 'Text']],
    ['saved=true', ['Signups', 'Way', 'Text', 'Feature flag calls', 'Users by flag value']],
    ['saved=false', ['By flag']],
    ['favorited=true', ['Signups']],
    ['user=true', ['Signups', 'By flag', 'Text']],
    ['search=pay', ['Way']],
    ['date_from=2026-11-20T15:00:00Z', ['By flag', 'Text', 'Feature flag calls', 'Users by flag value']],
    ['date_to=2026-11-20T15:00:00Z', ['Signups', 'Way']],
    ['insight=FUNNELS', ['Way']],
    ['insight=SQL', ['Text']],
    ['insight=TRENDS', ['Signups', 'By flag', 'Feature flag calls', 'Users by flag value']],
    ['dashboards=[1,2]', ['Way']],
    ['dashboards=[2]', ['Way']],
    ['feature_flag=first', ['By flag']],
    ['order=name', ['By flag', 'Feature flag calls', 'Signups', 'Text', 'Users by flag value', 'Way']],
    ['order=-name', ['Way', 'Users by flag value', 'Text', 'Signups', 'Feature flag calls', 'By flag']],
    ['short_id={insight}', ['Signups']],
  ],
  'actions/': [
    ['', ['Paid', 'Signed up']],
    ['search=signed', ['Signed up']],
    ['search=money', ['Paid']],
  ],
  'cohorts/': [
    ['', ['List', 'Active', 'Pro']],
    ['type=static', ['List']],
    ['type=dynamic', ['Active', 'Pro']],
    ['created_by_id=2', ['Active']],
    ['search=pays', ['Pro']],
    ['hide_behavioral_cohorts=true', ['List', 'Pro']],
  ],
  'annotations/': [
    ['', ['Dip', 'Outage', 'Release']],
    ['search=rel', ['Release']],
    ['scope=organization', ['Outage']],
    ['after=2026-11-20T23:00:00Z', ['Dip', 'Outage']],
    ['before=2026-11-20T23:00:00Z', ['Release']],
    ['dashboardItemId=1', ['Dip']],
  ],
  'feature_flags/': [
    ['', ['Feature flag for the early access feature Draft', 'off', 'remote', 'variants', 'The start']],
    ['active=true', ['Feature flag for the early access feature Draft', 'remote', 'variants', 'The start']],
    ['active=false', ['off']],
    ['active=STALE', []],
    ['created_by_id=2', ['variants']],
    ['search=start', ['The start']],
    ['type=boolean', ['Feature flag for the early access feature Draft', 'off', 'remote', 'The start']],
    ['type=multivariant', ['variants']],
    ['type=remote_config', ['remote']],
    ['type=experiment', []],
    ['evaluation_runtime=server', ['variants']],
    ['tags=["a"]', ['The start']],
    [
      'excluded_properties=["first"]',
      ['Feature flag for the early access feature Draft', 'off', 'remote', 'variants'],
    ],
    ['has_evaluation_tags=true', ['off']],
    [
      'has_evaluation_tags=false',
      ['Feature flag for the early access feature Draft', 'remote', 'variants', 'The start'],
    ],
    [
      'order=key',
      ['Feature flag for the early access feature Draft', 'The start', 'off', 'remote', 'variants'],
    ],
    [
      'order=-key',
      ['variants', 'remote', 'off', 'The start', 'Feature flag for the early access feature Draft'],
    ],
  ],
  'surveys/': [
    ['', ['How', 'Why']],
    ['search=reason', ['Why']],
    ['archived=true', ['How']],
    ['archived=false', ['Why']],
    ['type=api', ['How']],
  ],
  'early_access_feature/': [
    ['', ['Draft', 'Fast']],
    ['search=speed', ['Fast']],
    ['stage=draft', ['Draft']],
  ],
  'dashboard_templates/': [
    ['', ['Flag', 'Product analytics', 'Start', 'Website traffic']],
    ['scope=team', ['Start']],
    ['scope=feature_flag', ['Flag']],
    ['search=first', ['Start']],
  ],
  'event_definitions/': [
    ['', ['$groupidentify', '$pageview', 'paid', 'signup', 'old']],
    ['search=sig', ['signup']],
    ['ordering=-name', ['signup', 'paid', 'old', '$pageview', '$groupidentify']],
    ['event_type=event_custom', ['paid', 'signup', 'old']],
    ['event_type=event_posthog', ['$groupidentify', '$pageview']],
    ['event_type=action_event', ['$groupidentify', '$pageview', 'paid', 'signup', 'old']],
    ['names=paid', ['paid']],
    ['excluded_properties=["paid"]', ['$groupidentify', '$pageview', 'signup', 'old']],
    ['tags=["core"]', ['signup']],
    ['verified=true', ['signup']],
    ['verified=false', ['$groupidentify', '$pageview', 'paid', 'old']],
    ['hidden=true', ['paid']],
    ['exclude_hidden=true', ['$groupidentify', '$pageview', 'signup', 'old']],
    ['exclude_stale=true', ['$groupidentify', '$pageview', 'paid', 'signup']],
  ],
  'property_definitions/': [
    [
      '',
      [
        '$browser',
        '$feature/first',
        '$group_0',
        '$group_key',
        '$group_type',
        '$ip',
        '$process_person_profile',
        'amount',
        'plan',
        'seats',
      ],
    ],
    ['search=sea', ['seats']],
    ['type=person', ['$browser', '$initial_browser', 'email', 'name', 'plan']],
    ['type=group&group_type_index=0', ['name', 'size']],
    ['type=group&group_type_index=1', []],
    ['event_names=["paid"]&filter_by_event_names=true', ['$group_0', '$ip', 'amount']],
    [
      'event_names=["paid"]',
      [
        '$group_0',
        '$ip',
        'amount',
        '$browser',
        '$feature/first',
        '$group_key',
        '$group_type',
        '$process_person_profile',
        'plan',
        'seats',
      ],
    ],
    ['properties=plan,seats', ['plan', 'seats']],
    [
      'excluded_properties=["plan"]',
      [
        '$browser',
        '$feature/first',
        '$group_0',
        '$group_key',
        '$group_type',
        '$ip',
        '$process_person_profile',
        'amount',
        'seats',
      ],
    ],
    ['exclude_core_properties=true', ['amount', 'plan', 'seats']],
    ['hidden=true', ['seats']],
    [
      'exclude_hidden=true',
      [
        '$browser',
        '$feature/first',
        '$group_0',
        '$group_key',
        '$group_type',
        '$ip',
        '$process_person_profile',
        'amount',
        'plan',
      ],
    ],
    ['is_feature_flag=true', ['$feature/first']],
    [
      'is_feature_flag=false',
      [
        '$browser',
        '$group_0',
        '$group_key',
        '$group_type',
        '$ip',
        '$process_person_profile',
        'amount',
        'plan',
        'seats',
      ],
    ],
    ['is_numerical=true', ['amount', 'seats']],
    ['verified=true', ['plan']],
  ],
  'burrow/flag_overrides/': [
    ['', ['variants', 'first']],
    ['key=first', ['first']],
    ['distinct_id=ada', ['variants']],
  ],
  'burrow/ingestion_warnings/': [
    ['', ['missing_event_name']],
    ['type=missing_event_name', ['missing_event_name']],
    ['type=x', []],
    ['search=batch', ['missing_event_name']],
    ['search=zzz', []],
  ],
  'persons/': [
    ['', ['Eve', 'bob@x.test', 'ada@x.test']],
    ['email=ada@x.test', ['ada@x.test']],
    ['distinct_id=bob', ['bob@x.test']],
    ['search=eve', ['Eve']],
    ['properties=[{"key":"plan","type":"person","value":"free"}]', ['bob@x.test']],
    ['cohort=1', ['ada@x.test']],
    ['cohort=3', ['bob@x.test']],
  ],
  'persons/values/': [
    ['key=plan', ['free', 'pro']],
    ['key=plan&value=fr', ['free']],
  ],
  'groups/': [
    ['group_type_index=0', ['zoo', 'acme']],
    ['group_type_index=0&search=ac', ['acme']],
    ['group_type_index=0&group_key=zoo', ['zoo']],
    ['group_type_index=1', []],
  ],
  'groups/property_values/': [
    ['group_type_index=0&key=size', ['3', '9']],
    ['group_type_index=0&key=size&value=9', ['9']],
  ],
  'groups/related/': [['group_type_index=0&id=acme', ['ada@x.test']]],
  'events/': [
    ['', ['$groupidentify', '$groupidentify', '$pageview', 'paid', 'signup', 'signup', 'old']],
    ['event=paid', ['paid']],
    ['distinct_id=bob', ['signup']],
    ['after=2026-11-20T01:00:00Z', ['$groupidentify', '$groupidentify', '$pageview', 'paid']],
    ['before=2026-11-20T01:00:00Z', ['signup', 'signup', 'old']],
    [
      'orderBy=["timestamp"]',
      ['old', 'signup', 'signup', 'paid', '$pageview', '$groupidentify', '$groupidentify'],
    ],
    ['where=["properties.amount > 1"]', ['paid']],
    ['action_id=2', ['paid']],
    ['properties=[{"key":"plan","value":"pro"}]', ['signup']],
    ['person_id={eve}', ['$pageview']],
    [
      'after=2026-11-20T01:30:00Z&after_id=0190f0c1-0000-7000-8000-000000000002',
      ['$groupidentify', '$groupidentify', '$pageview'],
    ],
    [
      'before=2026-11-20T01:30:00Z&before_id=0190f0c1-0000-7000-8000-000000000002',
      ['signup', 'signup', 'old'],
    ],
    [
      'properties=[{"key":"plan","type":"person","value":"pro"}]&select=["event"]',
      ['$groupidentify', '$groupidentify', 'paid', 'signup', 'old'],
    ],
  ],
  'events/values/': [
    ['key=plan', ['free', 'pro']],
    ['key=plan&value=fr', ['free']],
    ['key=event&is_column=true', ['$groupidentify', 'signup', '$pageview', 'paid']],
  ],
  'activity_log/': [
    [
      'limit=4',
      [
        'Dashboard 1 updated',
        'FeatureFlag 2 overridden',
        'FeatureFlag 1 overridden',
        'PropertyDefinition * updated',
      ],
    ],
    [
      'user=2',
      [
        'FeatureFlag 2 created',
        'Annotation 2 created',
        'Cohort 2 created',
        'Action 2 created',
        'Insight 2 created',
        'Dashboard 2 created',
      ],
    ],
    ['scope=Survey', ['Survey * created', 'Survey * created']],
    [
      'scopes=Survey,Action',
      ['Survey * created', 'Survey * created', 'Action 2 created', 'Action 1 created'],
    ],
    ['item_id=1&limit=3', ['Dashboard 1 updated', 'FeatureFlag 1 overridden', 'FeatureFlag 1 updated']],
    ['activity=overridden', ['FeatureFlag 2 overridden', 'FeatureFlag 1 overridden']],
    ['activities=overridden,deleted', ['FeatureFlag 2 overridden', 'FeatureFlag 1 overridden']],
    ['search=every', ['Dashboard 1 updated']],
    ['date_from=2026-11-21T12:00:00Z', ['Dashboard 1 updated', 'FeatureFlag 2 overridden']],
    ['date_to=2026-11-20T11:00:00Z', ['Dashboard 1 created']],
    ['start_date=2026-11-21T12:00:00Z', ['Dashboard 1 updated', 'FeatureFlag 2 overridden']],
    ['end_date=2026-11-20T11:00:00Z', ['Dashboard 1 created']],
  ],
  'search/': [
    ['q=week', ['dashboard']],
    ['q=first&entities=feature_flag', ['feature_flag']],
  ],
  '/api/organizations/@current/members/': [
    ['order=email', ['lin@local.test', 'owner@burrow.localhost']],
    ['order=-joined_at', ['lin@local.test', 'owner@burrow.localhost']],
    ['order=joined_at', ['owner@burrow.localhost', 'lin@local.test']],
  ],
  'persons/cohorts/': [['person_id={eve}', []]],
  '/api/organizations/@current/activity_log/': [
    [
      'user=2',
      [
        'FeatureFlag 2 created',
        'Annotation 2 created',
        'Cohort 2 created',
        'Action 2 created',
        'Insight 2 created',
        'Dashboard 2 created',
      ],
    ],
    ['scope=Survey', ['Survey * created', 'Survey * created']],
    [
      'scopes=Survey,Action',
      ['Survey * created', 'Survey * created', 'Action 2 created', 'Action 1 created'],
    ],
    ['item_id=1&limit=3', ['Dashboard 1 updated', 'FeatureFlag 1 overridden', 'FeatureFlag 1 updated']],
    ['activity=overridden', ['FeatureFlag 2 overridden', 'FeatureFlag 1 overridden']],
    ['activities=overridden,deleted', ['FeatureFlag 2 overridden', 'FeatureFlag 1 overridden']],
    ['search=every', ['Dashboard 1 updated']],
    ['date_from=2026-11-21T12:00:00Z', ['Dashboard 1 updated', 'FeatureFlag 2 overridden']],
    ['date_to=2026-11-20T11:00:00Z', ['Dashboard 1 created', 'OrganizationMembership * created']],
    ['start_date=2026-11-21T12:00:00Z', ['Dashboard 1 updated', 'FeatureFlag 2 overridden']],
    ['end_date=2026-11-20T11:00:00Z', ['Dashboard 1 created', 'OrganizationMembership * created']],
  ],
};

/** Parameters that choose no rows: pages, forms of the answer, and what is computed. */
const NO_FILTERS = new Set([
  'limit',
  'offset',
  'format',
  'refresh',
  'basic',
  'include_total',
  'include_counts',
  'cursor',
]);

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
  const [insight] = (await app.ask(`${P}insights/?search=signups`)).json.results;
  places = { '{eve}': eve.uuid, '{insight}': insight.short_id };
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
  test.each(filters)('?%s leaves what it says', async (query, names) => {
    const text = `${path.startsWith('/') ? path : P + path}?${query}`;
    const answer = await app.ask(encodeURI(text.replaceAll(/\{\w+\}/g, (place) => places[place] ?? place)));
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    const rows: unknown[] = answer.json.results ?? answer.json;
    expect(rows.map(nameOf)).toEqual(names);
  });
});

/** Parameters of what is no list of rows, and the tests that name them. */
const ELSEWHERE: readonly RegExp[] = [
  /^burrow\/live\/ /, // live-tap.test.ts
  /^dashboards\/\{id\}\//, // dashboards.test.ts, dashboard-filters.test.ts
  /^insights\/\{id\}\/ from_dashboard/, // answered-tiles.test.ts
  /^feature_flags\/(my_flags|evaluation_reasons)\//, // flag-questions.test.ts
  /^(groups\/find|event_definitions\/by_name|property_definitions\/seen_together)\//, // one object each
  /^search\/ /, // search.test.ts
  /^events\/ select$/, // columns, not rows
];

test('each filter of each list stands in this table', async () => {
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
