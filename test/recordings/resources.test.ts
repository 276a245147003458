import { describe, expect, test } from 'vitest';
import { TEST_TOKEN } from '../support/test-app.ts';
import { openRecording, type Recording } from './recording.ts';

const P = '/api/projects/1/';
const MINUTE = 60_000;

const trends = (event: string, display = 'ActionsLineGraph'): object => ({
  kind: 'InsightVizNode',
  source: {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event }],
    trendsFilter: { display },
  },
});
const byPlan = { type: 'AND', values: [{ key: 'plan', type: 'person', value: 'pro' }] };
const on = (properties: object[] = [], rollout = 100): object => ({
  groups: [{ properties, rollout_percentage: rollout }],
});
const question = [{ type: 'open', question: 'Why?' }];

/** A resource: what is made, changed and asked of it. */
interface Resource {
  path: string;
  /** The name of the resource in scopes and rules of access. */
  scope: string;
  /** Bodies of what is made; `$1` in a text is the id of the first that was made of `needs`. */
  create: readonly object[];
  /** Bodies of changes to the first. */
  change: readonly object[];
  /** Query strings of the list. */
  lists: readonly string[];
  /** Paths below an object that are read. */
  parts?: readonly string[];
  /** Requests on the first object: method, path below it, body. */
  acts?: readonly (readonly [method: string, path: string, body?: object])[];
  /** Whether `deleted: true` puts it away. */
  restorable?: boolean;
}

const ACCESS = ['access_controls/', 'global_access_controls/', 'users_with_access/'];

