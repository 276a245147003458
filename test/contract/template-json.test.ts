import { expect, test } from 'vitest';
import { dashboardsOf, type Dashboards, templateOf } from '../support/dashboard-client.ts';
import { refusal, refusalOf } from '../support/refusals.ts';
import { openTestApp } from '../support/test-app.ts';

async function createFrom(dashboards: Dashboards, template: object): Promise<any> {
  const answer = await dashboards.ask('POST', 'create_from_template_json/', { template });
  expect([answer.status, answer.text]).toEqual([200, '']);
  const id = /^\/api\/projects\/1\/dashboards\/(\d+)\/$/.exec(answer.headers['location']!)?.[1];
  return dashboards.get(Number(id));
}

/** Each of these templates is refused, and leaves nothing behind. */
async function expectRefused(changes: readonly object[]): Promise<void> {
  const dashboards = dashboardsOf(await openTestApp());
  for (const change of changes) {
    const template = { ...templateOf('Refused'), ...change };
    const answer = await dashboards.ask('POST', 'create_from_template_json/', { template });
    expect(refusalOf(answer), JSON.stringify(change)).toEqual(refusal('E-TYPE', null));
    // The detail names what is wrong.
    expect(answer.json.detail).toContain(Object.keys(change)[0]);
  }
  expect(await dashboards.names()).toEqual([]);
}

test('M3.8/template_name is required, and becomes the name', async () => {
  await expectRefused([{ template_name: undefined }, { template_name: 7 }, { template_name: null }]);
  const made = await createFrom(dashboardsOf(await openTestApp()), templateOf('Starter'));
  expect(made).toMatchObject({ name: 'Starter', creation_mode: 'default', use_template: '' });
});

test('M3.8/dashboard_description is required, and becomes the description', async () => {
  await expectRefused([{ dashboard_description: undefined }, { dashboard_description: [] }]);
  const made = await createFrom(dashboardsOf(await openTestApp()), templateOf('Starter'));
  expect(made.description).toBe('What happens here');
});

test('M3.8/dashboard_filters are required, an object, and become the filters', async () => {
  await expectRefused([
    { dashboard_filters: undefined },
    { dashboard_filters: 'all' },
    { dashboard_filters: [] },
  ]);
  const made = await createFrom(dashboardsOf(await openTestApp()), templateOf('Starter'));
  expect(made.filters).toEqual({ date_from: '-7d' });
});

test('M3.8/tiles are required, at least one object, and become texts and insights', async () => {
  await expectRefused([{ tiles: undefined }, { tiles: [] }, { tiles: {} }, { tiles: ['text'] }]);
  const dashboards = dashboardsOf(await openTestApp());
  const made = await createFrom(dashboards, {
    ...templateOf('Starter'),
    tiles: [
      { type: 'TEXT', body: 'Hello', layouts: { sm: { x: 0, y: 0 } } },
      {
        type: 'INSIGHT',
        name: 'Legacy',
        description: 'Of filters',
        filters: { insight: 'TRENDS', events: [{ id: '$pageview' }] },
        layouts: { sm: { x: 0, y: 1 } },
        color: 'green',
      },
      { type: 'BUTTON', name: 'Skipped' },
    ],
  });
  expect(made.tiles).toHaveLength(2);
  expect(made.tiles[0].text).toMatchObject({ body: 'Hello', created_by: null });
  expect(made.tiles[1]).toMatchObject({ color: 'green', layouts: { sm: { x: 0, y: 1 } } });
  expect(made.tiles[1].insight).toMatchObject({
    name: 'Legacy',
    description: 'Of filters',
    is_sample: true,
    created_by: null,
    dashboards: [made.id],
  });
});

test('M3.8/variables are null, absent, or complete', async () => {
  const variable = {
    id: 'EVENT',
    name: 'Which event',
    description: '',
    type: 'event',
    default: { id: '$pageview' },
    required: true,
  };
  await expectRefused([
    { variables: 'none' },
    { variables: [{ ...variable, default: undefined }] },
    { variables: [{ ...variable, type: 'person' }] },
    { variables: [{ ...variable, required: 'yes' }] },
  ]);
  const dashboards = dashboardsOf(await openTestApp());
  for (const variables of [undefined, null, [], [variable]])
    await createFrom(dashboards, { ...templateOf('Starter'), variables });
});

test('M3.8/tags are texts, and become the tags', async () => {
  await expectRefused([{ tags: 'one' }, { tags: [1] }]);
  const dashboards = dashboardsOf(await openTestApp());
  const made = await createFrom(dashboards, { ...templateOf('Starter'), tags: ['Shop ', 'shop', 'web'] });
  expect([...made.tags].sort()).toEqual(['shop', 'web']);
  expect((await createFrom(dashboards, { ...templateOf('Plain'), tags: undefined })).tags).toEqual([]);
});

test('M3.8/id is allowed and ignored, like team_id, created_at and image_url', async () => {
  await expectRefused([{ team_id: 'one' }, { image_url: 5 }]);
  const dashboards = dashboardsOf(await openTestApp());
  const made = await createFrom(dashboards, {
    ...templateOf('Starter'),
    id: '0190f0c1-0000-7000-8000-0000000000aa',
    team_id: null,
    created_at: '2020-01-01T00:00:00Z',
    image_url: null,
  });
  expect(made.created_at).toMatch(/^2026-11-20/);
});

test('a body without a template creates a dashboard from the other fields; an empty one is refused', async () => {
  const dashboards = dashboardsOf(await openTestApp());
  const answer = await dashboards.ask('POST', 'create_from_template_json/', {});
  expect(refusalOf(answer)).toEqual(refusal('E-REQ', 'template'));
  const body = { name: 'Plain', tags: ['a'], restriction_level: 37 };
  expect((await dashboards.ask('POST', 'create_from_template_json/', body)).status).toBe(200);
  expect(await dashboards.names()).toEqual(['Plain']);
});

test('with Prefer: return=representation the dashboard is returned, as by PostHog', async () => {
  const { ask } = await openTestApp();
  const answer = await ask('/api/projects/1/dashboards/create_from_template_json/', {
    method: 'POST',
    headers: { Prefer: 'return=representation' },
    body: { template: templateOf('Starter'), creation_context: 'onboarding' },
  });
  expect(answer).toMatchObject({ status: 200, json: { name: 'Starter', tiles: { length: 2 } } });
  expect(answer.headers['preference-applied']).toBe('return=representation');
});
