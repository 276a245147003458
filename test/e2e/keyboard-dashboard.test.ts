// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
  await view.capture({ event: 'bought' }, { event: 'bought' });
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

async function make(path: string, body: object): Promise<number> {
  const address = `/api/projects/${view.server.projectId}/${path}`;
  return (await view.ask<{ id: number }>(address, { method: 'POST', body })).id;
}

/** A dashboard with one chart of the last days; returns its id. */
async function openChart(more: object = {}): Promise<number> {
  const source = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'bought' }],
    dateRange: { date_from: '-7d' },
    ...more,
  };
  const id = await make('dashboards/', { name: 'Board' });
  await make('insights/', {
    name: 'Sold',
    saved: true,
    query: { kind: 'InsightVizNode', source },
    dashboards: [id],
  });
  await page.goto(view.at(`/dashboards/${id}`));
  await page.getByRole('article', { name: 'Sold' }).getByRole('slider').waitFor();
  return id;
}

interface Stored {
  filters: { properties?: unknown };
  tiles: { insight: { name: string } | null }[];
}

const stored = (id: number): Promise<Stored> =>
  view.ask(`/api/projects/${view.server.projectId}/dashboards/${id}/`);

test('by keyboard alone the HogQL of a tile is read, copied, and opened in SQL; closed, the focus is on the tile’s menu again', async () => {
  await openChart();
  await keys.pick('More options for Sold', 'View HogQL');
  const dialog = page.getByRole('dialog', { name: 'HogQL of Sold' });
  const hogql = (await dialog.getByRole('region', { name: 'HogQL of the tile, 1' }).textContent())!;
  expect(hogql).toMatch(/^SELECT[^]*bought/i);
  await keys.enter('Copy HogQL');
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(hogql);
  expect(await view.violations()).toEqual([]);
  await keys.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect
    .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
    .toBe('More options for Sold');

  await keys.press('Shift+Tab');
  await keys.pick('More options for Sold', 'View HogQL');
  await keys.enter('Open in SQL editor');
  await page.waitForURL((url) => url.pathname.endsWith('/sql') && url.searchParams.get('q') === hogql);
});

test('by keyboard alone each statement of a comparing tile is opened in SQL, where it runs', async () => {
  const before = new Date(Date.now() - 10 * 86_400_000).toISOString();
  await view.capture({ event: 'bought', timestamp: before });
  await openChart({ compareFilter: { compare: true } });
  await keys.pick('More options for Sold', 'View HogQL');
  const hogql = page.getByRole('region', { name: /^HogQL of the tile/ });
  await hogql.first().waitFor();
  await expect.poll(() => hogql.count()).toBe(2);
  const last = (await hogql.last().textContent())!.trim();
  await keys.tabTo('HogQL of the tile, 2');
  await keys.enter('Open in SQL editor');
  await page.waitForURL((url) => url.searchParams.get('q') === last);
  await page.getByRole('button', { name: /^Run/ }).waitFor();
  await keys.press('Control+Enter');
  await page.getByRole('columnheader', { name: /number_0/ }).waitFor();
});

test('a line is dashed from the last complete day to today, which is labeled as incomplete', async () => {
  await openChart();
  const sold = page.getByRole('article', { name: 'Sold' });
  await sold.locator('path.unfinished').waitFor({ state: 'attached' });
  await expect.poll(() => sold.locator('path.unfinished').count()).toBe(1);
  await keys.tabTo(/^Chart of/);
  await keys.press('ArrowRight');
  const said = () => sold.getByRole('slider').getAttribute('aria-valuetext');
  await expect.poll(said).toContain('still in progress');
  await sold.getByText('This interval is still in progress.').waitFor();
  await keys.press('ArrowLeft');
  await expect.poll(said).not.toContain('still in progress');
  expect(await sold.getByText('This interval is still in progress.').count()).toBe(0);
});

test('a bar of today is drawn as unfinished, and is labeled as incomplete', async () => {
  await openChart({ trendsFilter: { display: 'ActionsBar' } });
  const sold = page.getByRole('article', { name: 'Sold' });
  await sold.locator('rect.unfinished').waitFor({ state: 'attached' });
  await expect.poll(() => sold.locator('rect.unfinished').count()).toBe(1);
  await keys.tabTo(/^Chart of/);
  await keys.press('End');
  await sold.getByText('This interval is still in progress.').waitFor();
});

test('the area of today is drawn as unfinished', async () => {
  await openChart({ trendsFilter: { display: 'ActionsAreaGraph' } });
  const sold = page.getByRole('article', { name: 'Sold' });
  await sold.locator('path.area.unfinished').waitFor({ state: 'attached' });
  await expect.poll(() => sold.locator('path.area').count()).toBe(2);
});

test('by keyboard alone a tile is moved to another dashboard, and moved back', async () => {
  const to = await make('dashboards/', { name: 'Elsewhere' });
  await openChart();
  await keys.pick('More options for Sold', 'Move to dashboard…');
  const others = page.getByRole('dialog');
  await others.getByRole('button', { name: 'Elsewhere' }).waitFor();
  await keys.enter('Elsewhere');
  await page.getByText('Sold moved to Elsewhere').waitFor();
  expect((await stored(to)).tiles).toMatchObject([{ insight: { name: 'Sold' } }]);
  await keys.enter('Undo');
  await page.getByRole('article', { name: 'Sold' }).waitFor();
  await expect.poll(async () => (await stored(to)).tiles).toEqual([]);
});

test('by keyboard alone a dashboard is filtered, and the filter saved as default', async () => {
  await view.capture({ event: 'bought', properties: { country: 'Norway' } });
  const id = await openChart();
  await keys.press('f');
  await keys.type('country');
  await keys.choose(/country/);
  await keys.choose(/^is$/);
  await keys.type('Norway');
  await keys.choose(/^Norway/);
  await page.waitForURL(/filters=/);
  await page.getByRole('button', { name: 'Save as default' }).waitFor();
  await keys.enter('Save as default');
  await page.waitForURL((url) => !url.search.includes('filters='));
  await expect
    .poll(async () => (await stored(id)).filters.properties)
    .toMatchObject([{ key: 'country', value: 'Norway' }]);
});
