// @module-tag browser
import { readFile } from 'node:fs/promises';
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

const idInAddress = () => Number(/dashboards\/(\d+)/.exec(page.url())![1]);

/** Where a tile lies once nothing moves it any more: the board is wider when a panel has closed. */
async function placeAtRest(name: RegExp) {
  let before: string | null = null;
  await expect
    .poll(async () => {
      const last = before;
      before = JSON.stringify(await boards.tile(name).boundingBox());
      return before === last;
    })
    .toBe(true);
  return await boards.tile(name).boundingBox();
}

test(
  'the first dashboard: created, filled, arranged by mouse, undone, saved, and still there after a reload',
  { tags: ['journey'] },
  async () => {
    await open();
    await boards.makeInsight('Sales');
    await page.goto(view.at('/dashboards'));
    await page.getByText('No dashboards yet').waitFor();
    await page.getByRole('button', { name: 'Blank dashboard' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Weekly');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('No tiles yet').waitFor();
    const id = idInAddress();

    await page.getByRole('button', { name: 'Add saved insight' }).click();
    await expectSeen(page.getByRole('dialog'));
    await page.getByRole('dialog').getByRole('button', { name: /Sales/ }).click();
    await boards
      .tile(/^Sales: column 1/)
      .getByText('3', { exact: true })
      .waitFor();
    await page.getByRole('button', { name: /^Add tile/ }).click();
    await page.getByRole('menuitem', { name: 'Text', exact: true }).click();
    await page.getByRole('textbox', { name: 'Text (Markdown)' }).fill('## How to read it');
    await boards.tile(/^How to read it: column 1, row 6/).waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();

    // To the right of the insight.
    const text = await placeAtRest(/^How to read it/);
    const insight = await placeAtRest(/^Sales/);
    await page.mouse.move(text!.x + text!.width / 2, text!.y + 10);
    await page.mouse.down();
    // The tile is in hand where the first movement ends: a hand begins slowly.
    await page.mouse.move(text!.x + text!.width / 2 + 4, text!.y + 10);
    await page.mouse.move(insight!.x + insight!.width + 60, insight!.y + 200, { steps: 8 });
    await page.mouse.move(insight!.x + insight!.width + text!.width / 2 + 8, insight!.y + 10, { steps: 8 });
    await page.mouse.up();
    await boards.tile(/^How to read it: column 7, row 1/).waitFor();
    await page.keyboard.press('Control+z');
    await boards.tile(/^How to read it: column 1, row 6/).waitFor();
    await page.keyboard.press('Control+y');
    await boards.tile(/^How to read it: column 7, row 1/).waitFor();

    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: /^Edit/ }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'How to read it' }).waitFor();
    await page.getByRole('article', { name: 'Sales' }).getByText('3', { exact: true }).waitFor();
    const { tiles } = await boards.stored(id);
    expect(
      tiles.map(({ text: words, insight: its, layouts }) => [words?.body ?? its?.name, layouts.sm]),
    ).toEqual([
      ['Sales', { x: 0, y: 0, w: 6, h: 5 }],
      ['## How to read it', { x: 6, y: 0, w: 4, h: 4 }],
    ]);
  },
);

test('dates and filters apply immediately, are in the URL, and can be saved as default', async () => {
  await open();
  const id = await boards.makeDashboard('Sales', [
    { insight: await boards.makeInsight('Sold'), layouts: at(0, 0, 4, 3) },
  ]);
  await boards.openDashboard(id);
  const number = page.getByRole('article', { name: 'Sold' });
  await number.getByText('3', { exact: true }).waitFor();
  await keys.press('f');
  await keys.type('country');
  await keys.choose(/country/);
  await keys.choose(/^is$/);
  await keys.type('Norway');
  await keys.choose(/^Norway/);
  await number.getByText('2', { exact: true }).waitFor();
  await page.waitForURL(/filters=/);
  await page.reload();
  await number.getByText('2', { exact: true }).waitFor();
  expect((await boards.stored(id)).filters).toEqual({});
  await page.getByRole('button', { name: 'Save as default' }).click();
  await page.waitForURL((url) => !url.search.includes('filters='));
  await number.getByText('2', { exact: true }).waitFor();
  await expect
    .poll(async () => (await boards.stored(id)).filters['properties'])
    .toMatchObject([{ key: 'country', value: 'Norway' }]);
});

