import { describe, expect, test } from 'vitest';
import { refusal, refusalOf, type Refusal } from '../support/refusals.ts';
import type { TestResponse } from '../support/test-app.ts';
import {
  createForeignKeys,
  FAMILIES,
  openScript,
  type Script,
  type SeedScope,
} from '../support/seed-script.ts';

const UUID = '0190f0c1-0000-7000-8000-000000000002';

/** The management endpoints of the specification by their numbers; `:id` is a dashboard's. */
const ENDPOINTS: readonly {
  number: number;
  method: string;
  path: string;
  scope: SeedScope;
  /** A body that the endpoint takes; absent: it takes none. */
  body?: object;
  /** A body with one fault, and the refusal of it. */
  invalid?: readonly [object, Refusal];
}[] = [
  { number: 1, method: 'GET', path: 'dashboards', scope: 'dashboard:read' },
  {
    number: 2,
    method: 'POST',
    path: 'dashboards',
    scope: 'dashboard:write',
    body: { name: 'Weekly' },
    invalid: [{ name: [] }, refusal('E-TYPE', 'name')],
  },
  { number: 3, method: 'GET', path: 'dashboards/:id', scope: 'dashboard:read' },
  {
    number: 4,
    method: 'PATCH',
    path: 'dashboards/:id',
    scope: 'dashboard:write',
    body: { name: 'Weekly' },
    invalid: [{ restriction_level: 22 }, refusal('E-CHOICE', 'restriction_level')],
  },
  {
    number: 6,
    method: 'GET',
    path: 'dashboards/:id/collaborators',
    scope: 'dashboard:read',
  },
  {
    number: 7,
    method: 'POST',
    path: 'dashboards/:id/collaborators',
    scope: 'dashboard:write',
    body: { level: 37, user_uuid: UUID },
    invalid: [{ level: 37 }, refusal('E-REQ', 'user_uuid')],
  },
  {
    number: 8,
    method: 'DELETE',
    path: `dashboards/:id/collaborators/${UUID}`,
    scope: 'dashboard:write',
  },
  {
    number: 9,
    method: 'GET',
    path: 'dashboards/:id/sharing',
    scope: 'sharing_configuration:read',
  },
  {
    number: 10,
    method: 'GET',
    path: 'dashboards/:id/access_controls',
    scope: 'dashboard:read',
  },
  {
    number: 11,
    method: 'GET',
    path: 'dashboards/:id/global_access_controls',
    scope: 'dashboard:read',
  },
  {
    number: 12,
    method: 'PATCH',
    path: 'dashboards/:id/move_tile',
    scope: 'dashboard:write',
    body: { name: 'Weekly' },
    invalid: [{ tile: { id: 1 } }, refusal('E-REQ', 'toDashboard')],
  },
  {
    number: 13,
    method: 'POST',
    path: 'dashboards/create_from_template_json',
    scope: 'dashboard:write',
    body: { name: 'Weekly' },
    invalid: [{ template: { template_name: 'No tiles' } }, refusal('E-TYPE', null)],
  },
  { number: 14, method: 'GET', path: 'events', scope: 'query:read' },
  { number: 15, method: 'GET', path: `events/${UUID}`, scope: 'query:read' },
  { number: 16, method: 'GET', path: 'events/values', scope: 'query:read' },
];
type Endpoint = (typeof ENDPOINTS)[number];

const ON_DASHBOARD = ENDPOINTS.filter(({ path }) => path.includes(':id'));
const WITH_BODY = ENDPOINTS.filter(({ invalid }) => invalid !== undefined);

/** What each endpoint refuses, by its number. */
async function refusals(
  endpoints: readonly Endpoint[],
  send: (endpoint: Endpoint) => Promise<TestResponse>,
): Promise<object> {
  const found: Record<number, Refusal | string> = {};
  for (const endpoint of endpoints) found[endpoint.number] = refusalOf(await send(endpoint));
  return found;
}

/** The same refusal from each of them. */
function all(endpoints: readonly Endpoint[], expected: Refusal): object {
  return Object.fromEntries(endpoints.map(({ number }) => [number, expected]));
}

function ask(
  { app, P }: Script,
  endpoint: Endpoint,
  { key = app.key as string | null, id = 1, base = P, body = endpoint.body as unknown },
) {
  const path = `${base}/${endpoint.path.replace(':id', String(id))}/`;
  return app.ask(path, { method: endpoint.method, key, body });
}

/** A key of each other scope: whichever the endpoint needs, this one is not it. */
function otherKey({ keys }: Script, { scope }: Endpoint): string {
  const [object, action] = scope.split(':');
  // A key that may write may read too.
  if (object === 'dashboard') return action === 'write' ? keys['dashboard:read'] : keys['query:read'];
  return keys['dashboard:write'];
}

