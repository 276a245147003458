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

afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

interface Stored {
  id: number;
  query: { source: { trendsFilter?: object; compareFilter?: object; dateRange?: object } };
  tiles: {
    insight: { id: number } | null;
    text: { body: string } | null;
    color: string | null;
    layouts: { sm: { h: number } };
  }[];
}

const apiOf = (rest: string) => `/api/projects/${view.server.projectId}/${rest}`;
const stored = (path: string) => view.ask<Stored>(apiOf(path));
const tile = (name: string | RegExp) => page.getByRole('group', { name });

/** A dashboard of the last 14 days with three purchases as a number, and a heading. */
async function open(): Promise<{ id: number; insight: number }> {
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
  await view.capture({ event: 'bought' }, { event: 'bought' }, { event: 'bought' });
  const query = {
    kind: 'InsightVizNode',
    source: {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'bought' }],
      dateRange: { date_from: '-7d' },
      trendsFilter: { display: 'BoldNumber' },
    },
  };
  const made = await view.ask<Stored>(apiOf('dashboards/'), {
    method: 'POST',
    body: { name: 'Sales', filters: { date_from: '-14d' } },
  });
  const insight = await view.ask<Stored>(apiOf('insights/'), {
    method: 'POST',
    body: { name: 'Bought', query },
  });
  const at = (x: number, y: number, w: number, h: number) => ({ sm: { x, y, w, h } });
  const tiles = [
    { insight: insight.id, layouts: at(0, 1, 6, 5) },
    { text: { body: '## Money' }, transparent_background: true, layouts: at(0, 0, 12, 1) },
  ];
  await view.ask(apiOf(`dashboards/${made.id}/`), { method: 'PATCH', body: { tiles } });
  await page.goto(view.at(`/dashboards/${made.id}`));
  await page.getByRole('article', { name: 'Bought' }).getByText('3', { exact: true }).waitFor();
  return { id: made.id, insight: insight.id };
}

/** How a new tile of a kind is called. */
const newOf = (kind: string) => `New ${kind === 'SQL' ? kind : kind.toLowerCase()}`;

test('every kind of tile is added from the menu by keyboard, and shows its kind', async () => {
  await open();
  const kinds = [
    'Number',
    'Line',
    'Area',
    'Bar',
    'Stacked bar',
    'Pie',
    'Funnel',
    'Retention',
    'Table',
    'Paths',
    'World map',
    'SQL',
  ];
  for (const kind of kinds) {
    await page
      .getByRole('button', { name: /^(Edit|Add tile)/ })
      .first()
      .waitFor();
    await page.locator('body').press('a');
    await keys.take(kind);
    await tile(new RegExp(`^${newOf(kind)}: `)).waitFor();
  }
  for (const kind of ['Text', 'Section heading'])
    expect(await page.getByRole('menuitem', { name: kind, exact: true }).count()).toBe(0);
  await keys.press('Control+s');
  await page.getByText('Saved', { exact: true }).first().waitFor();
  const names = kinds.map((kind) => page.getByRole('article', { name: newOf(kind) }));
  await expect.poll(() => Promise.all(names.map((one) => one.count()))).toEqual(kinds.map(() => 1));
  expect(await page.getByText('Query failed').count()).toBe(0);
});

