// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { shareConsole } from '../support/shared-console.ts';
import { startServer } from '../support/start-server.ts';

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

test('a project is counted by a dry run and copied to another server, in Settings', async () => {
  const other = await startServer();
  onTestFinished(async () => void (await other.kill()));
  await view.capture(
    { event: 'paid', timestamp: '2026-01-05T12:00:00Z', properties: { $set: { plan: 'pro' } } },
    { event: 'seen', timestamp: '2026-01-06T12:00:00Z' },
  );
  await page.goto(view.at('/settings/copy'));
  const card = page.locator('article').first();
  await page.getByText('No copies yet').waitFor();
  await page.getByText('Copying to a host is turned off.').waitFor();
  expect(await page.getByRole('button', { name: 'Copy project' }).isDisabled()).toBe(true);
  await page.getByLabel('Host', { exact: true }).fill(other.url);
  await page.getByRole('button', { name: 'Dry run' }).click();
  await card.getByText('dry run done').waitFor();
  await expectSeen(card.getByText('Events', { exact: true }));

  await page.getByRole('link', { name: 'Privacy' }).first().click();
  await page.getByRole('switch', { name: 'Copying projects to a host' }).click();
  await page.getByText('Copying projects to a host turned on').waitFor();
  expect(await view.violationsInEveryLook('copy-privacy')).toEqual([]);
  await page.goto(view.at('/settings/copy'));
  await page.getByLabel('Host', { exact: true }).fill(other.url);
  await page.getByLabel('Project key of the host').fill(other.projectApiKey);
  await page.getByLabel('Personal API key of the host').fill('phx_wrong');
  await page.getByRole('button', { name: 'Copy project' }).click();
  await card.getByText(/refused the key/).waitFor();
  await page.getByLabel('Personal API key of the host').fill(other.personalApiKey);
  await page.getByRole('button', { name: 'Resume the last copy' }).click();
  await card.getByText('Counted on both sides: equal.').waitFor();
  await expectSeen(card.getByText('copied', { exact: true }));
  await card.getByText('Not copied').click();
  await expectSeen(card.getByText('They belong to a server and are set up there.'));
  expect(await view.violationsInEveryLook('copy')).toEqual([]);
});