const RESOURCES: Readonly<Record<string, Resource>> = {
  dashboards: {
    path: 'dashboards/',
    scope: 'dashboard',
    create: [
      { name: 'Weekly', description: 'Numbers', tags: ['ops', 'Weekly'], pinned: true },
      { name: 'Board', tags: ['ops'], restriction_level: 37 },
      { name: 'Copy', use_dashboard: 2 },
      { name: '' },
      { name: 5, tags: 'x' },
    ],
    change: [
      { name: 'Every week' },
      { description: 'Other', pinned: false },
      { tags: ['a', 'b', 'a'] },
      { filters: { date_from: '-30d', properties: [{ key: 'plan', value: 'pro', type: 'person' }] } },
      { filters: { date_from: 5 } },
      { breakdown_colors: [{ breakdownValue: 'pro', colorToken: 'preset-1' }] },
      { tiles: [{ id: 2, color: 'blue' }] },
    ],
    lists: [
      'search=week',
      'pinned=true',
      'pinned=false',
      'creation_mode=default',
      'creation_mode=duplicate',
      'exclude_generated=true',
      'limit=1&offset=1',
      'limit=x',
      'unknown=1',
    ],
    parts: [
      ...ACCESS,
      'sharing/',
      'collaborators/',
      '?layoutSize=xs',
      '?refresh=force_cache',
      '?filters_override={"date_from":"-1d"}',
    ],
    acts: [
      ['POST', 'tiles/', { text: { body: 'Hello' } }],
      ['POST', 'tiles/', { insight: 1 }],
      ['POST', 'reorder_tiles/', { tile_order: [3, 2] }],
      ['PATCH', 'move_tile/', { tile: { id: 2 }, toDashboard: 2 }],
      ['POST', 'copy_tile/', { tileId: 1, fromDashboardId: 1 }],
      ['PATCH', 'sharing/', { enabled: true }],
      ['POST', 'sharing/refresh/', {}],
      ['PATCH', 'sharing/', { enabled: false }],
    ],
    restorable: true,
  },
  insights: {
    path: 'insights/',
    scope: 'insight',
    create: [
      { name: 'Signups', query: trends('signup'), tags: ['core'], favorited: true, dashboards: [1] },
      { name: 'Paid', query: trends('paid', 'BoldNumber'), description: 'Money', saved: true },
      { query: { kind: 'DataVisualizationNode', source: { kind: 'HogQLQuery', query: 'SELECT 1' } } },
      { name: 'Old', filters: { insight: 'TRENDS', events: [{ id: 'signup', type: 'events' }] } },
      {
        name: 'Flag',
        query: {
          kind: 'FunnelsQuery',
          series: [
            { kind: 'EventsNode', event: 'signup' },
            { kind: 'EventsNode', event: '$feature/first' },
          ],
        },
        saved: true,
      },
      { name: 'Bad', query: { kind: 'NoQuery' } },
    ],
    change: [
      { name: 'All signups' },
      { description: 'D', favorited: false, tags: ['core', 'b'] },
      { query: trends('signup', 'ActionsBar') },
      { dashboards: [1, 2] },
      { dashboards: [] },
      { saved: true },
      { filters: { insight: 'FUNNELS', events: [{ id: 'a' }, { id: 'b' }] } },
    ],
    lists: [
      'saved=true',
      'saved=false',
      'favorited=true',
      'user=true',
      'created_by=1',
      'created_by=2',
      'search=sign',
      'search=money',
      'search=core',
      'date_from=-1d',
      'date_from=2026-11-20T09:35:00Z',
      'date_to=2026-11-20T09:35:00Z',
      'insight=TRENDS',
      'insight=FUNNELS',
      'insight=SQL',
      'insight=JSON',
      'dashboards=1',
      'dashboards=[1,2]',
      'feature_flag=first',
      'order=-created_at',
      'order=name',
      'order=-last_modified_at',
      'order=last_viewed_at',
      'order=x',
      'basic=true',
      'limit=2&offset=1',
      'short_id=nothing',
      'refresh=true',
    ],
    parts: [
      ...ACCESS,
      'sharing/',
      '?from_dashboard=1',
      '?basic=true',
      '?refresh=force_blocking',
      '?format=csv',
    ],
    acts: [
      ['POST', 'viewed/'],
      ['PATCH', 'sharing/', { enabled: true }],
      ['PUT', 'access_controls/', { access_level: 'viewer' }],
      ['PUT', 'access_controls/', { access_level: null }],
    ],
    restorable: true,
  },
  actions: {
    path: 'actions/',
    scope: 'action',
    create: [
      { name: 'Signed up', description: 'First', steps: [{ event: 'signup' }], tags: ['core'] },
      {
        name: 'Clicked',
        steps: [
          { event: '$autocapture', selector: 'a.buy', text: 'Buy', url: '/shop', url_matching: 'contains' },
        ],
      },
      {
        name: 'Pro',
        steps: [
          { event: 'paid', properties: [{ key: 'plan', value: ['pro'], operator: 'exact', type: 'person' }] },
        ],
        pinned_at: '2026-11-01T00:00:00Z',
      },
      { name: 'Signed up' },
      { steps: [{ event: 5 }] },
    ],
    change: [
      { name: 'Signed' },
      { steps: [] },
      { tags: ['x'] },
      { post_to_slack: true },
      { pinned_at: null },
      { steps: [{ url: '(', url_matching: 'regex' }] },
    ],
    lists: ['search=sign', 'search=first', 'limit=1', 'limit=1&offset=1'],
    parts: ACCESS,
    restorable: true,
  },
  annotations: {
    path: 'annotations/',
    scope: 'annotation',
    create: [
      { content: 'Release 1', date_marker: '2026-11-19T00:00:00Z' },
      { content: 'Outage', scope: 'organization', creation_type: 'GIT' },
      { content: 'On a chart', scope: 'dashboard_item', dashboard_item: 1 },
      { content: 'On a board', scope: 'dashboard', dashboard_id: 1 },
      { content: 'x', scope: 'nowhere' },
    ],
    change: [
      { content: 'Release 2' },
      { date_marker: null },
      { scope: 'organization' },
      { dashboard_item: 99 },
    ],
    lists: [
      'search=rel',
      'scope=organization',
      'scope=dashboard_item',
      'after=2026-11-20T09:36:00Z',
      'before=2026-11-20T09:36:00Z',
      'dashboardItemId=1',
      'dashboardItemId=2',
      'limit=2&offset=1',
    ],
    restorable: true,
  },
  cohorts: {
    path: 'cohorts/',
    scope: 'cohort',
    create: [
      { name: 'Pro', description: 'Who pays', filters: { properties: byPlan } },
      {
        name: 'Active',
        filters: {
          properties: {
            type: 'OR',
            values: [
              {
                type: 'behavioral',
                value: 'performed_event',
                key: 'signup',
                event_type: 'events',
                time_value: 30,
                time_interval: 'day',
              },
            ],
          },
        },
      },
      { name: 'List', is_static: true, csv: 'ada\nbob' },
      {
        name: 'Not pro',
        filters: {
          properties: { type: 'AND', values: [{ type: 'cohort', key: 'id', value: 2, negation: true }] },
        },
      },
      { name: 'Old', groups: [{ properties: [{ key: 'plan', value: 'free', type: 'person' }] }] },
      {
        name: 'Bad',
        filters: { properties: { type: 'AND', values: [{ key: 'plan', type: 'person', operator: 'gt' }] } },
      },
    ],
    change: [
      { name: 'Paying' },
      { description: '' },
      {
        filters: {
          properties: {
            type: 'AND',
            values: [{ key: 'plan', type: 'person', operator: 'icontains', value: 'PR' }],
          },
        },
      },
      { filters: { properties: { type: 'AND', values: [{ type: 'cohort', key: 'id', value: 4 }] } } },
      { is_static: true },
    ],
    lists: [
      'type=static',
      'type=dynamic',
      'search=pro',
      'search=pays',
      'created_by_id=1',
      'created_by_id=2',
      'hide_behavioral_cohorts=true',
      'limit=1&offset=1',
      'type=x',
    ],
    parts: [...ACCESS, 'persons/', 'persons/?limit=1', 'persons/?format=csv'],
    acts: [
      ['POST', 'duplicate_as_static_cohort/'],
      ['PATCH', 'add_persons_to_static_cohort/', { person_ids: [] }],
    ],
    restorable: true,
  },
  'feature flags': {
    path: 'feature_flags/',
    scope: 'feature_flag',
    create: [
      {
        key: 'second',
        name: 'A flag',
        filters: on([{ key: 'plan', type: 'person', value: 'pro' }], 50),
        tags: ['a', 'B'],
      },
      {
        key: 'variants',
        filters: {
          ...on(),
          multivariate: {
            variants: [
              { key: 'control', rollout_percentage: 50 },
              { key: 'test', rollout_percentage: 50 },
            ],
          },
          payloads: { test: '{"a":1}' },
        },
        ensure_experience_continuity: true,
      },
      {
        key: 'remote',
        is_remote_configuration: true,
        filters: { ...on(), payloads: { true: '"x"' } },
        evaluation_runtime: 'server',
      },
      { key: 'off', active: false, evaluation_tags: ['web'], tags: ['web'] },
      {
        key: 'by-flag',
        filters: on([{ key: '1', type: 'flag', operator: 'flag_evaluates_to', value: true }]),
      },
      {
        key: 'by-company',
        filters: {
          ...on([{ key: 'size', type: 'group', group_type_index: 0, operator: 'gt', value: 2 }]),
          aggregation_group_type_index: 0,
        },
      },
      { key: 'first' },
      { key: 'a b' },
      {},
    ],
    change: [
      { name: 'The flag' },
      { active: false },
      { filters: on([], 10) },
      { tags: ['c'] },
      { key: 'renamed' },
      { key: 'first' },
      { evaluation_runtime: 'client', bucketing_identifier: 'device_id' },
      { filters: on([{ key: 'plan', type: 'person', operator: 'gt', value: null }]) },
      { rollback_conditions: [], performed_rollback: false },
    ],
    lists: [
      'active=true',
      'active=false',
      'active=STALE',
      'created_by_id=1',
      'created_by_id=2',
      'search=var',
      'search=flag',
      'type=boolean',
      'type=multivariant',
      'type=experiment',
      'type=remote_config',
      'evaluation_runtime=server',
      'tags=["a"]',
      'tags=["zzz"]',
      'excluded_properties=["first"]',
      'has_evaluation_tags=true',
      'has_evaluation_tags=false',
      'order=key',
      'order=-key',
      'order=-created_at',
      'order=x',
      'limit=2&offset=1',
    ],
    parts: [...ACCESS, 'status/', 'dependent_flags/', 'remote_config'],
    acts: [['POST', 'create_static_cohort_for_flag/']],
    restorable: true,
  },
  surveys: {
    path: 'surveys/',
    scope: 'survey',
    create: [
      { name: 'Why', description: 'First', type: 'popover', questions: question },
      {
        name: 'NPS',
        type: 'api',
        questions: [{ type: 'rating', question: 'How?', scale: 10, display: 'number' }],
        linked_flag_id: 1,
        start_date: '2026-11-01T00:00:00Z',
      },
      {
        name: 'Some',
        type: 'widget',
        questions: question,
        targeting_flag_filters: on([], 50),
        archived: true,
      },
      { name: 'None', type: 'popover' },
      { name: 'Bad', type: 'x' },
    ],
    change: [
      { name: 'Why not' },
      { start_date: '2026-11-20T00:00:00Z' },
      { responses_limit: 10, iteration_count: 2, iteration_frequency_days: 7 },
      { conditions: { url: 'shop' }, appearance: { position: 'left' } },
      { linked_flag_id: 1 },
      { linked_flag_id: null, targeting_flag_filters: on([], 20) },
      { remove_targeting_flag: true },
      { end_date: '2026-11-20T09:00:00Z' },
      { archived: true },
      { questions: [] },
    ],
    lists: [
      'search=why',
      'search=first',
      'archived=true',
      'archived=false',
      'type=popover',
      'type=api',
      'type=x',
      'limit=1&offset=1',
    ],
  },
  'early access features': {
    path: 'early_access_feature/',
    scope: 'early_access_feature',
    create: [
      { name: 'Fast', description: 'New', stage: 'beta' },
      { name: 'Draft', stage: 'draft', documentation_url: 'https://example.com' },
      { name: 'Linked', stage: 'alpha', feature_flag_id: 1 },
      { name: 'Bad', stage: 'x' },
      { name: 'Twice', stage: 'alpha', feature_flag_id: 1 },
    ],
    change: [
      { name: 'Faster' },
      { stage: 'general-availability' },
      { stage: 'beta' },
      { description: '', documentation_url: '' },
      { stage: 'archived' },
    ],
    lists: ['search=fast', 'search=new', 'stage=beta', 'stage=draft', 'stage=x', 'limit=1&offset=1'],
  },
  'insight variables': {
    path: 'insight_variables/',
    scope: 'insight_variable',
    create: [
      { name: 'Plan', type: 'String', default_value: 'pro' },
      { name: 'Kind', type: 'List', values: ['a', 'b'], default_value: 'a' },
      { name: 'Days', type: 'Number', default_value: 5 },
      { name: 'Since', type: 'Date' },
      { name: 'Plan', type: 'String' },
      { name: 'x', type: 'Nothing' },
    ],
    change: [{ name: 'Plan of' }, { default_value: 'free' }, { type: 'Boolean', default_value: true }],
    lists: ['limit=1', 'limit=1&offset=1'],
  },
  'dashboard templates': {
    path: 'dashboard_templates/',
    scope: 'dashboard_template',
    create: [
      {
        template_name: 'Start',
        dashboard_description: 'A first one',
        dashboard_filters: {},
        tags: ['a'],
        tiles: [
          { type: 'TEXT', body: 'Hi', layouts: {} },
          { type: 'INSIGHT', name: 'S', query: trends('signup'), layouts: {} },
        ],
        variables: [],
      },
      { template_name: 'Bad', dashboard_description: '', dashboard_filters: {}, tiles: [] },
    ],
    change: [{ template_name: 'Begin' }, { tags: ['b'] }, { scope: 'global' }, { scope: 'feature_flag' }],
    lists: [
      'scope=team',
      'scope=global',
      'scope=feature_flag',
      'search=start',
      'search=first',
      'limit=1&offset=1',
    ],
    restorable: true,
  },
  'event definitions': {
    path: 'event_definitions/',
    scope: 'event_definition',
    create: [{ name: 'planned', description: 'Not yet' }, { name: 'signup' }, { name: '' }],
    change: [
      { description: 'Text' },
      { tags: ['core'] },
      { verified: true },
      { hidden: true },
      { verified: true, hidden: true },
      { owner: 1 },
      { name: 'other' },
    ],
    lists: [
      'search=sig',
      'search=view',
      'ordering=name',
      'ordering=-name',
      'ordering=-last_seen_at',
      'event_type=event',
      'event_type=event_custom',
      'event_type=event_posthog',
      'event_type=all',
      'event_type=action_event',
      'names=signup',
      'names=["signup","paid"]',
      'excluded_properties=["signup"]',
      'tags=["core"]',
      'verified=true',
      'verified=false',
      'hidden=true',
      'exclude_hidden=true',
      'exclude_stale=true',
      'limit=1&offset=1',
    ],
    parts: ['metrics/'],
  },
  'property definitions': {
    path: 'property_definitions/',
    scope: 'property_definition',
    create: [],
    change: [
      { description: 'Text' },
      { tags: ['core'] },
      { verified: true },
      { hidden: true },
      { property_type: 'Numeric' },
      { is_numerical: true },
      { property_type: 'x' },
    ],
    lists: [
      'search=pl',
      'type=event',
      'type=person',
      'type=group&group_type_index=0',
      'type=session',
      'type=group',
      'event_names=["paid"]',
      'event_names=["paid"]&filter_by_event_names=true',
      'filter_by_event_names=true',
      'properties=plan,amount',
      'excluded_properties=["plan"]',
      'exclude_core_properties=true',
      'hidden=true',
      'exclude_hidden=true',
      'is_feature_flag=true',
      'is_feature_flag=false',
      'is_numerical=true',
      'is_numerical=false',
      'verified=true',
      'verified=false',
      'limit=2&offset=1',
    ],
  },
};

