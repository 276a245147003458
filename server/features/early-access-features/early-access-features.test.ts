import { describe, expect, test } from 'vitest';
import { createFlag, FLAGS, filtersOn } from '../../../test/support/app-flags.ts';
import { addMember } from '../../../test/support/members.ts';
import { createKey } from '../../../test/support/owner-calls.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import {
  earlyAccessFeature,
  earlyAccessFeaturePage,
  publicFeatures,
  type EarlyAccessFeatureJson,
} from './early-access-features.contract.ts';

const FEATURES = '/api/projects/1/early_access_feature/';
const UNKNOWN = '0190f0c1-0000-7000-8000-000000000001';
const NOW = '2026-11-20T09:30:00.000000Z';

const post = (app: TestApp, body: unknown) => app.ask(FEATURES, { method: 'POST', body });
const patch = (app: TestApp, id: string, body: unknown) =>
  app.ask(`${FEATURES}${id}/`, { method: 'PATCH', body });

async function create(app: TestApp, body: object = {}): Promise<EarlyAccessFeatureJson> {
  const answer = await post(app, { name: 'New checkout', stage: 'beta', ...body });
  expect(answer.status, answer.text).toBe(201);
  return earlyAccessFeature.parse(answer.json);
}

async function change(app: TestApp, id: string, body: object): Promise<EarlyAccessFeatureJson> {
  const answer = await patch(app, id, body);
  expect(answer.status, answer.text).toBe(200);
  return earlyAccessFeature.parse(answer.json);
}

async function shown(app: TestApp, stages = '') {
  const answer = await app.ask(`/api/early_access_features/?token=${TEST_TOKEN}${stages}`, { key: null });
  return publicFeatures.strict().parse(answer.json).earlyAccessFeatures;
}

const flagOf = async (app: TestApp, id: number) => (await app.ask(`${FLAGS}${id}/`)).json;

function errorOf({ status, json }: { status: number; json: any }) {
  return { status, type: json.type, code: json.code, attr: json.attr };
}

