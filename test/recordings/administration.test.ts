import { expect, test } from 'vitest';
import { TEST_TOKEN, type TestResponse } from '../support/test-app.ts';
import { openRecording, type Recording } from './recording.ts';

const P = '/api/projects/1/';
const ORGANIZATION = '/api/organizations/@current/';
const MINUTE = 60_000;

/** A request of a script: who, method, path, body. */
type Step = readonly [who: string, method: string, path: string, body?: unknown];

/** Sends requests one after another; the clock advances by a minute with each write. */
async function send({ app, ask }: Recording, steps: readonly Step[]): Promise<TestResponse[]> {
  const answers: TestResponse[] = [];
  for (const [who, method, path, body] of steps) {
    if (method !== 'GET') app.clock.now += MINUTE;
    answers.push(await ask(path, { who, method, ...(body === undefined ? {} : { body }) }));
  }
  return answers;
}

/** An app with a member and an admin, and the membership and the user of the member. */
async function begin(name: string): Promise<{ recording: Recording; membership: string; user: string }> {
  const recording = await openRecording(name);
  const members = await send(recording, [
    ['owner', 'POST', `${ORGANIZATION}members/`, { email: 'lin@local.test', first_name: 'Lin' }],
    ['owner', 'POST', `${ORGANIZATION}members/`, { email: 'max@local.test', first_name: 'Max', level: 8 }],
  ]);
  for (const [index, who] of ['member', 'admin'].entries()) {
    recording.keys.set(who, members[index]!.json.personal_api_key);
  }
  const { id, user } = members[0]!.json;
  return { recording, membership: id, user: user.uuid };
}

const everybody = (method: string, path: string, body?: unknown): Step[] =>
  ['owner', 'admin', 'member', 'nobody'].map((who) => [who, method, path, body]);
const reads = (...paths: string[]): Step[] => paths.map((path) => ['owner', 'GET', path]);

