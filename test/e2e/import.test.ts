// @module-tag browser
import type { Page } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
/** What the browser logs of answers that a test provokes. */
let provoked: RegExp | null;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
  provoked = null;
});
afterEach(async () => {
  expect((await view.close()).filter((line) => provoked?.test(line) !== true)).toEqual([]);
});

const TABLE = 'when;who;what;amount\n2026-03-02 08:15;u1;paid;9.5\n2026-03-02 09:00;u2;paid;12\n;u3;paid;1\n';

const region = (name: string) => page.getByRole('region', { name, exact: true });
const report = () => page.getByRole('complementary', { name: 'Report' });

test('a chosen file is shown as events, corrected, tried, imported, and its other rows are downloaded', async () => {
  await page.goto(view.at('/connect'));
  await page.getByRole('button', { name: 'Import data' }).click();
  await page.getByRole('heading', { name: 'Drop a file of events' }).waitFor();
  await page.getByLabel('File', { exact: true }).setInputFiles({
    name: 'orders.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(TABLE),
  });
  await page.getByRole('heading', { name: 'orders.csv' }).waitFor();
  await page.getByText('table, semicolon, UTF-8').waitFor();
  // Two of the columns have names that say nothing.
  await page.getByText('Choose the column of the distinct ID and of the event name.').waitFor();
  await page.getByRole('combobox', { name: 'What who becomes' }).selectOption('Distinct ID');
  await page.getByRole('combobox', { name: 'What what becomes' }).selectOption('Event name');
  await page.getByLabel('Time zone of times that name none').selectOption('Europe/Berlin');
  const first = region('First rows as events');
  await first.getByText('2026-03-02 07:15:00').waitFor();
  await first.getByText('There is no time').waitFor();
  await expectSeen(first.getByText('2026-03-02 07:15:00'));

  expect(await view.violationsInEveryLook('import')).toEqual([]);

  await page.getByRole('button', { name: 'Dry run' }).click();
  await report().getByText('nothing is written').waitFor();
  await page.getByRole('button', { name: 'Import 2 events' }).click();
  await report().getByRole('heading', { name: 'Report' }).waitFor();
  await report().getByText('3 rows, 2 distinct IDs.').waitFor();
  await expectSeen(report());
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    report().getByRole('link', { name: 'Download rows' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('orders-not-imported.csv');
  expect(await readFile((await download.path())!, 'utf8')).toBe(
    'when;who;what;amount;import_problem\n;u3;paid;1;There is no time\n',
  );

  await page.getByRole('link', { name: 'Import', exact: true }).click();
  const row = page.getByRole('row', { name: /orders\.csv/ });
  await row.getByText('imported', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Remove orders.csv from the list' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect.poll(() => row.count()).toBe(0);
});

test('a mapping is saved with a name and used for the next file', async () => {
  const upload = async (name: string): Promise<void> => {
    await page.goto(view.at('/imports'));
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(TABLE) });
    await page.getByRole('heading', { name }).waitFor();
  };
  await upload('one.csv');
  await page.getByRole('combobox', { name: 'What who becomes' }).selectOption('Distinct ID');
  await page.getByLabel('Event name of rows that have none').fill('order placed');
  await region('First rows as events').getByText('order placed').first().waitFor();
  await page.getByLabel('Name of this mapping').fill('Orders');
  await page.getByRole('button', { name: 'Save mapping' }).click();
  await page.getByText('Mapping Orders saved').waitFor();
  await upload('two.csv');
  await page.getByLabel('Saved mappings').selectOption('Orders');
  await expectSeen(region('First rows as events').getByText('order placed').first());
});

test('a file that is dropped anywhere on the window leads to its import, and one of sums says why not', async () => {
  await page.goto(view.at('/dashboards'));
  await page.getByRole('heading', { name: 'Dashboards', exact: true }).waitFor();
  await page.evaluate(`{
    const files = new DataTransfer();
    const table = 'date,visitors,pageviews,bounces,visits,visit_duration\\n2026-01-01,5,9,1,6,300\\n';
    files.items.add(new File([table], 'imported_visitors_20260101_20260131.csv', { type: 'text/csv' }));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
  }`);
  await page.getByText('These are the statistics that Plausible exports.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
});

test('a file that cannot be read says why, and nothing can be started', async () => {
  provoked = /Failed to load resource: .* 400/;
  await page.goto(view.at('/imports'));
  const buffer = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]);
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'a.zst', mimeType: 'application/zstd', buffer });
  await expectSeen(page.getByText('The file is compressed with zstd.'));
  await expect.poll(() => page.getByRole('button', { name: 'Dry run' }).isDisabled()).toBe(true);
});

test('the palette leads to it by other words', async () => {
  await page.goto(view.at('/dashboards'));
  await page.getByRole('heading', { name: 'Dashboards', exact: true }).waitFor();
  const keys = keyboardOf(page);
  await keys.press('Control+k');
  await page.keyboard.type('Mixpanel');
  await page.getByRole('option', { name: /Import data/ }).waitFor();
  await keys.press('Enter');
  await expectSeen(page.getByRole('heading', { name: 'Drop a file of events' }));
});
