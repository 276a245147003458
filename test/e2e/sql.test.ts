// @module-tag browser
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MEDIANS, sendInvoices } from '../support/console-sql.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen, failurePanelOf } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

/** Takes longer than any test waits. */
const ENDLESS =
  'SELECT sum(sipHash64(a.number, b.number)) FROM numbers(1000000) AS a CROSS JOIN numbers(1000000) AS b';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;
/** What a test makes the page complain about on purpose. */
let provoked: RegExp | null;

beforeEach(async () => {
  provoked = null;
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
});
afterEach(async () => {
  const complaints = await view.close();
  expect(complaints.filter((text) => !provoked?.test(text))).toEqual([]);
});

const editor = () => page.getByRole('textbox', { name: 'HogQL query' });
const result = () => page.getByRole('grid', { name: 'Result' });
const cell = (text: string) => result().getByRole('gridcell', { name: text, exact: true });
const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');

/** Opens the screen with a text in its address, and waits for the editor. */
async function openWith(text: string): Promise<void> {
  await page.goto(view.at(text === '' ? '/sql' : `/sql?q=${encodeURIComponent(text)}`));
  await editor().waitFor();
  await page.getByRole('button', { name: 'events', exact: false }).first().waitFor();
}

/** Replaces the text of the editor, and runs it. */
async function run(text: string): Promise<void> {
  await editor().focus();
  await keys.press('Control+a');
  await page.keyboard.insertText(text);
  await keys.press('Control+Enter');
}

describe('SQL, by keyboard alone', () => {
  test(
    'from the palette and an example to rows, a chart, a copied cell and a sorted column',
    { tags: ['journey'] },
    async () => {
      await sendInvoices(view);
      await page.goto(view.at('/live'));
      await page.getByRole('heading', { name: 'Live' }).waitFor();
      await keys.press('g', 'q');
      await editor().waitFor();
      // The examples name events of the project, which arrive a little later than the editor.
      await page.getByRole('button', { name: /Most frequent events/ }).waitFor();
      await keys.enter(/Most frequent events/);
      await cell('invoice paid').waitFor();
      await cell('24').waitFor();
      await page.getByRole('slider', { name: 'All numeric columns by event' }).waitFor();
      expect(new URL(page.url()).pathname).toContain('/sql');
      await page.waitForURL(/q=SELECT/);

      await keys.press('j', 'c');
      await page.getByText('Cell copied').waitFor();
      expect(await clipboard()).toBe('invoice paid');
      await keys.press('ArrowDown', 'r');
      await page.getByText('Row copied').waitFor();
      expect(await clipboard()).toBe('signup\t1\t1');

      await keys.enter(/^times\s*Int$/);
      await result()
        .getByRole('columnheader', { name: /times/ })
        .and(page.locator('[aria-sort=ascending]'))
        .waitFor();
      const first = result().getByRole('row').nth(1).getByRole('gridcell').first();
      await expect.poll(() => first.textContent()).toBe('signup');
    },
  );

  test('a query is completed with names of this project, and run as a whole or as selected', async () => {
    await sendInvoices(view);
    await openWith('');
    await editor().focus();
    await keys.type('SELECT properties.days');
    await page.getByRole('option', { name: /days_to_paid/ }).waitFor();
    await page.waitForTimeout(100);
    await keys.press('Enter');
    await keys.type(' AS days, count() AS times FROM events GROUP BY days ORDER BY days LIMIT 1');
    await keys.press('Control+Enter');
    await cell('8.1').waitFor();
    await expect
      .poll(() => result().getByRole('columnheader').allTextContents())
      .toEqual(['Row', 'daysFloat', 'timesInt']);

    await keys.press('Enter');
    await keys.type('SELECT 4711');
    await keys.press('Shift+Home', 'Control+Enter');
    await cell('4,711').waitFor();
  });

  test('functions are offered with a help line, events inside the text they are compared with', async () => {
    await sendInvoices(view);
    await openWith('');
    await editor().focus();
    await keys.type('SELECT argMa');
    await page.getByText('argMax(x, by): x of the row where by is largest.').waitFor();
    await keys.press('Escape');
    await keys.press('Control+a');
    await keys.type("SELECT 1 FROM events WHERE event = 'inv");
    await page.getByRole('option', { name: /invoice paid/ }).waitFor();
    expect(await view.violations()).toEqual([]);
  });

  test('an error is underlined and reported with its position, and the result has the same error', async () => {
    provoked = /400/;
    await openWith('SELECT event\nFROM evnts');
    await page.locator('.cm-lintRange-error', { hasText: 'evnts' }).waitFor();
    const reported = page.getByRole('status').filter({ hasText: 'Line 2, column' });
    await reported.first().waitFor();
    await keys.press('Control+Enter');
    await page.getByText('Query failed').waitFor();
    expect(await view.violations()).toEqual([]);
    await run('SELECT 1');
    await cell('1').waitFor();
  });

  test('Esc cancels a running query, also on the server', async () => {
    await openWith(ENDLESS);
    await editor().focus();
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/query/'));
    await keys.press('Control+Enter');
    await page.getByRole('progressbar', { name: 'The query is running' }).waitFor();
    await page.getByText(/^Running \d/).waitFor();
    await keys.press('Escape');
    expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED');
    await page.getByText('The query was canceled before it finished.').waitFor();
  });

  test('placeholders have fields, and their typed values are used', async () => {
    await sendInvoices(view);
    await openWith('SELECT count() AS times FROM events WHERE properties.tone = {tone}');
    await keys.fill('tone', 'direct');
    await keys.press('Enter');
    await cell('8').waitFor();
    await keys.fill('tone', 'nobody');
    await keys.press('Enter');
    await cell('0').waitFor();
    expect(await cell('8').count()).toBe(0);
  });

  test('a query is saved as an insight, and listed among the recent ones', async () => {
    await sendInvoices(view);
    await openWith(MEDIANS);
    await keys.press('Control+Enter');
    await page.getByText('12 rows').first().waitFor();
    await keys.press('s');
    await expectSeen(page.getByRole('dialog'));
    await keys.type('Days to paid');
    await keys.press('Enter');
    await page.getByText('“Days to paid” saved as an insight').waitFor();
    const { results } = await view.ask<{ results: { name: string; query: { source: { query: string } } }[] }>(
      `/api/projects/${view.server.projectId}/insights/?saved=true`,
    );
    expect(results.map(({ name, query }) => [name, query.source.query])).toEqual([['Days to paid', MEDIANS]]);

    await run('SELECT 99');
    await cell('99').waitFor();
    await page.reload();
    await editor().waitFor();
    await keys.enter(/median_days.*12 rows/);
    await page.getByText('12 rows').first().waitFor();
  });

  test('a truncated result is reported, a long one is rendered in parts, and an export has all rows', async () => {
    await openWith('');
    await run('SELECT number AS n FROM numbers(5000) ORDER BY n');
    await page.getByText('Showing the first 100 rows.').waitFor();
    await run('SELECT number AS n FROM numbers(5000) ORDER BY n LIMIT 5000');
    await page.getByText('5,000 rows').first().waitFor();
    await expect.poll(() => result().getByRole('row').count()).toBeLessThan(80);
    await keys.press('Escape', 'j', 'PageDown');
    const download = page.waitForEvent('download');
    await keys.pick('Export all rows', /CSV/);
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(5001);
    expect(lines[5000]).toBe('4999');
  });
});

