import { describe, expect, test } from 'vitest';
import {
  createFlag,
  FLAGS,
  filtersOn,
  filtersOnFlag,
  patchFlag,
} from '../../../../test/support/app-flags.ts';
import { addMember } from '../../../../test/support/members.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../../test/support/test-app.ts';

const P = '/api/projects/1/';
const FILE = 'burrow/feature_flags/';

const person = (key: string, value: unknown, operator = 'exact') => ({
  key,
  value,
  operator,
  type: 'person',
});
const inCohort = (id: number) => ({ key: 'id', type: 'cohort', value: id, operator: 'in' });

const exported = async (app: TestApp, project = P): Promise<any> =>
  (await app.ask(`${project}${FILE}export/`)).json;

async function importInto(
  app: TestApp,
  body: unknown,
  options: { query?: string; project?: string; key?: string } = {},
) {
  const { query = '', project = P, key = app.key } = options;
  return (await app.ask(`${project}${FILE}import/${query}`, { method: 'POST', body, key })).json;
}

/** Outcomes by key or name; a refusal with its reason. */
const outcomesOf = (list: any[]) =>
  Object.fromEntries(list.map(({ key, name, outcome, reason }) => [key ?? name, reason ?? outcome]));

async function addProject(app: TestApp): Promise<string> {
  const made = await app.ask('/api/organizations/@current/projects/', {
    method: 'POST',
    body: { name: 'Other' },
  });
  return `/api/projects/${made.json.id}/`;
}

const addCohort = async (app: TestApp, body: object): Promise<number> =>
  (await app.ask(`${P}cohorts/`, { method: 'POST', body })).json.id;

const treeOf = (...values: object[]) => ({ properties: { type: 'AND', values } });

/** Flags that use everything that a file has to carry. */
async function openWithFlags(): Promise<TestApp> {
  const app = await openTestApp();
  const pros = await addCohort(app, { name: 'Pros', filters: treeOf(person('plan', 'pro')) });
  const happy = await addCohort(app, {
    name: 'Happy pros',
    filters: treeOf({ type: 'cohort', key: 'id', value: pros }, person('mood', 'happy')),
  });
  const listed = await addCohort(app, { name: 'Listed', is_static: true });
  const base = await createFlag(app, 'z-base', { filters: filtersOn([inCohort(happy)]), tags: ['core'] });
  await createFlag(app, 'a-dependent', { filters: filtersOnFlag(base.id), name: 'Depends' });
  await createFlag(app, 'listed', { filters: filtersOn([inCohort(listed)]), active: false });
  await createFlag(app, 'variants', {
    filters: {
      groups: [{ properties: [person('age', '18', 'gt')], rollout_percentage: 40, variant: 'b' }],
      multivariate: {
        variants: [
          { key: 'a', rollout_percentage: 50 },
          { key: 'b', rollout_percentage: 50 },
        ],
      },
      payloads: { b: '{"tone":"warm"}' },
    },
    ensure_experience_continuity: true,
    evaluation_runtime: 'server',
  });
  return app;
}

