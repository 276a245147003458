import { describe, expect, test } from 'vitest';
import { createFlag, filtersOn, FLAGS, patchFlag, postFlag } from '../../../test/support/app-flags.ts';
import { createProject } from '../../../test/support/owner-calls.ts';
import { openTestApp, type TestApp, type TestResponse } from '../../../test/support/test-app.ts';
import { featureFlag, featureFlagPage } from './feature-flags.contract.ts';

const NOON = '2026-11-20T09:30:00.000000Z';
const FULL = { groups: [{ properties: [], rollout_percentage: null }] };

const keysIn = async (app: TestApp, query = '') =>
  featureFlagPage.parse((await app.ask(FLAGS + query)).json).results.map(({ key }) => key);

function errorOf({ status, json }: TestResponse) {
  return { status, type: json.type, code: json.code, attr: json.attr };
}
const refusal = (code: string, attr: string | null) => ({
  status: 400,
  type: 'validation_error',
  code,
  attr,
});

describe('a feature flag', () => {
  test('M9.1/post is created with every key, shown and listed alike in both families', async () => {
    const app = await openTestApp();
    const { json: owner } = await app.ask('/api/users/@me/');
    const filters = {
      groups: [
        {
          properties: [{ key: 'email', type: 'person', operator: 'icontains', value: '@shop.example' }],
          rollout_percentage: 30,
          variant: 'b',
          description: 'Our own people',
        },
      ],
      multivariate: {
        variants: [
          { key: 'a', name: 'As it was', rollout_percentage: 50 },
          { key: 'b', name: '', rollout_percentage: 50 },
        ],
      },
      payloads: { a: '{"color": "red"}', b: '[1]' },
      aggregation_group_type_index: null,
      unknown_to_burrow: { kept: true },
    };
    const answer = await postFlag(app, {
      key: ' new-nav ',
      name: 'The new navigation',
      filters,
      active: 'true',
      tags: ['Web ', 'web', 'mobile'],
      evaluation_tags: ['web'],
      ensure_experience_continuity: true,
      rollback_conditions: [{ threshold: 5 }],
      evaluation_runtime: 'both',
      bucketing_identifier: 'device_id',
      creation_context: 'feature_flags',
      _create_in_folder: 'Unfiled/Flags',
      _should_create_usage_dashboard: false,
      nonsense: 1,
      id: 77,
    });
    expect(answer.status).toBe(201);
    const user = expect.objectContaining({ id: owner.id, email: owner.email });
    const flag = {
      id: 1,
      name: 'The new navigation',
      key: 'new-nav',
      filters,
      deleted: false,
      active: true,
      created_by: user,
      created_at: NOON,
      updated_at: NOON,
      version: 1,
      last_modified_by: user,
      ensure_experience_continuity: true,
      experiment_set: [],
      surveys: [],
      features: [],
      rollback_conditions: [{ threshold: 5 }],
      performed_rollback: false,
      can_edit: true,
      tags: ['web', 'mobile'],
      evaluation_tags: ['web'],
      usage_dashboard: null,
      analytics_dashboards: [],
      has_enriched_analytics: false,
      user_access_level: 'manager',
      is_remote_configuration: false,
      has_encrypted_payloads: false,
      status: 'ACTIVE',
      evaluation_runtime: 'all',
      bucketing_identifier: 'device_id',
      last_called_at: null,
    };
    expect(featureFlag.parse(answer.json)).toEqual(flag);
    expect((await app.ask(`${FLAGS}1`)).json).toEqual(flag);
    const page = (await app.ask('/api/environments/@current/feature_flags/')).json;
    expect(page).toEqual({ count: 1, next: null, previous: null, results: [flag] });
  });

  test('requires only a key: it is on for all persons, active, and without a name', async () => {
    const app = await openTestApp();
    expect(await createFlag(app, 'bare')).toMatchObject({
      key: 'bare',
      name: '',
      active: true,
      filters: FULL,
      version: 1,
      evaluation_runtime: 'all',
      bucketing_identifier: null,
      tags: [],
    });
    expect((await createFlag(app, 'half', { rollout_percentage: 50 })).filters).toEqual({
      groups: [{ properties: [], rollout_percentage: 50 }],
    });
  });

  test('M9.1/key, M9.1/name, M9.1/active invalid fields are refused, and no flag is stored', async () => {
    const app = await openTestApp();
    const refused: [body: object, code: string, attr: string | null][] = [
      [{}, 'required', 'key'],
      [{ key: null }, 'null', 'key'],
      [{ key: ' ' }, 'blank', 'key'],
      [{ key: true }, 'invalid_input', 'key'],
      [{ key: 'a b' }, 'invalid_key', 'key'],
      [{ key: 'grün' }, 'invalid_key', 'key'],
      [{ key: 'a/b' }, 'invalid_key', 'key'],
      [{ key: 'x'.repeat(401) }, 'max_length', 'key'],
      [{ key: 'a', name: null }, 'null', 'name'],
      [{ key: 'a', name: {} }, 'invalid_input', 'name'],
      [{ key: 'a', active: 'perhaps' }, 'invalid_input', 'active'],
      [{ key: 'a', active: null }, 'null', 'active'],
      [{ key: 'a', filters: [] }, 'not_a_dict', 'filters'],
      [{ key: 'a', filters: null }, 'null', 'filters'],
      [{ key: 'a', filters: {} }, 'invalid_input', 'filters'],
      [{ key: 'a', filters: { groups: [] } }, 'invalid_input', 'filters'],
      [{ key: 'a', tags: 'web' }, 'not_a_list', 'tags'],
      [{ key: 'a', tags: [1] }, 'invalid_input', 'tags__0'],
      [{ key: 'a', tags: ['a'], evaluation_tags: ['b'] }, 'invalid_input', null],
      [{ key: 'a', rollback_conditions: {} }, 'not_a_list', 'rollback_conditions'],
      [{ key: 'a', analytics_dashboards: [99] }, 'does_not_exist', 'analytics_dashboards'],
      [{ key: 'a', evaluation_runtime: 'edge' }, 'invalid_choice', 'evaluation_runtime'],
      [{ key: 'a', bucketing_identifier: 'cookie' }, 'invalid_choice', 'bucketing_identifier'],
      [{ key: 'a', creation_context: 'elsewhere' }, 'invalid_choice', 'creation_context'],
      [{ key: 'a', rollout_percentage: -1 }, 'invalid_input', 'rollout_percentage'],
      [{ key: 'a', version: 'new' }, 'invalid_input', 'version'],
    ];
    for (const [body, code, attr] of refused)
      expect([body, errorOf(await postFlag(app, body))]).toEqual([body, refusal(code, attr)]);
    expect(await keysIn(app)).toEqual([]);
    expect((await app.ask('/api/projects/1/dashboards/')).json.count).toBe(0);
  });

  test('M9.1/creation_context, M9.1/_create_in_folder are accepted and not shown', async () => {
    const app = await openTestApp();
    const flag = await createFlag(app, 'a', { creation_context: 'experiments', _create_in_folder: 'x' });
    expect(Object.keys(flag).filter((name) => /context|folder|should/.test(name))).toEqual([]);
  });
});

