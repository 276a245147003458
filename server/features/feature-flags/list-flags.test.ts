import { describe, expect, onTestFinished, test } from 'vitest';
import { createFlag, filtersOn, FLAGS, patchFlag } from '../../../test/support/app-flags.ts';
import { openCountedStore } from '../../../test/support/counted-store.ts';
import { addMember } from '../../../test/support/members.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { validate } from '../../http/validation.ts';
import { featureFlagPage, listFlagsQuery } from './feature-flags.contract.ts';
import type { FlagFilters } from '../../conditions/index.ts';
import type { Flag } from './flag-row.ts';
import { listedFlags } from './list-flags.ts';

const DAY = 24 * 60 * 60 * 1000;
const variants = {
  ...filtersOn([], 50),
  multivariate: {
    variants: [
      { key: 'a', rollout_percentage: 50 },
      { key: 'b', rollout_percentage: 50 },
    ],
  },
};

const keysIn = async (app: TestApp, query = '') =>
  featureFlagPage.parse((await app.ask(FLAGS + query)).json).results.map(({ key }) => key);

async function openWithFlags(): Promise<TestApp> {
  const app = await openTestApp();
  await createFlag(app, 'alpha', { name: 'First of ALL', filters: filtersOn([], 10), tags: ['web'] });
  app.clock.now += 1000;
  await createFlag(app, 'beta', { active: false, filters: variants, evaluation_runtime: 'server' });
  app.clock.now += 1000;
  await createFlag(app, 'gamma', {
    is_remote_configuration: true,
    filters: filtersOn([], 20),
    tags: ['web', 'ios'],
    evaluation_tags: ['ios'],
    evaluation_runtime: 'client',
  });
  return app;
}

describe('M9.1/list flags are found', () => {
  const flagOf = (id: number, facts: Partial<Flag>): Flag =>
    ({
      id,
      name: '',
      active: true,
      tags: [],
      evaluationTags: [],
      evaluationRuntime: 'all',
      filters: filtersOn([], 10),
      isRemoteConfiguration: false,
      creationContext: 'feature_flags',
      createdBy: 1,
      createdAt: `2026-11-20T09:30:0${id}.000000Z`,
      ...facts,
    }) as Flag;
  const flags = [
    flagOf(1, { key: 'alpha', name: 'First of ALL', tags: ['web'] }),
    flagOf(2, { key: 'beta', active: false, filters: variants as FlagFilters, evaluationRuntime: 'server' }),
    flagOf(3, {
      key: 'gamma',
      isRemoteConfiguration: true,
      tags: ['web', 'ios'],
      evaluationTags: ['ios'],
      evaluationRuntime: 'client',
    }),
  ];
  const facts = {
    isStale: ({ key }: Flag) => key === 'alpha',
    lastCalledAt: ({ key }: Flag) => (key === 'gamma' ? null : `2026-11-${key === 'beta' ? 19 : 20}`),
  };
  const find = (search: string) =>
    listedFlags(flags, validate(listFlagsQuery, Object.fromEntries(new URLSearchParams(search))), facts);

  test.each([
    ['active=true', ['gamma', 'alpha']],
    ['active=False', ['beta']],
    ['active=STALE', ['alpha']],
    ['created_by_id=1', ['gamma', 'beta', 'alpha']],
    ['created_by_id=2', []],
    ['search=AL', ['alpha']],
    ['search=first+of', ['alpha']],
    ['search=%25', []],
    ['type=boolean', ['gamma', 'alpha']],
    ['type=multivariant', ['beta']],
    ['type=experiment', []],
    ['type=remote_config', ['gamma']],
    ['evaluation_runtime=server', ['beta']],
    ['evaluation_runtime=all', ['alpha']],
    ['evaluation_runtime=both', ['alpha']],
    ['tags=["ios"]', ['gamma']],
    ['tags=["ios","web"]', ['gamma', 'alpha']],
    ['tags=[]', ['gamma', 'beta', 'alpha']],
    ['tags=ios', ['gamma', 'beta', 'alpha']],
    ['excluded_properties=["beta","gamma"]', ['alpha']],
    ['excluded_properties={', ['gamma', 'beta', 'alpha']],
    ['has_evaluation_tags=true', ['gamma']],
    ['has_evaluation_tags=false', ['beta', 'alpha']],
    ['active=true&type=boolean&search=a&tags=["web"]', ['gamma', 'alpha']],
    ['active=&search=&type=', ['gamma', 'beta', 'alpha']],
    ['order=key', ['alpha', 'beta', 'gamma']],
    ['order=-key', ['gamma', 'beta', 'alpha']],
    ['order=created_at', ['alpha', 'beta', 'gamma']],
    ['order=active', ['beta', 'gamma', 'alpha']],
    ['order=-last_called_at', ['alpha', 'beta', 'gamma']],
    ['order=last_called_at', ['beta', 'alpha', 'gamma']],
    ['order=name', ['gamma', 'beta', 'alpha']],
    ['order=evaluation_runtime', ['alpha', 'gamma', 'beta']],
  ])('by ?%s', (query, keys) => {
    expect(find(query).map(({ key }) => key)).toEqual(keys);
  });

  test.each([
    ['active=perhaps', 'active'],
    ['type=gate', 'type'],
    ['evaluation_runtime=edge', 'evaluation_runtime'],
    ['order=filters', 'order'],
    ['order=--key', 'order'],
    ['order=__proto__', 'order'],
  ])('not by ?%s', (query, attr) => {
    expect(() => find(query)).toThrow(expect.objectContaining({ errorName: 'invalid_choice', attr }));
  });
});