test('responses for persons and groups equal the recordings', async () => {
  const { recording, membership } = await begin('persons-and-groups');
  const { app } = recording;
  const ids = Array.from({ length: 12 }, (_, index) => `user-${String(index).padStart(2, '0')}`);
  const batch = [
    ...ids.map((distinct_id, index) => ({
      event: index % 3 === 0 ? 'signup' : 'opened',
      distinct_id,
      properties: {
        n: index,
        tags: ['a', index],
        $current_url: `https://shop.example/${index}`,
        $set: {
          email: `${distinct_id}@shop.example`,
          plan: index % 2 === 0 ? 'pro' : 'free',
          seats: index,
          ...(index % 4 === 0 ? { name: `Änne ${index}` } : {}),
        },
        $groups: { company: index % 2 === 0 ? 'acme' : 'globex' },
      },
    })),
    { event: '$identify', distinct_id: 'user-01', properties: { $anon_distinct_id: 'anon-1' } },
    { event: '$create_alias', distinct_id: 'user-02', properties: { alias: 'second-name' } },
    ...['acme', 'globex', 'initech'].map((key, index) => ({
      event: '$groupidentify',
      distinct_id: 'user-00',
      properties: { $group_type: 'company', $group_key: key, $group_set: { name: key, size: index * 10 } },
    })),
    {
      event: '$groupidentify',
      distinct_id: 'user-00',
      properties: { $group_type: 'team', $group_key: 't1', $group_set: { name: 'One' } },
    },
  ].map((event, index) => ({
    ...event,
    uuid: `0190f0c1-0000-7000-8000-0000000001${String(index).padStart(2, '0')}`,
    timestamp: new Date(app.clock.now - (100 - index) * MINUTE).toISOString(),
  }));
  await send(recording, [['nobody', 'POST', '/batch/', { api_key: TEST_TOKEN, batch }]]);
  const cohort = {
    name: 'Pro',
    filters: { properties: { type: 'AND', values: [{ key: 'plan', type: 'person', value: 'pro' }] } },
  };
  await send(recording, [['owner', 'POST', `${P}cohorts/`, cohort]]);
  const [page] = await send(recording, reads(`${P}persons/?limit=100`));
  const person = (distinctId: string): any =>
    page!.json.results.find(({ distinct_ids }: any) => distinct_ids.includes(distinctId));
  const [first, second, third] = ['user-00', 'user-01', 'user-02'].map((id) => person(id).id);
  const lists = [
    `persons/?email=user-01@shop.example`,
    `persons/?distinct_id=anon-1`,
    'persons/?search=user-0',
    'persons/?search=änne',
    'persons/?properties=[{"key":"seats","operator":"gt","value":3,"type":"person"}]',
    'persons/?properties=[{"key":"id","type":"cohort","value":1}]',
    'persons/?cohort=1',
    'persons/?cohort=99',
    'persons/?include_total=true&limit=2&offset=3',
    'persons/?properties=[{"key":"seats","operator":"gt","type":"person"}]',
    'persons/values/?key=plan',
    'persons/values/?key=plan&value=fr',
    'persons/properties/',
    'persons/cohorts/?person_id=' + String(first),
    'events/?event=signup',
    'events/?distinct_id=user-01',
    `events/?person_id=${person('user-02').uuid}`,
    'events/?properties=[{"key":"plan","type":"person","value":"pro"}]',
    'events/?properties=[{"key":"id","type":"cohort","value":1}]',
    'events/?after=2026-11-20T08:00:00Z',
    'events/?before=2026-11-20T08:00:00Z',
    'events/?after=2026-11-20T08:00:00Z&after_id=0190f0c1-0000-7000-8000-000000000110',
    'events/?before=2026-11-20T08:00:00Z&before_id=0190f0c1-0000-7000-8000-000000000110',
    'events/?orderBy=["timestamp"]&limit=3',
    'events/?select=["event","properties.n"]&limit=3',
    'events/?where=["properties.n > 5"]',
    'events/?action_id=1',
    'events/?format=csv&limit=3',
    'events/?limit=2&offset=2',
    'events/0190f0c1-0000-7000-8000-000000000101/',
    'events/values/?key=n',
    'events/values/?key=event&is_column=true&value=sig',
    'groups_types/',
    'groups/?group_type_index=0',
    'groups/?group_type_index=0&search=ac',
    'groups/?group_type_index=0&group_key=globex',
    'groups/?group_type_index=0&limit=1',
    'groups/?group_type_index=1',
    'groups/find/?group_type_index=0&group_key=acme',
    'groups/related/?group_type_index=0&id=acme',
    'groups/related/?id=' + person('user-03').uuid,
    'groups/property_values/?group_type_index=0&key=size',
    'groups/property_definitions/',
    `persons/${first}/`,
    `persons/${person('user-01').uuid}/`,
    `burrow/persons/${first}/`,
    `burrow/persons/${second}/activity/`,
  ].map((path) => encodeURI(P + path));
  await send(recording, reads(...lists));
  const [actors] = ['none', 'viewer'].map((level): Step[] => [
    [
      'owner',
      'PUT',
      `${P}resource_access_controls/`,
      { resource: 'person', organization_member: membership, access_level: level },
    ],
    ...lists.slice(0, 12).map((path): Step => ['member', 'GET', path]),
    ['member', 'PATCH', `${P}persons/${first}/`, { properties: { a: 1 } }],
    ['member', 'DELETE', `${P}persons/${third}/`],
  ]);
  await send(recording, [
    ...actors!,
    [
      'owner',
      'PUT',
      `${P}resource_access_controls/`,
      { resource: 'person', organization_member: membership, access_level: null },
    ],
    ['member', 'PATCH', `${P}persons/${first}/`, { properties: { plan: 'team', extra: { a: [1] } } }],
    ['owner', 'PUT', `${P}persons/${first}/`, { properties: { plan: 'team' } }],
    ['owner', 'POST', `${P}persons/${first}/update_property/`, { key: 'seats', value: 77 }],
    ['owner', 'POST', `${P}persons/${first}/delete_property/`, { $unset: 'plan' }],
    ['owner', 'POST', `${P}persons/${second}/split/`, { main_distinct_id: 'user-01' }],
    ['owner', 'DELETE', `${P}persons/${third}/?delete_events=true`],
    ['owner', 'POST', `${P}persons/bulk_delete/`, { distinct_ids: ['user-05', 'user-06'] }],
    [
      'owner',
      'PATCH',
      `${P}groups_types/update_metadata/`,
      [{ group_type_index: 0, name_singular: 'Firm', name_plural: 'Firms' }],
    ],
    [
      'owner',
      'POST',
      `${P}groups/`,
      { group_type_index: 0, group_key: 'new', group_properties: { size: 1 } },
    ],
    [
      'owner',
      'POST',
      `${P}groups/update_property/?group_type_index=0&group_key=acme`,
      { key: 'size', value: 5 },
    ],
    ['owner', 'POST', `${P}groups/delete_property/?group_type_index=0&group_key=acme`, { $unset: 'name' }],
    ['owner', 'DELETE', `${P}groups_types/1/`],
    ...reads(...lists, `${P}persons/activity/`, `${P}persons/${first}/activity/`, `${P}activity_log/`),
    ['owner', 'GET', `${P}persons/`],
  ]);
  expect(recording.finish()).toBe('');
});

