// @module-tag browser
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

test('by keyboard a project is exported, its archive is downloaded and deleted', async () => {
  await view.capture(
    { event: 'paid', distinct_id: 'ada' },
    { event: 'paid', distinct_id: 'bob' },
    { event: 'opened', distinct_id: 'bob' },
  );
  await page.goto(view.at('/data'));
  await page.getByRole('link', { name: 'Export', exact: true }).click();
  await page.getByRole('heading', { name: 'Export this project' }).waitFor();
  const keys = keyboardOf(page);
  await keys.enter('Parquet');
  await page.getByText('Small and fast').waitFor();
  await keys.enter('Export');
  const archive = page.getByRole('region', { name: /\.zip$/ });
  await archive.getByText('3 events, 2 persons, 0 groups.').waitFor();
  await expectSeen(archive);
  expect(await view.violationsInEveryLook('export', [1440, 800, 390])).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    archive.getByText('Download').click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Default-\d{4}-\d\d-\d\d\.zip$/);
  expect((await readFile(await download.path())).subarray(0, 2).toString()).toBe('PK');
  await keys.enter('Delete archive');
  await expect.poll(() => archive.count()).toBe(0);
});

test('some events of some time are exported', async () => {
  await view.capture({ event: 'paid', distinct_id: 'ada' }, { event: 'opened', distinct_id: 'ada' });
  await page.goto(view.at('/exports'));
  await page.getByRole('button', { name: 'Event', exact: true }).click();
  await page.getByRole('option', { name: 'paid' }).click();
  await page.getByRole('button', { name: /^Date range/ }).click();
  await page.getByRole('button', { name: 'Last 7 days' }).click();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await expect.poll(() => page.getByText('1 event, 1 person, 0 groups.').count()).toBe(1);
});
