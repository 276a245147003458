// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;
/** What a test makes the page complain about on purpose. */
let provoked: RegExp | null = null;

afterEach(async () => {
  const complaints = await view.close();
  expect(complaints.filter((text) => !provoked?.test(text))).toEqual([]);
  provoked = null;
});

const apiOf = (rest: string) => `/api/projects/${view.server.projectId}/${rest}`;
const at = (x: number, y: number, w: number, h: number) => ({ sm: { x, y, w, h } });
const post = async (path: string, body: object) =>
  (await view.ask<{ id: number }>(apiOf(path), { method: 'POST', body })).id;

async function open(): Promise<void> {
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
  await view.capture({ event: 'bought' }, { event: 'bought' }, { event: 'bought' });
}

async function makeDashboard(name: string, tiles: readonly object[]): Promise<number> {
  const id = await post('dashboards/', { name });
  await view.ask(apiOf(`dashboards/${id}/`), { method: 'PATCH', body: { tiles } });
  return id;
}

/** The number of purchases. */
function makeInsight(name: string): Promise<number> {
  const source = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'bought' }],
    dateRange: { date_from: '-7d' },
    trendsFilter: { display: 'BoldNumber' },
  };
  return post('insights/', { name, saved: true, query: { kind: 'InsightVizNode', source } });
}

