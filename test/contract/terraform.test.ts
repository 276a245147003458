import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { addMember } from '../support/members.ts';
import { openTestApp } from '../support/test-app.ts';
import { createTerraform, type Terraform } from './terraform-client.ts';

const P = '/api/projects/1';

async function open() {
  const app = await openTestApp();
  return { app, terraform: createTerraform(app) };
}

const dashboard = z.object({
  id: z.int(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  pinned: z.boolean().nullish(),
  tags: z.array(z.string()).nullish(),
  deleted: z.boolean().nullish(),
});

describe('dashboard', () => {
  const wanted = { name: 'Weekly', description: 'Team KPIs', pinned: true, tags: ['ops', 'web'] };

  test('is created, read, planned without a change, updated, deleted, and then a 404', async () => {
    const { terraform } = await open();
    const made = await terraform.write('POST', `${P}/dashboards/`, wanted, dashboard);
    const path = `${P}/dashboards/${made.id}/`;
    const state = await terraform.read(path, dashboard);
    // A second plan finds nothing to do.
    expect(state).toEqual({ id: made.id, deleted: false, ...wanted });
    const changed = { ...wanted, name: 'Monthly', description: '', pinned: false, tags: [] };
    expect(await terraform.write('PATCH', path, changed, dashboard)).toMatchObject(changed);
    expect(await terraform.read(path, dashboard)).toMatchObject(changed);
    const deleted = await terraform.write('PATCH', path, { deleted: true }, dashboard);
    expect(deleted).toMatchObject({ id: made.id, deleted: true });
    expect(await terraform.read(path, dashboard)).toBeNull();
  });

  test('is imported unchanged', async () => {
    const { app, terraform } = await open();
    const { id } = (await app.ask(`${P}/dashboards/`, { method: 'POST', body: {} })).json;
    expect(await terraform.read(`${P}/dashboards/${id}/`, dashboard)).toEqual({
      id,
      name: '',
      description: '',
      pinned: false,
      tags: [],
      deleted: false,
    });
  });
});

const insight = z.object({
  id: z.int(),
  name: z.string().nullish(),
  derived_name: z.string().nullish(),
  description: z.string().nullish(),
  query: z.record(z.string(), z.unknown()).nullish(),
  tags: z.array(z.string()).nullish(),
  dashboards: z.array(z.int()).nullish(),
  deleted: z.boolean().nullish(),
});
const query = {
  kind: 'InsightVizNode',
  source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview', math: 'dau' }] },
};

test('insight: created on a dashboard, read, planned without a change, moved, deleted, and then a 404', async () => {
  const { terraform } = await open();
  const first = await terraform.write('POST', `${P}/dashboards/`, { name: 'First' }, dashboard);
  const second = await terraform.write('POST', `${P}/dashboards/`, { name: 'Second' }, dashboard);
  const wanted = { name: 'Visitors', description: 'A day', query, tags: ['web'], dashboards: [first.id] };
  const body = { ...wanted, _create_in_folder: 'Unfiled/Insights' };
  const made = await terraform.write('POST', `${P}/insights/`, body, insight);
  const path = `${P}/insights/${made.id}/`;
  expect(await terraform.read(path, insight)).toMatchObject({ ...wanted, deleted: false });

  const moved = { ...wanted, name: 'Visitors a day', dashboards: [second.id] };
  expect(await terraform.write('PATCH', path, moved, insight)).toMatchObject(moved);
  expect(await terraform.read(path, insight)).toMatchObject(moved);
  const nameless = await terraform.write('PATCH', path, { name: '', dashboards: [] }, insight);
  expect(nameless).toMatchObject({ dashboards: [] });

  expect(await terraform.write('PATCH', path, { deleted: true }, insight)).toMatchObject({ deleted: true });
  expect(await terraform.read(path, insight)).toBeNull();
});

const layout = z.object({
  id: z.int(),
  tiles: z.array(
    z.object({
      id: z.int(),
      insight: z.object({ id: z.int() }).nullish(),
      text: z.object({ id: z.int(), body: z.string() }).nullish(),
      layouts: z.record(z.string(), z.record(z.string(), z.unknown())).nullish(),
      color: z.string().nullish(),
      show_description: z.boolean().nullish(),
      deleted: z.boolean().nullish(),
    }),
  ),
});

test('dashboard_layout: tiles are placed, planned without a change, changed, and removed', async () => {
  const { terraform } = await open();
  const { id } = await terraform.write('POST', `${P}/dashboards/`, { name: 'Weekly' }, dashboard);
  const body = { name: 'Visitors', query, dashboards: [id] };
  const made = await terraform.write('POST', `${P}/insights/`, body, insight);
  const path = `${P}/dashboards/${id}/`;
  const [placed] = (await terraform.read(path, layout))!.tiles;
  expect(placed).toMatchObject({ insight: { id: made.id } });

  const layouts = { sm: { x: 0, y: 0, w: 6, h: 5 }, xs: { x: 0, y: 0, w: 1, h: 5 } };
  const below = { sm: { x: 0, y: 5, w: 12, h: 2 } };
  const tiles = [
    { id: placed!.id, layouts, color: 'blue', show_description: true },
    { text: { body: '# Notes' }, layouts: below },
  ];
  await terraform.write('PATCH', path, { tiles }, layout);
  const state = (await terraform.read(path, layout))!.tiles;
  expect(state).toMatchObject([
    { id: placed!.id, layouts, color: 'blue', show_description: true, text: null },
    { text: { body: '# Notes' }, layouts: below, insight: null },
  ]);

  // What was read is written back: nothing changes.
  const same = state.map((tile) => ({ ...tile, insight: undefined }));
  expect((await terraform.write('PATCH', path, { tiles: same }, layout)).tiles).toEqual(state);

  const text = state[1]!;
  const changed = [
    { id: placed!.id, show_description: null },
    {
      id: text.id,
      text: { id: text.text!.id, body: '# Changed' },
      layouts: { sm: { x: 6, y: 5, w: 6, h: 2 } },
    },
  ];
  await terraform.write('PATCH', path, { tiles: changed }, layout);
  const [first, second] = (await terraform.read(path, layout))!.tiles;
  expect(first!.show_description ?? null).toBeNull();
  expect(first).toMatchObject({ layouts, color: 'blue' });
  expect(second!.text).toEqual({ id: text.text!.id, body: '# Changed' });

  const removed = state.map((tile) => ({ id: tile.id, deleted: true }));
  expect((await terraform.write('PATCH', path, { tiles: removed }, layout)).tiles).toEqual([]);
});

const action = z.object({
  id: z.int(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  post_to_slack: z.boolean().nullish(),
  slack_message_format: z.string().nullish(),
  steps: z
    .array(
      z.object({
        event: z.string().nullish(),
        properties: z.array(z.record(z.string(), z.unknown())).nullish(),
        selector: z.string().nullish(),
        tag_name: z.string().nullish(),
        text: z.string().nullish(),
        text_matching: z.string().nullish(),
        href: z.string().nullish(),
        href_matching: z.string().nullish(),
        url: z.string().nullish(),
        url_matching: z.string().nullish(),
      }),
    )
    .nullish(),
  deleted: z.boolean().nullish(),
});

test('action: created, read, planned without a change, updated, deleted, and then a 404', async () => {
  const { terraform } = await open();
  const steps = [
    { event: '$pageview', url: '/pricing', url_matching: 'contains' },
    { event: '$autocapture', selector: 'button.buy', text: 'Buy', text_matching: 'exact' },
  ];
  const wanted = { name: 'Interested', description: 'Near buying', tags: ['shop'], steps };
  const made = await terraform.write('POST', `${P}/actions/`, wanted, action);
  const path = `${P}/actions/${made.id}/`;
  expect(await terraform.read(path, action)).toEqual(made);
  expect(made).toMatchObject({ ...wanted, deleted: false, post_to_slack: false });
  // The same again, as an update: its own name is not taken by another.
  expect(await terraform.write('PATCH', path, wanted, action)).toMatchObject(wanted);
  const changed = { name: 'Buying', steps: [{ event: 'bought' }] };
  expect(await terraform.write('PATCH', path, changed, action)).toMatchObject({ ...wanted, ...changed });
  expect(await terraform.write('PATCH', path, { deleted: true }, action)).toMatchObject({ deleted: true });
  expect(await terraform.read(path, action).then((state) => state?.deleted ?? true)).toBe(true);
  // The name is free again.
  await terraform.write('POST', `${P}/actions/`, changed, action);
});

const featureFlag = z.object({
  id: z.int(),
  key: z.string(),
  name: z.string().nullish(),
  active: z.boolean().nullish(),
  filters: z.record(z.string(), z.unknown()).nullish(),
  rollout_percentage: z.int().nullish(),
  tags: z.array(z.string()).nullish(),
  deleted: z.boolean().nullish(),
});

describe('feature_flag', () => {
  const filters = {
    groups: [
      {
        properties: [{ key: 'email', type: 'person', operator: 'icontains', value: '@shop.example' }],
        rollout_percentage: 50,
      },
    ],
  };
  const wanted = { key: 'new-nav', name: 'The new navigation', active: true, filters, tags: ['web'] };

  /** As the provider deletes: it reads the flag, and writes its key with the deletion. */
  async function remove(terraform: Terraform, path: string) {
    const { key } = (await terraform.read(path, featureFlag))!;
    return terraform.write('PATCH', path, { key, deleted: true }, featureFlag);
  }

  test('is created, read, planned without a change, updated, deleted, and read as deleted', async () => {
    const { terraform } = await open();
    const made = await terraform.write('POST', `${P}/feature_flags/`, wanted, featureFlag);
    const path = `${P}/feature_flags/${made.id}/`;
    // A second plan finds nothing to do: what was sent is what is read, to the key.
    expect(await terraform.read(path, featureFlag)).toEqual({ id: made.id, deleted: false, ...wanted });
    // The same again, as an update: its own key is not taken by another.
    expect(await terraform.write('PATCH', path, wanted, featureFlag)).toMatchObject(wanted);
    const changed = { ...wanted, key: 'newer-nav', active: false, name: '', tags: [] };
    expect(await terraform.write('PATCH', path, changed, featureFlag)).toMatchObject(changed);
    expect(await terraform.read(path, featureFlag)).toMatchObject(changed);

    expect(await remove(terraform, path)).toMatchObject({ id: made.id, deleted: true });
    expect(await terraform.read(path, featureFlag)).toMatchObject({ id: made.id, deleted: true });
    const { readAll } = terraform;
    expect(await readAll(`${P}/feature_flags/?limit=1`, featureFlag)).toEqual([]);
  });

  test('is created again with the key of a deleted one, which is then a 404', async () => {
    const { terraform } = await open();
    const first = await terraform.write('POST', `${P}/feature_flags/`, wanted, featureFlag);
    await remove(terraform, `${P}/feature_flags/${first.id}/`);
    const second = await terraform.write('POST', `${P}/feature_flags/`, wanted, featureFlag);
    expect(await terraform.read(`${P}/feature_flags/${first.id}/`, featureFlag)).toBeNull();
    expect(await terraform.read(`${P}/feature_flags/${second.id}/`, featureFlag)).toMatchObject(wanted);
  });

  test('is found page by page, to be imported', async () => {
    const { terraform } = await open();
    for (const key of ['a', 'b', 'c'])
      await terraform.write('POST', `${P}/feature_flags/`, { key }, featureFlag);
    const all = await terraform.readAll(`${P}/feature_flags/?limit=2`, featureFlag);
    expect(all.map(({ key }) => key)).toEqual(['c', 'b', 'a']);
  });
});

const rule = z.object({
  access_level: z.string().nullish(),
  resource: z.string(),
  resource_id: z.string().nullish(),
  organization_member: z.string().nullish(),
  role: z.string().nullish(),
  created_by: z.string().nullish(),
});
const rules = z.object({
  access_controls: z.array(rule),
  available_access_levels: z.array(z.string()),
  default_access_level: z.string(),
});

describe('access control', () => {
  test.each(['dashboard', 'dashboards'])(
    'of a %s: set for all and for a member, read, changed, and deleted',
    async (segment) => {
      const { app, terraform } = await open();
      const member = await addMember(app, 'lin@local.test');
      const { id } = await terraform.write('POST', `${P}/dashboards/`, { name: 'Weekly' }, dashboard);
      const path = `${P}/${segment}/${id}/access_controls/`;
      expect(await terraform.read(path, rules)).toEqual({
        access_controls: [],
        available_access_levels: ['none', 'viewer', 'editor', 'manager'],
        default_access_level: 'editor',
      });
      const all = await terraform.write('PUT', path, { access_level: 'viewer' }, rule);
      expect(all).toMatchObject({
        resource: 'dashboard',
        resource_id: String(id),
        organization_member: null,
      });
      const of = { organization_member: member.membershipId };
      await terraform.write('PUT', path, { access_level: 'editor', ...of }, rule);
      await terraform.write('PUT', path, { access_level: 'manager', ...of }, rule);
      const { access_controls } = (await terraform.read(path, rules))!;
      expect(access_controls.map((one) => [one.organization_member, one.access_level]).sort()).toEqual(
        [
          [null, 'viewer'],
          [member.membershipId, 'manager'],
        ].sort(),
      );
      await terraform.writeEmpty('PUT', path, { access_level: null, ...of });
      await terraform.writeEmpty('PUT', path, { access_level: null });
      expect((await terraform.read(path, rules))!.access_controls).toEqual([]);
    },
  );

  test.each(['insight', 'insights', 'action', 'actions', 'feature_flag', 'feature_flags'])(
    'of an object below %s',
    async (segment) => {
      const { terraform } = await open();
      const plural = segment.replace(/s?$/, 's');
      const bodies: Record<string, object> = {
        insights: { name: 'Visitors', query },
        actions: { name: 'Interested', steps: [] },
        feature_flags: { key: 'new-nav' },
      };
      const body = bodies[plural]!;
      const { id } = await terraform.write('POST', `${P}/${plural}/`, body, z.object({ id: z.int() }));
      const path = `${P}/${segment}/${id}/access_controls/`;
      const set = await terraform.write('PUT', path, { access_level: 'viewer' }, rule);
      expect(set).toMatchObject({
        access_level: 'viewer',
        resource: plural.slice(0, -1),
        resource_id: String(id),
      });
      expect((await terraform.read(path, rules))!.access_controls).toHaveLength(1);
      await terraform.writeEmpty('PUT', path, { access_level: null });
    },
  );

  test('of all dashboards of a project: set, read, and deleted; with the managing tool', async () => {
    const { app, terraform } = await open();
    const member = await addMember(app, 'lin@local.test');
    const path = `${P}/resource_access_controls/`;
    const of = { resource: 'dashboard', organization_member: member.membershipId };
    const set = await terraform.write('PUT', path, { access_level: 'viewer', ...of }, rule);
    expect(set).toMatchObject({ access_level: 'viewer', ...of, resource_id: null });
    expect((await terraform.read(path, rules))!.access_controls).toEqual([set]);

    const management = z.object({ managed_by: z.string().nullish(), managed_at: z.string().nullish() });
    const managed = await terraform.write(
      'PUT',
      `${P}/access_control_management/`,
      { ...of, managed_by: 'terraform' },
      management,
    );
    expect(managed).toEqual({ managed_by: 'terraform', managed_at: expect.any(String) });
    const free = await terraform.write(
      'PUT',
      `${P}/access_control_management/`,
      { ...of, managed_by: null },
      management,
    );
    expect(free.managed_by).toBeNull();
    await terraform.writeEmpty('PUT', path, { access_level: null, ...of });
    expect((await terraform.read(path, rules))!.access_controls).toEqual([]);
  });
});
