// @module-tag browser
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openNew, sendShop, TREND } from '../support/console-insights.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { colorsOf } from '../support/pixels.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
  await sendShop(view);
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const byCountry = { breakdownFilter: { breakdowns: [{ property: 'country', type: 'event' }] } };
const looked = { id: 'looked', type: 'events' };
const plot = () => page.getByRole('slider', { name: /^Chart of/ });

/** Moves the pointer over the plot, to shares of its box. */
async function pointAt(x: number, y = 0.5): Promise<void> {
  const box = (await plot().boundingBox())!;
  await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
}

/** Hatching has lines and their ground: at least two colors of one area. */
async function expectHatched(locator: Locator): Promise<void> {
  await expectInWindow(locator);
  await expect.poll(async () => (await colorsOf(locator)).length).toBeGreaterThan(1);
}

async function expectInWindow(locator: Locator): Promise<void> {
  await locator.waitFor();
  await locator.scrollIntoViewIfNeeded();
}

describe('a chart of several lines', () => {
  test('has a legend with totals, whose entries switch lines off and on', async () => {
    await openNew(view, { ...TREND, ...byCountry });
    const legend = page.getByRole('group', { name: 'Legend' });
    const norway = legend.getByRole('switch', { name: /^Norway 20$/ });
    await expectSeen(norway);
    await expectSeen(legend.getByRole('switch', { name: /^Chile 16$/ }));
    await expect.poll(() => page.locator('.marks path.line:not(.unfinished)').count()).toBe(2);
    await norway.click();
    await expect.poll(() => norway.getAttribute('aria-checked')).toBe('false');
    await expect.poll(() => page.locator('.marks path.line:not(.unfinished)').count()).toBe(1);
    // The last line cannot be switched off.
    await legend.getByRole('switch', { name: /^Chile/ }).click();
    await expect.poll(() => page.locator('.marks path.line:not(.unfinished)').count()).toBe(1);
    await norway.click();
    await expect.poll(() => page.locator('.marks path.line:not(.unfinished)').count()).toBe(2);
    expect(await view.violations()).toEqual([]);
  });

  test('has a tooltip of all lines, the largest first, with their sum and the exact date', async () => {
    await openNew(view, { ...TREND, ...byCountry });
    await plot().waitFor();
    await pointAt(0.02);
    const tip = page.locator('.tip');
    await expectSeen(tip);
    await expect
      .poll(() => tip.innerText())
      .toMatch(/^\w{3} \d+ \w{3} \d{4}\s+events\s+Norway\s+4\s+Chile\s+4\s+Total\s+8 events/);
  });

  test('has a band “so far” over the interval that is not over', async () => {
    await openNew(view, { ...TREND, ...byCountry });
    await expectSeen(page.getByText('so far', { exact: true }));
    await expectHatched(page.locator('.so-far'));
  });
});

test('compared periods are named by both dates, point by point', async () => {
  await openNew(view, { ...TREND, compareFilter: { compare: true } });
  await plot().waitFor();
  await pointAt(0.3);
  const tip = page.locator('.tip');
  await expectSeen(tip);
  const text = await tip.innerText();
  expect(text).toMatch(/^looked\s+vs\. previous 7 days/);
  expect(text.match(/\w{3} \d+ \w{3} \d{4}/g)).toHaveLength(2);
});

test('a bar of an interval that is not over is hatched', async () => {
  await openNew(view, { ...TREND, trendsFilter: { display: 'ActionsBar' } });
  await expectHatched(page.locator('rect.bar.unfinished'));
  await expectSeen(page.getByRole('group', { name: 'Legend' }));
});

test('a retention cell of an interval that is not over is hatched, and its number is read', async () => {
  const retentionFilter = { period: 'Day', totalIntervals: 5, targetEntity: looked, returningEntity: looked };
  await openNew(view, { kind: 'RetentionQuery', retentionFilter, dateRange: { date_from: '-7d' } });
  const cell = page.locator('td.unfinished').last();
  await expectHatched(cell);
  await expectSeen(cell);
  await expectSeen(page.getByText('so far: the interval is not over', { exact: false }));
  const mean = page.getByRole('row', { name: /^Mean/ });
  await expectSeen(mean);
  await page.getByRole('slider', { name: 'Mean retention' }).waitFor();
  expect(await view.violations()).toEqual([]);
});

test('units, a goal and a logarithmic scale are set by keyboard and seen in the chart', async () => {
  await openNew(view, TREND);
  await plot().waitFor();
  await keys.pick(/^Unit/, 'Currency');
  await page.waitForURL(/aggregationAxisFormat/);
  await expectSeen(page.locator('.tick-y b').filter({ hasText: '$8' }));
  await keys.enter('Goal line');
  await keys.fill('Value of goal 1', '6');
  await keys.press('Enter');
  await page.waitForURL(/goalLines.*6/);
  await expectSeen(page.locator('.goal b').filter({ hasText: 'Goal $6' }));
  await keys.pick(/^Scale/, 'Logarithmic');
  await expectSeen(page.getByText('Log scale', { exact: true }));
  await expectSeen(page.locator('.tick-y b').filter({ hasText: '$10' }));
  expect(await view.violations()).toEqual([]);
});

