// @module-tag browser
import { expect, test } from 'vitest';
import { expectSeen } from '../support/expect-seen.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();
const PHONE = { width: 390, height: 844 };

test('a phone has its navigation in a drawer, which closes when a screen was chosen', async () => {
  const view = await openConsole();
  const { page } = view;
  await page.setViewportSize(PHONE);
  await page.goto(view.at('/home'));
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  await menu.click();
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await expectSeen(drawer.getByRole('link', { name: 'Persons' }));
  expect(await view.violations()).toEqual([]);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  expect(await menu.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);

  await menu.click();
  await drawer.getByRole('link', { name: 'Persons' }).click();
  await page.waitForURL(/\/persons$/);
  await drawer.waitFor({ state: 'detached' });
  expect(await view.close()).toEqual([]);
});

test('rows of a list are cards on a phone: the name in full, and below it what the columns say', async () => {
  const view = await openConsole();
  const { page } = view;
  await view.capture(
    ...['ana', 'ben'].map((name) => ({
      event: 'looked',
      distinct_id: name,
      properties: { $set: { email: `${name}.with.a.rather.long.name@example.com`, plan: 'enterprise' } },
    })),
  );
  await page.setViewportSize(PHONE);
  await page.goto(view.at('/persons'));
  const row = page.getByRole('row').filter({ hasText: 'ana.with' });
  await expectSeen(row.getByText('ana.with.a.rather.long.name@example.com').first());
  await expectSeen(row.locator('[data-label="First seen"]'));
  const boxes = await row.getByRole('cell').evaluateAll((cells) =>
    cells
      .map((cell) => cell.getBoundingClientRect())
      .filter(({ width }) => width > 0)
      .map(({ left, right }) => ({ left, right })),
  );
  for (const { left, right } of boxes) {
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(PHONE.width);
  }
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(overflow).toBe(0);
  await row.click();
  await page.waitForURL(/\/persons\/.+/);
  expect(await view.close()).toEqual([]);
});

test('what does not fit into the bar of a phone is in its menu; the main action stays as an icon', async () => {
  const view = await openConsole();
  const { page } = view;
  const dashboard = await view.ask<{ id: number }>(`/api/projects/${view.server.projectId}/dashboards/`, {
    method: 'POST',
    body: { name: 'Everything that the weekly review of the whole company looks at' },
  });
  await page.setViewportSize(PHONE);
  await page.goto(view.at(`/dashboards/${dashboard.id}`));
  const share = page.getByRole('button', { name: 'Share', exact: true });
  await expectSeen(share);
  await expectSeen(page.getByRole('heading', { name: /weekly review/ }));
  const bar = await page.locator('.top-bar').boundingBox();
  expect(bar!.height).toBeLessThan(64);
  expect(await page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0);
  expect(await view.violations()).toEqual([]);
  await page.getByRole('button', { name: /^More/ }).first().click();
  await expectSeen(page.getByRole('menuitem', { name: 'Access…' }));
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  await expectSeen(page.getByRole('textbox', { name: 'Dashboard name' }));
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Dashboard name' }).waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Back to Dashboards' }).click();
  await page.waitForURL(/\/dashboards$/);
  const create = page.getByRole('button', { name: 'New dashboard' });
  expect((await create.boundingBox())!.width).toBeLessThanOrEqual(44);
  await expectSeen(create);
  expect(await page.locator('kbd:visible').count()).toBe(0);
  expect(await view.close()).toEqual([]);
});

test('the query of an insight is a sheet below its chart, which Esc and its button close', async () => {
  const view = await openConsole();
  const { page } = view;
  await view.capture({ event: 'looked' });
  const series = [{ kind: 'EventsNode', event: 'looked' }];
  const insight = await view.ask<{ short_id: string }>(`/api/projects/${view.server.projectId}/insights/`, {
    method: 'POST',
    body: { name: 'Looks', query: { kind: 'InsightVizNode', source: { kind: 'TrendsQuery', series } } },
  });
  await page.setViewportSize(PHONE);
  await page.goto(view.at(`/insights/${insight.short_id}`));
  const chart = page.getByRole('region', { name: 'Chart and series' });
  const open = page.getByRole('button', { name: 'Query', exact: true });
  await open.click();
  const sheet = page.getByRole('region', { name: 'Query', exact: true });
  await expectSeen(sheet);
  await expectSeen(page.getByRole('button', { name: 'Funnels', exact: true }));
  const top = (await sheet.boundingBox())!.y;
  expect((await chart.boundingBox())!.y).toBeLessThan(top - 100);
  expect(await view.violations()).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => sheet.isVisible()).toBe(false);
  expect(await open.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
  await open.click();
  await page.getByRole('button', { name: 'Close query' }).click();
  await expect.poll(() => sheet.isVisible()).toBe(false);

  await page.getByRole('button', { name: /^More/ }).first().click();
  await page.getByRole('menuitem', { name: 'Add to dashboard' }).click();
  await page.getByRole('menuitem', { name: 'Create new dashboard' }).click();
  await page.getByText(/^Added to Looks/).waitFor();
  expect(await view.close()).toEqual([]);
});

test('a query in SQL is a sheet below its result: it runs there, and what else can be done is in its menu', async () => {
  const view = await openConsole();
  const { page } = view;
  await view.capture({ event: 'looked' });
  await page.setViewportSize(PHONE);
  await page.goto(view.at('/sql?q=SELECT%20event%20FROM%20events'));
  const sheet = page.getByRole('region', { name: 'Query', exact: true });
  await sheet.getByRole('textbox', { name: 'HogQL query' }).waitFor();
  await sheet.getByRole('button', { name: 'Run', exact: true }).click();
  const cell = page.getByRole('gridcell', { name: 'looked', exact: true });
  await expectSeen(cell);
  expect((await cell.boundingBox())!.y).toBeLessThan((await sheet.boundingBox())!.y - 40);
  expect(await page.locator('kbd:visible').count()).toBe(0);
  expect(await view.violations()).toEqual([]);

  await sheet.getByRole('button', { name: /^More/ }).click();
  await expectSeen(page.getByRole('menuitem', { name: 'Insert parameter' }));
  await page.getByRole('menuitem', { name: 'Show tables' }).click();
  const tables = page.getByRole('region', { name: 'Tables, properties and functions' });
  await expectSeen(tables);
  await tables.getByRole('button', { name: 'Close schema and history' }).click();

  await sheet.getByRole('button', { name: 'Close query' }).click();
  await expect.poll(() => sheet.isVisible()).toBe(false);
  const open = page.getByRole('button', { name: 'Query', exact: true });
  await open.click();
  await expectSeen(sheet);
  await page.keyboard.press('Escape');
  await expect.poll(() => sheet.isVisible()).toBe(false);
  expect(await open.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
  expect(await view.close()).toEqual([]);
});

test('zoomed to 400 % the page scrolls to the rows of a list, which keep a height to be read in', async () => {
  const view = await openConsole();
  const { page } = view;
  const names = Array.from({ length: 20 }, (_, at) => `person-${at}`);
  await view.capture(
    ...names.map((id) => ({ event: 'looked', distinct_id: id, properties: { $set: { id } } })),
  );
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto(view.at('/persons'));
  const row = page.getByRole('row').filter({ hasText: 'person-7' }).first();
  await row.scrollIntoViewIfNeeded();
  await expectSeen(row.getByRole('link'));
  const list = await page.locator('.data-table').boundingBox();
  expect(list!.height).toBeGreaterThan(150);
  expect(await view.close()).toEqual([]);
});
