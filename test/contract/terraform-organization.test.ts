import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { addMember } from '../support/members.ts';
import { openTestApp } from '../support/test-app.ts';
import { createTerraform } from './terraform-client.ts';

const organization = z.object({ id: z.string(), name: z.string(), slug: z.string() });
const project = z.object({
  id: z.int(),
  uuid: z.string().nullish(),
  organization: z.string(),
  api_token: z.string(),
  name: z.string(),
  timezone: z.string().nullish(),
});

async function open() {
  const app = await openTestApp();
  const terraform = createTerraform(app);
  const { id } = (await terraform.read('/api/organizations/@current/', organization))!;
  return { app, terraform, organizationPath: `/api/organizations/${id}/` };
}

test('organization: listed, the current one, and by its id', async () => {
  const { terraform, organizationPath } = await open();
  const all = await terraform.readAll('/api/organizations/', organization);
  expect(all).toHaveLength(1);
  expect(await terraform.read('/api/organizations/@current/', organization)).toEqual(all[0]);
  expect(await terraform.read(organizationPath, organization)).toEqual(all[0]);
});

test('project: created, read, planned without a change, renamed, deleted, and then a 404', async () => {
  const { app, terraform, organizationPath } = await open();
  const wanted = { name: 'Shop', timezone: 'Europe/Brussels' };
  const made = await terraform.write('POST', `${organizationPath}projects/`, wanted, project);
  expect(made).toMatchObject(wanted);
  expect(made.api_token).toMatch(/^phc_/);
  const path = `${organizationPath}projects/${made.id}/`;
  expect(await terraform.read(path, project)).toEqual(made);
  expect(await terraform.readAll(`${organizationPath}projects/?limit=1`, project)).toHaveLength(2);
  const changed = { name: 'Shop of shoes', timezone: 'UTC' };
  expect(await terraform.write('PATCH', path, changed, project)).toEqual({ ...made, ...changed });
  await app.ask(`/api/projects/${made.id}/dashboards/`, { method: 'POST', body: { name: 'Goes along' } });
  await terraform.writeEmpty('DELETE', path);
  expect(await terraform.read(path, project)).toBeNull();
  expect((await app.ask(`/api/projects/${made.id}/dashboards/`)).status).toBe(404);
  expect(await terraform.readAll(`${organizationPath}projects/`, project)).toHaveLength(1);
});

test('project settings: written one by one, read, and echoed, known or not', async () => {
  const { terraform } = await open();
  const settings = z.record(z.string(), z.unknown());
  const path = '/api/environments/1/';
  const before = (await terraform.read(path, settings))!;
  const wanted = {
    autocapture_opt_out: true,
    autocapture_exceptions_opt_in: true,
    autocapture_web_vitals_opt_in: true,
    capture_console_log_opt_in: true,
    capture_performance_opt_in: true,
    session_recording_opt_in: true,
    heatmaps_opt_in: true,
    surveys_opt_in: true,
    anonymize_ips: true,
    timezone: 'Asia/Tokyo',
    app_urls: ['https://shop.example'],
    recording_domains: ['https://shop.example'],
    test_account_filters: [
      { key: 'email', type: 'person', operator: 'not_icontains', value: '@shop.example' },
    ],
    week_start_day: 1,
    person_display_name_properties: ['email'],
    a_setting_of_tomorrow: { nested: [1, 'two', null] },
  };
  for (const [name, value] of Object.entries(wanted)) {
    const answer = await terraform.write('PATCH', path, { [name]: value }, settings);
    expect(answer[name], name).toEqual(value);
  }
  expect(await terraform.read(path, settings)).toEqual({
    ...before,
    ...wanted,
    updated_at: expect.any(String),
  });
});

describe('organization member', () => {
  const member = z.object({
    id: z.string(),
    user: z.object({ id: z.int().nullish(), uuid: z.string(), email: z.string(), first_name: z.string() }),
    level: z.int(),
    joined_at: z.string(),
  });

  test('found by email, read, changed to another level, and removed', async () => {
    const { app, terraform, organizationPath } = await open();
    const path = `${organizationPath}members/`;
    for (const name of ['ada', 'bea', 'cleo']) await addMember(app, `${name}@local.test`);
    const all = await terraform.readAll(`${path}?limit=2`, member);
    expect(all).toHaveLength(4);
    const found = all.find(({ user }) => user.email === 'bea@local.test')!;
    const one = `${path}${found.user.uuid}/`;
    expect(await terraform.read(one, member)).toEqual(found);
    expect(found.level).toBe(1);
    expect(await terraform.write('PATCH', one, { level: 8 }, member)).toEqual({ ...found, level: 8 });
    expect(await terraform.write('PATCH', one, { level: 8 }, member)).toEqual({ ...found, level: 8 });
    expect((await terraform.read(one, member))!.level).toBe(8);
    await terraform.writeEmpty('DELETE', one);
    expect(await terraform.read(one, member)).toBeNull();
    expect(await terraform.readAll(path, member)).toHaveLength(3);
  });
});
