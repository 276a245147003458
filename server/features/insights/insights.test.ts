import { describe, expect, test } from 'vitest';
import { makeDashboard } from '../../../test/support/dashboards.ts';
import {
  INSIGHTS,
  insightAt,
  patchInsight,
  postInsight,
  SIGNUPS,
  storeInsight,
  storeUnanswered,
} from '../../../test/support/insights.ts';
import { addMember } from '../../../test/support/members.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp } from '../../../test/support/test-app.ts';
import { insight } from './insights.contract.ts';

const FAILED = '/api/projects/1/burrow/failed_insights/';

const REFUSED = [
  [{ name: 'x'.repeat(401) }, 'max_length', 'name'],
  [{ name: ['a'] }, 'invalid_input', 'name'],
  [{ derived_name: 'x'.repeat(401) }, 'max_length', 'derived_name'],
  [{ filters: [] }, 'not_a_dict', 'filters'],
  [{ order: 'first' }, 'invalid_input', 'order'],
  [{ order: 3_000_000_000 }, 'invalid_input', 'order'],
  [{ dashboards: 7 }, 'not_a_list', 'dashboards'],
  [{ dashboards: ['a'] }, 'invalid_input', 'dashboards__0'],
  [{ dashboards: [7] }, 'invalid_input', 'dashboards'],
  [{ tags: 'a' }, 'not_a_list', 'tags'],
  [{ favorited: 'maybe' }, 'invalid_input', 'favorited'],
  [{ saved: null }, 'null', 'saved'],
] as const;

describe('M9.6 a new insight', () => {
  test('has the sent fields, with exactly the keys of the contract, and no computed result', async () => {
    const app = await openTestApp();
    const body = {
      name: 'Signups',
      derived_name: 'signup count',
      description: 'All of them',
      query: SIGNUPS,
      order: '3',
      tags: ['Growth ', 'growth'],
      favorited: 'true',
      saved: true,
      _create_in_folder: 'Teams',
      id: 99,
      is_sample: true,
    };
    const made = await postInsight(app, body);
    expect(made.status).toBe(201);
    const at = '2026-11-20T09:30:00.000000Z';
    const owner = expect.objectContaining({ id: 1, first_name: 'Owner' });
    expect(made.json).toEqual({
      id: 1,
      short_id: expect.stringMatching(/^[0-9A-Za-z_-]{8}$/),
      name: 'Signups',
      derived_name: 'signup count',
      description: 'All of them',
      filters: {},
      query: SIGNUPS,
      order: 3,
      deleted: false,
      dashboards: [],
      dashboard_tiles: [],
      last_refresh: null,
      cache_target_age: null,
      next_allowed_client_refresh: null,
      result: null,
      hasMore: null,
      columns: null,
      created_at: at,
      created_by: owner,
      updated_at: at,
      tags: ['growth'],
      favorited: true,
      saved: true,
      last_modified_at: at,
      last_modified_by: owner,
      is_sample: false,
      effective_restriction_level: 21,
      effective_privilege_level: 37,
      timezone: null,
      is_cached: false,
      query_status: null,
      hogql: null,
      types: null,
      filters_hash: null,
      user_access_level: 'manager',
    });
    for (const family of ['projects', 'environments']) {
      for (const key of [1, made.json.short_id]) {
        const path = `/api/${family}/1/insights/${key}?refresh=force_cache`;
        expect((await app.ask(path)).json).toEqual(made.json);
      }
    }
  });

  test('can be created with an empty body', async () => {
    const app = await openTestApp();
    const { json } = await postInsight(app);
    expect(json).toMatchObject({
      name: null,
      description: '',
      query: null,
      filters: {},
      tags: [],
      saved: false,
    });
  });

  test('with invalid fields is refused, and not stored', async () => {
    const app = await openTestApp();
    for (const [body, code, attr] of REFUSED) {
      const json = { type: 'validation_error', code, attr };
      expect(await postInsight(app, body), JSON.stringify(body)).toMatchObject({ status: 400, json });
    }
    expect((await app.ask(INSIGHTS)).json.count).toBe(0);
  });

  test('with an invalid query is a parse error without a field', async () => {
    const app = await openTestApp();
    const refused = { status: 400, json: { type: 'invalid_request', code: 'parse_error', attr: null } };
    const id = await storeInsight(app, { query: SIGNUPS });
    for (const query of [
      'select 1',
      7,
      [],
      {},
      { kind: 'TrendQuery' },
      { kind: 'TrendsQuery', series: [] },
    ]) {
      expect(await postInsight(app, { query })).toMatchObject(refused);
      expect(await patchInsight(app, id, { query })).toMatchObject(refused);
    }
    expect((await app.ask(INSIGHTS)).json).toMatchObject({ count: 1, results: [{ query: SIGNUPS }] });
  });

  test('is accepted as JSON only', async () => {
    const app = await openTestApp();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await app.ask(INSIGHTS, { method: 'POST', body: 'name=a', headers });
    expect(answer).toMatchObject({ status: 415, json: { code: 'unsupported_media_type' } });
  });

  test('stores any text, also lone surrogates, which no database stores', async () => {
    const app = await openTestApp();
    const body = '{"name":"a\\ud800b\\u0000","tags":["\\udc00"],"filters":{"x":"\\ud800"},"query":null}';
    const made = await postInsight(app, body);
    expect(made).toMatchObject({
      status: 201,
      json: { name: 'a\ufffdb\0', tags: ['\ufffd'], filters: { x: '\ufffd' } },
    });
    expect((await app.ask(`${INSIGHTS}?search=zzz&insight=JSON`)).status).toBe(200);
  });
});