describe('export and import of all flags', () => {
  test('exported flags can be imported into another project with its own ids, and exported from there again', async () => {
    const app = await openWithFlags();
    const other = await addProject(app);
    const file = await exported(app);
    expect(file).toMatchObject({ version: 1, group_types: {} });
    expect(file.flags.map(({ key }: any) => key)).toEqual(['a-dependent', 'listed', 'variants', 'z-base']);
    expect(file.cohorts.map(({ name }: any) => name)).toEqual(['Pros', 'Happy pros', 'Listed']);

    const report = await importInto(app, file, { project: other });
    expect(report).toMatchObject({ applied: true, dry_run: false, notes: [] });
    expect(outcomesOf([...report.flags, ...report.cohorts])).toEqual({
      'a-dependent': 'created',
      listed: 'created',
      variants: 'created',
      'z-base': 'created',
      Pros: 'created',
      'Happy pros': 'created',
      Listed: 'created',
    });

    const again = await exported(app, other);
    const idOf = (list: any[], name: string) => list.find((one) => (one.key ?? one.name) === name).id;
    expect(idOf(again.flags, 'z-base')).not.toBe(idOf(file.flags, 'z-base'));
    const dependent = again.flags.find(({ key }: any) => key === 'a-dependent');
    expect(dependent.filters.groups[0].properties[0].key).toBe(String(idOf(again.flags, 'z-base')));
    const base = again.flags.find(({ key }: any) => key === 'z-base');
    expect(base.filters.groups[0].properties[0].value).toBe(idOf(again.cohorts, 'Happy pros'));
    const happy = again.cohorts.find(({ name }: any) => name === 'Happy pros');
    expect(happy.filters.properties.values[0].value).toBe(idOf(again.cohorts, 'Pros'));

    const third = await importInto(app, again, { project: other });
    expect(new Set(Object.values(outcomesOf([...third.flags, ...third.cohorts])))).toEqual(
      new Set(['unchanged']),
    );
    const log = await app.ask(`${other}activity_log/?scope=FeatureFlag`);
    expect(log.json.results.map(({ activity }: any) => activity)).toEqual(Array(4).fill('created'));
  });

  test('flags with the same keys are changed, those that are not in the file stay', async () => {
    const app = await openTestApp();
    const old = await createFlag(app, 'old', { filters: filtersOn([], 10) });
    await createFlag(app, 'mine');
    const flags = [
      { key: 'old', filters: filtersOn([], 20), name: 'New words' },
      { key: 'new', filters: filtersOn([]) },
    ];
    const report = await importInto(app, { version: 1, flags, cohorts: [] });
    expect(outcomesOf(report.flags)).toEqual({ old: 'updated', new: 'created' });
    const list = (await app.ask(FLAGS)).json.results;
    expect(
      Object.fromEntries(list.map(({ key, id, version, name }: any) => [key, [id, version, name]])),
    ).toMatchObject({
      old: [old.id, 2, 'New words'],
      mine: [expect.any(Number), 1, ''],
      new: [expect.any(Number), 1, ''],
    });
  });

  test('a refused flag prevents the import of all others, and the report has the error', async () => {
    const app = await openTestApp();
    await createFlag(app, 'old', { filters: filtersOn([], 10) });
    const before = await exported(app);
    const report = await importInto(app, {
      version: 1,
      flags: [
        { key: 'old', filters: filtersOn([], 20) },
        { key: 'bad key', filters: filtersOn([]) },
        { id: 7, key: 'bad', filters: filtersOn([person('a', 'b', 'like')]) },
        { key: 'behind', filters: filtersOnFlag(7) },
        { key: 'lost', filters: filtersOnFlag(99) },
        { key: 'cohort', filters: filtersOn([inCohort(5)]) },
        { key: 'twice', filters: filtersOn([]) },
        { key: 'twice', filters: filtersOn([]) },
        { key: 'fine', filters: filtersOn([]), tags: 'none' },
      ],
      cohorts: [],
    });
    expect(report.applied).toBe(false);
    expect(outcomesOf(report.flags)).toMatchObject({
      old: 'updated',
      'bad key': expect.stringContaining('letters'),
      bad: expect.stringContaining('like'),
      behind: "It depends on the flag 'bad', which is rejected.",
      lost: 'It depends on the flag 99, which is neither in the file nor in the project.',
      cohort: expect.stringContaining('cohort 5, which is not in the file'),
      twice: 'This key is in the file more than once.',
      fine: 'tags: A list was expected.',
    });
    expect(await exported(app)).toEqual(before);
    const log = await app.ask(`${P}activity_log/?scope=FeatureFlag`);
    expect(log.json.results).toHaveLength(1);
  });

  test('a dry run reports the outcome, and stores no changes', async () => {
    const app = await openWithFlags();
    const other = await addProject(app);
    const file = await exported(app);
    const report = await importInto(app, file, { project: other, query: '?dry_run=true' });
    expect(report).toMatchObject({ applied: false, dry_run: true });
    expect(new Set(Object.values(outcomesOf([...report.flags, ...report.cohorts])))).toEqual(
      new Set(['created']),
    );
    expect([...report.flags, ...report.cohorts].map(({ id }: any) => id)).toEqual(Array(7).fill(null));
    expect(await exported(app, other)).toEqual({ version: 1, group_types: {}, flags: [], cohorts: [] });
    expect((await app.ask(`${other}cohorts/`)).json.count).toBe(0);
    expect((await importInto(app, file, { project: other })).applied).toBe(true);
  });

  test('flags and those that depend on them are disabled and enabled together', async () => {
    const app = await openTestApp();
    const base = await createFlag(app, 'base');
    await createFlag(app, 'behind', { filters: filtersOnFlag(base.id) });
    const on = await exported(app);
    const off = { ...on, flags: on.flags.map((flag: any) => ({ ...flag, active: false })) };
    for (const file of [off, on, off]) {
      const report = await importInto(app, file);
      expect(outcomesOf(report.flags)).toEqual({ base: 'updated', behind: 'updated' });
    }
  });

  test('group types are matched by name, and created when they are missing', async () => {
    const app = await openTestApp();
    const other = await addProject(app);
    const body = {
      version: 1,
      group_types: { '2': 'company' },
      flags: [
        {
          key: 'sizes',
          filters: {
            aggregation_group_type_index: 2,
            groups: [
              {
                properties: [{ key: 'size', type: 'group', group_type_index: 2, operator: 'gt', value: '5' }],
                rollout_percentage: 100,
              },
            ],
          },
        },
      ],
      cohorts: [],
    };
    expect((await importInto(app, body, { query: '?dry_run=true' })).flags[0].outcome).toBe('created');
    expect((await app.ask(`${P}groups_types/`)).json).toEqual([]);
    expect((await importInto(app, body)).applied).toBe(true);
    expect((await app.ask(`${P}groups_types/`)).json).toMatchObject([
      { group_type: 'company', group_type_index: 0 },
    ]);
    const request = {
      api_key: TEST_TOKEN,
      distinct_id: 'ada',
      groups: { company: 'acme' },
      group_properties: { company: { size: 9 } },
    };
    const answer = await app.ask('/flags/?v=2', { method: 'POST', key: null, body: request });
    expect(answer.json.flags.sizes.enabled).toBe(true);
    const again = await exported(app);
    expect(again.group_types).toEqual({ '0': 'company' });
    expect((await importInto(app, again, { project: other })).applied).toBe(true);
  });

  test('secret payloads are exported and imported with a key that can read them; a hidden one never overwrites a real one', async () => {
    const app = await openTestApp();
    const filters = { ...filtersOn([]), payloads: { true: '"s3cret"' } };
    const flag = await createFlag(app, 'secret', {
      filters,
      is_remote_configuration: true,
      has_encrypted_payloads: true,
    });
    const file = await exported(app);
    expect(file.flags[0].filters.payloads).toEqual({ true: '"s3cret"' });
    const hidden = structuredClone(file);
    hidden.flags[0].filters.payloads.true = '"********* (encrypted)"';
    expect((await importInto(app, { ...hidden, flags: [{ ...hidden.flags[0], name: 'x' }] })).applied).toBe(
      true,
    );
    expect((await exported(app)).flags[0].filters.payloads).toEqual({ true: '"s3cret"' });
    await patchFlag(app, flag.id, { deleted: true });
    expect((await importInto(app, hidden)).flags[0].reason).toMatch(/not included in this file/);
  });
});