describe('the key of a flag', () => {
  test('M9.1/key is unique among the live flags of its project', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'a');
    expect(errorOf(await postFlag(app, { key: 'a' }))).toEqual(refusal('unique', 'key'));
    const other = await createFlag(app, 'b');
    expect(errorOf(await patchFlag(app, other.id, { key: 'a' }))).toEqual(refusal('unique', 'key'));
    expect((await patchFlag(app, id, { key: 'a', name: 'itself' })).status).toBe(200);
    const second = await createProject(app);
    expect((await postFlag(app, { key: 'a' }, `/api/projects/${second}/feature_flags/`)).status).toBe(201);
    // Keys are case-sensitive, as in SDKs.
    expect((await postFlag(app, { key: 'A' })).status).toBe(201);
  });

  test('M9.1/post a soft-deleted flag with that key is removed first, and the new one has a new id', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'a');
    await patchFlag(app, id, { deleted: true });
    const again = await createFlag(app, 'a');
    expect(again.id).not.toBe(id);
    expect(again).toMatchObject({ version: 1, deleted: false });
    expect((await app.ask(`${FLAGS}${id}/`)).status).toBe(404);
    expect(await keysIn(app)).toEqual(['a']);
  });

  test('only one of concurrent requests with the same key creates a flag', async () => {
    const app = await openTestApp();
    const answers = await Promise.all(Array.from({ length: 5 }, () => postFlag(app, { key: 'same' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400, 400]);
    // Of those that were refused nothing is left, no dashboard either.
    expect((await app.ask('/api/projects/1/dashboards/')).json.count).toBe(1);
  });

  test('enrollment conditions follow a change of the key', async () => {
    const app = await openTestApp();
    const optedIn = { key: '$feature_enrollment/a', type: 'person', operator: 'exact', value: ['true'] };
    const filters = { ...filtersOn([]), super_groups: [{ properties: [optedIn], rollout_percentage: 100 }] };
    const { id } = await createFlag(app, 'a', { filters });
    const { json } = await patchFlag(app, id, { key: 'b' });
    expect(json.filters.super_groups[0].properties[0]).toEqual({ ...optedIn, key: '$feature_enrollment/b' });
  });
});

