// @module-tag browser
import { expect, test } from 'vitest';
import { at, dashboardsIn } from '../support/console-dashboards.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

test('the list shows how many tiles dashboards have and when they were viewed last, and sorts by it', async () => {
  const view = await openConsole();
  const { page } = view;
  const boards = dashboardsIn(view);
  const text = { text: { body: '# Text' }, layouts: at(0, 0, 6, 4) };
  await boards.makeDashboard('Alpha', []);
  const beta = await boards.makeDashboard('Beta', [text, { ...text, layouts: at(6, 0, 6, 4) }]);
  await page.goto(view.at('/dashboards'));
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expectSeen(row('Beta').getByText('2', { exact: true }));
  await expectSeen(row('Beta').getByText('Never'));
  expect(await row('Beta').locator('svg.tile-preview rect').count()).toBe(2);

  await boards.openDashboard(beta);
  await page.getByRole('heading', { name: 'Text' }).first().waitFor();
  await page.goto(view.at('/dashboards?sort=-viewed'));
  await row('Alpha').getByText('Never').waitFor();
  expect(await row('Beta').getByText('Never').count()).toBe(0);
  await expect.poll(() => page.getByRole('row').nth(1).innerText()).toContain('Beta');
  expect(await view.close()).toEqual([]);
});

test('generated dashboards of flags have a choice of their own, and are found by search', async () => {
  const view = await openConsole();
  const { page } = view;
  const boards = dashboardsIn(view);
  await boards.makeDashboard('Weekly', []);
  const flag = {
    key: 'new-nav',
    name: 'new-nav',
    filters: { groups: [{ rollout_percentage: 50, properties: [] }] },
  };
  await view.ask(boards.apiOf('feature_flags/'), { method: 'POST', body: flag });
  await page.goto(view.at('/dashboards'));
  const generated = page.getByRole('link', { name: 'Generated Dashboard: new-nav Usage' });
  await page.getByRole('link', { name: 'Weekly' }).waitFor();
  expect(await generated.count()).toBe(0);
  await page.getByRole('button', { name: 'Generated', exact: true }).click();
  await expectSeen(generated);
  expect(await page.getByRole('link', { name: 'Weekly' }).count()).toBe(0);
  await page.goto(view.at('/dashboards?search=new-nav'));
  await expectSeen(generated);
  expect(await view.close()).toEqual([]);
});