test('a tile and a whole dashboard are saved as pictures, without the buttons', async () => {
  await open();
  const insight = await boards.makeInsight('By day', 'ActionsLineGraph');
  await boards.openDashboard(
    await boards.makeDashboard('Weekly', [{ insight, layouts: at(0, 0, 6, 5) }, ...PAIR]),
  );
  await page.getByRole('slider').waitFor();
  const saved = async (open_: () => Promise<void>, item: string) => {
    await open_();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ]);
    const picture = await readFile(await file.path());
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    // Width and height stand at the beginning of a PNG, in pixels.
    return {
      name: file.suggestedFilename(),
      width: picture.readUInt32BE(16),
      height: picture.readUInt32BE(20),
    };
  };
  const box = (await page.getByRole('article', { name: 'By day' }).boundingBox())!;
  await page.getByRole('article', { name: 'By day' }).hover();
  const one = await saved(
    () => page.getByRole('button', { name: 'More options for By day' }).click(),
    'Export as PNG',
  );
  expect(one).toEqual({
    name: 'By day.png',
    width: Math.round(box.width * 2),
    height: Math.round(box.height * 2),
  });
  const all = await saved(() => page.getByRole('button', { name: /^More: TV/ }).click(), 'Export as PNG');
  expect(all.name).toBe('Weekly.png');
  expect(all.width).toBeGreaterThan(one.width);
});

