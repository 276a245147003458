import { describe, expect, test } from 'vitest';
import { createFlag, filtersOn } from '../../../../test/support/app-flags.ts';
import { createKey } from '../../../../test/support/owner-calls.ts';
import { sendEvents } from '../../../../test/support/send-events.ts';
import {
  openTestApp,
  TEST_TOKEN,
  type TestApp,
  type TestResponse,
} from '../../../../test/support/test-app.ts';

const EXPLAIN = '/api/projects/1/burrow/feature_flags/explain/';

function explain(app: TestApp, body: unknown, key?: string): Promise<TestResponse> {
  return app.ask(EXPLAIN, { method: 'POST', body, ...(key === undefined ? {} : { key }) });
}

async function open(): Promise<TestApp> {
  const app = await openTestApp();
  await sendEvents(app, [
    { distinct_id: 'u1', properties: { $set: { email: 'ada@local.test', plan: 'pro' } } },
    {
      event: '$groupidentify',
      distinct_id: 'u1',
      properties: { $group_type: 'company', $group_key: 'acme', $group_set: { size: 3 } },
    },
  ]);
  const properties = [{ key: 'plan', value: 'pro', operator: 'exact', type: 'person' }];
  await createFlag(app, 'pro', { filters: filtersOn(properties) });
  await createFlag(app, 'inactive', { active: false, filters: filtersOn([]) });
  return app;
}

describe('the playground', () => {
  test('M9.12 has its own path, and accepts `trace: true`', async () => {
    const app = await open();
    const body = { distinct_id: 'u1', trace: true };
    const answer = await app.ask('/api/projects/1/burrow/flags/evaluate', { method: 'POST', body });
    const { answer: flags, traces } = (await explain(app, body)).json;
    expect(answer.json).toMatchObject({ answer: { flags: flags.flags }, traces });
  });

  test('8.2 returns the result of /flags, the trace of each value, and the stored data of the user', async () => {
    const app = await open();
    const body = { distinct_id: 'u1', groups: { company: 'acme', unknown: 'x' }, ip: '8.8.8.8' };
    const { status, json } = await explain(app, body);
    expect(status).toBe(200);
    const asked = { method: 'POST', key: null, body: { token: TEST_TOKEN, ...body } };
    const { flags } = (await app.ask('/flags/?v=2', asked)).json;
    expect(json.answer).toEqual({
      flags,
      errorsWhileComputingFlags: false,
      requestId: expect.any(String),
      evaluatedAt: app.clock.now,
    });
    expect(Object.keys(json.traces)).toEqual(['pro', 'inactive']);
    expect(json.traces.pro).toMatchObject({
      decided_by: 'condition',
      conditions: [
        {
          outcome: 'match',
          decided: true,
          properties: [{ key: 'plan', got: 'pro', source: 'stored', matched: true }],
        },
      ],
    });
    expect(json.traces.inactive.decided_by).toBe('disabled');
    expect(json.errors).toEqual([]);
    expect(json.person).toMatchObject({
      name: 'ada@local.test',
      distinct_ids: ['u1'],
      properties: { plan: 'pro' },
    });
    expect(json.groups).toEqual({ company: { key: 'acme', properties: { size: 3 } } });
    expect(json.geoip).toMatchObject({ $geoip_country_code: 'US' });
  });

  test('for an unknown person, in a group without properties, without a location', async () => {
    const app = await open();
    const { json } = await explain(app, {
      distinct_id: 'u2',
      groups: { company: 'other' },
      geoip_disable: true,
      ip: '8.8.8.8',
    });
    expect(json).toMatchObject({
      person: null,
      groups: { company: { key: 'other', properties: null } },
      geoip: null,
      traces: {
        pro: { conditions: [{ outcome: 'no_condition_match', properties: [{ got: null, source: 'none' }] }] },
      },
    });
  });

  test('an overridden flag is marked, with the value it has without the override', async () => {
    const app = await open();
    const override = { key: 'pro', distinct_id: 'u2', value: true };
    const made = await app.ask('/api/projects/1/burrow/flag_overrides/', { method: 'POST', body: override });
    expect(made.status).toBe(201);
    const { json } = await explain(app, { distinct_id: 'u2' });
    expect(json.answer.flags.pro).toMatchObject({
      enabled: true,
      reason: {
        code: 'condition_match',
        condition_index: null,
        description: expect.stringMatching(/^Overridden/),
      },
    });
    expect(json.traces.pro).toMatchObject({
      decided_by: 'override',
      conditions: [{ outcome: 'no_condition_match', decided: false }],
    });
  });

  test('F-8 explaining stores no hash keys', async () => {
    const app = await open();
    const filters = filtersOn([], 50);
    await createFlag(app, 'sticky', { filters, ensure_experience_continuity: true });
    expect((await explain(app, { distinct_id: 'u1', $anon_distinct_id: 'a1' })).status).toBe(200);
    expect(await app.store.db.all('SELECT * FROM flag_hash_keys')).toEqual([]);
  });

  test('it requires a distinct id, and a key with access to flags, persons and groups', async () => {
    const app = await open();
    expect(await explain(app, {})).toMatchObject({ status: 400, json: { code: 'missing_distinct_id' } });
    expect((await explain(app, { distinct_id: 'u1', groups: 'acme' })).status).toBe(400);
    const all = ['feature_flag:read', 'person:read', 'group:read'];
    for (const missing of all) {
      const key = await createKey(
        app,
        all.filter((scope) => scope !== missing),
      );
      expect(await explain(app, { distinct_id: 'u1' }, key)).toMatchObject({
        status: 403,
        json: { code: 'permission_denied' },
      });
    }
    expect((await explain(app, { distinct_id: 'u1' }, await createKey(app, all))).status).toBe(200);
  });
});