test('in its panel a tile gets another chart type and a comparison; undo reverts it, and saving changes its insight only', async () => {
  const { id, insight } = await open();
  await keys.enter('More options for Bought');
  await page.getByRole('menuitem', { name: 'Tile settings' }).press('Enter');
  await keys.pick(/^Chart type: /, 'Table');
  await tile(/^Bought: /)
    .getByRole('table')
    .waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');
  await tile(/^Bought: /)
    .getByRole('table')
    .waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Shift+z');
  await tile(/^Bought: /)
    .getByRole('table')
    .waitFor();

  await tile(/^Bought: /).press('Enter');
  await keys.pick(/^Compare: /, /^vs\. previous /);
  expect(await view.violationsInEveryLook('tile-panel')).toEqual([]);
  expect((await stored(`insights/${insight}/`)).query.source.trendsFilter).toEqual({ display: 'BoldNumber' });
  await page.keyboard.press('Control+s');
  await page.getByText('Saved', { exact: true }).first().waitFor();
  const { source } = (await stored(`insights/${insight}/`)).query;
  expect(source.trendsFilter).toMatchObject({ display: 'ActionsTable' });
  expect(source.compareFilter).toMatchObject({ compare: true });
  // The dashboard's dates are not the insight's.
  expect(source.dateRange).toEqual({ date_from: '-7d' });
  expect((await stored(`dashboards/${id}/`)).tiles).toHaveLength(2);
});

test('by keyboard alone a text is written, colored, and gets a heading above it', async () => {
  const { id } = await open();
  await keys.press('e');
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
  await keys.press('a');
  await keys.take('Text');
  await keys.fill('Text (Markdown)', '**Read** this first');
  await keys.enter('Green');
  await keys.press('Escape');
  await keys.press('a');
  await keys.take('Section heading');
  await keys.fill('Heading', '## How to read it');
  await keys.press('Escape');
  await keys.press('Control+s');
  await page.getByText('Saved', { exact: true }).first().waitFor();
  const texts = (await stored(`dashboards/${id}/`)).tiles.filter(({ text }) => text !== null);
  expect(texts.map(({ text, color }) => [text!.body, color])).toEqual(
    expect.arrayContaining([['**Read** this first', 'green']]),
  );
  expect(texts.map(({ text }) => text!.body)).toContain('## How to read it');
});

test('a tile is at least two rows high, by panel or drag; a heading one', async () => {
  const { id } = await open();
  await keys.enter('More options for Bought');
  await page.getByRole('menuitem', { name: 'Tile settings' }).press('Enter');
  const rows = page.getByRole('spinbutton', { name: 'Rows' });
  await rows.fill('1');
  await rows.press('Tab');
  await tile(/^Bought: .* 2 high$/).waitFor();
  await expect.poll(() => rows.inputValue()).toBe('2');
  await expect.poll(() => rows.getAttribute('min')).toBe('2');
  await tile(/^Bought: /).press('Shift+ArrowUp');
  await tile(/^Bought: .* 2 high$/).waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('Saved', { exact: true }).first().waitFor();
  const { tiles } = await stored(`dashboards/${id}/`);
  expect(tiles.map(({ layouts }) => layouts.sm.h)).toEqual([1, 2]);
});

test('a tile is shown in full screen, and Esc ends it', async () => {
  await open();
  const isWhole = () => page.evaluate<boolean>('document.fullscreenElement !== null');
  await page.getByRole('article', { name: 'Bought' }).hover();
  await page.getByRole('button', { name: 'Show Bought in full screen' }).click();
  const dialog = page.getByRole('dialog', { name: 'Bought' });
  await expectSeen(dialog);
  await expect.poll(isWhole).toBe(true);
  const [width, height] = await page.evaluate<[number, number]>('[innerWidth, innerHeight]');
  // It opens with a motion.
  await expect.poll(() => dialog.boundingBox()).toEqual({ x: 0, y: 0, width, height });
  expect(await view.violations()).toEqual([]);
  // What the browser does with Esc.
  await page.evaluate('document.exitFullscreen()');
  await dialog.waitFor({ state: 'detached' });
  await page.waitForURL((url) => !url.search.includes('tile='));

  // When the browser refuses full screen, the tile covers the others.
  await page.addInitScript('Element.prototype.requestFullscreen = () => Promise.reject(new TypeError())');
  await page.getByRole('article', { name: 'Bought' }).hover();
  await page.getByRole('button', { name: 'Show Bought in full screen' }).click();
  await expect.poll(isWhole).toBe(true);
  await page.reload();
  await expectSeen(dialog);
  expect(await isWhole()).toBe(false);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});
