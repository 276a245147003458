import { expect, test } from 'vitest';
import { openTestApp } from '../../../test/support/test-app.ts';
import { organizationDetail, organizationPage } from './organizations.contract.ts';

test('M8.2 the organizations are a page', async () => {
  const app = await openTestApp();
  const page = organizationPage.parse((await app.ask('/api/organizations/')).json);
  expect(page).toMatchObject({ count: 1, next: null, previous: null });
  expect(page.results).toMatchObject([{ name: 'Local', slug: 'local', membership_level: 15 }]);
});

test('M8.2 an organization is returned whole, by @current or its id, in any spelling', async () => {
  const app = await openTestApp();
  const current = (await app.ask('/api/organizations/@current/')).json;
  expect(organizationDetail.parse(current)).toMatchObject({
    slug: 'local',
    projects: [{ id: 1, organization_id: current.id, name: 'Default' }],
    created_at: '2026-11-20T09:30:00.000000Z',
  });
  for (const id of [current.id, current.id.toUpperCase()])
    expect((await app.ask(`/api/organizations/${id}/`)).json).toEqual(current);
});

test.each(['0190f0c1-0000-7000-8000-000000000001', 'local', '@me'])(
  'M8.2 there is no organization %s',
  async (id) => {
    const app = await openTestApp();
    for (const path of ['', 'projects/', 'members/'])
      expect(await app.ask(`/api/organizations/${id}/${path}`)).toMatchObject({
        status: 404,
        json: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
      });
  },
);

test('a key restricted to a project cannot read an organization, one restricted to the organization can', async () => {
  const app = await openTestApp();
  const { id } = (await app.ask('/api/organizations/@current/')).json;
  const keyFor = async (limits: object) => {
    const body = { label: 'a', scopes: ['organization:read'], ...limits };
    return (await app.ask('/api/personal_api_keys/', { method: 'POST', body })).json.value as string;
  };
  const ofProject = await keyFor({ scoped_teams: [1] });
  const ofOrganization = await keyFor({ scoped_organizations: [id] });
  for (const path of ['/api/organizations/', '/api/organizations/@current/', `/api/organizations/${id}/`]) {
    expect(await app.ask(path, { key: ofProject })).toMatchObject({
      status: 403,
      json: { code: 'permission_denied' },
    });
  }
  expect((await app.ask(`/api/organizations/${id}/`, { key: ofOrganization })).status).toBe(200);
  expect((await app.ask('/api/organizations/@current/', { key: ofOrganization })).status).toBe(200);
});
