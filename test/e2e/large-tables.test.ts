// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { shareConsole } from '../support/shared-console.ts';

const ROWS = 100_000;
/** More than a tall window shows, with those beside it. */
const MOST_DRAWN = 120;

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const personAt = (place: number) => ({
  id: place,
  uuid: `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`,
  name: `Person ${place}`,
  distinct_ids: [`person-${place}`],
  properties: { name: `Person ${place}` },
  created_at: '2026-11-20T08:00:00Z',
});

const linkOf = (place: number) => page.getByRole('link', { name: new RegExp(`^Person ${place}\\b`) });

/** All persons in one page, which no server sends. */
async function openPersons(): Promise<void> {
  await view.capture({ event: 'seen' });
  const results = Array.from({ length: ROWS }, (_, at) => personAt(at + 1));
  await page.route(/\/persons\/\?/, (route) =>
    route.fulfill({ json: { count: ROWS, next: null, previous: null, results } }),
  );
  await page.goto(view.at('/persons'));
  await linkOf(1).waitFor();
}

const drawnRows = () => page.locator('.data-table tbody .row').count();
const focusedText = () => page.evaluate<string>('document.activeElement.textContent.trim()');

test('of a hundred thousand rows only the visible ones are rendered, and the last is one key away', async () => {
  await openPersons();
  await expect
    .poll(() => page.getByRole('table', { name: 'Persons' }).getAttribute('aria-rowcount'))
    .toBe(String(ROWS + 1));
  expect(await drawnRows()).toBeLessThan(MOST_DRAWN);

  await page.keyboard.press('j');
  expect(await focusedText()).toContain('Person 1');
  await page.keyboard.press('End');
  await linkOf(ROWS).waitFor();
  expect(await focusedText()).toContain(`Person ${ROWS}`);
  expect(await drawnRows()).toBeLessThan(MOST_DRAWN);
  await page.keyboard.press('k');
  expect(await focusedText()).toContain(`Person ${ROWS - 1}`);
  await page.keyboard.press('Home');
  await linkOf(1).waitFor();
  expect(await focusedText()).toContain('Person 1');
});

test('the focused row stays while the table is scrolled away from it, and the table is accessible', async () => {
  await openPersons();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.evaluate("document.querySelector('.data-table').scrollTo({ top: 2_000_000 })");
  await linkOf(50_001).waitFor();
  expect(await focusedText()).toContain('Person 2');
  expect(await view.violations()).toEqual([]);
  await page.keyboard.press('j');
  expect(await focusedText()).toContain('Person 3');
});