describe('M9.6 a single insight', () => {
  test('in its short form has no result fields', async () => {
    const app = await openTestApp();
    const id = await storeInsight(app, { query: SIGNUPS });
    const short = (await app.ask(`${insightAt(id)}?basic=true`)).json;
    const full = insight.parse((await app.ask(insightAt(id))).json);
    expect(full).toMatchObject(short);
    for (const key of ['result', 'hasMore', 'is_cached', 'query_status'])
      expect(short).not.toHaveProperty(key);
  });

  test('is returned after a write with its cached result, or with the one that the write requests', async () => {
    const app = await openTestApp();
    await sendEvents(app, [{ event: 'signup' }]);
    const known = { result: [{ label: 'signup', count: 1 }], query_status: null };
    const { json: made } = await postInsight(app, { query: SIGNUPS });
    expect(made).toMatchObject({ result: null, is_cached: false });
    await app.ask(insightAt(made.id));
    await app.ask(insightAt(made.id, 'viewed/'), { method: 'POST' });
    expect((await patchInsight(app, made.id, { name: 'A' })).json).toMatchObject({
      ...known,
      is_cached: true,
    });
    expect((await postInsight(app, { query: SIGNUPS })).json).toMatchObject({ ...known, is_cached: true });
    expect((await app.ask(`${INSIGHTS}my_last_viewed/`)).json).toMatchObject([known]);
    await sendEvents(app, [{ event: 'signup' }]);
    expect((await patchInsight(app, made.id, { name: 'B' })).json).toMatchObject({ result: null });
    const asked = await app.ask(`${insightAt(made.id)}?refresh=blocking`, {
      method: 'PATCH',
      body: { name: 'C' },
    });
    expect(asked.json).toMatchObject({ name: 'C', result: [{ count: 2 }] });
    const later = await app.ask(`${INSIGHTS}?refresh=async`, {
      method: 'POST',
      body: { query: { kind: 'HogQLQuery', query: 'select 5' } },
    });
    expect([later.status, later.json.query_status.complete]).toEqual([201, false]);
  });

  test('that is unknown is not found', async () => {
    const app = await openTestApp();
    await storeInsight(app);
    for (const key of ['7', 'nothing1', '9999999999999999', '%00', '-1']) {
      expect(await app.ask(insightAt(key))).toMatchObject({ status: 404, json: { code: 'not_found' } });
    }
  });

  test('of another project is not found', async () => {
    const app = await openTestApp();
    const id = await storeInsight(app);
    const other = await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: {} });
    expect((await app.ask(`/api/projects/${other.json.id}/insights/${id}/`)).status).toBe(404);
  });

  test('is computed when it is read, as its refresh parameter requests', async () => {
    const app = await openTestApp();
    await sendEvents(app, [{ event: 'signup' }]);
    const id = await storeInsight(app, { query: SIGNUPS });
    const asked = async (refresh: string) =>
      (await app.ask(`${insightAt(id)}${refresh === '' ? '' : `?refresh=${refresh}`}`)).json;
    const known = { result: [{ label: 'signup', count: 1 }], hasMore: false, timezone: 'UTC' };
    expect(await asked('force_cache')).toMatchObject({ result: null, is_cached: false });
    expect(await asked('')).toMatchObject({ ...known, is_cached: false });
    for (const refresh of ['', 'force_cache', 'blocking', 'async', 'lazy_async'])
      expect(await asked(refresh)).toMatchObject({ ...known, is_cached: true });
    for (const refresh of ['true', 'force_blocking'])
      expect(await asked(refresh)).toMatchObject({ ...known, is_cached: false });
    const [listed] = (await app.ask(INSIGHTS)).json.results;
    expect(listed).toMatchObject({ ...known, is_cached: true });
    expect((await app.ask(`${INSIGHTS}?basic=true`)).json.results[0]).not.toHaveProperty('result');
    await sendEvents(app, [{ event: 'signup' }]);
    expect((await app.ask(INSIGHTS)).json.results[0]).toMatchObject({ result: null });
    const later = await asked('async');
    expect(later).toMatchObject({ result: null, query_status: { complete: false } });
    const status = `/api/projects/1/query/${later.query_status.id}/`;
    let told = await app.ask(status);
    while (told.status === 202) told = await app.ask(status);
    expect(told.json.query_status.results.results).toMatchObject([{ count: 2 }]);
    expect(await asked('force_async')).toMatchObject({
      result: [{ count: 2 }],
      query_status: { error: false },
    });
  });

  test('is returned as CSV: a chart by its numbers, SQL by its columns', async () => {
    const app = await openTestApp();
    await sendEvents(app, [{ event: 'signup' }]);
    const source = { ...SIGNUPS.source, dateRange: { date_from: '2026-11-19' } };
    const chart = await storeInsight(app, { query: source });
    const table = await storeInsight(app, {
      query: { kind: 'HogQLQuery', query: `select '=1' as a, count() as b from events` },
    });
    const nothing = await storeInsight(app, {});
    const csvOf = async (id: number) => (await app.ask(`${insightAt(id)}?format=csv`)).text;
    expect(await csvOf(chart)).toBe('date,signup\n2026-11-19,0\n2026-11-20,1\n');
    expect(await csvOf(table)).toBe(`a,b\n'=1,1\n`);
    expect((await csvOf(nothing)).trim()).toBe('');
    // A file cannot say that its rows come later, or not at all.
    const fresh = { ...source, dateRange: { date_from: '2026-11-20' } };
    const unknown = await storeInsight(app, { query: fresh });
    for (const refresh of ['force_cache', 'force_async', 'force_blocking']) {
      const { text } = await app.ask(`${insightAt(unknown)}?format=csv&refresh=${refresh}`);
      expect(text, refresh).toBe('date,signup\n2026-11-20,1\n');
    }
    const failing = await storeUnanswered(app);
    const { status, json } = await app.ask(`${insightAt(failing)}?format=csv`);
    expect([status, json.code, json.detail]).toEqual([
      400,
      'invalid_input',
      expect.stringContaining('nothing'),
    ]);
  });

  test('that cannot be computed is returned with the error', async () => {
    const app = await openTestApp();
    const id = await storeUnanswered(app);
    const { status, json } = await app.ask(insightAt(id));
    expect(status).toBe(200);
    expect(json).toMatchObject({ result: null, query_status: { complete: true, error: true } });
    expect(json.query_status.error_message).toMatch(/^Line 1, column \d+: .*nothing/);
  });

  test('that cannot be computed is listed until it can be, for users with access', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    const failed = async (key = app.key) => (await app.ask(FAILED, { key })).json.results;
    const id = await storeUnanswered(app, { name: 'Broken' });
    const gone = await storeUnanswered(app, { name: 'Gone' });
    for (const one of [id, gone]) await app.ask(insightAt(one));
    expect(await failed()).toMatchObject([{ name: 'Gone' }, { id, name: 'Broken', dashboards: [] }]);
    await patchInsight(app, gone, { deleted: true });
    const [one, ...others] = await failed(lin.key);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ id, failed_at: '2026-11-20T09:30:00.000Z' });
    expect(one.message).toMatch(/^Line 1, column \d+: .*nothing/);

    const hidden = { access_level: 'none', organization_member: lin.membershipId };
    await app.ask(`/api/projects/1/insights/${id}/access_controls/`, { method: 'PUT', body: hidden });
    expect(await failed(lin.key)).toEqual([]);
    await patchInsight(app, id, { query: SIGNUPS });
    await app.ask(insightAt(id));
    expect(await failed()).toEqual([]);
  });

  test('is refused for an invalid refresh', async () => {
    const app = await openTestApp();
    const id = await storeInsight(app, { query: SIGNUPS });
    expect((await app.ask(`${insightAt(id)}?refresh=soon`)).json).toMatchObject({ attr: 'refresh' });
  });
});

