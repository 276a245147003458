import { describe, expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import { POSTHOG_KINDS, searchResults } from './search.contract.ts';

const P = '/api/projects/1/';
const SEARCH = `${P}search/`;

const post = (app: TestApp, path: string, body: object) => app.ask(P + path, { method: 'POST', body });
const ask = async (app: TestApp, query = '') =>
  searchResults(POSTHOG_KINDS).parse((await app.ask(SEARCH + query)).json);
const namesFound = async (app: TestApp, query = '') =>
  (await ask(app, query)).results.map(({ type, extra_fields: { name } }) => `${type} ${name}`);

async function capture(app: TestApp, event: string, properties: object): Promise<void> {
  const body = { api_key: TEST_TOKEN, batch: [{ event, distinct_id: 'u1', properties }] };
  await app.ask('/batch/', { method: 'POST', key: null, body });
}

describe('search', () => {
  test('finds dashboards, actions, event names and properties by words in their names', async () => {
    const app = await openTestApp();
    await post(app, 'dashboards/', { name: 'Signups of the week', description: 'All of it' });
    await post(app, 'actions/', { name: 'Signed up', description: 'by the signup form' });
    await capture(app, 'signup', { signup_plan: 'free' });
    expect(await namesFound(app, '?q=Signup')).toEqual([
      'event_definition signup',
      'property_definition signup_plan',
      'dashboard Signups of the week',
      'action Signed up',
    ]);
    expect(await namesFound(app, '?q=week+SIGN')).toEqual(['dashboard Signups of the week']);
    expect(await namesFound(app, '?q=%25')).toEqual([]);
  });

  test('returns id, fields, rank and the count of each kind', async () => {
    const app = await openTestApp();
    const { id } = (await post(app, 'actions/', { name: 'Joined', description: 'new' })).json;
    expect(await ask(app, '?q=joined')).toEqual({
      results: [
        {
          type: 'action',
          result_id: String(id),
          extra_fields: { name: 'Joined', description: 'new' },
          rank: 1,
        },
      ],
      counts: {
        insight: 0,
        dashboard: 0,
        experiment: 0,
        feature_flag: 0,
        notebook: 0,
        action: 1,
        cohort: 0,
        event_definition: 0,
        property_definition: 0,
        survey: 0,
        early_access_feature: 0,
        hog_flow: 0,
      },
    });
  });

  test('is limited to the requested kinds', async () => {
    const app = await openTestApp();
    await post(app, 'dashboards/', { name: 'A' });
    await post(app, 'actions/', { name: 'A' });
    expect(await namesFound(app, '?q=a&entities=action')).toEqual(['action A']);
    expect(await namesFound(app, '?q=a&entities=action&entities=dashboard')).toHaveLength(2);
    const { counts } = await ask(app, '?entities=action,cohort');
    expect(counts).toMatchObject({ action: 1, cohort: 0, dashboard: null });
    expect((await ask(app, '?include_counts=false')).counts).toBeUndefined();
    const refused = await app.ask(`${SEARCH}?entities=person`);
    expect(refused.json).toMatchObject({ code: 'invalid_choice', attr: 'entities' });
  });

  test('without a query lists by kind and name, without a rank', async () => {
    const app = await openTestApp();
    await post(app, 'dashboards/', { name: 'b' });
    await post(app, 'dashboards/', { name: 'a' });
    await post(app, 'actions/', { name: 'c' });
    const { results } = await ask(app);
    expect(results.map(({ extra_fields: { name }, rank }) => [name, rank])).toEqual([
      ['c', null],
      ['a', null],
      ['b', null],
    ]);
  });

  test('leaves out deleted objects, and returns at most 25', async () => {
    const app = await openTestApp();
    for (let n = 0; n < 27; n++) await post(app, 'actions/', { name: `Action ${n}` });
    await app.ask(`${P}actions/1/`, { method: 'PATCH', body: { deleted: true } });
    const { results, counts } = await ask(app, '?q=action');
    expect(results).toHaveLength(25);
    expect(counts).toMatchObject({ action: 26 });
  });

  test('limited by kind, one kind with many matches leaves room for the others, and all are counted', async () => {
    const app = await openTestApp();
    for (let n = 0; n < 30; n++) await post(app, 'actions/', { name: `Trial ${n}` });
    await post(app, 'dashboards/', { name: 'A board of the trial' });
    expect(await namesFound(app, '?q=trial')).not.toContain('dashboard A board of the trial');
    const { results, counts } = await ask(app, '?q=trial&limit_per_kind=3');
    expect(results.map(({ type }) => type)).toEqual(['action', 'action', 'action', 'dashboard']);
    expect(counts).toMatchObject({ action: 30, dashboard: 1 });
    for (const limit of ['0', '26', 'many'])
      expect((await app.ask(`${SEARCH}?limit_per_kind=${limit}`)).status, limit).toBe(400);
  });

  test('says of a property whose it is', async () => {
    const app = await openTestApp();
    await capture(app, 'signup', { tier: 'free', $set: { tier: 'free' } });
    const { results } = await ask(app, '?q=tier');
    expect(results.map(({ extra_fields: { name, type } }) => [name, type]).toSorted()).toEqual([
      ['tier', 'event'],
      ['tier', 'person'],
    ]);
  });

  test('reads words as text: quotes, percent signs and SQL find only names that contain them', async () => {
    const app = await openTestApp();
    await post(app, 'dashboards/', { name: "100% 'safe' \\ _x" });
    await post(app, 'dashboards/', { name: 'other' });
    for (const text of ["'safe'", '100%', '\\', "%' _x"])
      expect(await namesFound(app, `?q=${encodeURIComponent(text)}&limit_per_kind=5`), text).toHaveLength(
        text === "%' _x" ? 0 : 1,
      );
    expect(await namesFound(app, `?q=${encodeURIComponent("') OR 1=1 --")}`)).toEqual([]);
  });

  test('finds insights by name or by their derived name, and returns their short id', async () => {
    const app = await openTestApp();
    const query = {
      kind: 'InsightVizNode',
      source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode' }] },
    };
    const { json: named } = await post(app, 'insights/', { name: 'Visits', query });
    await post(app, 'insights/', { derived_name: 'Visits per day', description: 'x' });
    const { results } = await ask(app, '?q=visits&entities=insight');
    expect(results.map(({ extra_fields: { name, derived_name } }) => [name, derived_name])).toEqual([
      ['Visits', null],
      [null, 'Visits per day'],
    ]);
    expect(results[0]).toMatchObject({
      result_id: named.short_id,
      rank: 1,
      extra_fields: { query: named.query },
    });
  });

  test('leaves out objects hidden from the caller', async () => {
    const app = await openTestApp();
    const person = { email: 'grace@local.test' };
    const members = '/api/organizations/@current/members/';
    const { json: member } = await app.ask(members, { method: 'POST', body: person });
    const { id } = (await post(app, 'dashboards/', { name: 'Hidden' })).json;
    await post(app, 'dashboards/', { name: 'Not hidden' });
    const rule = { organization_member: member.id, access_level: 'none' };
    await app.ask(`${P}dashboards/${id}/access_controls/`, { method: 'PUT', body: rule });
    const { json } = await app.ask(`${SEARCH}?q=hidden`, { key: member.personal_api_key });
    expect(json.results.map((result: any) => result.extra_fields.name)).toEqual(['Not hidden']);
    expect(json.counts).toMatchObject({ dashboard: 1 });
  });

  test('leaves out hidden objects of every kind, limited by kind or not; a viewer finds what may be seen', async () => {
    const app = await openTestApp();
    const members = '/api/organizations/@current/members/';
    const body = { email: 'grace@local.test' };
    const { json: member } = await app.ask(members, { method: 'POST', body });
    const kinds = {
      dashboards: 'dashboard',
      insights: 'insight',
      cohorts: 'cohort',
      feature_flags: 'feature_flag',
    };
    for (const [path, kind] of Object.entries(kinds)) {
      for (const level of ['none', 'viewer']) {
        const { json: one } = await post(app, `${path}/`, {
          name: `roadmap ${level}`,
          key: `roadmap-${level}`,
          _should_create_usage_dashboard: false,
        });
        const rule = { organization_member: member.id, access_level: level };
        const control = `${P}${path}/${one.id}/access_controls/`;
        expect((await app.ask(control, { method: 'PUT', body: rule })).status, kind).toBe(200);
      }
    }
    for (const limit of ['', '&limit_per_kind=5']) {
      const { json } = await app.ask(`${SEARCH}?q=roadmap${limit}`, { key: member.personal_api_key });
      const found = json.results.map(({ type, extra_fields: { name } }: any) => `${type} ${name}`);
      expect(found.toSorted()).toEqual(
        Object.values(kinds)
          .map((kind) => `${kind} roadmap viewer`)
          .toSorted(),
      );
      expect(json.counts).toMatchObject({ dashboard: 1, insight: 1, cohort: 1, feature_flag: 1 });
    }
    // The owner finds both of each.
    expect((await ask(app, '?q=roadmap')).results).toHaveLength(8);
  });

  test('finds only objects that the scopes of the key can read', async () => {
    const app = await openTestApp();
    await post(app, 'dashboards/', { name: 'A' });
    await post(app, 'actions/', { name: 'A' });
    const keyWith = async (scope: string) => {
      const body = { label: 'one', scopes: [scope] };
      return (await app.ask('/api/personal_api_keys/', { method: 'POST', body })).json.value;
    };
    const { json } = await app.ask(`${SEARCH}?q=a`, { key: await keyWith('action:read') });
    expect(json.results.map((result: any) => result.type)).toEqual(['action']);
    expect(json.counts).toMatchObject({ action: 1, dashboard: null });
    expect((await app.ask(SEARCH, { key: await keyWith('annotation:read') })).status).toBe(403);
  });
});
