// @module-tag browser
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

const dialog = () => page.getByRole('dialog', { name: 'Try with demo data' });
const banner = () => page.getByRole('region', { name: 'Demo data' });

const demoProjects = async () => (await view.ask<{ results: unknown[] }>('/api/burrow/demo/')).results;

test('an empty project offers demo data: two clicks open its home, one removes it', async () => {
  await page.goto(view.at('/home'));
  await page.getByRole('button', { name: 'Try with demo data' }).click();
  await dialog().getByRole('radio', { name: /^Shop/ }).check();
  await dialog().getByRole('button', { name: '10,000 events' }).click();
  await expectSeen(dialog());
  await dialog().getByRole('button', { name: 'Create demo project' }).click();
  await banner().getByText('This product is invented.').waitFor();
  await page.getByRole('button', { name: /^Project: Larch & Loft/ }).waitFor();
  await page.getByRole('link', { name: /Shop overview/ }).click();
  await page.getByText('Revenue per week').waitFor();
  await expectSeen(banner());
  await banner().getByRole('button', { name: 'Remove demo data' }).click();
  await expect.poll(() => banner().count()).toBe(0);
  await page.getByRole('heading', { name: 'Connect', exact: true }).waitFor();
  await expect.poll(demoProjects).toEqual([]);
});

test('the palette opens it from anywhere, and Cancel leaves nothing behind', async () => {
  await page.goto(view.at('/dashboards'));
  await page.getByRole('heading', { name: 'Dashboards', exact: true }).waitFor();
  const keys = keyboardOf(page);
  await keys.press('Control+k');
  await page.keyboard.type('sample');
  await page.getByRole('option', { name: /Try with demo data/ }).waitFor();
  await keys.press('Enter');
  await dialog().getByRole('button', { name: '1,000,000 events' }).click();
  await dialog().getByRole('button', { name: 'Create demo project' }).click();
  await dialog()
    .getByText(/events stored/)
    .waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await expect
    .poll(() =>
      dialog()
        .getByText(/events stored/)
        .count(),
    )
    .toBe(0);
  await expect.poll(demoProjects).toEqual([]);
});