test('a dragged range becomes the date range, and Escape goes back', async () => {
  await openNew(view, TREND);
  await plot().waitFor();
  await pointAt(0.3);
  await page.mouse.down();
  await pointAt(0.5);
  await pointAt(0.7);
  await expect.poll(() => page.locator('.brush').count()).toBe(1);
  await page.mouse.up();
  await page.waitForURL((url) => /date_from":"\d{4}-/.test(url.searchParams.get('q') ?? ''));
  await expectSeen(page.getByRole('button', { name: 'Back to Last 7 days' }));
  expect(await page.getByRole('dialog').count()).toBe(0);
  await keys.press('Escape');
  await page.waitForURL((url) => (url.searchParams.get('q') ?? '').includes('"date_from":"-7d"'));
  await expect.poll(() => page.getByRole('button', { name: 'Back to Last 7 days' }).count()).toBe(0);
});

test('a range is selected by Shift and arrows too', async () => {
  await openNew(view, TREND);
  await plot().waitFor();
  await keys.tabTo('Chart of looked');
  await keys.press('ArrowLeft');
  await keys.press('Shift+ArrowLeft');
  await keys.press('Shift+ArrowLeft');
  await keys.press('Enter');
  await page.waitForURL((url) => /date_from":"\d{4}-/.test(url.searchParams.get('q') ?? ''));
  await expectSeen(page.getByRole('button', { name: 'Back to Last 7 days' }));
  await keys.press('Escape');
  await page.waitForURL((url) => (url.searchParams.get('q') ?? '').includes('"date_from":"-7d"'));
  expect(await page.getByRole('button', { name: 'Back to Last 7 days' }).count()).toBe(0);
});

test('annotations near one another are one mark with their number, which opens a list', async () => {
  for (const content of ['v4.2 released', 'Price test 🎉', 'حملة جديدة']) {
    const body = { content, date_marker: new Date().toISOString(), scope: 'project' };
    await view.ask(`/api/projects/${view.server.projectId}/annotations/`, { method: 'POST', body });
  }
  await openNew(view, TREND);
  const mark = page.getByRole('button', { name: '3 annotations' });
  await expectSeen(mark);
  await mark.click();
  const list = page.getByRole('dialog', { name: '3 annotations' });
  await expectSeen(list.getByText('Price test 🎉'));
  await expectSeen(list.getByText('حملة جديدة'));
  // Escape closes the list and not the screen.
  await keys.press('Escape');
  await list.waitFor({ state: 'detached' });
  await expectSeen(mark);
  expect(await view.violations()).toEqual([]);
});

test('a funnel with a breakdown has a bar for each value in every step, hatched where they dropped off', async () => {
  const series = ['looked', 'bought'].map((event) => ({ kind: 'EventsNode', event }));
  await openNew(view, { kind: 'FunnelsQuery', series, ...byCountry, dateRange: { date_from: '-7d' } });
  await expectSeen(page.getByRole('group', { name: 'Legend' }));
  await expect.poll(() => page.locator('.kept').count()).toBe(4);
  await expectHatched(page.locator('.lost').last());
  await page.getByRole('button', { name: 'Chile: 4 dropped off before bought' }).click();
  await page.getByRole('dialog', { name: /^4 persons who dropped off before/ }).waitFor();
  await keys.press('Escape');
  expect(await view.violations()).toEqual([]);
});

test('a line is given a color of its own in the table below its chart, which is stored with the insight', async () => {
  await openNew(view, TREND);
  await plot().waitFor();
  const name = await page
    .getByRole('table', { name: 'Series' })
    .getByRole('row')
    .nth(1)
    .locator('.cut')
    .innerText();
  await page.getByRole('button', { name: `Color of ${name}` }).click();
  const crimson = page.getByRole('menuitemradio', { name: 'Crimson' });
  await expectSeen(crimson);
  await crimson.click();
  await page.waitForURL((url) => (url.searchParams.get('q') ?? '').includes('"color":"preset-7"'));
  const stroke = () => page.locator('.swatch i').first().getAttribute('style');
  await expect.poll(stroke).toContain('--c-7');
  await page.reload();
  await expect.poll(stroke).toContain('--c-7');
  await page.getByRole('button', { name: `Color of ${name}` }).click();
  expect(await crimson.isChecked()).toBe(true);
  await page.getByRole('menuitemradio', { name: 'Default color' }).click();
  await page.waitForURL((url) => !(url.searchParams.get('q') ?? '').includes('preset-7'));
});