describe('an early access feature', () => {
  test('is created with a flag of its own, shown and listed with every field', async () => {
    const app = await openTestApp();
    const { json: owner } = await app.ask('/api/users/@me/');
    const made = await create(app, {
      description: 'Faster',
      documentation_url: 'https://shop.example/new',
      payload: { color: 'blue' },
    });
    expect(made).toMatchObject({
      name: 'New checkout',
      description: 'Faster',
      stage: 'beta',
      documentation_url: 'https://shop.example/new',
      payload: { color: 'blue' },
      feature_flag: {
        key: 'new-checkout',
        active: true,
        filters: {
          groups: [{ properties: [], rollout_percentage: 0, variant: null }],
          feature_enrollment: true,
        },
      },
      created_by: { id: owner.id },
      created_at: NOW,
      user_access_level: 'manager',
    });
    expect((await app.ask(`${FEATURES}${made.id}`)).json).toEqual(made);
    const page = await app.ask('/api/environments/1/early_access_feature/?search=FAST&stage=beta');
    expect(earlyAccessFeaturePage.parse(page.json)).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [made],
    });
    expect((await app.ask(`${FEATURES}?stage=alpha`)).json.count).toBe(0);
  });

  test.each([
    ['Ünïcode & more!', 'unicode-more'],
    ['  a__b -- c ', 'a-b-c'],
    ['x'.repeat(200), 'x'.repeat(100)],
  ])('named %s has a flag with the key %s', async (name, key) => {
    const app = await openTestApp();
    expect((await create(app, { name })).feature_flag!.key).toBe(key);
  });

  test('whose name has no Latin letter has a flag that is named by its id', async () => {
    const app = await openTestApp();
    const { id, feature_flag: flag } = await create(app, { name: '機能' });
    expect(flag!.key).toBe(`feature-${id}`);
  });

  test.each([
    ['draft', false],
    ['concept', false],
    ['alpha', true],
    ['beta', true],
    ['general-availability', true],
    ['archived', false],
  ])('F-2 in the stage %s includes users who opted in: %s', async (stage, enrolls) => {
    const app = await openTestApp();
    const first = await create(app, { stage });
    expect(first.feature_flag!.filters['feature_enrollment']).toBe(enrolls);
    const { id } = await create(app, { name: 'Other', stage: enrolls ? 'draft' : 'beta' });
    const moved = await change(app, id, { stage });
    expect(moved.feature_flag!.filters['feature_enrollment']).toBe(enrolls);
  });

  test('uses an existing flag of the project and keeps its conditions', async () => {
    const app = await openTestApp();
    const filters = filtersOn([{ key: 'plan', type: 'person', operator: 'exact', value: 'pro' }]);
    const flag = await createFlag(app, 'checkout', { filters });
    const made = await create(app, { feature_flag_id: flag.id });
    expect(made.feature_flag).toMatchObject({
      id: flag.id,
      filters: { ...filters, feature_enrollment: true },
    });
    expect((await flagOf(app, flag.id)).features).toMatchObject([{ id: made.id }]);
    expect(errorOf(await post(app, { name: 'B', stage: 'beta', feature_flag_id: flag.id }))).toMatchObject({
      code: 'unique',
      attr: 'feature_flag_id',
    });
  });

  test('uses an existing flag with the older form of enrollment', async () => {
    const app = await openTestApp();
    const property = { key: '$feature_enrollment/old', type: 'person', operator: 'exact', value: ['true'] };
    const filters = {
      groups: [{ properties: [], rollout_percentage: 0 }],
      super_groups: [{ properties: [property], rollout_percentage: 100 }],
    };
    const flag = await createFlag(app, 'old', { filters });
    const made = await create(app, { feature_flag_id: flag.id, stage: 'draft' });
    expect(made.feature_flag!.filters).toEqual({ groups: filters.groups, feature_enrollment: false });
  });

  test('is deleted permanently; its flag stays, without enrollment', async () => {
    const app = await openTestApp();
    const { id, feature_flag: flag } = await create(app);
    const refused = await app.ask(`${FLAGS}${flag!.id}/`, { method: 'PATCH', body: { deleted: true } });
    expect(errorOf(refused)).toMatchObject({ status: 400, attr: null });
    expect(await app.ask(`${FEATURES}${id}/`, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
    expect(await flagOf(app, flag!.id)).toMatchObject({
      deleted: false,
      filters: { feature_enrollment: false },
    });
    expect(await shown(app)).toEqual([]);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(errorOf(await app.ask(`${FEATURES}${id}/`, { method }))).toMatchObject({ status: 404 });
    expect((await app.ask(`${FLAGS}${flag!.id}/`, { method: 'PATCH', body: { deleted: true } })).status).toBe(
      200,
    );
  });

  test('keeps fields that a PATCH omits; PUT requires name and stage', async () => {
    const app = await openTestApp();
    const made = await create(app, { description: 'Faster', payload: [1] });
    const changed = await change(app, made.id, { name: 'Checkout' });
    expect(changed).toEqual({ ...made, name: 'Checkout' });
    const put = await app.ask(`${FEATURES}${made.id}/`, { method: 'PUT', body: { name: 'A' } });
    expect(errorOf(put)).toMatchObject({ code: 'required', attr: 'stage' });
  });

  test('is logged when created, changed and deleted, and is found by the search', async () => {
    const app = await openTestApp();
    const { id } = await create(app);
    await change(app, id, { stage: 'general-availability' });
    await change(app, id, { stage: 'general-availability' });
    const found = await app.ask('/api/projects/1/search/?q=checkout&entities=early_access_feature');
    expect(found.json.results).toMatchObject([{ type: 'early_access_feature', result_id: id }]);
    expect((await app.ask(`${FEATURES}${id}/activity/`)).json.results).toMatchObject([
      {
        activity: 'updated',
        scope: 'EarlyAccessFeature',
        detail: { changes: [{ field: 'stage', before: 'beta', after: 'general-availability' }] },
      },
      { activity: 'created', detail: { name: 'New checkout' } },
    ]);
    await app.ask(`${FEATURES}${id}/`, { method: 'DELETE' });
    const [last] = (await app.ask('/api/projects/1/activity_log/?scope=EarlyAccessFeature')).json.results;
    expect(last).toMatchObject({ activity: 'deleted', item_id: id });
  });

  test('needs the scope early_access_feature', async () => {
    const app = await openTestApp();
    const key = await createKey(app, ['early_access_feature:read']);
    expect((await app.ask(FEATURES, { key })).status).toBe(200);
    const body = { name: 'A', stage: 'beta' };
    expect((await app.ask(FEATURES, { key, method: 'POST', body })).status).toBe(403);
    expect((await app.ask(FEATURES, { key: await createKey(app, ['feature_flag:write']) })).status).toBe(403);
  });

  test('of another project, or with an unknown id, is not found', async () => {
    const app = await openTestApp();
    for (const id of [UNKNOWN, 'x', '1'])
      expect(errorOf(await app.ask(`${FEATURES}${id}/`))).toMatchObject({ status: 404, code: 'not_found' });
  });
});