test('empty and full, in either theme, wide or narrow, there are no violations and no overflow', async () => {
  const lookAt = async (name: string, width: number) => {
    await page.setViewportSize({ width, height: 900 });
    expect(await view.violationsInEveryLook(name, [width])).toEqual([]);
    expect(await page.evaluate<boolean>('document.body.scrollWidth > innerWidth')).toBe(false);
  };
  /** Where there is little room, the tables lie over the editor until they are hidden. */
  const hideTables = async () => {
    await page.getByRole('button', { name: 'Hide tables' }).click();
    await page.getByRole('button', { name: 'Show tables' }).waitFor();
  };
  await sendInvoices(view);
  await page.goto(view.at('/sql'));
  await page.getByText('Most frequent events').waitFor();
  await editor().waitFor();
  await lookAt('sql-empty', 1440);
  await hideTables();
  await lookAt('sql-empty', 800);
  await run(MEDIANS);
  await result().waitFor();
  await lookAt('sql', 800);
  await page.getByRole('button', { name: 'Show tables' }).click();
  await lookAt('sql', 1440);
});

test('a failed load of the tables is reported, and the examples are still shown', async () => {
  provoked = /ERR_FAILED/;
  await page.route(/_definitions\//, (route) => route.abort());
  await openWith('');
  await page.getByText('Burrow is not responding').waitFor();
  await page.getByRole('button', { name: /^Most frequent events/ }).waitFor();
  expect(await page.getByRole('main').locator('.skeleton').count()).toBe(0);
  await page.unroute(/_definitions\//);
  await expectSeen(failurePanelOf(page));
  await keys.enter('Retry');
  await page.getByRole('button', { name: /^events/ }).waitFor();
  expect(await page.getByText('Burrow is not responding').count()).toBe(0);
});