test('responses for projects, members, keys and access rules equal the recordings', async () => {
  const { recording, membership, user } = await begin('administration');
  const [board, insight] = await send(recording, [
    ['owner', 'POST', `${P}dashboards/`, { name: 'Weekly', restriction_level: 37 }],
    ['owner', 'POST', `${P}insights/`, { name: 'One', query: { kind: 'HogQLQuery', query: 'SELECT 1' } }],
    ...everybody('GET', '/api/users/@me/'),
    ['member', 'PATCH', '/api/users/@me/', { first_name: 'Linn', theme_mode: 'dark' }],
    ...everybody('GET', '/api/organizations/'),
    ...everybody('GET', ORGANIZATION),
    ...everybody('GET', `${ORGANIZATION}members/?limit=2`),
    ...reads(
      ...['-level', 'joined_at', '-joined_at', 'x'].map((order) => `${ORGANIZATION}members/?order=${order}`),
    ),
    ...everybody('POST', `${ORGANIZATION}members/`, { email: 'new@local.test' }),
    ...everybody('PATCH', `${ORGANIZATION}members/${user}/`, { level: 1 }),
    ...everybody('GET', '/api/projects/?limit=1'),
    ...everybody('POST', `${ORGANIZATION}projects/`, { name: 'Second', timezone: 'Europe/Berlin' }),
    ['owner', 'POST', `${ORGANIZATION}projects/`, { name: 'Bad', timezone: 'Mars' }],
    ...everybody('GET', P),
    ...everybody('GET', '/api/projects/2/'),
    ...everybody('PATCH', P, { name: 'Shop', timezone: 'Asia/Kolkata', anonymize_ips: true }),
    [
      'owner',
      'PATCH',
      P,
      {
        test_account_filters: [{ key: 'email', type: 'person', operator: 'not_icontains', value: '@shop' }],
        week_start_day: 1,
      },
    ],
    [
      'owner',
      'PATCH',
      P,
      { app_urls: ['https://shop.example'], autocapture_opt_out: true, session_recording_opt_in: true },
    ],
    ['owner', 'PATCH', P, { week_start_day: 9 }],
    ['owner', 'PATCH', P, { primary_dashboard: 1 }],
    ['owner', 'PATCH', P, { primary_dashboard: 99 }],
    ...everybody('PATCH', `${P}reset_token/`),
    ...everybody('GET', `${P}burrow/secret_token/`),
    ...everybody('PATCH', `${P}rotate_secret_token/`),
    ['owner', 'PATCH', `${P}rotate_secret_token/`],
    ['owner', 'PATCH', `${P}delete_secret_token_backup/`],
    ['owner', 'DELETE', `${P}burrow/secret_token/`],
    ...everybody('GET', `${P}burrow/capture_settings/`),
    ...everybody('GET', `${P}burrow/retention/`),
    ...everybody('PUT', `${P}burrow/retention/`, { max_days: 30 }),
    ['owner', 'PUT', `${P}burrow/retention/`, { max_days: 0 }],
    ['owner', 'POST', `${P}burrow/retention/preview/`, { max_days: 1 }],
    ['owner', 'PUT', `${P}burrow/retention/`, {}],
    ...everybody('GET', '/api/personal_api_keys/'),
    ...everybody('POST', '/api/personal_api_keys/', { label: 'Mine', scopes: ['insight:read'] }),
    ['owner', 'POST', '/api/personal_api_keys/', { label: 'Bad', scopes: ['nothing:read'] }],
    ['owner', 'POST', '/api/personal_api_keys/', { label: 'One', scopes: ['*'], scoped_teams: [1] }],
    ...everybody('GET', '/api/personal_api_keys/@current/'),
  ]);
  const key = (
    await send(recording, [
      [
        'member',
        'POST',
        '/api/personal_api_keys/',
        { label: 'Limited', scopes: ['dashboard:read'], scoped_teams: [2] },
      ],
    ])
  )[0]!;
  recording.keys.set('limited', key.json.value);
  const rule = (access_level: string | null, more: object = {}): object => ({
    organization_member: membership,
    access_level,
    ...more,
  });
  const own = [`dashboards/${board!.json.id}/`, `insights/${insight!.json.id}/`];
  await send(recording, [
    ['limited', 'GET', `${P}dashboards/`],
    ['limited', 'GET', '/api/projects/2/dashboards/'],
    [
      'member',
      'PATCH',
      `/api/personal_api_keys/${key.json.id}/`,
      { label: 'Renamed', scopes: ['dashboard:write'] },
    ],
    ['owner', 'PATCH', `/api/personal_api_keys/${key.json.id}/`, { label: 'Not mine' }],
    ['member', 'DELETE', `/api/personal_api_keys/${key.json.id}/`],
    ['limited', 'GET', '/api/projects/2/dashboards/'],
    ...['dashboard', 'insight', 'feature_flag', 'cohort', 'survey', 'annotation', 'x'].flatMap(
      (resource): Step[] => [
        ['owner', 'PUT', `${P}resource_access_controls/`, rule('viewer', { resource })],
        ['member', 'PUT', `${P}resource_access_controls/`, rule('editor', { resource })],
      ],
    ),
    ...everybody('GET', `${P}resource_access_controls/`),
    ...everybody('GET', `${P}access_controls/`),
    ['owner', 'PUT', `${P}access_controls/`, rule('admin')],
    ['owner', 'PUT', `${P}access_controls/`, { access_level: 'none' }],
    ['member', 'GET', P],
    ['owner', 'PUT', `${P}access_controls/`, { access_level: 'member' }],
    ['owner', 'PUT', `${P}access_controls/`, rule(null)],
    ['owner', 'PUT', `${P}access_control_management/`, {}],
    ...own.flatMap((path): Step[] => [
      ...['none', 'viewer', 'editor', 'manager', null, 'x'].flatMap((level): Step[] => [
        ['owner', 'PUT', `${P}${path}access_controls/`, rule(level)],
        ['member', 'GET', P + path],
        ['member', 'PATCH', P + path, { name: `By ${level}` }],
        ['member', 'GET', `${P}${path}access_controls/`],
      ]),
      ...everybody('GET', `${P}${path}users_with_access/`),
      ...everybody('GET', `${P}${path}sharing/`),
      ...everybody('PATCH', `${P}${path}sharing/`, { enabled: true }),
      ['owner', 'PUT', `${P}burrow/${path}sharing_expiry/`, { expires_at: '2026-12-01T00:00:00Z' }],
      ['owner', 'GET', `${P}burrow/${path}sharing_expiry/`],
      ['owner', 'GET', `${P}burrow/${path}sharing_link/`],
      ['owner', 'POST', `${P}${path}sharing/refresh/`, {}],
      ['owner', 'DELETE', `${P}burrow/${path}sharing_link/old/`],
    ]),
    ...everybody('GET', `${P}dashboards/${board!.json.id}/collaborators/`),
    ['owner', 'POST', `${P}dashboards/${board!.json.id}/collaborators/`, { user_uuid: user, level: 37 }],
    ['owner', 'DELETE', `${P}dashboards/${board!.json.id}/collaborators/${user}/`],
    ...everybody('GET', '/api/burrow/sharing/'),
    ['owner', 'PUT', '/api/burrow/sharing/', { off: true }],
    ...everybody('GET', '/api/burrow/geoip/'),
    ...everybody('GET', '/api/burrow/notices/'),
    ...everybody('GET', `${P}burrow/ingestion_warnings/`),
    ...everybody('POST', '/api/burrow/sign_in_links/', {}),
    ...everybody('GET', '/api/burrow/session/'),
  ]);
  const log = [
    '',
    'scope=Dashboard',
    'scopes=Dashboard,Insight',
    'item_id=1',
    'activity=created',
    'activities=created,updated',
    'search=week',
    'date_from=2026-11-20T11:00:00Z',
    'date_to=2026-11-20T11:00:00Z',
    'start_date=2026-11-20T11:00:00Z',
    'end_date=2026-11-20T11:00:00Z',
    `user=${user}`,
    'limit=2&offset=1',
  ];
  const logs = [`${P}activity_log/`, `${ORGANIZATION}activity_log/`];
  await send(recording, [
    ...logs.flatMap((path) => reads(...log.map((query) => `${path}?${query}`))),
    ...logs.flatMap((path) => everybody('GET', path)),
    ...everybody('DELETE', '/api/projects/2/'),
    ...everybody('DELETE', `${ORGANIZATION}members/${user}/`),
    ['member', 'GET', P],
    ['owner', 'DELETE', P],
    ['owner', 'GET', '/api/projects/'],
  ]);
  expect(recording.finish()).toBe('');
});

