// @module-tag browser
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
  await view.capture(
    ...['Norway', 'Norway', 'Chile'].map((country, n) => ({
      event: 'bought',
      distinct_id: `person-${n}@shop.example`,
      properties: { country },
    })),
  );
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const apiOf = (rest: string) => `/api/projects/${view.server.projectId}/${rest}`;
const at = (x: number, y: number, w: number, h: number) => ({ sm: { x, y, w, h } });
const tile = (name: string) => page.getByRole('article', { name });

const trends = (display: string, more: object = {}) => ({
  kind: 'InsightVizNode',
  source: {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'bought' }],
    dateRange: { date_from: '-7d' },
    trendsFilter: { display },
    ...more,
  },
});

async function make(path: string, body: object): Promise<number> {
  return (await view.ask<{ id: number }>(apiOf(path), { method: 'POST', body })).id;
}

/** A dashboard with these insights beside each other, each 6 columns wide, and other tiles below. */
async function openBoard(insights: Record<string, object>, others: readonly object[] = []): Promise<number> {
  const tiles: object[] = [];
  for (const [name, query] of Object.entries(insights)) {
    const insight = await make('insights/', { name, saved: true, query });
    const place = tiles.length;
    tiles.push({ insight, layouts: at((place % 2) * 6, Math.floor(place / 2) * 5, 6, 5) });
  }
  const id = await make('dashboards/', { name: 'Board' });
  await view.ask(apiOf(`dashboards/${id}/`), { method: 'PATCH', body: { tiles: [...tiles, ...others] } });
  await page.goto(view.at(`/dashboards/${id}`));
  await page.getByRole('toolbar', { name: 'Dates, filters and variables' }).waitFor();
  return id;
}