describe('M9.1/list flags', () => {
  test('newest first, in pages', async () => {
    const app = await openWithFlags();
    expect(await keysIn(app)).toEqual(['gamma', 'beta', 'alpha']);
    const { json } = await app.ask(`${FLAGS}?limit=2`);
    expect(json).toMatchObject({ count: 3, previous: null, next: `${app.url}${FLAGS}?limit=2&offset=2` });
    expect(await keysIn(app, '?limit=2&offset=2')).toEqual(['alpha']);
    expect(await keysIn(app, '?offset=9')).toEqual([]);
  });

  test('internal flags of surveys are left out', async () => {
    const app = await openTestApp();
    await createFlag(app, 'survey-targeting-1', { creation_context: 'surveys' });
    await createFlag(app, 'survey-targeting-by-hand');
    expect(await keysIn(app)).toEqual(['survey-targeting-by-hand']);
  });

  test('hidden ones are left out, also from the count', async () => {
    const app = await openWithFlags();
    const lin = await addMember(app, 'lin@local.test');
    const { results } = (await app.ask(FLAGS)).json;
    const path = `${FLAGS}${results[0].id}/access_controls/`;
    await app.ask(path, { method: 'PUT', body: { access_level: 'none' } });
    const seen = featureFlagPage.parse((await lin.ask(FLAGS)).json);
    expect([seen.count, seen.results.map(({ key }) => key)]).toEqual([2, ['beta', 'alpha']]);
  });

  test('run the same number of statements for many as for one', async () => {
    const { store, count } = await openCountedStore();
    const app = await openTestApp({ store });
    await createFlag(app, 'one');
    const forOne = await count(() => app.ask(FLAGS));
    for (let n = 0; n < 20; n++) await createFlag(app, `more-${n}`);
    expect(await count(() => app.ask(FLAGS))).toBe(forOne);
    expect(forOne).toBe(3);
    expect(await count(() => app.ask(`${FLAGS}?active=STALE&order=-last_called_at`))).toBeLessThanOrEqual(3);
  });
});

describe('M9.1/status the status of a flag', () => {
  const statusOf = async (app: TestApp, id: number) =>
    (await app.ask(`${FLAGS}${id}/status/`)).json.status as string;

  test('active, inactive, deleted; an unknown one is a 404', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'a', { filters: filtersOn([], 10) });
    const { json } = await app.ask(`${FLAGS}${id}/status/`);
    expect(json).toEqual({ status: 'ACTIVE', reason: expect.stringContaining('in use') });
    await patchFlag(app, id, { active: false });
    expect(await statusOf(app, id)).toBe('INACTIVE');
    await patchFlag(app, id, { deleted: true });
    expect(await statusOf(app, id)).toBe('DELETED');
    expect((await app.ask(`${FLAGS}99/status/`)).status).toBe(404);
  });

  test('stale, when it was not called for 30 days, or is on for all that long, and the list filter finds it', async () => {
    const app = await openTestApp();
    const on = (await createFlag(app, 'on')).id as number;
    const some = (await createFlag(app, 'some', { filters: filtersOn([], 10) })).id as number;
    const off = (await createFlag(app, 'off', { active: false })).id as number;
    app.clock.now += 30 * DAY - 1000;
    expect(await Promise.all([on, some, off].map((id) => statusOf(app, id)))).toEqual([
      'ACTIVE',
      'ACTIVE',
      'INACTIVE',
    ]);
    app.clock.now += 2000;
    await createFlag(app, 'new');
    expect(await Promise.all([on, some, off].map((id) => statusOf(app, id)))).toEqual([
      'STALE',
      'STALE',
      'INACTIVE',
    ]);
    expect(await keysIn(app, '?active=STALE&order=key')).toEqual(['on', 'some']);
    expect((await app.ask(`${FLAGS}${on}/`)).json.status).toBe('STALE');
  });
});

test('M9.1/list a thousand flags with their conditions are listed, and the next page too', async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  await openTestApp({ store });
  const condition = { key: 'plan', type: 'person', operator: 'exact', value: ['pro'] };
  await store.db.run(
    `INSERT INTO feature_flags BY NAME
     SELECT nextval('feature_flags_revision') AS revision, 1 AS project_id, 'flag-' || n AS key, '' AS name,
       true AS active, false AS deleted, $filters AS filters, '[]' AS depends_on, 1 AS version,
       false AS ensure_experience_continuity, 'null' AS rollback_conditions, false AS performed_rollback,
       '[]' AS tags, '[]' AS evaluation_tags, '[]' AS analytics_dashboards, false AS is_remote_configuration,
       false AS has_encrypted_payloads, false AS has_enriched_analytics, 'all' AS evaluation_runtime,
       'feature_flags' AS creation_context, now()::TIMESTAMP AS unchanged_since, now()::TIMESTAMP AS created_at,
       now()::TIMESTAMP AS updated_at
     FROM range(1000) numbers(n)`,
    { filters: JSON.stringify(filtersOn([condition])) },
  );
  const app = await openTestApp({ store });
  const page = featureFlagPage.parse((await app.ask(`${FLAGS}?limit=900`)).json);
  expect([page.count, page.results.length]).toEqual([1000, 900]);
  expect(await keysIn(app, '?limit=900&offset=900')).toHaveLength(100);
});