describe('responses of PostHog are accepted as files', () => {
  test('the flag list of this API and its local evaluation response change no flags of their own project', async () => {
    const app = await openWithFlags();
    const list = (await app.ask(FLAGS)).json;
    expect(new Set(Object.values(outcomesOf((await importInto(app, list)).flags)))).toEqual(
      new Set(['unchanged']),
    );
    const local = (await app.ask('/flags/definitions?send_cohorts')).json;
    const report = await importInto(app, local);
    expect(report.applied).toBe(true);
  });

  test('a local evaluation response includes its cohorts; a static one is created without members', async () => {
    const app = await openTestApp();
    const properties = [
      { key: 'id', type: 'cohort', value: 31, operator: 'in' },
      { key: 'id', type: 'cohort', value: 32, operator: 'not_in', cohort_name: 'Staff' },
    ];
    const report = await importInto(app, {
      flags: [
        {
          id: 11,
          team_id: 4,
          key: 'base',
          active: true,
          deleted: false,
          version: 3,
          filters: filtersOn([]),
          evaluation_tags: ['web'],
        },
        {
          id: 12,
          key: 'main',
          name: 'Main',
          active: true,
          filters: {
            groups: [
              {
                properties: [
                  ...properties,
                  {
                    key: 'base',
                    type: 'flag',
                    operator: 'flag_evaluates_to',
                    value: true,
                    dependency_chain: ['base'],
                  },
                ],
                rollout_percentage: 100,
              },
            ],
          },
        },
      ],
      group_type_mapping: {},
      cohorts: { '31': { type: 'OR', values: [{ type: 'AND', values: [person('plan', 'pro')] }] } },
    });
    expect(outcomesOf([...report.flags, ...report.cohorts])).toEqual({
      base: 'created',
      main: 'created',
      'Cohort 31': 'created',
      Staff: 'created',
    });
    expect(report.notes).toEqual([expect.stringContaining("'Staff' is static")]);
    const ask = async (plan: string) => {
      const body = { api_key: TEST_TOKEN, distinct_id: 'ada', person_properties: { plan } };
      return (await app.ask('/flags/?v=2', { method: 'POST', key: null, body })).json.flags.main.enabled;
    };
    expect([await ask('pro'), await ask('free')]).toEqual([true, false]);
  });
});

