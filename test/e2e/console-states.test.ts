// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { at, dashboardsIn, sendSales } from '../support/console-dashboards.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let boards: ReturnType<typeof dashboardsIn>;
/** What a test makes the page complain about on purpose. */
let provoked: RegExp | null;

beforeEach(async () => {
  provoked = null;
  view = await openConsole();
  page = view.page;
  boards = dashboardsIn(view);
  await sendSales(view);
});
afterEach(async () => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const complaints = await view.close();
  expect(complaints.filter((text) => !provoked?.test(text))).toEqual([]);
});

async function makeBoard(): Promise<number> {
  return boards.makeDashboard('Weekly', [
    { insight: await boards.makeInsight('Sold'), layouts: at(0, 0, 3, 2) },
    { insight: await boards.makeInsight('By day', 'ActionsLineGraph'), layouts: at(0, 2, 8, 5) },
    { text: { body: '### How to read\n\nOne **line** for each day.' }, layouts: at(8, 2, 4, 5) },
  ]);
}

describe('when the server does not respond, and then does', () => {
  const PLACES = [
    {
      name: 'the list of dashboards',
      path: () => '/dashboards',
      back: () => page.getByRole('link', { name: 'Weekly' }),
    },
    {
      name: 'the list of insights',
      path: () => '/insights',
      back: () => page.getByRole('link', { name: 'Sold' }),
    },
    { name: 'Home', path: () => '/home', back: () => page.getByRole('link', { name: /Weekly/ }) },
    {
      name: 'a dashboard',
      path: (id: number) => `/dashboards/${id}`,
      back: () => page.getByRole('article', { name: 'Sold' }).getByText('3', { exact: true }),
    },
  ];

  test.each(PLACES)('$name says so and is loaded without a click', async ({ path, back }) => {
    provoked = /ERR_|Failed to load/;
    const id = await makeBoard();
    await page.route(/\/api\/projects\/\d+\/(?!burrow\/ingestion)/, (route) => route.abort());
    await page.goto(view.at(path(id)));
    await page.getByText('Burrow is not responding').first().waitFor();
    await page.unroute(/\/api\/projects\/\d+\/(?!burrow\/ingestion)/);
    await back().first().waitFor();
    await expect.poll(() => page.getByText('Burrow is not responding').count()).toBe(0);
  });
});

/** Runs in the page: sums the layout shifts that no input caused, with the elements that moved. */
const OBSERVE_SHIFTS = `
  const shifts = (window.shifts = { sum: 0, nodes: [] });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      shifts.sum += value;
      for (const { node } of sources) shifts.nodes.push(node ? node.nodeName + ' ' + node.className : 'removed');
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

describe('a page with a slow server', () => {
  /** Milliseconds for which each answer is held back, one after the other. */
  const DELAYS = [120, 300, 480];

  /** The sum of the layout shifts that no input caused, as browsers report it. */
  async function shiftOf(
    path: string,
    shown: () => Promise<void>,
  ): Promise<{ sum: number; nodes: string[] }> {
    let asked = 0;
    await page.route(/\/api\//, async (route) => {
      asked += 1;
      await new Promise((resolve) => setTimeout(resolve, DELAYS[asked % DELAYS.length]));
      await route.continue().catch(() => undefined);
    });
    await page.addInitScript({ content: OBSERVE_SHIFTS });
    await page.goto(view.at(path));
    await shown();
    await page.waitForLoadState('networkidle');
    return page.evaluate<{ sum: number; nodes: string[] }>('window.shifts');
  }

  const MOST_SHIFT = 0.05;
  const row = (name: string) => () => page.getByRole('link', { name }).first().waitFor();
  const number = () => page.getByRole('article', { name: 'Sold' }).getByText('3', { exact: true }).waitFor();

  test.each([
    { name: 'a dashboard', path: (id: number) => `/dashboards/${id}`, shown: number },
    { name: 'Home', path: () => '/home', shown: row('Weekly') },
    { name: 'the list of dashboards', path: () => '/dashboards', shown: row('Weekly') },
    { name: 'the list of insights', path: () => '/insights', shown: row('Sold') },
    { name: 'the list of persons', path: () => '/persons', shown: row('person-0@shop.example') },
  ])('$name shifts by less than 0.05, wide and on a phone', async ({ path, shown }) => {
    const id = await makeBoard();
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      const { sum, nodes } = await shiftOf(path(id), shown);
      expect(sum, `${width} wide: ${nodes.join(', ')}`).toBeLessThan(MOST_SHIFT);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
  });
});

test('a viewer sees a dashboard, its insights and the list, and no controls that change them', async () => {
  provoked = /status of 40[13]/;
  const id = await makeBoard();
  await view.ask(boards.apiOf(`dashboards/${id}/`), {
    method: 'PATCH',
    body: { restriction_level: 37, pinned: true },
  });
  const lin = await view.ask<{ personal_api_key: string }>('/api/organizations/@current/members/', {
    method: 'POST',
    body: { email: `lin-${id}-${view.server.projectId}@local.test`, first_name: 'Lin', level: 1 },
  });
  await page.context().clearCookies();
  await page.goto(view.at(`/dashboards/${id}`));
  await page.getByLabel('Personal API key').fill(lin.personal_api_key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('article', { name: 'Sold' }).getByText('3', { exact: true }).waitFor();
  for (const name of [/^Share/, /^Edit/, /^Pin|^Unpin/, /Save as default/])
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  await page.getByRole('button', { name: /^Date range/ }).click();
  await expectSeen(page.getByRole('dialog', { name: 'Date range' }));
  expect(await page.getByRole('button', { name: 'Save as default' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('article', { name: 'Sold' }).hover();
  await page.getByRole('button', { name: 'More options for Sold' }).click();
  await page.getByRole('menuitem', { name: 'Refresh' }).waitFor();
  expect(await page.getByRole('menuitem', { name: /Rename|Date range|Remove|Tile settings/ }).count()).toBe(
    0,
  );
  await page.keyboard.press('Escape');
  await page.getByRole('article', { name: 'Sold' }).getByRole('link', { name: 'Sold' }).click();
  await page.getByRole('button', { name: /^More: save as/ }).waitFor();
  expect(await page.getByRole('button', { name: 'Share' }).count()).toBe(0);
  await page.goto(view.at('/dashboards'));
  await page.getByRole('link', { name: 'Weekly' }).waitFor();
  expect(await page.getByRole('button', { name: 'Weekly is pinned' }).count()).toBe(0);
  expect(await view.violations()).toEqual([]);
});

test('the first click on a button whose tooltip is shown counts, and so does one on what the tooltip covers', async () => {
  await boards.makeDashboard('Gone', []);
  const made = await view.ask<{ id: number }>(boards.apiOf('cohorts/'), {
    method: 'POST',
    body: { name: 'Buyers', is_static: true },
  });
  await view.ask(boards.apiOf(`cohorts/${made.id}/`), { method: 'PATCH', body: { deleted: true } });
  await page.goto(view.at('/cohorts'));
  await page.getByRole('button', { name: 'Deleted cohorts' }).hover();
  const tooltip = page.getByRole('tooltip', { name: 'Deleted cohorts' });
  await tooltip.waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Deleted cohorts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deleted cohorts' });
  await expectSeen(dialog);
  await dialog.getByRole('button', { name: 'Restore Buyers' }).click();
  await page.getByText('Buyers restored').waitFor();
});
