// @module-tag browser
import type { Page } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen, failurePanelOf, toastOf } from '../support/expect-seen.ts';
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
  await page.getByLabel('Time zone for times without one').selectOption('Europe/Berlin');
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
  // An open dialog hides the page behind it from roles.
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await expect.poll(() => row.count()).toBe(0);
});

/** Uploads a table, and waits for its import. */
async function upload(name: string): Promise<void> {
  await page.goto(view.at('/imports'));
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(TABLE) });
  await page.getByRole('heading', { name }).waitFor();
}

/** Holds the requests to a path; `release` lets them and all later ones through. */
async function hold(path: string, method = 'POST') {
  const held: (() => Promise<void>)[] = [];
  let isReleased = false;
  await page.route(path, async (route) => {
    if (isReleased || route.request().method() !== method) return route.fallback();
    // A request that the page has given up is not there any more.
    held.push(() => route.continue().catch(() => undefined));
  });
  const release = async (): Promise<void> => {
    isReleased = true;
    await Promise.all(held.map((go) => go()));
  };
  return { held, release };
}

test('what is chosen while a preview is on its way counts, and the focus stays', async () => {
  await upload('one.csv');
  const who = page.getByRole('combobox', { name: 'What who becomes' });
  const what = page.getByRole('combobox', { name: 'What what becomes' });
  await who.waitFor();
  const { held, release } = await hold('**/preview/');
  await who.selectOption('Distinct ID');
  await expect.poll(() => held.length).toBe(1);
  expect(await who.isDisabled()).toBe(false);
  await page.getByLabel('Time zone for times without one').focus();
  await what.selectOption('Event name');
  await release();
  await region('First rows as events').getByText('paid').first().waitFor();
  expect(await who.inputValue()).toBe('distinct_id');
  expect(await what.inputValue()).toBe('event');
  await expect.poll(() => page.getByRole('button', { name: 'Dry run' }).isEnabled()).toBe(true);
  await page.getByLabel('Time zone for times without one').focus();
  await page.getByLabel('Time zone for times without one').selectOption('Europe/Berlin');
  await region('First rows as events').getByText('2026-03-02 07:15:00').waitFor();
  expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('SELECT');
});

test('a preview that fails says so and is not requested again and again; Retry shows it', async () => {
  provoked = /Failed to load resource: .* 500/;
  let requests = 0;
  const answer = { type: 'server_error', code: 'error', detail: 'The disk is slow.', attr: null };
  await page.route('**/preview/', (route) => {
    requests += 1;
    return route.fulfill({ status: 500, json: answer });
  });
  await upload('one.csv');
  await expectSeen(failurePanelOf(page).getByText('Could not load the preview'));
  await page.evaluate('new Promise((done) => setTimeout(done, 2_000))');
  expect(requests).toBe(1);
  await page.unroute('**/preview/');
  await failurePanelOf(page).getByRole('button', { name: 'Retry' }).click();
  await expectSeen(region('First rows as events'));
});

test('a server that goes away during an import is reported, and the import goes on when it is back', async () => {
  provoked = /Failed to load resource/;
  await upload('one.csv');
  await page.getByRole('combobox', { name: 'What who becomes' }).selectOption('Distinct ID');
  await page.getByLabel('Event name for rows without one').fill('order placed');
  await region('First rows as events').getByText('order placed').first().waitFor();
  await page.route(/\/burrow\/imports\/[\w-]+\/$/, (route) => route.abort());
  await page.route('**/start/', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), state: 'running' } });
  });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expectSeen(failurePanelOf(page).getByText('Burrow is not responding'));
  await page.unrouteAll();
  await expectSeen(report().getByRole('heading', { name: 'Report' }));
  expect(await failurePanelOf(page).count()).toBe(0);
});

