import { describe, expect, test } from 'vitest';
import { putRule } from '../../../test/support/access-rules.ts';
import { createFlag, filtersOn, FLAGS, patchFlag, postFlag } from '../../../test/support/app-flags.ts';
import { addMember } from '../../../test/support/members.ts';
import { createKey } from '../../../test/support/owner-calls.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

const P = '/api/projects/1/';

const historyOf = async (app: TestApp, path = `${FLAGS}activity/`) =>
  (await app.ask(path)).json.results.map(({ activity, detail }: any) => [
    activity,
    detail.name,
    detail.changes.map(({ field, before, after }: any) => [field, before, after]),
  ]);

describe('M9.1/activity the log of flags', () => {
  test('has every write, with the values before and after, newest first', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'a', { filters: filtersOn([], 10) });
    await patchFlag(app, id, { active: false, tags: ['web'] });
    await patchFlag(app, id, { filters: filtersOn([], 20) });
    await patchFlag(app, id, { name: '' });
    await patchFlag(app, id, { deleted: true });
    await patchFlag(app, id, { deleted: false, key: 'b' });
    expect(await historyOf(app)).toEqual([
      [
        'restored',
        'b',
        [
          ['key', 'a', 'b'],
          ['deleted', true, false],
        ],
      ],
      ['deleted', 'a', [['deleted', false, true]]],
      ['updated', 'a', [['filters', filtersOn([], 10), filtersOn([], 20)]]],
      [
        'updated',
        'a',
        [
          ['active', true, false],
          ['tags', [], ['web']],
        ],
      ],
      ['created', 'a', []],
    ]);
    expect(await historyOf(app, `${FLAGS}${id}/activity/`)).toHaveLength(5);
    const log = (await app.ask(`${P}activity_log/?scope=FeatureFlag&item_id=${id}`)).json;
    expect(log.count).toBe(5);
    expect((await app.ask(`${FLAGS}99/activity/`)).status).toBe(404);
    const page = (await app.ask(`${FLAGS}activity/?limit=2&page=2`)).json;
    expect(page.results.map(({ activity }: any) => activity)).toEqual(['updated', 'updated']);
  });

  test('has no entry for a refused write', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'a');
    await patchFlag(app, id, { filters: { groups: 1 } });
    await postFlag(app, { key: 'a' });
    expect(await historyOf(app)).toHaveLength(1);
  });

  test('needs activity_log:read', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'a');
    const key = await createKey(app, ['feature_flag:write']);
    for (const path of [`${FLAGS}activity/`, `${FLAGS}${id}/activity/`])
      expect((await app.ask(path, { key })).status).toBe(403);
  });
});

describe('M9.1/access_controls rules of flags', () => {
  test('under both segments; the creator of a flag may change them', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    const { id } = await createFlag(app, 'a');
    for (const segment of ['feature_flag', 'feature_flags']) {
      const path = `${segment}/${id}/access_controls/`;
      const set = await putRule(app, path, { access_level: 'viewer', organization_member: lin.membershipId });
      expect(set.json).toMatchObject({
        resource: 'feature_flag',
        resource_id: String(id),
        access_level: 'viewer',
      });
      expect((await app.ask(P + path)).json.access_controls).toHaveLength(1);
    }
    const seen = (await lin.ask(`${FLAGS}${id}/`)).json;
    expect(seen).toMatchObject({ user_access_level: 'viewer', can_edit: false });
    expect((await lin.ask(`${FLAGS}${id}/`, { method: 'PATCH', body: { name: 'x' } })).status).toBe(403);
    expect((await app.ask(`${P}feature_flags/99/access_controls/`)).status).toBe(404);
  });

  test('none hides a flag, also from lists, searches and the log', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    const { id: neededId } = await createFlag(app, 'needed');
    const rule = { properties: { type: 'AND', values: [{ key: 'plan', type: 'person', value: 'pro' }] } };
    const body = { name: 'Payers', filters: rule };
    const { id: cohortId } = (await app.ask(`${P}cohorts/`, { method: 'POST', body })).json;
    const { groups } = filtersOn([
      { key: String(neededId), type: 'flag', operator: 'flag_evaluates_to', value: true },
      { key: 'id', type: 'cohort', value: cohortId },
    ]);
    const { id } = await createFlag(app, 'secret-plan', { tags: ['hidden'], filters: { groups } });
    await putRule(app, `feature_flags/${id}/access_controls/`, { access_level: 'none' });
    expect((await lin.ask(`${FLAGS}${id}/`)).status).toBe(403);
    expect((await lin.ask(`${FLAGS}${id}/status/`)).status).toBe(403);
    for (const path of [
      FLAGS,
      `${FLAGS}my_flags/`,
      `${FLAGS}evaluation_reasons/?distinct_id=u`,
      `${P}search/?q=secret`,
      `${P}tags/`,
      `${P}activity_log/`,
      `${FLAGS}activity/`,
      `${FLAGS}${neededId}/dependent_flags/`,
      `${P}burrow/cohorts/usage/`,
    ]) {
      const { status, text } = await lin.ask(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toMatch(/secret-plan|hidden/);
    }
    const { json } = await lin.ask(`${FLAGS}bulk_keys/`, { method: 'POST', body: { ids: [id] } });
    expect(json).toEqual({ keys: {} });
  });

  test('plain members can create flags, unless a rule is viewer', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    const body = { key: 'of-lin' };
    const made = await lin.ask(FLAGS, { method: 'POST', body });
    expect(made.json).toMatchObject({ user_access_level: 'manager', can_edit: true });
    await putRule(app, 'resource_access_controls/', { resource: 'feature_flag', access_level: 'viewer' });
    expect((await lin.ask(FLAGS, { method: 'POST', body: { key: 'b' } })).status).toBe(403);
    expect((await lin.ask(FLAGS)).json.count).toBe(1);
  });

  test('a key reads with feature_flag:read and writes with feature_flag:write', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'a');
    const reader = await createKey(app, ['feature_flag:read']);
    const writer = await createKey(app, ['feature_flag:write']);
    const stranger = await createKey(app, ['action:write']);
    const statusOf = async (key: string, method = 'GET', path = `${FLAGS}${id}/`, body?: object) =>
      (await app.ask(path, { method, key, body })).status;
    expect(await statusOf(reader)).toBe(200);
    expect(await statusOf(writer, 'PATCH', undefined, { name: 'x' })).toBe(200);
    expect(await statusOf(reader, 'PATCH', undefined, { name: 'x' })).toBe(403);
    expect(await statusOf(reader, 'POST', FLAGS, { key: 'b' })).toBe(403);
    expect(await statusOf(reader, 'POST', `${FLAGS}bulk_keys/`, { ids: [id] })).toBe(200);
    expect(await statusOf(stranger)).toBe(403);
    expect((await app.ask(FLAGS, { key: TEST_TOKEN })).status).toBe(401);
  });
});

describe('search finds flags', () => {
  test('by key and by name', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'new-nav', { name: 'The navigation of summer' });
    const found = {
      type: 'feature_flag',
      result_id: String(id),
      extra_fields: { key: 'new-nav', name: 'The navigation of summer' },
    };
    for (const words of ['new-nav', 'summer'])
      expect((await app.ask(`${P}search/?q=${words}&entities=feature_flag`)).json.results).toMatchObject([
        found,
      ]);
    await patchFlag(app, id, { deleted: true });
    expect((await app.ask(`${P}search/?q=new-nav`)).json.counts.feature_flag).toBe(0);
  });
});