const SENDERS = ['owner', 'member', 'viewer', 'none', 'reader', 'writer', 'other', 'nobody', 'token'];

const EVENTS = [
  {
    event: 'signup',
    distinct_id: 'ada',
    properties: { plan: 'pro', $set: { plan: 'pro', email: 'ada@shop.example' } },
  },
  {
    event: 'paid',
    distinct_id: 'ada',
    properties: { amount: 12.5, currency: 'EUR', '$feature/first': true, $groups: { company: 'acme' } },
  },
  {
    event: '$pageview',
    distinct_id: 'bob',
    properties: { $current_url: 'https://shop.example/a', $browser: 'Firefox', $set: { plan: 'free' } },
  },
  { event: 'signup', distinct_id: 'eve', properties: { plan: 'free', $set: { plan: 'free', name: 'Eve' } } },
  {
    event: '$groupidentify',
    distinct_id: 'ada',
    properties: { $group_type: 'company', $group_key: 'acme', $group_set: { name: 'Acme', size: 3 } },
  },
  {
    event: '$groupidentify',
    distinct_id: 'bob',
    properties: { $group_type: 'company', $group_key: 'globex', $group_set: { name: 'Globex', size: 30 } },
  },
];

/** An app with a bit of everything, and a key of each sender; rules of access are about `scope`. */
async function begin(name: string, scope: string): Promise<Recording> {
  const recording = await openRecording(`resources-${name.replaceAll(' ', '-')}`);
  const { ask, keys, app } = recording;
  const batch = EVENTS.map((event, index) => ({
    ...event,
    uuid: `0190f0c1-0000-7000-8000-00000000000${index}`,
    timestamp: new Date(app.clock.now - (10 - index) * 60 * MINUTE).toISOString(),
  }));
  await ask('/batch/', { who: 'nobody', method: 'POST', body: { api_key: TEST_TOKEN, batch } });
  for (const who of ['member', 'viewer', 'none']) {
    const body = { email: `${who}@local.test`, first_name: who };
    const { json } = await ask('/api/organizations/@current/members/', { method: 'POST', body });
    keys.set(who, json.personal_api_key);
    if (who === 'member') continue;
    const rule = { resource: scope, organization_member: json.id, access_level: who };
    await ask(`${P}resource_access_controls/`, { method: 'PUT', body: rule });
  }
  const scopes: [string, string[]][] = [
    ['reader', [`${scope}:read`]],
    ['writer', [`${scope}:write`]],
    ['other', ['query:read']],
  ];
  for (const [who, list] of scopes) {
    const { json } = await ask('/api/personal_api_keys/', {
      method: 'POST',
      body: { label: who, scopes: list },
    });
    keys.set(who, json.value ?? 'phx_none');
  }
  keys.set('token', TEST_TOKEN);
  await ask(`${P}feature_flags/`, {
    method: 'POST',
    body: { key: 'first', filters: on(), _should_create_usage_dashboard: false },
  });
  await ask(`${P}dashboards/`, { method: 'POST', body: { name: 'Made first', tags: ['first'] } });
  await ask(`${P}dashboards/`, { method: 'POST', body: { name: 'Made second' } });
  await ask(`${P}insights/`, {
    method: 'POST',
    body: { name: 'Made first', query: trends('signup'), dashboards: [1] },
  });
  return recording;
}