test('on a narrow window the report of a dry run comes into view', async () => {
  await page.setViewportSize({ width: 390, height: 720 });
  await upload('one.csv');
  await page.getByRole('combobox', { name: 'What who becomes' }).selectOption('Distinct ID');
  await page.getByLabel('Event name for rows without one').fill('order placed');
  await region('First rows as events').getByText('order placed').first().waitFor();
  await page.getByRole('button', { name: 'Dry run' }).click();
  await expectSeen(report().getByText('nothing is written'));
});

test('a screen that is left during an upload is not brought back; a toast leads to the import', async () => {
  const { held, release } = await hold('**/burrow/imports/*');
  await page.goto(view.at('/imports'));
  const buffer = Buffer.from(TABLE);
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
  await expect.poll(() => held.length).toBe(1);
  await page.evaluate(drop('section[aria-labelledby="drop-title"]', 'b.csv'));
  await expectSeen(toastOf(page, 'b.csv was not uploaded'));
  await page.getByRole('link', { name: 'Dashboards', exact: true }).click();
  await page.getByRole('heading', { name: 'Dashboards', exact: true }).waitFor();
  await release();
  await expectSeen(toastOf(page, 'a.csv uploaded'));
  await page.getByRole('heading', { name: 'Dashboards', exact: true }).waitFor();
  await toastOf(page, 'a.csv uploaded').getByRole('button', { name: 'Open import' }).click();
  await page.getByRole('heading', { name: 'a.csv' }).waitFor();
});

test('of several dropped files the first is uploaded, and that is said', async () => {
  await page.goto(view.at('/imports'));
  await page.getByRole('heading', { name: 'Drop a file of events' }).waitFor();
  await page.evaluate(drop('section[aria-labelledby="drop-title"]', 'a.csv', 'b.csv', 'c.csv'));
  await page.getByRole('heading', { name: 'a.csv' }).waitFor();
  await expectSeen(toastOf(page, 'Only a.csv is uploaded'));
  await expectSeen(toastOf(page, '2 other files not uploaded.'));
});

/** In the page: drops tables with these names on an element. */
function drop(selector: string, ...names: string[]): string {
  return `{
    const files = new DataTransfer();
    for (const name of ${JSON.stringify(names)}) files.items.add(new File([${JSON.stringify(TABLE)}], name, { type: 'text/csv' }));
    const event = new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true });
    document.querySelector(${JSON.stringify(selector)}).dispatchEvent(event);
  }`;
}

test('a mapping is saved with a name and used for the next file', async () => {
  await upload('one.csv');
  await page.getByRole('combobox', { name: 'What who becomes' }).selectOption('Distinct ID');
  await page.getByLabel('Event name for rows without one').fill('order placed');
  await region('First rows as events').getByText('order placed').first().waitFor();
  await page.getByLabel('Name of this mapping').fill('Orders');
  await page.getByRole('button', { name: 'Save mapping' }).click();
  await page.getByText('Mapping Orders saved').waitFor();
  await upload('two.csv');
  await page.getByLabel('Saved mappings').selectOption('Orders');
  await expectSeen(region('First rows as events').getByText('order placed').first());
});

test('a saved mapping is deleted, and Undo saves it again', async () => {
  await upload('one.csv');
  await page.getByLabel('Name of this mapping').fill('Orders');
  await page.getByRole('button', { name: 'Save mapping' }).click();
  const saved = page.getByLabel('Saved mappings');
  await saved.selectOption('Orders');
  await page.getByRole('button', { name: 'Delete the mapping Orders' }).click();
  await expectSeen(toastOf(page, 'Mapping Orders deleted'));
  await saved.waitFor({ state: 'detached' });
  expect(await page.evaluate<string>('document.activeElement.placeholder')).toBe('Name of this mapping');
  await toastOf(page, 'Mapping Orders deleted').getByRole('button', { name: 'Undo' }).click();
  await saved.waitFor();
  expect(await saved.getByRole('option').allInnerTexts()).toContain('Orders');
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
