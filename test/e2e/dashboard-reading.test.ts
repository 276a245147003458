// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { at, dashboardsIn, sendSales, type StoredDashboard } from '../support/console-dashboards.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen, toastOf } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;
let boards: ReturnType<typeof dashboardsIn>;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
  boards = dashboardsIn(view);
  await sendSales(view);
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const article = (name: string) => page.getByRole('article', { name, exact: true });

/** A dashboard with a number, a line and a number with its own range; all are of the last 7 days by themselves. */
async function openBoard(): Promise<number> {
  const tiles = [
    { insight: await boards.makeInsight('Sold'), layouts: at(0, 0, 4, 3) },
    { insight: await boards.makeInsight('By day', 'ActionsLineGraph'), layouts: at(4, 0, 8, 5) },
    {
      insight: await boards.makeInsight('This year'),
      layouts: at(0, 3, 4, 3),
      filters_overrides: { date_from: 'yStart' },
    },
  ];
  const id = await boards.makeDashboard('Weekly', tiles);
  await boards.openDashboard(id);
  await article('Sold').getByText('3', { exact: true }).waitFor();
  return id;
}

const dates = () => page.getByRole('dialog', { name: 'Date range' });
const openDates = () => page.getByRole('button', { name: /^Date range:/ }).click();

test('every tile shows its interval, dates and time zone; its own range is marked', async () => {
  await openBoard();
  await expectSeen(article('Sold').getByText('last 7 days, UTC'));
  await expectSeen(article('By day').getByText('per day, last 7 days, UTC'));
  await expectSeen(article('This year').getByText('this year, UTC'));
  expect(await article('This year').getByText('Own date range:').count()).toBe(1);
  expect(await article('Sold').getByText('Own date range:').count()).toBe(0);
  expect(await view.violationsInEveryLook('dashboard-dates', [1440, 390])).toEqual([]);
});

test('the date range opens a picker that names what it overrides; a preset applies immediately to all but own ranges', async () => {
  const id = await openBoard();
  await openDates();
  await expectSeen(dates());
  await expectSeen(dates().getByText('Overrides the ranges of 2 tiles while you look.'));
  await expectSeen(dates().getByText('has its own range and keeps it.'));
  expect(await dates().getByRole('grid').count()).toBe(2);
  await dates().getByRole('button', { name: 'Last 90 days' }).click();
  await expectSeen(article('By day').getByText('per day, last 90 days, UTC'));
  await expectSeen(article('Sold').getByText('last 90 days, UTC'));
  await expectSeen(article('This year').getByText('this year, UTC'));
  expect((await boards.stored(id)).filters).toEqual({});
  await openDates();
  await dates().getByRole('button', { name: 'No date override' }).click();
  await expectSeen(article('Sold').getByText('last 7 days, UTC'));
});

test('by keyboard alone two days are typed, applied, and saved as default for all users', async () => {
  const id = await openBoard();
  await keys.enter('Date range: No date override');
  await keys.fill('From', '2026-10-26');
  await keys.fill('To', '2026-11-08');
  await expectSeen(dates().getByText('14 days', { exact: true }));
  await keys.press('Enter');
  await expectSeen(article('Sold').getByText('26 Oct to 8 Nov, UTC'));
  expect((await boards.stored(id)).filters).toEqual({});
  await keys.enter(/^Date range: 26 Oct/);
  await keys.enter('Save as default');
  await expect
    .poll(async () => (await boards.stored(id)).filters)
    .toMatchObject({ date_from: '2026-10-26', date_to: '2026-11-08' });
  await page.reload();
  await expectSeen(article('Sold').getByText('26 Oct to 8 Nov, UTC'));
});

