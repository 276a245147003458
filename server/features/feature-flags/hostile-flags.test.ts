import { describe, expect, test } from 'vitest';
import { createFlag, filtersOn, FLAGS, patchFlag, postFlag } from '../../../test/support/app-flags.ts';
import { openTestApp, TEST_TOKEN } from '../../../test/support/test-app.ts';

const email = { key: 'email', type: 'person', operator: 'exact', value: 'a@shop.example' };

describe('hostile flags', () => {
  test('a payload of a megabyte is stored, served and changed', async () => {
    const app = await openTestApp();
    const payload = JSON.stringify('x'.repeat(1_000_000));
    const filters = { ...filtersOn([]), payloads: { true: payload } };
    const { id } = await createFlag(app, 'large', { filters, is_remote_configuration: true });
    const read = await app.ask('/api/projects/1/feature_flags/large/remote_config/');
    expect(JSON.parse(read.json)).toHaveLength(1_000_000);
    expect(
      (await patchFlag(app, id, { filters: { ...filters, payloads: {} } })).json.filters.payloads,
    ).toEqual({});
    expect((await app.ask(`${FLAGS}${id}/activity/`)).json.count).toBe(2);
  });

  test('10,000 conditions are stored and served to SDKs', async () => {
    const app = await openTestApp();
    const groups = Array.from({ length: 10_000 }, (_, n) => ({
      properties: [{ ...email, value: `${n}@shop.example` }],
      rollout_percentage: 1,
    }));
    const { filters } = await createFlag(app, 'many', { filters: { groups } });
    expect(filters.groups).toHaveLength(10_000);
    const { flags } = (await app.ask('/flags/definitions')).json;
    expect(flags[0].filters.groups).toHaveLength(10_000);
    const body = { token: TEST_TOKEN, distinct_id: 'u', person_properties: { email: '9999@shop.example' } };
    const answer = await app.ask('/flags/?v=2', { method: 'POST', key: null, body });
    expect(answer.json.flags.many).toMatchObject({ key: 'many', reason: { condition_index: 9999 } });
  });

  test('excessive nesting is refused, deep nesting is stored', async () => {
    const app = await openTestApp();
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const body = (levels: number) =>
      `{"key":"deep","_should_create_usage_dashboard":false,"filters":{"groups":[{"properties":[]}],"note":${nested(levels)}}}`;
    expect((await postFlag(app, body(100_000))).json.code).toBe('parse_error');
    expect((await postFlag(app, body(900))).status).toBe(201);
    const { results } = (await app.ask(FLAGS)).json;
    expect(JSON.stringify(results[0].filters.note)).toBe(nested(900));
  });

  test('__proto__, lone surrogates and NUL are stored without side effects', async () => {
    const app = await openTestApp();
    const sent =
      '{"key":"odd","__proto__":{"active":false},"name":"a\\ud800b\\u0000c","_should_create_usage_dashboard":false,' +
      '"filters":{"__proto__":{"multivariate":1},"groups":[{"properties":[{"key":"__proto__","type":"person","operator":"exact",' +
      '"value":"\\udfff","__proto__":{"type":"event"}}],"rollout_percentage":100}]},"tags":["__proto__"]}';
    const { status, json } = await postFlag(app, sent);
    expect([status, json.active, json.tags]).toEqual([201, true, ['__proto__']]);
    expect(json.filters.groups[0].properties[0]).toMatchObject({ key: '__proto__', type: 'person' });
    const answer = await app.ask('/flags/?v=2', {
      method: 'POST',
      key: null,
      body: { token: TEST_TOKEN, distinct_id: 'u' },
    });
    expect(answer.json).toMatchObject({
      errorsWhileComputingFlags: false,
      flags: { odd: { enabled: false } },
    });
  });

  test.each(['constructor', 'toString', 'hasOwnProperty'])('a flag may have the key %s', async (key) => {
    const app = await openTestApp();
    await createFlag(app, key);
    const body = { token: TEST_TOKEN, distinct_id: 'u' };
    const { text } = await app.ask('/decide/?v=3', { method: 'POST', key: null, body });
    expect(Object.entries(JSON.parse(text).featureFlags)).toEqual([[key, true]]);
    const reasons = await app.ask(`${FLAGS}evaluation_reasons/?distinct_id=u`);
    expect(Object.keys(JSON.parse(reasons.text))).toEqual([key]);
    expect((await app.ask(`/api/projects/1/feature_flags/${key}/remote_config`)).status).toBe(404);
  });

  test('a flag cannot have the key __proto__, which SDKs cannot store', async () => {
    const app = await openTestApp();
    const { status, json } = await postFlag(app, { key: '__proto__' });
    expect([status, json.code, json.attr]).toEqual([400, 'invalid_key', 'key']);
  });

  test('twenty concurrent writers lose no change and no version', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'busy');
    await Promise.all(Array.from({ length: 20 }, (_, n) => patchFlag(app, id, { name: `by ${n}` })));
    const { json } = await app.ask(`${FLAGS}${id}/`);
    expect(json.version).toBe(21);
    expect((await app.ask('/flags/definitions')).json.flags[0].version).toBe(21);
  });
});
