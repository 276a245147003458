import { describe, expect, test } from 'vitest';
import { createFlag, filtersOn, FLAGS, patchFlag } from '../../../test/support/app-flags.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import { bulkKeys, evaluationReasons, myFlags } from './feature-flags.contract.ts';

const onCompany = {
  groups: [
    {
      properties: [{ key: 'plan', type: 'group', operator: 'exact', value: ['pro'], group_type_index: 0 }],
      rollout_percentage: 100,
    },
  ],
  aggregation_group_type_index: 0,
};

/** A company with the plan pro, and flags: for its members, for no persons, with variants, and disabled. */
async function openWithFlags(): Promise<TestApp> {
  const app = await openTestApp();
  const $group_set = { plan: 'pro' };
  const properties = { $group_type: 'company', $group_key: 'acme', $group_set };
  const body = { api_key: TEST_TOKEN, event: '$groupidentify', distinct_id: 'u', properties };
  await app.ask('/capture/', { method: 'POST', key: null, body });
  await createFlag(app, 'for-pro', { filters: onCompany });
  app.clock.now += 1000;
  await createFlag(app, 'for-nobody', { filters: filtersOn([], 0) });
  app.clock.now += 1000;
  const multivariate = { variants: [{ key: 'blue', rollout_percentage: 100 }] };
  await createFlag(app, 'color', { filters: { ...filtersOn([]), multivariate } });
  app.clock.now += 1000;
  await createFlag(app, 'off', { active: false });
  const { id } = await createFlag(app, 'gone');
  await patchFlag(app, id, { deleted: true });
  return app;
}

describe('M9.1/my_flags the flags of the caller', () => {
  test('of every live flag, newest first, by their distinct id and the groups of the request', async () => {
    const app = await openWithFlags();
    const ask = async (query = '') => {
      const flags = myFlags.parse((await app.ask(`${FLAGS}my_flags/${query}`)).json);
      return flags.map(({ feature_flag, value }) => [feature_flag.key, value]);
    };
    const alone = [
      ['off', false],
      ['color', 'blue'],
      ['for-nobody', false],
      ['for-pro', false],
    ];
    expect(await ask()).toEqual(alone);
    const groups = encodeURIComponent(JSON.stringify({ company: 'acme' }));
    expect((await ask(`?groups=${groups}`)).at(-1)).toEqual(['for-pro', true]);
    expect(await ask('?groups=')).toEqual(alone);
    const { results } = (await app.ask(FLAGS)).json;
    const [newest] = (await app.ask(`${FLAGS}my_flags/`)).json;
    expect(newest.feature_flag).toMatchObject({ id: results[0].id, team_id: 1, filters: results[0].filters });
  });

  test.each(['nonsense', '[]', '"x"'])('groups that are %s are refused', async (groups) => {
    const app = await openTestApp();
    const answer = await app.ask(`${FLAGS}my_flags/?groups=${encodeURIComponent(groups)}`);
    expect([answer.status, answer.json.attr]).toEqual([400, 'groups']);
  });
});

describe('M9.1/evaluation_reasons the values of a distinct id, with reasons', () => {
  test('of every live flag, including disabled ones', async () => {
    const app = await openWithFlags();
    const groups = encodeURIComponent(JSON.stringify({ company: 'acme' }));
    const { json } = await app.ask(`${FLAGS}evaluation_reasons/?distinct_id=u&groups=${groups}`);
    expect(evaluationReasons.parse(json)).toEqual({
      'for-pro': { value: true, evaluation: { reason: 'condition_match', condition_index: 0 } },
      'for-nobody': { value: false, evaluation: { reason: 'out_of_rollout_bound', condition_index: 0 } },
      color: { value: 'blue', evaluation: { reason: 'condition_match', condition_index: 0 } },
      off: { value: false, evaluation: { reason: 'disabled', condition_index: null } },
    });
  });

  test('needs a distinct id', async () => {
    const app = await openTestApp();
    for (const [query, code] of [
      ['', 'required'],
      ['?distinct_id=', 'blank'],
    ]) {
      const { status, json } = await app.ask(`${FLAGS}evaluation_reasons/${query}`);
      expect([status, json.code, json.attr]).toEqual([400, code, 'distinct_id']);
    }
  });
});

describe('M9.1/bulk_keys keys by ids', () => {
  const ask = (app: TestApp, ids: unknown) =>
    app.ask(`${FLAGS}bulk_keys/`, { method: 'POST', body: ids === undefined ? {} : { ids } });

  test('of live flags; numbers and digits are ids, others are listed as errors', async () => {
    const app = await openTestApp();
    const first = await createFlag(app, 'first');
    const second = await createFlag(app, 'second');
    const gone = await createFlag(app, 'gone');
    await patchFlag(app, gone.id, { deleted: true });
    const { json } = await ask(app, [first.id, String(second.id), gone.id, 99]);
    expect(bulkKeys.parse(json)).toEqual({ keys: { [first.id]: 'first', [second.id]: 'second' } });
    const mixed = (await ask(app, [first.id, 'x', null])).json;
    expect(mixed).toEqual({ keys: { [first.id]: 'first' }, warning: expect.stringContaining('["x",null]') });
    expect((await ask(app, [])).json).toEqual({ keys: {} });
    expect((await ask(app, undefined)).json).toEqual({ keys: {} });
  });

  test('of only invalid ids is refused', async () => {
    const app = await openTestApp();
    for (const ids of [['x'], [{}, null], [-1, 1.5], 'all']) {
      const { status, json } = await ask(app, ids);
      expect([status, json.attr]).toEqual([400, 'ids']);
    }
  });
});
