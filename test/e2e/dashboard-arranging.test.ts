// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { at, dashboardsIn, PAIR, sendSales } from '../support/console-dashboards.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;
let boards: ReturnType<typeof dashboardsIn>;

afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

async function open(): Promise<void> {
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
  boards = dashboardsIn(view);
  await sendSales(view);
}

test('by keyboard alone a dashboard is opened from the list, and its tiles are moved, resized, reset and saved', async () => {
  await open();
  const id = await boards.makeDashboard('Weekly', PAIR);
  await page.goto(view.at('/live'));
  await page.getByRole('heading', { name: 'Live' }).waitFor();
  await keys.press('g', 'd');
  await page.getByRole('table', { name: 'Dashboards' }).waitFor();
  await keys.press('j', 'Enter');
  await page.getByRole('heading', { name: 'Left' }).waitFor();
  await keys.press('e');
  await keys.tabTo(/^Left: /);

  await keys.press('ArrowDown');
  await keys.press('ArrowRight');
  await boards.tile(/^Left: column 2, row 1/).waitFor();
  expect(await boards.placeOf('Right')).toContain('column 7, row 5');
  await keys.press('Escape');
  await boards.tile(/^Left: column 1, row 1, 6 wide, 4 high/).waitFor();
  expect(await boards.placeOf('Right')).toContain('column 7, row 1');
  await page.getByText('Left moved back').waitFor();

  await keys.press('Shift+ArrowDown', 'Shift+ArrowLeft');
  await boards.tile(/^Left: column 1, row 1, 5 wide, 5 high/).waitFor();
  await keys.press('Enter');
  await page.getByRole('complementary', { name: 'Left' }).waitFor();
  await keys.press('Escape');
  await page.getByRole('complementary', { name: 'Left' }).waitFor({ state: 'detached' });
  await keys.press('Control+s');
  await page.getByRole('button', { name: /^Edit/ }).waitFor();
  const { tiles } = await boards.stored(id);
  expect(tiles.map(({ layouts }) => layouts.sm)).toEqual([
    { x: 0, y: 0, w: 5, h: 5 },
    { x: 6, y: 0, w: 6, h: 4 },
  ]);
});

test('by keyboard alone a tile is removed, restored, duplicated, and unsaved changes are not left by accident', async () => {
  await open();
  const id = await boards.makeDashboard('Weekly', PAIR);
  await boards.openDashboard(id);
  await keys.press('e');
  await keys.tabTo(/^Right: /);
  await keys.press('Delete');
  await boards.tile(/^Right: /).waitFor({ state: 'detached' });
  await keys.press('Control+z');
  await boards.tile(/^Right: /).waitFor();
  await keys.tabTo(/^Left: /);
  await keys.pick('More options for Left', 'Duplicate');
  await page.getByText('1 unsaved change').waitFor();
  await expect.poll(() => boards.tile(/^Left: /).count()).toBe(2);
  await keys.press('g', 'd');
  await expectSeen(page.getByRole('dialog', { name: 'Leave without saving?' }));
  await keys.press('Escape');
  await keys.press('Control+s');
  await page.getByRole('button', { name: /^Edit/ }).waitFor();
  expect((await boards.stored(id)).tiles).toHaveLength(3);
});

test('twenty tiles are lined up, and that is undone in one step', async () => {
  await open();
  const insights = await Promise.all(Array.from({ length: 4 }, (_, n) => boards.makeInsight(`Insight ${n}`)));
  const texts = Array.from({ length: 16 }, (_, n) => ({
    text: { body: `# Text ${n}` },
    layouts: at((n % 3) * 4, Math.floor(n / 3) * 3, 3, 3),
  }));
  const charts = insights.map((insight, n) => ({ insight, layouts: at(n * 3, 20, 3, 2) }));
  const id = await boards.makeDashboard('Full', [...texts, ...charts]);
  await boards.openDashboard(id);
  await page.getByRole('article', { name: 'Insight 3' }).getByText('3', { exact: true }).waitFor();
  await page.keyboard.press('e');
  const before = await boards.placeOf('Text 15');
  await page.getByRole('button', { name: 'Compact layout' }).click();
  await boards.tile(/^Text 3: column 10, row 1, 3 wide/).waitFor();
  await page.keyboard.press('Control+z');
  await boards.tile(new RegExp(`^${before}$`)).waitFor();
  await expect.poll(() => page.getByText('No changes').count()).toBe(1);
});