describe('changing a flag', () => {
  test('M9.1/patch keeps omitted fields, and ignores filters without groups', async () => {
    const app = await openTestApp();
    const filters = filtersOn([], 20);
    const { id } = await createFlag(app, 'a', { name: 'x', filters, tags: ['web'] });
    app.clock.now += 60_000;
    const { json } = await patchFlag(app, id, { active: false, filters: { payloads: { true: '1' } } });
    expect(json).toMatchObject({ name: 'x', active: false, filters, tags: ['web'], status: 'INACTIVE' });
    expect(json).toMatchObject({ created_at: NOON, updated_at: '2026-11-20T09:31:00.000000Z' });
    // Whether people can opt in stays, when filters come that do not say.
    await patchFlag(app, id, { filters: { ...filters, feature_enrollment: true } });
    const changed = (await patchFlag(app, id, { filters: filtersOn([], 40) })).json;
    expect(changed.filters).toEqual({ ...filtersOn([], 40), feature_enrollment: true });
    expect((await patchFlag(app, id, { filters: { groups: [] } })).json.filters.groups).toEqual([]);
  });

  test('M9.1/patch by PUT needs a key, and filters need groups', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'a', { name: 'x' });
    const put = (body: object) => app.ask(`${FLAGS}${id}/`, { method: 'PUT', body });
    expect((await put({ key: 'a', active: false })).json).toMatchObject({ name: 'x', active: false });
    expect(errorOf(await put({ name: 'y' }))).toEqual(refusal('required', 'key'));
    expect(errorOf(await put({ key: 'a', filters: {} }))).toEqual(refusal('invalid_input', 'filters'));
  });

  test('M9.1/tags evaluation tags are some of the tags, also when those change', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'a', { tags: ['web', 'ios'], evaluation_tags: ['web', 'ios'] });
    expect((await patchFlag(app, id, { tags: ['ios'] })).json).toMatchObject({
      tags: ['ios'],
      evaluation_tags: ['ios'],
    });
    expect(errorOf(await patchFlag(app, id, { evaluation_tags: ['web'] }))).toEqual(
      refusal('invalid_input', null),
    );
    expect((await patchFlag(app, id, { evaluation_tags: [] })).json.evaluation_tags).toEqual([]);
    expect((await app.ask('/api/projects/1/tags/')).json).toEqual(['ios']);
  });

  test('M9.1/version every successful update adds one, a refused one does not', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'a');
    expect((await patchFlag(app, id, { name: 'x' })).json.version).toBe(2);
    expect((await patchFlag(app, id, { name: 'x' })).json.version).toBe(3);
    expect((await patchFlag(app, id, { key: '' })).status).toBe(400);
    expect((await app.ask(`${FLAGS}${id}/`)).json.version).toBe(3);
  });

  test('another project, an unknown id and no id at all are 404', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'a');
    const second = await createProject(app);
    for (const path of [
      `/api/projects/${second}/feature_flags/${id}/`,
      `${FLAGS}99/`,
      `${FLAGS}x/`,
      `${FLAGS}0/`,
      `${FLAGS}99999999999/`,
    ])
      expect(errorOf(await app.ask(path))).toMatchObject({ status: 404, code: 'not_found' });
    expect((await app.ask(`${FLAGS}99/`, { method: 'PATCH', body: '{' })).status).toBe(404);
  });
});

