import { beforeAll, describe, expect, test } from 'vitest';
import { putRule } from '../support/access-rules.ts';
import { addMember, type TestMember } from '../support/members.ts';
import { shareTestApp, TEST_TOKEN, type TestApp } from '../support/test-app.ts';

const P = '/api/projects/1/';
const SECRET = 'kept-apart';
const QUERY = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'opened' }] };
const open = shareTestApp();

let app: TestApp;
let member: TestMember;
let dashboard: number;
let insight: number;

async function make(path: string, body: object, by: Pick<TestMember, 'ask'> = app) {
  const answer = await by.ask(P + path, { method: 'POST', body });
  if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`);
  return answer.json;
}

async function setLevel(resource: string, level: string | null): Promise<void> {
  const rule = { resource, organization_member: member.membershipId, access_level: level };
  const { status, text } = await putRule(app, 'resource_access_controls/', rule);
  if (status >= 300) throw new Error(text);
}

const hideObject = (path: string, level: string | null = 'none') =>
  putRule(app, `${path}/access_controls/`, {
    organization_member: member.membershipId,
    access_level: level,
  });

const flag = (key: string) =>
  make('feature_flags/', {
    key,
    name: `${key} flag`,
    filters: {
      groups: [{ properties: [], rollout_percentage: 100 }],
      payloads: { true: `"${key} payload"` },
    },
    is_remote_configuration: true,
  });

/** The paths that could reveal a hidden object. */
const ELSEWHERE = [
  `search/?q=${SECRET}`,
  `search/?q=${SECRET.slice(0, 4)}&include_counts=true`,
  `search/?q=${SECRET.slice(0, 4)}&limit_per_kind=25`,
  'tags/',
  'activity_log/',
  `activity_log/?search=${SECRET}`,
  'activity/',
  'dashboards/activity/',
  'insights/activity/',
  'feature_flags/activity/',
  'dashboards/',
  'insights/',
  'insights/my_last_viewed/',
  'burrow/failed_insights/',
  'burrow/dashboard_previews/',
  'feature_flags/',
  'feature_flags/my_flags/',
  'feature_flags/evaluation_reasons/?distinct_id=ada',
  'feature_flags/local_evaluation',
  'early_access_feature/',
  'surveys/',
  'cohorts/',
  'actions/',
  'annotations/',
  'dashboard_templates/',
  'insight_variables/',
  'event_definitions/',
  'property_definitions/',
];

async function expectNothing(what: string): Promise<void> {
  for (const path of [...ELSEWHERE, `dashboards/${dashboard}/`, `dashboards/${dashboard}/activity/`]) {
    const { text, json } = await member.ask(P + path);
    expect([what, path, text.includes(SECRET) ? json : '']).toEqual([what, path, '']);
  }
}

beforeAll(async () => {
  app = await open.forAll();
  member = await addMember(app, 'lin@local.test');
  const batch = [{ event: 'opened', distinct_id: 'ada', properties: { plan: 'team' } }];
  await app.ask('/batch/', { method: 'POST', key: null, body: { api_key: TEST_TOKEN, batch } });
  dashboard = (await make('dashboards/', { name: 'Weekly' })).id;
  const body = { name: `${SECRET} insight`, tags: [`${SECRET}-tag`], query: QUERY, dashboards: [dashboard] };
  insight = (await make('insights/', body)).id;
});

describe('A-10 hidden objects do not appear in responses to a member', () => {
  test('A-10 an insight with its own rule: dashboards, copies, templates and files leave it out', async () => {
    await hideObject(`insights/${insight}`);
    await expectNothing('insight');
    for (const copies of [true, false]) {
      const body = { name: 'Copy', use_dashboard: dashboard, duplicate_tiles: copies };
      const copy = await make('dashboards/', body, member);
      expect((await app.ask(`${P}dashboards/${copy.id}/`)).text).not.toContain(SECRET);
    }
    for (const path of [
      `insights/${insight}/`,
      `insights/${insight}/activity/`,
      `insights/${insight}/?format=csv`,
    ])
      expect((await member.ask(P + path)).status, path).toBe(403);
    const mine = await make('dashboards/', { name: 'Mine' }, member);
    const put = await member.ask(`${P}dashboards/${mine.id}/`, {
      method: 'PATCH',
      body: { tiles: [{ insight: { id: insight } }] },
    });
    expect(put.text).not.toContain(SECRET);
    await hideObject(`insights/${insight}`, null);
  });

  test('A-10 with insight: none no response shows insights', async () => {
    await setLevel('insight', 'none');
    await expectNothing('insights');
    await setLevel('insight', null);
    expect((await member.ask(`${P}dashboards/${dashboard}/`)).text).toContain(SECRET);
  });

  test.each([
    ['annotation', 'annotations/', { scope: 'project' }, 'content'],
    ['cohort', 'cohorts/', { is_static: true }, 'name'],
    ['early_access_feature', 'early_access_feature/', { stage: 'draft' }, 'name'],
    ['survey', 'surveys/', { type: 'popover', questions: [{ type: 'open', question: 'Why?' }] }, 'name'],
    ['insight_variable', 'insight_variables/', { type: 'String', default_value: 'a' }, 'name'],
    [
      'dashboard_template',
      'dashboard_templates/',
      { dashboard_description: '', dashboard_filters: {}, tags: [], variables: [], tiles: [] },
      'template_name',
    ],
    ['dashboard', 'dashboards/', { tags: [`${SECRET}-board`] }, 'name'],
  ])(
    'A-10 with %s: none it is left out of the log, the search and the tags',
    async (resource, path, body, name) => {
      await hideObject(`insights/${insight}`);
      const tiles = [{ type: 'TEXT', body: 'Hi', layouts: {} }];
      const whole = resource === 'dashboard_template' ? { ...body, tiles } : body;
      await make(path, { ...whole, [name]: `${SECRET} ${resource} here` });
      // Its flag is an object of its own.
      if (['survey', 'early_access_feature'].includes(resource)) await setLevel('feature_flag', 'none');
      await setLevel(resource, 'none');
      for (const one of ELSEWHERE) {
        const { text } = await member.ask(P + one);
        expect([one, text.includes(`${SECRET} ${resource} here`)]).toEqual([one, false]);
      }
      await setLevel(resource, null);
      await setLevel('feature_flag', null);
      await hideObject(`insights/${insight}`, null);
    },
  );
});

describe('A-10 a flag with its own rule', () => {
  test('A-10 is missing in local evaluation, and on all other paths', async () => {
    const shown = await flag('shown');
    const hidden = await flag('hidden-flag');
    const paths = ['/flags/definitions', '/flags/definitions?send_cohorts=1', '/api/feature_flag'];
    for (const path of paths) expect((await member.ask(path)).text).toContain('hidden-flag');
    await hideObject(`feature_flags/${hidden.id}`);
    for (const path of [...paths, `${P}feature_flags/local_evaluation`]) {
      const { status, text } = await member.ask(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toContain('hidden-flag');
      expect(text).toContain('"shown"');
      expect((await app.ask(path)).text).toContain('hidden-flag');
    }
    for (const name of [hidden.key, hidden.id])
      expect((await member.ask(`${P}feature_flags/${name}/remote_config`)).status).toBe(404);
    expect((await member.ask(`${P}feature_flags/${shown.key}/remote_config`)).status).toBe(200);
    await hideObject(`feature_flags/${hidden.id}`, null);
  });

  test('A-10 a flag that depends on it, and its messages, name it by its id', async () => {
    const needed = await flag('secret-needed');
    const between = await flag('between');
    const dependsOn = (id: number) => ({
      groups: [
        {
          properties: [{ key: String(id), type: 'flag', value: true, operator: 'flag_evaluates_to' }],
          rollout_percentage: 100,
        },
      ],
    });
    const change = (id: number, body: object, by: Pick<TestMember, 'ask'> = member) =>
      by.ask(`${P}feature_flags/${id}/`, { method: 'PATCH', body });
    expect((await change(between.id, { filters: dependsOn(needed.id) })).status).toBe(200);
    const top = await make('feature_flags/', { key: 'top', filters: dependsOn(between.id) });
    await hideObject(`feature_flags/${needed.id}`);

    for (const path of ['/flags/definitions', `${P}feature_flags/local_evaluation`]) {
      const { flags } = (await member.ask(path)).json as { flags: { key: string; filters: any }[] };
      expect(JSON.stringify(flags)).not.toContain('secret-needed');
      const found = Object.fromEntries(flags.map(({ key, filters }) => [key, filters.groups[0].properties]));
      expect(found['between']).toMatchObject([{ key: String(needed.id), dependency_chain: [] }]);
      expect(found['top']).toMatchObject([{ key: String(between.id), dependency_chain: [] }]);
      expect((await app.ask(path)).text).toContain('secret-needed');
    }
    await change(needed.id, { filters: dependsOn(top.id) }, app).then(({ status, text }) => {
      expect([status, text]).toEqual([400, expect.stringContaining('Circular flag dependency')]);
    });
    // A flag that the member edits: in a circle with the hidden one, and on it when it is switched off.
    const circle = await make('feature_flags/', { key: 'circle' });
    expect((await change(needed.id, { filters: dependsOn(circle.id) }, app)).status).toBe(200);
    const answers = [
      await change(circle.id, { filters: dependsOn(needed.id) }),
      await change(circle.id, { active: false }),
      await change(circle.id, { deleted: true }),
    ];
    expect((await change(needed.id, { filters: { groups: [] } }, app)).status).toBe(200);
    await change(top.id, { active: false }, app);
    await change(between.id, { active: false }, app);
    expect((await change(needed.id, { active: false }, app)).status).toBe(200);
    answers.push(
      await change(between.id, { active: true }),
      await change(circle.id, { filters: dependsOn(needed.id) }),
    );
    for (const { status, text } of answers) {
      expect([status, text]).toEqual([400, expect.stringContaining(`id ${needed.id}`)]);
      expect(text).not.toContain('secret-needed');
    }
    await hideObject(`feature_flags/${needed.id}`, null);
    expect((await change(circle.id, { filters: dependsOn(needed.id) })).text).toContain('secret-needed');
  });

  test('A-10 flags and cohorts that use a hidden cohort name it by its id', async () => {
    const on = (id: number) => [{ key: 'id', type: 'cohort', value: id, operator: 'in' }];
    const rule = (values: object[]) => ({ properties: { type: 'AND', values: [{ type: 'AND', values }] } });
    const isPro = [{ key: 'plan', type: 'person', value: 'pro', operator: 'exact' }];
    const did = { type: 'behavioral', key: 'opened', value: 'performed_event', event_type: 'events' };
    const inner = await make('cohorts/', { name: 'Inner', filters: rule(isPro) });
    const outer = await make('cohorts/', { name: 'secret-cohort', filters: rule(on(inner.id)) });
    const filters = { groups: [{ properties: on(inner.id), rollout_percentage: 100 }] };
    const used = await make('feature_flags/', { key: 'secret-user', filters });
    await hideObject(`feature_flags/${used.id}`);
    await hideObject(`cohorts/${outer.id}`);
    for (const body of [
      { deleted: true },
      { filters: rule([{ ...did, time_value: 30, time_interval: 'day' }]) },
    ]) {
      const path = `${P}cohorts/${inner.id}/`;
      const refused = await member.ask(path, { method: 'PATCH', body });
      expect([refused.status, refused.text]).toEqual([
        400,
        expect.stringContaining(`with the id ${used.id}`),
      ]);
      expect(refused.text).not.toContain('secret-');
      expect((await app.ask(path, { method: 'PATCH', body })).text).toContain('secret-user');
    }
    await hideObject(`feature_flags/${used.id}`, null);
    await hideObject(`cohorts/${outer.id}`, null);
  });

  test('A-10 is the only one for a member without access to others', async () => {
    const one = await flag('only-one');
    await setLevel('feature_flag', 'none');
    expect((await member.ask('/flags/definitions')).status).toBe(403);
    await hideObject(`feature_flags/${one.id}`, 'viewer');
    for (const path of ['/flags/definitions', `${P}feature_flags/local_evaluation?send_cohorts=1`]) {
      const { json } = await member.ask(path);
      expect(json.flags.map(({ key }: { key: string }) => key)).toEqual(['only-one']);
    }
    expect((await member.ask(`${P}feature_flags/only-one/remote_config`)).status).toBe(200);
    expect((await member.ask(`${P}feature_flags/shown/remote_config`)).status).toBe(404);
    await setLevel('feature_flag', null);
    expect((await member.ask('/flags/definitions')).json.flags.length).toBeGreaterThan(1);
  });
});

describe('A-10 with cohort: none', () => {
  test('A-10 neither local evaluation nor the file of flags has cohorts', async () => {
    const leaf = { key: 'plan', type: 'person', value: 'secret-plan', operator: 'exact' };
    const tree = { type: 'OR', values: [{ type: 'AND', values: [leaf] }] };
    const cohort = await make('cohorts/', { name: 'Payers', filters: { properties: tree } });
    const property = { key: 'id', type: 'cohort', value: cohort.id };
    await make('feature_flags/', {
      key: 'for-payers',
      filters: { groups: [{ properties: [property], rollout_percentage: 100 }] },
    });
    const paths = ['/flags/definitions?send_cohorts=1', `${P}burrow/flag_file/`];
    for (const path of paths) expect((await member.ask(path)).text).toContain('secret-plan');
    await setLevel('cohort', 'none');
    for (const path of paths) {
      const { status, text } = await member.ask(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).toContain('for-payers');
      expect(text).not.toContain('secret-plan');
      expect((await app.ask(path)).text).toContain('secret-plan');
    }
    await setLevel('cohort', null);
  });
});

describe('A-10 with query: none', () => {
  test('A-10 a member who edits insights cannot run a query by an insight, by old filters, or by a template', async () => {
    await setLevel('query', 'none');
    const template = {
      template_name: 'T',
      dashboard_description: '',
      dashboard_filters: {},
      tags: [],
      variables: [],
      tiles: [{ type: 'INSIGHT', name: 'A', query: QUERY, layouts: {} }],
    };
    const filters = { insight: 'TRENDS', events: [{ id: 'opened' }] };
    const refused: [string, string, object][] = [
      ['POST', 'query/', { query: QUERY }],
      ['POST', 'insights/', { name: 'Mine', query: QUERY }],
      ['POST', 'insights/', { name: 'Mine', filters }],
      ['PATCH', `insights/${insight}/`, { query: { ...QUERY, interval: 'week' } }],
      ['PATCH', `insights/${insight}/`, { filters }],
      ['POST', 'insights/trend/', filters],
      ['POST', 'insights/funnel/', filters],
      ['POST', 'insights/retention/', {}],
      ['POST', 'insights/path/', {}],
      ['POST', 'dashboards/create_from_template_json/', { template }],
    ];
    for (const [method, path, body] of refused) {
      const { status, json } = await member.ask(P + path, { method: method as 'POST', body });
      expect([path, status, json.code]).toEqual([path, 403, 'permission_denied']);
    }
    expect((await member.ask(`${P}insights/trend/?insight=TRENDS`)).status).toBe(403);
    // Results of other users' queries are shown, and all other fields of an insight can be edited.
    expect((await member.ask(`${P}insights/${insight}/`)).json.result).not.toBe(null);
    const body = { name: `${SECRET} renamed`, query: QUERY };
    const renamed = await member.ask(`${P}insights/${insight}/`, { method: 'PATCH', body });
    expect([renamed.status, renamed.json.name]).toEqual([200, body.name]);
    await setLevel('query', null);
    const own = { name: 'Mine', query: QUERY };
    expect((await member.ask(`${P}insights/`, { method: 'POST', body: own })).status).toBe(201);
  });
});
