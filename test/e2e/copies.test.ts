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

test('a project of another server is imported, in Data', async () => {
  const other = await startServer();
  onTestFinished(async () => void (await other.kill()));
  const batch = [
    { event: 'paid', distinct_id: 'lin', properties: { $set: { plan: 'pro' } } },
    { event: 'seen', distinct_id: 'mo' },
  ].map((event) => ({ ...event, timestamp: '2026-01-05T12:00:00Z' }));
  const body = JSON.stringify({ api_key: other.projectApiKey, batch });
  expect((await fetch(`${other.url}/batch/`, { method: 'POST', body })).status).toBe(200);
  await view.capture({ event: 'mine' });
  await page.goto(view.at('/imports'));
  const card = page.getByRole('region', { name: 'Import from PostHog or another Burrow' });
  await card.getByText('Importing from a host is turned off.').waitFor();
  await view.ask('/api/burrow/outgoing/import_from_host/', { method: 'PUT', body: { is_on: true } });
  await card.getByText('Importing from a host is turned off.').waitFor({ state: 'hidden' });
  await card.getByLabel('Host', { exact: true }).fill(other.url);
  await card.getByLabel('Project ID on the host').fill(String(other.projectId));
  await card.getByLabel('Personal API key of the host').fill(other.personalApiKey);
  await card.getByRole('button', { name: 'Import project' }).click();
  await card.getByText('copied', { exact: true }).waitFor();
  await expectSeen(card.getByText('Events', { exact: true }));
  await page.getByRole('row', { name: /127\.0\.0\.1-project-1\.jsonl/ }).waitFor();
  expect(await view.violationsInEveryLook('import-from-host')).toEqual([]);
});
