// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { openContext, openPage, type OpenConsole } from '../support/console.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareBrowser } from '../support/shared-console.ts';
import { violationsInEveryLook } from '../support/violations.ts';

const openConsole = shareBrowser();

let view: OpenConsole;
let complaints: string[] = [];
let others: Page[] = [];

afterEach(async () => {
  await Promise.all(others.map((page) => page.context().close()));
  expect([...complaints, ...(await view.close())]).toEqual([]);
  [complaints, others] = [[], []];
});

interface Stored {
  id: number;
  filters: object;
}

const apiOf = (rest: string) => `/api/projects/${view.server.projectId}/${rest}`;
const stored = async (id: number) => (await view.ask<Stored>(apiOf(`dashboards/${id}/`))).filters;
const FILTERS = {
  date_from: '-7d',
  properties: [
    { key: 'plan', type: 'event', operator: 'exact', value: ['pro'] },
    { key: 'email', type: 'person', operator: 'is_not_set', value: 'is_not_set' },
  ],
};

/** A dashboard that only its collaborators may edit, of two purchases of plan pro and one of plan free. */
async function makeDashboard(): Promise<number> {
  view = await openConsole();
  await view.capture(...['pro', 'pro', 'free'].map((plan) => ({ event: 'bought', properties: { plan } })));
  const query = {
    kind: 'InsightVizNode',
    source: {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'bought' }],
      trendsFilter: { display: 'BoldNumber' },
    },
  };
  const { id } = await view.ask<Stored>(apiOf('dashboards/'), {
    method: 'POST',
    body: { name: 'Sales', filters: FILTERS, restriction_level: 37 },
  });
  await view.ask(apiOf('insights/'), { method: 'POST', body: { name: 'Bought', query, dashboards: [id] } });
  return id;
}

/** A browser without session here. */
async function openGuest(): Promise<Page> {
  const context = await openContext(view.page.context().browser()!, view.server.url, (text) => {
    if (!/status of 401/.test(text)) complaints.push(text);
  });
  const page = await openPage(context);
  others.push(page);
  return page;
}

test('viewers change dates and conditions for themselves, when the owner allows it', async () => {
  const id = await makeDashboard();
  const { page } = view;
  await page.goto(view.at(`/dashboards/${id}`));
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: /^Share / });
  await sheet.getByRole('switch', { name: 'Anyone with the link can view' }).click();
  const shown = sheet.getByText(/\/shared\//).first();
  await shown.waitFor();
  const url = await shown.innerText();

  const guest = await openGuest();
  const answered = (count: string) => guest.locator('.answer').getByText(count, { exact: true }).waitFor();
  const group = guest.getByRole('region', { name: 'Dates and filters (only for you)' });
  await guest.goto(url);
  await answered('2');
  expect(await group.count()).toBe(0);

  const allows = sheet.getByRole('switch', { name: 'Viewers can change dates and filters' });
  await allows.click();
  await sheet.getByText('Changes apply to the viewer only and are not saved').waitFor();
  expect(await view.violations()).toEqual([]);

  await guest.reload();
  const values = guest.getByRole('textbox', { name: 'Values of plan, separated by commas' });
  await values.fill('free');
  await values.press('Enter');
  await answered('1');
  expect(await group.getByText('email').count()).toBe(0);
  await guest.reload();
  await answered('1');
  const keys = keyboardOf(guest);
  await keys.enter('Remove filter plan');
  await answered('3');
  await guest.getByRole('button', { name: /Last 7 days/ }).click();
  await guest.getByText('Yesterday', { exact: true }).click();
  await guest.locator('.answer').getByText('3', { exact: true }).waitFor({ state: 'detached' });
  expect(new URL(guest.url()).searchParams.get('filters')).toContain('-1dStart');
  await guest.getByRole('button', { name: 'Reset' }).click();
  await answered('2');
  expect(await stored(id)).toEqual(FILTERS);
  expect(await violationsInEveryLook(guest, 'shared-filters')).toEqual([]);

  // An address with a filter, kept from before it was forbidden.
  await values.fill('free');
  await values.press('Enter');
  await answered('1');
  await allows.click();
  await sheet.getByText('Changes apply to the viewer only and are not saved').waitFor({ state: 'detached' });
  await guest.reload();
  await answered('2');
  expect(await group.count()).toBe(0);
});

test('by keyboard alone: the owner allows viewers to filter, and a viewer does', async () => {
  const id = await makeDashboard();
  const { page } = view;
  const owner = keyboardOf(page);
  await page.goto(view.at(`/dashboards/${id}`));
  await page.getByRole('button', { name: 'Share', exact: true }).waitFor();
  await owner.enter('Share');
  await owner.tabTo('Anyone with the link can view');
  await owner.press('Space');
  const shown = page.getByText(/\/shared\//).first();
  await shown.waitFor();
  await owner.tabTo('Viewers can change dates and filters');
  await owner.press('Space');
  await page.getByText('Changes apply to the viewer only and are not saved').waitFor();

  const guest = await openGuest();
  const keys = keyboardOf(guest);
  const answered = (count: string) => guest.locator('.answer').getByText(count, { exact: true });
  await guest.goto(await shown.innerText());
  await answered('2').waitFor();
  await keys.fill('Values of plan, separated by commas', 'free');
  await keys.press('Enter');
  await answered('1').waitFor();
  await keys.enter(/Last 7 days/);
  await keys.enter('Yesterday');
  await answered('1').waitFor({ state: 'detached' });
  expect(new URL(guest.url()).searchParams.get('filters')).toContain('-1dStart');
  await keys.enter('Reset');
  await answered('2').waitFor();
  expect(await stored(id)).toEqual(FILTERS);
});

test('a member with view access changes filters temporarily, and they are not stored', async () => {
  const id = await makeDashboard();
  const added = await view.ask<{ personal_api_key: string }>('/api/organizations/@current/members/', {
    method: 'POST',
    body: { first_name: 'Lin', email: 'lin@paperboat.example' },
  });
  const page = await openGuest();
  await page.goto(view.at(`/dashboards/${id}`));
  await page.getByLabel('Personal API key').fill(added.personal_api_key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const tile = page.getByRole('article', { name: 'Bought' });
  await tile.getByText('2', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /^Edit/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Remove filter plan is pro' }).click();
  await tile.getByText('3', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Save as default' }).count()).toBe(0);
  await page.reload();
  await tile.getByText('3', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Reset' }).click();
  await tile.getByText('2', { exact: true }).waitFor();
  expect(await stored(id)).toEqual(FILTERS);
});