describe('M2.4/E-CONFLICT two users change a flag', () => {
  async function open() {
    const app = await openTestApp();
    const original = await createFlag(app, 'a', { name: 'old', tags: ['x'] });
    await patchFlag(app, original.id, { name: 'theirs' });
    return { app, original, id: original.id as number };
  }

  test('M9.1/version the same field: the later one is refused, with the user and the changed fields', async () => {
    const { app, original, id } = await open();
    const refused = await patchFlag(app, id, { name: 'mine', version: 1, original_flag: original });
    expect(errorOf(refused)).toEqual({ status: 409, type: 'server_error', code: 'conflict', attr: null });
    expect(refused.json.detail).toMatch(/@.*name/);
    expect((await app.ask(`${FLAGS}${id}/`)).json).toMatchObject({ name: 'theirs', version: 2 });
  });

  test.each([
    ['another field', { active: false }],
    ['the same to the same', { name: 'theirs' }],
    ['nothing, though they send the old value', { name: 'old', active: false }],
  ])('M9.1/version %s: both are stored', async (_what, body) => {
    const { app, original, id } = await open();
    const answer = await patchFlag(app, id, { ...body, version: 1, original_flag: original });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ ...body, version: 3 });
  });

  test.each([
    ['of this version', { version: 2 }],
    ['that names no version', {}],
    ['that does not say what it began with', { version: 1, original_flag: undefined }],
    ['that began with nothing', { version: 1, original_flag: {} }],
    ['that began with null', { version: 1, original_flag: null }],
  ])('M9.1/version a change %s is accepted', async (_what, sent) => {
    const { app, original, id } = await open();
    const answer = await patchFlag(app, id, { name: 'mine', original_flag: original, ...sent });
    expect(answer.json).toMatchObject({ name: 'mine', version: 3 });
  });

  test('secret payloads are not a conflict, shown or hidden', async () => {
    const app = await openTestApp();
    const filters = { ...filtersOn([], 10), payloads: { true: '"s3cret"' } };
    const original = await createFlag(app, 'a', { filters, has_encrypted_payloads: true });
    expect(original.filters.payloads).toEqual({ true: '"s3cret"' });
    await patchFlag(app, original.id, { name: 'x' });
    const wanted = { ...filters, ...filtersOn([], 20) };
    const answer = await patchFlag(app, original.id, {
      filters: wanted,
      version: 1,
      original_flag: original,
    });
    expect([answer.status, answer.json.filters]).toEqual([200, wanted]);
  });

  test('filters are compared as a whole, in any order of keys', async () => {
    const app = await openTestApp();
    const original = await createFlag(app, 'a', { filters: filtersOn([], 10) });
    const id = original.id as number;
    const sent = (rollout: number, was: object) => ({
      filters: filtersOn([], rollout),
      version: 1,
      original_flag: { ...original, filters: was },
    });
    await patchFlag(app, id, { name: 'x' });
    const turned = { groups: [{ rollout_percentage: 10, properties: [] }] };
    expect((await patchFlag(app, id, sent(20, turned))).status).toBe(200);
    expect((await patchFlag(app, id, sent(30, turned))).status).toBe(409);
  });
});

describe('M9.1/delete deleting a flag', () => {
  test('M9.1/get by PATCH: the list hides it, its id still shows it, and it can be restored', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'a');
    expect((await patchFlag(app, id, { deleted: true })).json).toMatchObject({
      deleted: true,
      status: 'DELETED',
    });
    expect(await keysIn(app)).toEqual([]);
    expect((await app.ask(`${FLAGS}${id}/`)).json).toMatchObject({ id, deleted: true });
    expect((await patchFlag(app, id, { deleted: true })).status).toBe(200);
    expect((await patchFlag(app, id, { deleted: false })).json).toMatchObject({ deleted: false, version: 4 });
    expect(await keysIn(app)).toEqual(['a']);
  });

  test.each([null, 'phx_unknown', undefined])(
    'by DELETE is refused with an empty 405 (key %s)',
    async (key) => {
      const app = await openTestApp();
      const answer = await app.ask(`${FLAGS}99/`, {
        method: 'DELETE',
        ...(key === undefined ? {} : { key }),
      });
      expect(answer).toMatchObject({ status: 405, text: '' });
      expect(answer.headers['allow']).toBe('GET, PUT, PATCH, HEAD, OPTIONS');
    },
  );
});