test.each([
  [{ stage: 'beta' }, 'required', 'name'],
  [{ name: 'A' }, 'required', 'stage'],
  [{ name: ' ', stage: 'beta' }, 'blank', 'name'],
  [{ name: 'x'.repeat(201), stage: 'beta' }, 'max_length', 'name'],
  [{ name: 'A', stage: 'gamma' }, 'invalid_choice', 'stage'],
  [{ name: 'A', stage: 'beta', documentation_url: 'shop' }, 'invalid_input', 'documentation_url'],
  [
    { name: 'A', stage: 'beta', documentation_url: 'javascript:alert(1)' },
    'invalid_input',
    'documentation_url',
  ],
  [{ name: 'A', stage: 'beta', feature_flag_id: 99 }, 'does_not_exist', 'feature_flag_id'],
  [{ name: 'A', stage: 'beta', feature_flag_id: 2 ** 40 }, 'does_not_exist', 'feature_flag_id'],
  [{ name: 'A', stage: 'beta', feature_flag_id: 'x' }, 'invalid_input', 'feature_flag_id'],
  [{ name: 'taken', stage: 'beta' }, 'unique', 'name'],
])('%j is refused: %s of %s, and no feature is created', async (body, code, attr) => {
  const app = await openTestApp();
  await createFlag(app, 'taken');
  expect(errorOf(await post(app, body))).toEqual({ status: 400, type: 'validation_error', code, attr });
  expect((await app.ask(FEATURES)).json.count).toBe(0);
  expect((await app.ask(FLAGS)).json.count).toBe(1);
});

test.each([
  [
    'is about groups',
    { groups: [{ properties: [], rollout_percentage: 100 }], aggregation_group_type_index: 0 },
  ],
  [
    'has variants',
    {
      groups: [{ properties: [], rollout_percentage: 100 }],
      multivariate: { variants: [{ key: 'a', rollout_percentage: 100 }] },
    },
  ],
])('a flag that %s is not offered to users', async (_name, filters) => {
  const app = await openTestApp();
  const flag = await createFlag(app, 'checkout', { filters });
  const answer = await post(app, { name: 'A', stage: 'beta', feature_flag_id: flag.id });
  expect(errorOf(answer)).toMatchObject({ code: 'invalid_input', attr: 'feature_flag_id' });
});

test('a user without edit access to a flag cannot offer it', async () => {
  const app = await openTestApp();
  const flag = await createFlag(app, 'checkout');
  const member = await addMember(app, 'mia@shop.example');
  const rule = { access_level: 'viewer', resource: 'feature_flag' };
  await app.ask('/api/projects/1/resource_access_controls/', { method: 'PUT', body: rule });
  const body = { name: 'A', stage: 'beta', feature_flag_id: flag.id };
  expect(errorOf(await member.ask(FEATURES, { method: 'POST', body }))).toMatchObject({
    status: 403,
    code: 'permission_denied',
  });
  expect((await flagOf(app, flag.id)).filters).not.toHaveProperty('feature_enrollment');
  expect((await post(app, body)).status).toBe(201);
});

describe('10.5 early access features for pages', () => {
  test('those in beta, or in the requested stages', async () => {
    const app = await openTestApp();
    for (const stage of ['draft', 'concept', 'alpha', 'beta', 'general-availability', 'archived'])
      await create(app, { name: `in ${stage}`, stage, payload: { stage } });
    const names = async (stages?: string) => (await shown(app, stages)).map(({ name }) => name);
    expect(await names()).toEqual(['in beta']);
    expect(await names('&stage=concept&stage=alpha')).toEqual(['in concept', 'in alpha']);
    expect(await names('&stage=general-availability')).toEqual(['in general-availability']);
    expect(await names('&stage=')).toEqual([]);
  });

  test('by name, stage and the key of the flag, always current', async () => {
    const app = await openTestApp();
    const made = await create(app, { documentation_url: 'https://shop.example/' });
    expect(await shown(app)).toEqual([
      {
        id: made.id,
        name: 'New checkout',
        description: '',
        stage: 'beta',
        documentationUrl: 'https://shop.example/',
        flagKey: 'new-checkout',
        payload: {},
      },
    ]);
    await app.ask(`${FLAGS}${made.feature_flag!.id}/`, { method: 'PATCH', body: { key: 'checkout-2' } });
    await expect.poll(() => shown(app)).toMatchObject([{ flagKey: 'checkout-2' }]);
    await change(app, made.id, { stage: 'archived' });
    expect(await shown(app)).toEqual([]);
  });
});
