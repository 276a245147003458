// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openNew, sendShop, TREND } from '../support/console-insights.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
});
afterEach(async () => expect(await view.close()).toEqual([]));

const project = () => view.ask<Record<string, unknown>>(`/api/projects/${view.server.projectId}/`);
const saved = (text: string) => page.getByText(text, { exact: true }).first().waitFor();
async function lookAt(name: string): Promise<void> {
  expect(await view.violationsInEveryLook(name, [1440, 390])).toEqual([]);
  expect(await page.evaluate<boolean>('document.body.scrollWidth > innerWidth')).toBe(false);
}

test('an insight with the switch on and no filters links to the page where they are set, and then counts less', async () => {
  await sendShop(view);
  await view.capture({ event: 'looked', properties: { $host: 'localhost:3000' } });
  await openNew(view, { ...TREND, filterTestAccounts: true });
  const total = () => page.getByRole('table', { name: 'Series' }).getByRole('row', { name: /looked/ });
  await total().getByText('37', { exact: true }).waitFor();
  await page.getByText('No test account filters are configured, so this has no effect.').waitFor();
  const address = page.url();
  await page.getByRole('link', { name: 'Set up filters' }).click();
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await page.getByText('No filters yet: the option has no effect.').waitFor();
  await page.getByRole('button', { name: 'Exclude localhost' }).click();
  await saved('Filters saved');
  await page.getByRole('button', { name: /^Add filter/ }).waitFor();
  await lookAt('settings-test-accounts');
  expect(await project()).toMatchObject({
    test_account_filters: [{ type: 'event', key: '$host', operator: 'not_regex' }],
  });

  await page.goto(address);
  await total().getByText('36', { exact: true }).waitFor();
  expect(await page.getByText('No test account filters are configured').count()).toBe(0);
});

test('capture settings are changed, and shown after a reload', async () => {
  await page.goto(view.at('/settings/capture'));
  const autocapture = page.getByRole('switch', { name: 'Autocapture', exact: true });
  await expect.poll(() => autocapture.getAttribute('aria-checked')).toBe('true');
  await autocapture.click();
  await expect.poll(() => autocapture.getAttribute('aria-checked')).toBe('false');
  const ips = page.getByRole('switch', { name: 'Discard client IP data' });
  await ips.click();
  await expect.poll(() => ips.getAttribute('aria-checked')).toBe('true');
  await expect.poll(project).toMatchObject({ autocapture_opt_out: true, anonymize_ips: true });
  await page.reload();
  await expect.poll(() => ips.getAttribute('aria-checked')).toBe('true');
  await lookAt('settings-capture');
});

test('week start, time zone and display names are set, and settings without an effect are listed', async () => {
  await page.goto(view.at('/settings/general'));
  await page.getByRole('button', { name: 'Week starts on: Sunday' }).click();
  await page.getByRole('menuitemradio', { name: 'Monday' }).click();
  await page.getByRole('button', { name: 'Week starts on: Monday' }).waitFor();
  await page.getByLabel('Time zone').selectOption('Europe/Berlin');
  await page.getByRole('button', { name: 'Save time zone' }).click();
  await expect.poll(project).toMatchObject({ timezone: 'Europe/Berlin', week_start_day: 1 });
  await page.getByLabel('Person properties, separated by commas').fill('nick, email');
  await page.getByRole('button', { name: 'Save display name' }).click();
  await expect.poll(project).toMatchObject({ person_display_name_properties: ['nick', 'email'] });
  await page.getByText('recording_domains', { exact: true }).waitFor();
  await lookAt('settings-general');

  await view.capture({
    event: 'signed up',
    distinct_id: 'u-1',
    properties: { $set: { nick: 'Kestrel', name: 'Ana', email: 'ana@reyes-studio.example' } },
  });
  await page.goto(view.at('/persons'));
  await page.getByText('Kestrel').first().waitFor();
});

test('the user’s first name is changed, and shown from then on', async () => {
  await page.goto(view.at('/settings/profile'));
  await page.getByLabel('First name').fill('Marisol');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await saved('Name saved');
  await lookAt('settings-profile');
  expect(await view.ask('/api/users/@me/')).toMatchObject({ first_name: 'Marisol' });
});

test('the measured web vitals and the survey defaults are set, and SDKs read them', async () => {
  await view.ask(`/api/projects/${view.server.projectId}/`, {
    method: 'PATCH',
    body: { autocapture_web_vitals_opt_in: true },
  });
  await page.goto(view.at('/settings/capture'));
  await page.getByRole('switch', { name: 'Cumulative layout shift' }).click();
  await expect
    .poll(async () => (await project())['autocapture_web_vitals_allowed_metrics'])
    .toEqual(['LCP', 'FCP', 'INP']);
  const field = page.getByLabel('Survey defaults as JSON');
  await field.fill('[1]');
  await page.getByRole('button', { name: 'Save survey defaults' }).click();
  await expectSeen(page.getByText('The survey defaults could not be saved: Enter a JSON object.'));
  await field.fill('{"appearance": {"position": "left"}}');
  await page.getByRole('button', { name: 'Save survey defaults' }).click();
  await expect
    .poll(async () => (await project())['survey_config'])
    .toEqual({ appearance: { position: 'left' } });
  await lookAt('settings-capture-vitals');
  const response = await fetch(`${view.server.url}/array/${view.server.projectApiKey}/config`);
  expect(await response.json()).toMatchObject({
    capturePerformance: { web_vitals: true, web_vitals_allowed_metrics: ['LCP', 'FCP', 'INP'] },
    survey_config: { appearance: { position: 'left' } },
  });
});