async function choose(name: string, item: string): Promise<void> {
  await tile(name).hover();
  await page.getByRole('button', { name: `More options for ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

describe('the hovered day', () => {
  const elsewhere = (name: string): Locator => tile(name).locator('.elsewhere');
  const CHARTS = {
    Lines: trends('ActionsLineGraph'),
    Bars: trends('ActionsBar'),
    Weeks: trends('ActionsLineGraph', { interval: 'week' }),
  };

  test('of one chart is shown in those of the same interval, and hidden when the pointer leaves', async () => {
    await openBoard(CHARTS);
    await tile('Weeks').getByRole('slider').waitFor();
    await tile('Bars').getByRole('slider').waitFor();
    const plot = tile('Lines').getByRole('slider');
    const box = (await plot.boundingBox())!;
    await page.mouse.move(box.x + 1, box.y + box.height / 2);
    await elsewhere('Bars').waitFor();
    const first = await elsewhere('Bars').textContent();
    await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2);
    await expect.poll(() => elsewhere('Bars').textContent()).not.toBe(first);
    expect(await elsewhere('Weeks').count()).toBe(0);
    expect(await elsewhere('Lines').count()).toBe(0);
    await page.mouse.move(2, 2);
    await elsewhere('Bars').waitFor({ state: 'detached' });
  });

  test('is shared by keyboard as well', async () => {
    await openBoard(CHARTS);
    await tile('Lines').getByRole('slider').waitFor();
    const keys = keyboardOf(page);
    await tile('Bars').getByRole('slider').focus();
    await keys.press('ArrowRight');
    await elsewhere('Lines').waitFor();
    const last = await elsewhere('Lines').textContent();
    await keys.press('ArrowLeft');
    await expect.poll(() => elsewhere('Lines').textContent()).not.toBe(last);
    await keys.press('Tab');
    await elsewhere('Lines').waitFor({ state: 'detached' });
  });
});

test('a tile is saved as CSV: its numbers, a line for each value', async () => {
  await openBoard({ Countries: trends('ActionsTable', { breakdownFilter: { breakdown: 'country' } }) });
  await tile('Countries').getByText('Norway').waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), choose('Countries', 'Export as CSV')]);
  expect(file.suggestedFilename()).toBe('Countries.csv');
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toContain('Norway');
  expect(text).toContain('Chile');
});

test('a rendering error of one tile stays in it, and another result is rendered, by keyboard', async () => {
  let isBroken = true;
  // An answer that no server gives: the picture cannot be drawn of it.
  const breakAnswer = (text: string) =>
    isBroken
      ? text.replaceAll(/"result":\s*\[\{[^\n]*?"label":\s*"bought"/g, '"result":[null,{"label":"bought"')
      : text;
  await page.route(/stream_tiles|\/dashboards\/\d+\/\?/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: breakAnswer(await answer.text()) });
  });
  await openBoard({ Lines: trends('ActionsLineGraph'), Rows: sql('SELECT 41 + 1 AS answer') });
  await tile('Lines').getByText('This tile could not be displayed').waitFor();
  await tile('Rows').getByText('42', { exact: true }).waitFor();
  await expect.poll(() => page.getByText('This tile could not be displayed').count()).toBe(1);
  const keys = keyboardOf(page);
  await keys.enter('Retry');
  await tile('Lines').getByText('This tile could not be displayed').waitFor();
  isBroken = false;
  await keys.pick('More options for Lines', 'Refresh');
  await tile('Lines').getByRole('slider').waitFor();
});

const sql = (query: string, more: object = {}) => ({
  kind: 'DataTableNode',
  source: { kind: 'HogQLQuery', query, ...more },
});

test('a refreshed tile includes new events', async () => {
  await openBoard({ Sold: trends('BoldNumber') });
  await tile('Sold').getByText('3', { exact: true }).waitFor();
  await view.capture({ event: 'bought' });
  await choose('Sold', 'Refresh');
  await tile('Sold').getByText('4', { exact: true }).waitFor();
  expect(await tile('Sold').getByText('3', { exact: true }).count()).toBe(0);
});

test('a tile is opened as the insight that it shows', async () => {
  await openBoard({ Sold: trends('BoldNumber') });
  await choose('Sold', 'Open insight');
  await page.waitForURL('**/insights/*');
  await page.getByText('Sold').first().waitFor();
  expect(await page.title()).toMatch(/Insight/);
});

test('by keyboard alone a tile is refreshed, saved, shown in full screen, and opened as an insight', async () => {
  await openBoard({ Sold: trends('BoldNumber') });
  await tile('Sold').getByText('3', { exact: true }).waitFor();
  const keys = keyboardOf(page);
  await view.capture({ event: 'bought' });
  await keys.pick('More options for Sold', 'Refresh');
  await tile('Sold').getByText('4', { exact: true }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    keys.pick('More options for Sold', 'Export as CSV'),
  ]);
  expect(file.suggestedFilename()).toBe('Sold.csv');
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    keys.pick('More options for Sold', 'Export as PNG'),
  ]);
  expect(picture.suggestedFilename()).toBe('Sold.png');
  await keys.enter('Show Sold in full screen');
  await page.getByRole('dialog', { name: 'Sold' }).getByText('4', { exact: true }).waitFor();
  await expectSeen(page.getByRole('dialog', { name: 'Sold' }));
  await keys.press('Escape');
  await page.getByRole('dialog', { name: 'Sold' }).waitFor({ state: 'detached' });
  await keys.pick('More options for Sold', 'Open insight');
  await page.waitForURL('**/insights/*');
});

test('a variable of the SQL of a tile has a field above the tiles, and its value is sent', async () => {
  const id = await make('insight_variables/', { name: 'Least', type: 'Number', default_value: 2 });
  const variables = { [id]: { variableId: id, code_name: 'least' } };
  await openBoard({ Rows: sql('SELECT {variables.least} * 10 AS answer', { variables }) });
  await tile('Rows').getByText('20', { exact: true }).waitFor();
  const keys = keyboardOf(page);
  await keys.fill('Least', '7');
  await keys.press('Enter');
  await tile('Rows').getByText('70', { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('variables')).toContain('7');
});

test('a color is at the edge of a tile, a section has no card', async () => {
  const section = { text: { body: '## Sales' }, layouts: at(0, 5, 12, 1), transparent_background: true };
  const colored = { text: { body: 'Green ground' }, layouts: at(0, 6, 6, 3), color: 'green' };
  await openBoard({}, [section, colored]);
  const mark = (name: string) =>
    page.evaluate(`(() => {
      const element = document.querySelector('[role=article][aria-label="${name}"]');
      const { borderLeftWidth } = getComputedStyle(element, '::before');
      return { mark: borderLeftWidth, ground: getComputedStyle(element).backgroundColor };
    })()`);
  await tile('Green ground').waitFor();
  expect(await mark('Green ground')).toMatchObject({ mark: '3px' });
  expect(await mark('Sales')).toMatchObject({ ground: 'rgba(0, 0, 0, 0)' });
});

test('in print the dashboard has its name and all tiles, and no bars or buttons', async () => {
  await openBoard({ Sold: trends('BoldNumber') }, [
    { text: { body: 'Read it aloud' }, layouts: at(0, 5, 6, 3) },
  ]);
  await tile('Sold').getByText('3', { exact: true }).waitFor();
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => page.getByRole('heading', { name: 'Board', level: 1 }).isVisible()).toBe(true);
  await expect.poll(() => tile('Sold').isVisible()).toBe(true);
  await expect.poll(() => tile('Read it aloud').isVisible()).toBe(true);
  // A number can be picked, and is no button on paper.
  expect(await page.locator('button:visible:not(.answer button)').count()).toBe(0);
  expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0);
});

test('on a narrow page small tiles are in pairs, and a single one has its own row', async () => {
  const small = (body: string, x: number, w = 4) => ({ text: { body }, layouts: at(x, 0, w, 2) });
  await openBoard({}, [small('One', 0), small('Two', 4), small('Three', 8)]);
  await page.setViewportSize({ width: 800, height: 900 });
  const boxOf = async (body: string) => (await tile(body).boundingBox())!;
  await expect.poll(async () => (await boxOf('Three')).y > (await boxOf('One')).y).toBe(true);
  const [one, two, three] = await Promise.all(['One', 'Two', 'Three'].map(boxOf));
  expect(two!.y).toBe(one!.y);
  expect([three!.x, three!.x + three!.width]).toEqual([one!.x, two!.x + two!.width]);
});