test('a tile gets its own date range from its menu, and loses it again', async () => {
  const id = await openBoard();
  const choose = async (name: string) => {
    await keys.pick('More options for Sold', 'Date range of this tile…');
    const dialog = page.getByRole('dialog', { name: 'Date range of Sold' });
    await expectSeen(dialog);
    await dialog.getByRole('button', { name }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  const own = async () =>
    (
      await view.ask<{ tiles: { insight: { name: string }; filters_overrides?: object }[] }>(
        boards.apiOf(`dashboards/${id}/`),
      )
    ).tiles.find(({ insight }) => insight.name === 'Sold')!.filters_overrides;
  await choose('Last 90 days');
  await expectSeen(article('Sold').getByText('last 90 days, UTC'));
  expect(await article('Sold').getByText('Own date range:').count()).toBe(1);
  expect(await own()).toMatchObject({ date_from: '-90d' });
  await choose('No own range');
  await expectSeen(article('Sold').getByText('last 7 days, UTC'));
  expect((await own()) ?? null).toBeNull();
});

test('the title of a tile is a link to its insight', async () => {
  await openBoard();
  await article('Sold').getByRole('link', { name: 'Sold' }).click();
  await page.waitForURL(/\/insights\/[\w-]+$/);
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Sold');
});

test('by keyboard alone a tile is renamed in place: Enter saves, Esc cancels, and the focus is on the title again', async () => {
  const id = await openBoard();
  const names = async () => (await boards.stored(id)).tiles.map(({ insight }) => insight?.name);
  await keys.tabTo('Sold');
  await keys.press('F2');
  const field = page.getByLabel('Name of the insight');
  await expectSeen(field);
  await keys.type('Purchases');
  await keys.press('Escape');
  await field.waitFor({ state: 'detached' });
  await expect.poll(() => page.locator(':focus').innerText()).toBe('Sold');
  expect(await names()).toContain('Sold');
  await keys.press('F2');
  await keys.type('Purchases');
  await keys.press('Enter');
  await article('Purchases').waitFor();
  await expect.poll(names).toContain('Purchases');
  await expect.poll(() => page.locator(':focus').innerText()).toBe('Purchases');
});

test('renaming from the menu has the name selected in the field', async () => {
  await openBoard();
  await article('Sold').hover();
  await page.getByRole('button', { name: 'More options for Sold' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const field = page.getByLabel('Name of the insight');
  await expectSeen(field);
  await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Name of the insight');
  await page.keyboard.type('Orders');
  await page.keyboard.press('Enter');
  await expectSeen(article('Orders').getByRole('link', { name: 'Orders' }));
});

test('a new tile is scrolled to and outlined as new, and Undo takes it away', async () => {
  await boards.makeInsight('Later');
  const text = { text: { body: '# Long' }, layouts: at(0, 0, 12, 30) };
  await boards.openDashboard(await boards.makeDashboard('Long', [text]));
  await page.keyboard.press('e');
  await page.getByRole('button', { name: /^Add tile/ }).click();
  await page.getByRole('menuitem', { name: 'Saved insight…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: /Later/ }).click();
  const tile = boards.tile(/^Later: column 1, row 31/);
  await expectSeen(tile.getByRole('heading', { name: 'Later' }));
  await expect.poll(() => tile.getAttribute('class')).toContain('picked');
  expect(await tile.getByText('New', { exact: true }).count()).toBe(1);
  const toast = toastOf(page, 'Added “Later”');
  await expectSeen(toast.getByText('Added “Later”'));
  await toast.getByRole('button', { name: 'Undo' }).click();
  await tile.waitFor({ state: 'detached' });
});

test('an insight added to a dashboard says so with a link, which scrolls to its tile', async () => {
  const text = { text: { body: '# Long' }, layouts: at(0, 0, 12, 30) };
  const id = await boards.makeDashboard('Long', [text]);
  const { short_id } = await view.ask<{ short_id: string }>(
    boards.apiOf(`insights/${await boards.makeInsight('Sold')}/`),
  );
  await page.goto(view.at(`/insights/${short_id}`));
  await page.getByRole('button', { name: 'Add to dashboard' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Long' }).click();
  const toast = toastOf(page, 'Added to Long');
  await expectSeen(toast.getByText('Added to Long'));
  await toast.getByRole('button', { name: 'Open dashboard' }).click();
  await page.waitForURL(new RegExp(`/dashboards/${id}$`));
  await expectSeen(article('Sold').getByRole('heading', { name: 'Sold' }));
  expect((await view.ask<StoredDashboard>(boards.apiOf(`dashboards/${id}/`))).tiles).toHaveLength(2);
});

test('a range that is dragged in a tile becomes the dates of all tiles, and Esc or its button goes back', async () => {
  await openBoard();
  const plot = article('By day').locator('.plot').first();
  await plot.scrollIntoViewIfNeeded();
  const box = (await plot.boundingBox())!;
  const pointAt = (share: number) => page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
  const select = async () => {
    await pointAt(0.3);
    await page.mouse.down();
    await pointAt(0.5);
    await pointAt(0.8);
    await expect.poll(() => article('By day').locator('.brush').count()).toBe(1);
    await page.mouse.up();
  };
  await select();
  await page.waitForURL((url) => /date_from":"\d{4}-/.test(url.searchParams.get('filters') ?? ''));
  const back = page.getByRole('button', { name: 'Back to the previous dates' });
  await expectSeen(back);
  await expect.poll(() => article('Sold').getByText('last 7 days').count()).toBe(0);
  await expectSeen(article('This year').getByText('this year, UTC'));
  await keys.press('Escape');
  await expectSeen(article('Sold').getByText('last 7 days, UTC'));
  expect(new URL(page.url()).searchParams.get('filters')).toBe(null);
  await select();
  await back.click();
  await expectSeen(article('Sold').getByText('last 7 days, UTC'));
});