test('in TV mode it fills the page, in its theme; Esc returns to the console', async () => {
  await open();
  const id = await makeDashboard('Wall', [{ insight: await makeInsight('Sold'), layouts: at(0, 0, 4, 3) }]);
  await page.goto(view.at(`/dashboards/${id}?kiosk&theme=dark&refresh=30`));
  await page.getByRole('article', { name: 'Sold' }).getByText('3', { exact: true }).waitFor();
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
  expect(await view.violations()).toEqual([]);
  await page.goto(view.at(`/dashboards/${id}?kiosk&theme=light&refresh=30`));
  await page.getByRole('article', { name: 'Sold' }).getByText('3', { exact: true }).waitFor();
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('light');
  expect(await view.violations()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBeNull();
});

test('TV mode skips a missing dashboard, and shows new tiles', async () => {
  await open();
  provoked = /status of 404/;
  const text = (body: string) => ({ text: { body }, layouts: at(0, 0, 4, 3) });
  const first = await makeDashboard('First', [text('# One')]);
  const last = await makeDashboard('Last', [text('# Three')]);
  const list = [first, 999_999, last].join();
  await page.goto(view.at(`/dashboards/${first}?kiosk&refresh=5&playlist=${list}`));
  await page.getByText('Dashboard not found').waitFor();
  await page.getByRole('heading', { name: 'Three' }).waitFor();
  await page.goto(view.at(`/dashboards/${last}?kiosk&refresh=5`));
  await page.getByRole('heading', { name: 'Three' }).waitFor();
  const tiles = [{ text: { body: '# Come later' }, layouts: at(4, 0, 4, 3) }];
  await view.ask(apiOf(`dashboards/${last}/`), { method: 'PATCH', body: { tiles } });
  await page.getByRole('heading', { name: 'Come later' }).waitFor();
  await expect.poll(() => page.getByRole('article').count()).toBe(2);
});

test('TV mode of several dashboards is set up by keyboard: order, interval and theme', async () => {
  await open();
  const text = (body: string) => [{ text: { body }, layouts: at(0, 0, 4, 3) }];
  const first = await makeDashboard('First', text('# One'));
  const next = await makeDashboard('Next', text('# Two'));
  await page.goto(view.at(`/dashboards/${first}`));
  await page.getByRole('heading', { name: 'One' }).waitFor();
  await keys.enter(/^More: TV/);
  await page.getByRole('menuitem', { name: 'TV mode…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'TV mode' });
  await keys.tabTo('Show Next');
  await keys.press('Space');
  await keys.enter('Move Next up');
  await keys.fill('Seconds per page', '6');
  await keys.fill('Seconds between refreshes', 'x');
  await expectSeen(dialog);
  await expectSeen(dialog.getByText('At least 5 seconds'));
  expect(await dialog.getByRole('button', { name: 'Open' }).isEnabled()).toBe(false);
  await keys.fill('Seconds between refreshes', '90');
  await keys.enter('Dark');
  expect(await view.violationsInEveryLook('dashboard-wall')).toEqual([]);
  await keys.enter('Copy TV mode link');
  const link = new URL(await page.evaluate<string>('navigator.clipboard.readText()'));
  expect(Object.fromEntries(link.searchParams)).toEqual({
    kiosk: '',
    playlist: `${next},${first}`,
    seconds: '6',
    refresh: '90',
    theme: 'dark',
  });
  await keys.enter('Open');
  await page.getByRole('heading', { name: 'Two' }).waitFor();
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  await page.getByRole('heading', { name: 'One' }).waitFor();
  expect(page.url()).toContain(link.search);
  await page.keyboard.press('Escape');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});

test('on a wall a long dashboard is shown in pages by name: type from 20 px, and no tile below the edge', async () => {
  await open();
  const section = (body: string, y: number) => ({
    text: { body: `## ${body}` },
    layouts: at(0, y, 12, 1),
    transparent_background: true,
  });
  const line = {
    kind: 'InsightVizNode',
    source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'bought' }], interval: 'day' },
  };
  const chart = await post('insights/', { name: 'By day', saved: true, query: line });
  const id = await makeDashboard('Wall', [
    section('Growth', 0),
    { insight: await makeInsight('Sold'), layouts: at(0, 1, 3, 2) },
    { insight: chart, layouts: at(0, 3, 8, 5) },
    section('Payments', 8),
    { insight: await makeInsight('Paid'), layouts: at(0, 9, 12, 14) },
  ]);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto(view.at(`/dashboards/${id}?kiosk&seconds=3600`));
  const tile = (name: string) => page.getByRole('article', { name, exact: true });
  await tile('By day').getByRole('slider').waitFor();
  await expectSeen(page.getByText('1 Growth'));
  await expectSeen(page.getByText('2 Payments'));
  await expectSeen(page.getByText(/^Next page in/));
  expect(await smallestType()).toBeGreaterThanOrEqual(20);
  expect(await lowestTile()).toBeLessThanOrEqual(1080);
  expect(await tile('Paid').count()).toBe(0);

  await page.keyboard.press('ArrowRight');
  await tile('Paid').getByText('3', { exact: true }).waitFor();
  expect(await tile('Sold').count()).toBe(0);
  expect(await lowestTile()).toBeLessThanOrEqual(1080);
  expect(await view.violations()).toEqual([]);
});

test('pages of a wall follow each other by themselves, and the first follows the last', async () => {
  await open();
  const id = await makeDashboard('Wall', [
    { text: { body: '# One' }, layouts: at(0, 0, 12, 9) },
    { text: { body: '# Two' }, layouts: at(0, 9, 12, 9) },
  ]);
  await page.goto(view.at(`/dashboards/${id}?kiosk&seconds=5`));
  for (const name of ['One', 'Two', 'One'])
    await expectSeen(page.getByRole('main').getByRole('heading', { name }));
});

/** The size of the smallest text that is shown, in pixels of the screen. */
function smallestType(): Promise<number> {
  return page.evaluate<number>(`Math.min(...[...document.querySelectorAll('.kiosk *')]
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
    .filter((one) => !one.closest('.visually-hidden') && one.getClientRects().length > 0)
    .map((one) => parseFloat(getComputedStyle(one).fontSize) * (one.currentCSSZoom ?? 1)))`);
}

/** The lower edge of the lowest tile, in pixels of the screen. */
function lowestTile(): Promise<number> {
  return page.evaluate<number>(
    `Math.max(...[...document.querySelectorAll('.kiosk .tile')].map((one) => one.getBoundingClientRect().bottom))`,
  );
}
