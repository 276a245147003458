import { describe, expect, test } from 'vitest';
import {
  createFlag,
  filtersOn,
  filtersOnFlag,
  FLAGS,
  patchFlag,
  postFlag,
} from '../../../test/support/app-flags.ts';
import { openTestApp, type TestApp, type TestResponse } from '../../../test/support/test-app.ts';
import { dependentFlags } from './feature-flags.contract.ts';

const errorOf = ({ status, json }: TestResponse) => [status, json.code, json.attr];
const dependentsOf = async (app: TestApp, id: number) =>
  dependentFlags.parse((await app.ask(`${FLAGS}${id}/dependent_flags/`)).json);

/** A flag, and one that depends on it. */
async function openPair() {
  const app = await openTestApp();
  const first = (await createFlag(app, 'first')).id as number;
  const second = (await createFlag(app, 'second', { name: 'The second', filters: filtersOnFlag(first) }))
    .id as number;
  return { app, first, second };
}

describe('M9.1/filters a flag that depends on another', () => {
  test('M9.1/dependent_flags is listed by the other, while it is active', async () => {
    const { app, first, second } = await openPair();
    await createFlag(app, 'another', { filters: filtersOnFlag(first, 'b') });
    expect((await dependentsOf(app, first)).map(({ key }) => key)).toEqual(['another', 'second']);
    expect(await dependentsOf(app, second)).toEqual([]);
    await patchFlag(app, second, { active: false });
    expect((await dependentsOf(app, first)).map(({ key }) => key)).toEqual(['another']);
    expect((await app.ask(`${FLAGS}99/dependent_flags/`)).status).toBe(404);
  });

  test.each([
    ['deleted', { deleted: true }],
    ['disabled', { active: false }],
    ['disabled by a form that says more', { active: 'false', name: 'x' }],
  ])('M9.1/patch prevents the other from being %s, while it is active', async (_what, body) => {
    const { app, first, second } = await openPair();
    const refused = await patchFlag(app, first, body);
    expect(errorOf(refused)).toEqual([400, 'invalid_input', null]);
    expect(refused.json.detail).toContain(`second (id ${second})`);
    expect((await app.ask(`${FLAGS}${first}/`)).json).toMatchObject({
      active: true,
      deleted: false,
      version: 1,
    });
    await patchFlag(app, second, { active: false });
    expect((await patchFlag(app, first, body)).status).toBe(200);
  });

  test('M9.1/patch cannot be enabled, or restored, while the other is disabled', async () => {
    const { app, first, second } = await openPair();
    await patchFlag(app, second, { active: false });
    await patchFlag(app, first, { active: false });
    const refused = await patchFlag(app, second, { active: true });
    expect(errorOf(refused)).toEqual([400, 'invalid_input', null]);
    expect(refused.json.detail).toContain('first');
    await patchFlag(app, second, { deleted: true });
    expect(errorOf(await patchFlag(app, second, { deleted: false }))).toEqual([
      400,
      'invalid_input',
      'filters',
    ]);
    await patchFlag(app, first, { active: true });
    expect((await patchFlag(app, second, { deleted: false, active: true })).status).toBe(200);
  });

  test('M9.1/patch cannot be enabled when the other was deleted, unless it no longer depends on it', async () => {
    const { app, first, second } = await openPair();
    await patchFlag(app, second, { active: false });
    await patchFlag(app, first, { deleted: true });
    const refused = await patchFlag(app, second, { active: true });
    expect(errorOf(refused)).toEqual([400, 'invalid_input', null]);
    expect(refused.json.detail).toContain(`id ${first}`);
    expect((await patchFlag(app, second, { active: true, filters: filtersOn([]) })).status).toBe(200);
  });

  test.each([
    ['on itself', (first: number) => filtersOnFlag(first)],
    ['on one that depends on it', (_first: number, second: number) => filtersOnFlag(second)],
    ['on none', () => filtersOnFlag(99)],
  ])('is refused to depend %s', async (_what, filters) => {
    const { app, first, second } = await openPair();
    const refused = await patchFlag(app, first, { filters: filters(first, second) });
    expect(errorOf(refused)).toEqual([400, 'invalid_input', 'filters']);
  });

  test('is refused when the other is deleted, disabled or of another project, also on creation', async () => {
    const app = await openTestApp();
    const off = (await createFlag(app, 'off', { active: false })).id as number;
    const gone = (await createFlag(app, 'gone')).id as number;
    await patchFlag(app, gone, { deleted: true });
    for (const id of [off, gone, 99]) {
      const refused = await postFlag(app, { key: 'a', filters: filtersOnFlag(id) });
      expect(errorOf(refused)).toEqual([400, 'invalid_input', 'filters']);
    }
  });

  test('concurrent changes do not create a cycle', async () => {
    const app = await openTestApp();
    const ids: number[] = [];
    for (const key of ['a', 'b', 'c', 'd']) ids.push((await createFlag(app, key)).id as number);
    const answers = await Promise.all(
      ids.map((id, n) => patchFlag(app, id, { filters: filtersOnFlag(ids[(n + 1) % ids.length]!) })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 400]);
    const crossed = await Promise.all([createFlag(app, 'x'), createFlag(app, 'y')]).then(([x, y]) =>
      Promise.all([
        patchFlag(app, x.id, { filters: filtersOnFlag(y.id) }),
        patchFlag(app, y.id, { active: false }),
      ]),
    );
    expect(crossed.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  test('of an early access feature cannot be deleted, nor be on groups', async () => {
    const app = await openTestApp();
    const path = '/api/projects/1/early_access_feature/';
    const feature = (await app.ask(path, { method: 'POST', body: { name: 'Beta', stage: 'beta' } })).json;
    const id = feature.feature_flag.id as number;
    const about = { ...filtersOn([]), aggregation_group_type_index: 0 };
    expect(errorOf(await patchFlag(app, id, { deleted: true }))).toEqual([400, 'invalid_input', null]);
    expect(errorOf(await patchFlag(app, id, { filters: about }))).toEqual([400, 'invalid_input', 'filters']);
    const { json } = await app.ask(`${FLAGS}${id}/`);
    expect(json.features).toMatchObject([{ id: feature.id, name: 'Beta', stage: 'beta', flagKey: json.key }]);
  });
});
