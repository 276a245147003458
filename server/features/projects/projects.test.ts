import { describe, expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import { currentUser } from '../users/users.contract.ts';
import { projectDetail, projectPage } from './projects.contract.ts';

const CREATE = '/api/organizations/@current/projects/';

function create(app: TestApp, body: object) {
  return app.ask(CREATE, { method: 'POST', body });
}

describe('projects', () => {
  test('the list is a page, in the order of ids', async () => {
    const app = await openTestApp();
    await create(app, { name: 'Shop' });
    const page = projectPage.parse((await app.ask('/api/projects/')).json);
    expect(page).toMatchObject({ count: 2, next: null, previous: null });
    expect(page.results.map(({ id, name }) => [id, name])).toEqual([
      [1, 'Default'],
      [2, 'Shop'],
    ]);
    expect((await app.ask(CREATE)).json).toEqual(page);
  });

  test('a page is followed by the next', async () => {
    const app = await openTestApp();
    await create(app, {});
    const first = (await app.ask('/api/projects/?limit=1')).json;
    expect(first.next).toBe(`${app.url}/api/projects/?limit=1&offset=1`);
    const second = (await app.ask(new URL(first.next).pathname + new URL(first.next).search)).json;
    expect(second).toMatchObject({ count: 2, next: null, previous: `${app.url}/api/projects/?limit=1` });
    expect(second.results[0].id).toBe(2);
  });

  test('a new one has its own token, which captures immediately', async () => {
    const app = await openTestApp();
    const made = await create(app, { name: ' Shop ', timezone: 'Europe/Berlin' });
    expect(made.status).toBe(201);
    const project = projectDetail.parse(made.json);
    expect(project).toMatchObject({ id: 2, name: 'Shop', timezone: 'Europe/Berlin', ingested_event: false });
    expect(project.api_token).toMatch(/^phc_[A-Za-z0-9]{43}$/);
    const event = { api_key: project.api_token, event: 'bought', distinct_id: 'u1' };
    expect((await app.ask('/capture/', { method: 'POST', key: null, body: event })).status).toBe(200);
    expect((await app.ask('/api/projects/2/')).json.ingested_event).toBe(true);
    expect((await app.ask('/api/projects/1/')).json.ingested_event).toBe(false);
  });

  test('one without a name is called Default project', async () => {
    const app = await openTestApp();
    expect((await create(app, {})).json).toMatchObject({ name: 'Default project', timezone: 'UTC' });
  });

  test.each([
    [{ name: '' }, 'blank', 'name'],
    [{ name: null }, 'null', 'name'],
    [{ name: 'x'.repeat(201) }, 'max_length', 'name'],
    [{ timezone: 'Mars/Olympus' }, 'invalid_choice', 'timezone'],
    [{ timezone: '+02:00' }, 'invalid_choice', 'timezone'],
  ])('%j is refused: %s at %s', async (body, code, attr) => {
    const app = await openTestApp();
    expect(await create(app, body)).toMatchObject({ status: 400, json: { code, attr } });
  });

  test('the organization may be named by its id', async () => {
    const app = await openTestApp();
    const { organization } = (await app.ask('/api/projects/1/')).json;
    const made = await app.ask(`/api/organizations/${organization}/projects/`, { method: 'POST', body: {} });
    expect(made.status).toBe(201);
  });

  test('the detail has every key of the contract', async () => {
    const app = await openTestApp();
    const { json } = await app.ask('/api/projects/1/');
    expect(projectDetail.strict().parse(json)).toEqual(json);
  });
});

test('the caller is shown with organization and project', async () => {
  const app = await openTestApp();
  const { json } = await app.ask('/api/users/@me/');
  expect(currentUser.strict().parse(json)).toEqual(json);
  expect(json).toMatchObject({
    first_name: 'Owner',
    organizations: [{ name: 'Local', slug: 'local', membership_level: 15 }],
    team: { id: 1, api_token: TEST_TOKEN },
    organization: { name: 'Local' },
  });
});

describe('the first start', () => {
  test('without keys creates a random token and no personal key', async () => {
    const app = await openTestApp({ config: { projectApiKey: null, personalApiKey: null } });
    expect(app.app.features.projects.find(1)!.apiToken).toMatch(/^phc_[A-Za-z0-9]{43}$/);
    expect(await app.store.db.all('SELECT * FROM personal_api_keys')).toEqual([]);
  });

  test('happens once: later starts change no keys', async () => {
    const { store, app } = await openTestApp();
    const config = { projectApiKey: 'phc_another_token', personalApiKey: 'phx_another_key' };
    const again = await openTestApp({ store, config });
    expect(again.app.features.projects.find(1)).toEqual(app.features.projects.find(1));
    expect((await again.ask('/api/projects/', { key: 'phx_another_key' })).status).toBe(401);
    expect((await again.ask('/api/projects/')).json.count).toBe(1);
  });
});