test('a tile is moved to another dashboard and back; a dashboard is exported to a file and imported again', async () => {
  await open();
  const insight = await boards.makeInsight('Sold');
  const [from, to] = [
    await boards.makeDashboard('From', [...PAIR, { insight, layouts: at(0, 4, 6, 4) }]),
    await boards.makeDashboard('To', []),
  ];
  await boards.openDashboard(from);
  await page.getByRole('article', { name: 'Sold' }).hover();
  await page.getByRole('button', { name: 'More options for Sold' }).click();
  await page.getByRole('menuitem', { name: 'Move to dashboard…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'To', exact: true }).click();
  await page.getByText('Sold moved to To').waitFor();
  expect((await boards.stored(to)).tiles).toMatchObject([{ insight: { name: 'Sold' } }]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('article', { name: 'Sold' }).waitFor();
  expect((await boards.stored(to)).tiles).toEqual([]);

  await page.getByRole('button', { name: /^More: TV mode/ }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export as JSON' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('From.json');
  await page.goto(view.at('/dashboards?new=file'));
  await page.getByLabel('Dashboard file').setInputFiles(await file.path());
  await page.getByRole('img', { name: '3 tiles: Left, Right, Sold' }).waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Back again');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('article', { name: 'Sold' }).getByText('3', { exact: true }).waitFor();
  const { name, tiles } = await boards.stored(idInAddress());
  expect([name, tiles.length]).toEqual(['Back again', 3]);
});

test('a dashboard is deleted, and restored from the list', async () => {
  await open();
  const id = await boards.makeDashboard('Weekly', PAIR);
  await page.goto(view.at('/dashboards'));
  await page.getByRole('checkbox', { name: 'Select Weekly' }).click();
  await page.getByRole('toolbar', { name: 'Selected rows' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No dashboards yet').waitFor();
  await page.getByRole('button', { name: /^More: duplicate/ }).click();
  await page.getByRole('menuitem', { name: 'Deleted dashboards…' }).click();
  await page.getByRole('button', { name: 'Restore Weekly' }).click();
  await page.getByText('No deleted dashboards.').waitFor();
  await page.keyboard.press('Escape');
  await page
    .getByRole('table', { name: 'Dashboards' })
    .getByRole('link', { name: /Weekly/ })
    .click();
  await page.getByRole('heading', { name: 'Left' }).waitFor();
  expect((await boards.stored(id)).tiles).toHaveLength(2);
});

test('overlays that were opened and closed on a dashboard are skipped by one press of Back', async () => {
  await open();
  const id = await boards.makeDashboard('Board', [
    { insight: await boards.makeInsight('Sold'), layouts: at(0, 0, 4, 3) },
  ]);
  await page.goto(view.at('/dashboards'));
  await page.getByRole('link', { name: 'Board', exact: true }).click();
  await page.getByRole('article', { name: 'Sold' }).hover();
  await page.getByRole('button', { name: 'Show Sold in full screen' }).click();
  await page.getByRole('dialog', { name: 'Sold' }).getByRole('button', { name: 'Close' }).last().click();
  await page.waitForURL((url) => !url.search.includes('tile='));
  await page.goBack();
  await page.waitForURL('**/dashboards');
  // Who came by its address finds the dashboard below it.
  await page.goto(view.at(`/dashboards/${id}?kiosk`));
  await page.getByRole('article', { name: 'Sold' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.goBack();
  await page.waitForURL('**/dashboards');
  await page.getByRole('link', { name: 'Board', exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe('');
});

test('a tile with an error shows it, and the others are shown', async () => {
  await open();
  const sql = {
    kind: 'DataTableNode',
    source: { kind: 'HogQLQuery', query: `select repeat('x', 40000)` },
  };
  const body = { name: 'Broken', saved: true, query: sql };
  const { id: broken } = await view.ask<{ id: number }>(boards.apiOf('insights/'), { method: 'POST', body });
  const tiles = [broken, await boards.makeInsight('Sold')].map((insight, n) => ({
    insight,
    layouts: at(n * 6, 0, 6, 4),
  }));
  await boards.openDashboard(await boards.makeDashboard('Mixed', tiles));
  const failed = page.getByRole('article', { name: 'Broken' });
  await expectSeen(failed.getByText('Query failed'));
  await expectSeen(failed.getByRole('button', { name: 'Retry' }));
  await expectSeen(failed.getByText('dates set in SQL, UTC'));
  await page.getByRole('article', { name: 'Sold' }).getByText('3', { exact: true }).waitFor();
  await expect.poll(() => page.getByText('Query failed').count()).toBe(1);
});

test('list, dashboard and its editor are accessible, in either theme, wide or narrow', async () => {
  await open();
  const section = { text: { body: '## Sales' }, layouts: at(0, 0, 12, 1), transparent_background: true };
  const insights = await Promise.all([
    boards.makeInsight('Sold'),
    boards.makeInsight('By day', 'ActionsLineGraph'),
  ]);
  const id = await boards.makeDashboard('Weekly', [
    section,
    { insight: insights[0], layouts: at(0, 1, 4, 2) },
    { insight: insights[1], layouts: at(4, 1, 8, 5), color: 'blue' },
    { text: { body: 'Read it **aloud**.' }, layouts: at(0, 3, 4, 3) },
  ]);
  await page.goto(view.at('/dashboards'));
  await page.getByRole('link', { name: /Weekly/ }).waitFor();
  expect(await view.violationsInEveryLook('dashboards')).toEqual([]);
  await page.goto(view.at('/dashboards?new=template'));
  await page.getByRole('img', { name: /tiles:/ }).waitFor();
  expect(await view.violationsInEveryLook('dashboards-template')).toEqual([]);
  await boards.openDashboard(id);
  await page.getByRole('article', { name: 'Sold' }).getByText('3', { exact: true }).waitFor();
  await page.getByRole('slider').waitFor();
  expect(await view.violationsInEveryLook('dashboard')).toEqual([]);
  await page.keyboard.press('e');
  await boards.tile(/^By day/).waitFor();
  await boards.tile(/^By day/).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'By day' }).waitFor();
  expect(await view.violationsInEveryLook('dashboard-editor')).toEqual([]);
});