test('responses for overrides and flag files equal the recordings', async () => {
  const { recording } = await begin('flag-files');
  const filters = { groups: [{ properties: [], rollout_percentage: 0 }] };
  await send(recording, [
    ['owner', 'POST', `${P}feature_flags/`, { key: 'one', filters, tags: ['a'] }],
    [
      'owner',
      'POST',
      `${P}feature_flags/`,
      {
        key: 'two',
        filters: { ...filters, multivariate: { variants: [{ key: 'x', rollout_percentage: 100 }] } },
      },
    ],
    ...everybody('POST', `${P}burrow/flag_overrides/`, { key: 'one', value: true }),
    [
      'owner',
      'POST',
      `${P}burrow/flag_overrides/`,
      { key: 'two', value: 'x', distinct_id: 'ada', payload: { a: 1 } },
    ],
    ['owner', 'POST', `${P}burrow/flag_overrides/`, { key: 'two', value: 'nothing' }],
    [
      'owner',
      'POST',
      `${P}burrow/flag_overrides/`,
      { key: 'unknown', value: true, expires_at: '2026-11-21T00:00:00Z' },
    ],
    ...reads(
      ...['', '?key=two', '?distinct_id=ada', '?limit=1&offset=1'].map(
        (query) => `${P}burrow/flag_overrides/${query}`,
      ),
    ),
    ['nobody', 'POST', '/flags/?v=2', { api_key: TEST_TOKEN, distinct_id: 'ada' }],
    ['nobody', 'POST', '/flags/?v=2', { api_key: TEST_TOKEN, distinct_id: 'bob' }],
    ['owner', 'POST', `${P}burrow/flag_overrides/preset/`, { preset: 'all_on', distinct_id: 'bob' }],
    ['nobody', 'POST', '/flags/?v=2', { api_key: TEST_TOKEN, distinct_id: 'bob' }],
    ['owner', 'DELETE', `${P}burrow/flag_overrides/?key=two`],
    ['owner', 'DELETE', `${P}burrow/flag_overrides/?distinct_id=bob`],
    ...everybody('GET', `${P}burrow/feature_flags/export/`),
    [
      'owner',
      'POST',
      `${P}burrow/feature_flags/import/?dry_run=true`,
      {
        version: 1,
        group_types: {},
        cohorts: [],
        flags: [
          { key: 'one', filters },
          { key: 'three', filters },
        ],
      },
    ],
    [
      'owner',
      'POST',
      `${P}burrow/feature_flags/import/`,
      { version: 1, group_types: {}, cohorts: [], flags: [{ key: 'three', filters, tags: ['z'] }] },
    ],
    ...everybody('GET', `${P}burrow/flag_file/`),
    ['owner', 'GET', `${P}burrow/feature_flags/notes/`],
    ['owner', 'POST', `${P}feature_flags/bulk_keys/`, { ids: [1, 2, 99] }],
    ['owner', 'GET', `${P}feature_flags/my_flags/`],
    ['owner', 'GET', `${P}feature_flags/evaluation_reasons/?distinct_id=ada`],
    ['owner', 'GET', `${P}feature_flags/local_evaluation`],
    ['owner', 'GET', `${P}feature_flags/activity/`],
  ]);
  expect(recording.finish()).toBe('');
});