describe.each(FAMILIES)('the specified endpoints below /api/%s', (family) => {
  test('each refuses a request without a key', async () => {
    const script = await openScript(family);
    const found = await refusals(ENDPOINTS, (endpoint) => ask(script, endpoint, { key: null }));
    expect(found).toEqual(all(ENDPOINTS, refusal('E-NOAUTH')));
  });

  test('each refuses an unknown key', async () => {
    const script = await openScript(family);
    const found = await refusals(ENDPOINTS, (endpoint) => ask(script, endpoint, { key: 'phx_unknown' }));
    expect(found).toEqual(all(ENDPOINTS, refusal('E-BADKEY')));
  });

  test('each refuses a key without its scope', async () => {
    const script = await openScript(family);
    const { id } = await script.createDashboard();
    const found = await refusals(ENDPOINTS, (endpoint) =>
      ask(script, endpoint, { key: otherKey(script, endpoint), id }),
    );
    expect(found).toEqual(all(ENDPOINTS, refusal('E-SCOPE')));
    const said = await ask(script, ENDPOINTS[1]!, {
      key: script.keys['dashboard:read'],
    });
    expect(said.json.detail).toContain("missing required scope 'dashboard:write'");
  });

  test.each(['999', 'shop', '0', '1.5'])('each returns 404 for the unknown project %s', async (project) => {
    const script = await openScript(family);
    const base = `/api/${family}/${project}`;
    const found = await refusals(ENDPOINTS, (endpoint) =>
      ask(script, endpoint, { key: script.keys[endpoint.scope], base }),
    );
    expect(found).toEqual(all(ENDPOINTS, refusal('E-PROJECT')));
  });

  test('each refuses a key that is restricted to another project', async () => {
    const script = await openScript(family);
    const { id } = await script.createDashboard();
    const keys = await createForeignKeys(script);
    const found = await refusals(ENDPOINTS, (endpoint) =>
      ask(script, endpoint, { key: keys[endpoint.scope], id }),
    );
    expect(found).toEqual(all(ENDPOINTS, refusal('E-KEYPROJECT')));
  });

  test('each returns 404 for a dashboard of another project', async () => {
    const script = await openScript(family);
    const { id } = await script.createDashboard();
    const keys = await createForeignKeys(script);
    const base = `/api/${family}/2`;
    const found = await refusals(ON_DASHBOARD, (endpoint) =>
      ask(script, endpoint, { key: keys[endpoint.scope], id, base }),
    );
    expect(found).toEqual(all(ON_DASHBOARD, refusal('E-404')));
  });

  test('each returns 404 for an unknown dashboard', async () => {
    const script = await openScript(family);
    for (const id of [999_999, 0, -1, 'x', 99_999_999_999]) {
      const found = await refusals(ON_DASHBOARD, (endpoint) =>
        ask(script, endpoint, {
          key: script.keys[endpoint.scope],
          id: id as number,
        }),
      );
      expect(found, String(id)).toEqual(all(ON_DASHBOARD, refusal('E-404')));
    }
  });

  test('each returns 404 for a deleted dashboard', async () => {
    const script = await openScript(family);
    const { id } = await script.createWithTiles();
    const path = `${script.P}/dashboards/${id}/`;
    await script.ask('dashboard:write', 'PATCH', path, { deleted: true });
    const found = await refusals(ON_DASHBOARD, (endpoint) =>
      ask(script, endpoint, { key: script.keys[endpoint.scope], id }),
    );
    expect(found).toEqual(all(ON_DASHBOARD, refusal('E-404')));
  });

  test('each with a body refuses an invalid one, with the field', async () => {
    const script = await openScript(family);
    const { id } = await script.createDashboard({ restriction_level: 37 });
    const found = await refusals(WITH_BODY, (endpoint) =>
      ask(script, endpoint, {
        key: script.keys[endpoint.scope],
        id,
        body: endpoint.invalid![0],
      }),
    );
    expect(found).toEqual(Object.fromEntries(WITH_BODY.map(({ number, invalid }) => [number, invalid![1]])));
    expect((await script.getDashboard(id)).name).toBe('');
  });

  test('each with a body refuses invalid JSON', async () => {
    const script = await openScript(family);
    const { id } = await script.createDashboard({ restriction_level: 37 });
    const found = await refusals(WITH_BODY, (endpoint) =>
      ask(script, endpoint, {
        key: script.keys[endpoint.scope],
        id,
        body: '{"name": ',
      }),
    );
    expect(found).toEqual(all(WITH_BODY, refusal('E-PARSE')));
  });

  test('a list parameter that is not a number counts as absent', async () => {
    const script = await openScript(family);
    await script.createDashboard();
    const { status, json } = await script.ask(
      'dashboard:read',
      'GET',
      `${script.P}/dashboards/?limit=x&offset=-1`,
    );
    expect([status, json.count, json.results.length]).toEqual([200, 1, 1]);
  });

  test.each(['shop', '12'])('the event %s is refused, as it is not a UUID', async (id) => {
    const script = await openScript(family);
    const answer = await script.ask('query:read', 'GET', `${script.P}/events/${id}/`);
    expect(refusalOf(answer)).toEqual({
      status: 400,
      type: 'validation_error',
      code: 'invalid',
      attr: null,
    });
  });
});