test('M9.6 an insight that is posted again as it was returned is a copy with a new id', async () => {
  const app = await openTestApp();
  const board = await makeDashboard(app);
  const body = { name: 'Signups', query: SIGNUPS, tags: ['a'], saved: true, dashboards: [board] };
  const original = (await postInsight(app, body)).json;
  const copy = await postInsight(app, { ...original, name: 'Signups (copy)' });
  expect(copy).toMatchObject({ status: 201, json: { ...body, name: 'Signups (copy)', id: 2 } });
  expect(copy.json.short_id).not.toBe(original.short_id);
  expect((await app.ask(`${insightAt(1)}?refresh=force_cache`)).json).toEqual(original);
});

describe('M9.6 viewing insights', () => {
  test('is stored without a response body, and the last five are listed', async () => {
    const app = await openTestApp();
    const ids: number[] = [];
    for (let n = 0; n < 7; n++) ids.push(await storeInsight(app, { name: `Insight ${n}` }));
    for (const id of [...ids, ids[3]!]) {
      app.clock.now += 1000;
      const answer = await app.ask(insightAt(id, 'viewed/'), { method: 'POST' });
      expect(answer).toMatchObject({ status: 201, text: '' });
    }
    await patchInsight(app, ids[5]!, { deleted: true });
    const seen = (await app.ask(`${INSIGHTS}my_last_viewed/`)).json.map(({ id }: { id: number }) => id);
    expect(seen).toEqual([ids[3], ids[6], ids[4], ids[2], ids[1]]);
  });

  test('of an unknown insight is not found', async () => {
    const app = await openTestApp();
    expect((await app.ask(insightAt(7, 'viewed/'), { method: 'POST' })).status).toBe(404);
    expect((await app.ask(`${INSIGHTS}my_last_viewed/`)).json).toEqual([]);
  });
});