describe('each resource is answered as before', () => {
  test.each(Object.entries(RESOURCES))('%s', async (name, resource) => {
    const { path, scope, create, change, lists, parts = [], acts = [], restorable } = resource;
    const recording = await begin(name, scope);
    const { app } = recording;
    const list = P + path;
    const ask: Recording['ask'] = async (target, sent = {}) => {
      if (sent.method !== undefined) app.clock.now += MINUTE;
      return await recording.ask(target, sent);
    };
    const ids: string[] = [];
    for (const body of create) {
      const { status, json } = await ask(list, { method: 'POST', body });
      if (status === 201) ids.push(String(json.id));
    }
    if (create.length < 2 || ids.length === 0) {
      for (const { id } of (await ask(list)).json.results) ids.push(String(id));
    }
    const [first, second] = ids.map((id) => `${list}${id}/`);
    for (const query of ['', ...lists]) await ask(`${list}?${query}`);
    for (const part of parts) await ask(first! + part);

    for (const who of SENDERS.slice(1)) {
      await ask(list, { who });
      await ask(first!, { who });
      const body = { ...create[0], name: `By ${who}`, key: `by-${who}`, template_name: `By ${who}` };
      const made = await ask(list, { who, method: 'POST', body });
      await ask(second ?? first!, { who, method: 'PATCH', body: change[1] });
      if (made.status === 201) await ask(`${list}${made.json.id}/`, { who, method: 'DELETE' });
    }

    for (const body of change) await ask(first!, { method: 'PATCH', body });
    for (const [method, below, body] of acts) {
      await ask(first! + below, { method, ...(body === undefined ? {} : { body }) });
    }
    await ask(first!, { method: 'PUT', body: { ...create[0] } });
    await ask(first!);
    for (const query of ['', ...lists]) await ask(`${list}?${query}`);

    if (restorable) {
      await ask(first!, { method: 'PATCH', body: { deleted: true } });
      await ask(list);
      await ask(first!);
      await ask(first!, { method: 'PATCH', body: { deleted: false } });
      await ask(first!);
    }
    await ask(second ?? first!, { method: 'DELETE' });
    await ask(second ?? first!);
    await ask(second ?? first!, { method: 'PATCH', body: { deleted: false } });
    await ask(list);

    for (const who of SENDERS) {
      await ask(`${list}activity/`, { who });
      await ask(`${first!}activity/?limit=3`, { who });
      await ask(`${P}activity_log/?limit=60`, { who });
      await ask(`${P}tags/`, { who });
      await ask(`${P}search/?q=made&include_counts=true`, { who });
      await ask(`${P}search/?q=first&entities=${scope}`, { who });
    }
    expect(recording.finish()).toBe('');
  });
});