describe('permissions', () => {
  test('a member cannot import a flag without edit access, nor export a hidden one', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    const flag = await createFlag(app, 'hidden');
    const rule = { organization_member: lin.membershipId, access_level: 'none' };
    await app.ask(`${FLAGS}${flag.id}/access_controls/`, { method: 'PUT', body: rule });
    expect((await lin.ask(`${P}${FILE}export/`)).json.flags).toEqual([]);
    const body = { version: 1, flags: [{ key: 'hidden', filters: filtersOn([], 1) }], cohorts: [] };
    const report = await importInto(app, body, { key: lin.key });
    expect([report.applied, report.flags[0].reason]).toEqual([
      false,
      'You do not have permission to edit this flag.',
    ]);
  });

  test('a key without cohort:write cannot create cohorts', async () => {
    const app = await openWithFlags();
    const other = await addProject(app);
    const made = await app.ask('/api/personal_api_keys/', {
      method: 'POST',
      body: { label: 'flags', scopes: ['feature_flag:write'] },
    });
    const report = await importInto(app, await exported(app), { project: other, key: made.json.value });
    expect(report.applied).toBe(false);
    expect(outcomesOf(report.cohorts)['Pros']).toBe(
      'You do not have permission to create or edit this cohort.',
    );
  });
});

test.each([
  ['a text', '"flags"', 400],
  ['a number', '7', 400],
  ['no file', '{}', 400],
  ['another version', '{"version":9,"flags":[]}', 400],
  ['a text that is not JSON', '{"flags":', 400],
])('%s is refused', async (_name, body, status) => {
  const app = await openTestApp();
  const answer = await app.ask(`${P}${FILE}import/`, { method: 'POST', body });
  expect(answer.status).toBe(status);
});

test('M9.12 the file is read and written at one path', async () => {
  const app = await openWithFlags();
  const path = 'burrow/flag_file';
  const file = (await app.ask(P + path)).json;
  expect(file).toEqual(await exported(app));
  const other = await addProject(app);
  const put = await app.ask(other + path, { method: 'PUT', body: file });
  expect(put.json).toMatchObject({ applied: true });
  expect((await app.ask(other + path)).json.flags.map(({ key }: any) => key)).toEqual(
    file.flags.map(({ key }: any) => key),
  );
});
