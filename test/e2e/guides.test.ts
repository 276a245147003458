// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GUIDES, REFERENCES } from '../../renderer/composables/guide-pages.ts';
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

const heading = (name: string) => page.getByRole('heading', { level: 1, name });

test('a guide is found in the palette, its code has the address and the token of the project and is copied, its links lead to pages', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(view.at('/live'));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('first event');
  await page.getByRole('option', { name: /Connect an app/ }).click();
  await heading('Connect an app').waitFor();
  const code = page.getByRole('region', { name: 'paid.mjs' });
  await code.scrollIntoViewIfNeeded();
  await expectSeen(code);
  await expect.poll(() => code.textContent()).toContain(`host: '${view.server.url}'`);
  await expect.poll(() => code.textContent()).toContain(`'${view.server.projectApiKey}'`);
  await page.getByRole('button', { name: 'Copy code' }).nth(2).click();
  const copied = await page.evaluate('navigator.clipboard.readText()');
  expect(copied).toContain('import { PostHog }');
  await page.getByRole('link', { name: 'Differences' }).click();
  await heading('Differences').waitFor();
  expect(await view.violations()).toEqual([]);
});

test('G then G opens the list by keyboard, and each guide from it', async () => {
  await page.goto(view.at('/live'));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('g');
  await heading('Guides').waitFor();
  expect(await view.violationsInEveryLook('guides', [1440, 800, 390])).toEqual([]);
  await keyboardOf(page).enter(/^Give a demo/);
  await heading('Give a demo').waitFor();
  await page.getByText('Nothing of it is left.').waitFor();
  expect(await view.violationsInEveryLook('guide', [1440, 800, 390])).toEqual([]);
});

test('every page is there, without a request to another host', async () => {
  for (const { id, title } of [...GUIDES, ...REFERENCES]) {
    await page.goto(view.at(`/guides/${id}`));
    await heading(title).waitFor();
    await expect.poll(() => page.locator('article p').count(), { message: id }).toBeGreaterThan(0);
  }
  await page.goto(view.at('/guides/none'));
  await page.getByText('Guide not found').waitFor();
});
