// @module-tag browser
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
/** What a test makes the page complain about on purpose. */
let provoked: RegExp | null;

beforeEach(() => {
  provoked = null;
});
afterEach(async () => {
  const complaints = await view.close();
  expect(complaints.filter((text) => !provoked?.test(text))).toEqual([]);
});

const row = (name: string) => view.page.getByRole('row').filter({ hasText: name });

const NAMELESS = { properties: { $lib: 'posthog-node', $lib_version: '5.70.0', amount: 480 } };
const LONG_NAME = { event: 'x'.repeat(260), properties: { $lib: 'web', $lib_version: '1.433.10' } };

test('a warning shows its cause, its solution, its sender, and a sample', async () => {
  view = await openConsole();
  await view.capture(NAMELESS, LONG_NAME, { event: 'invoice sent' });
  const { page } = view;
  await page.goto(view.at('/connect'));
  await page.getByRole('link', { name: 'Opens Ingestion' }).click();
  await row('Event name truncated').getByText('stored, modified').waitFor();
  await row('No event name').getByText('not stored').waitFor();
  await row('No event name').getByText('posthog-node 5.70.0').waitFor();
  await row('No event name').click();
  await page.getByText('Pass a name with each event').waitFor();
  await page.getByRole('table', { name: 'Senders' }).getByText('/batch').waitFor();
  await expect.poll(() => page.getByRole('region', { name: 'Sample as JSON' }).innerText()).toContain('{');

  await page.reload();
  await page.getByText('Pass a name with each event').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Pass a name with each event').waitFor({ state: 'detached' });
});

test('the counts of the hour add up, and dropped events are marked', async () => {
  view = await openConsole();
  const uuid = '0193f2ac-5b7e-7a10-b3c4-92d1f0a6e8b7';
  await view.capture(NAMELESS, { event: 'a' }, { event: 'b' });
  const twice = { api_key: view.server.projectApiKey, batch: [{ uuid, event: 'c', distinct_id: 'd' }] };
  for (let time = 0; time < 2; time += 1) {
    await fetch(`${view.server.url}/batch/`, { method: 'POST', body: JSON.stringify(twice) });
  }
  await view.page.goto(view.at('/ingestion'));
  const hour = view.page.getByRole('region', { name: 'The last hour' });
  await expect
    .poll(async () =>
      (await hour.getByRole('definition').allInnerTexts()).map((text) => text.match(/\d+/)?.[0]),
    )
    .toEqual(['5', '3', '1', '1']);
});

test('without its report the screen shows an error without skeletons, and reloads on request', async () => {
  view = await openConsole();
  await view.capture({ event: 'a' });
  const { page } = view;
  provoked = /ERR_FAILED/;
  await page.route(/\/burrow\/ingestion/, (route) => route.abort());
  await page.goto(view.at('/ingestion'));
  const again = page.getByRole('button', { name: 'Reload report' });
  await again.waitFor();
  const hour = page.getByRole('region', { name: 'The last hour' });
  await expect.poll(() => hour.getByText('unknown').count()).toBe(4);
  expect(await page.getByRole('main').locator('.skeleton').count()).toBe(0);
  await page.unroute(/\/burrow\/ingestion/);
  await keyboardOf(page).enter('Reload report');
  await hour.getByText('unknown').first().waitFor({ state: 'detached' });
  await page.getByText('Every event was stored.').waitFor();
  expect(await again.count()).toBe(0);
});

test('data that is accepted and not stored is listed', async () => {
  view = await openConsole();
  const snapshot = {
    api_key: view.server.projectApiKey,
    event: '$snapshot',
    distinct_id: 'ana',
    properties: { $session_id: 's', $window_id: 'w', $snapshot_source: 'web', $snapshot_data: [{ type: 4 }] },
  };
  const response = await fetch(`${view.server.url}/s/`, { method: 'POST', body: JSON.stringify(snapshot) });
  expect(response.status).toBe(200);
  await view.page.goto(view.at('/ingestion'));
  await view.page.getByText('Session recordings', { exact: true }).waitFor();
});

test('beside Live, a warning links to its details, by keyboard', async () => {
  view = await openConsole();
  await view.capture(LONG_NAME);
  await view.page.goto(view.at('/live?ingestion=open'));
  await view.page
    .getByRole('complementary', { name: 'Ingestion' })
    .getByRole('link', { name: 'Event name truncated' })
    .waitFor();
  await keyboardOf(view.page).enter(/^Event name truncated/);
  await view.page.getByText('stored under its first 200').waitFor();
  expect(new URL(view.page.url()).pathname).toBe(`/project/${view.server.projectId}/ingestion`);
});

test('axe reports no violations, in either theme, wide or narrow', async () => {
  view = await openConsole();
  await view.page.goto(view.at('/ingestion'));
  await view.page.getByText('No warnings').waitFor();
  expect(await view.violationsInEveryLook('ingestion-empty')).toEqual([]);
  await view.capture(NAMELESS, LONG_NAME);
  await row('No event name').click();
  await view.page.getByText('Pass a name with each event').waitFor();
  expect(await view.violationsInEveryLook('ingestion')).toEqual([]);
});

test('capture is paused and resumed: every screen says so, and what came meanwhile is counted', async () => {
  view = await openConsole();
  const { page } = view;
  await view.capture({ event: 'before' });
  await page.goto(view.at('/ingestion'));
  const keys = keyboardOf(page);
  await keys.pick('Pause capture', 'Pause for an hour');
  const banner = page.getByRole('region', { name: 'Server notices' });
  await banner
    .getByText(/^Capture is paused\. Events are answered as accepted and not stored until /)
    .waitFor();
  await expectSeen(banner);
  await view.capture({ event: 'meanwhile' });
  await row('Capture was paused').getByText('not stored').waitFor();
  await page.goto(view.at('/home'));
  await page.getByRole('link', { name: /Capture is paused/ }).waitFor();

  await keys.press('Control+k');
  await keys.type('resume capture');
  await keys.choose(/^Resume capture/);
  await banner.waitFor({ state: 'detached' });
  await view.capture({ event: 'after' });
  const { results } = await view.ask<{ results: { event: string }[] }>(
    `/api/projects/${view.server.projectId}/events/`,
  );
  expect(results.map(({ event }) => event)).toEqual(['after', 'before']);
});
