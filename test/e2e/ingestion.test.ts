import { afterEach, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;

afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const row = (name: string) => view.page.getByRole('row').filter({ hasText: name });

const NAMELESS = { properties: { $lib: 'posthog-node', $lib_version: '5.70.0', amount: 480 } };
const LONG_NAME = { event: 'x'.repeat(260), properties: { $lib: 'web', $lib_version: '1.433.10' } };

test('a warning says what happened, what to do, who sent it, and shows the case', async () => {
  view = await openConsole();
  await view.capture(NAMELESS, LONG_NAME, { event: 'invoice sent' });
  const { page } = view;
  await page.goto(view.at('/connect'));
  await page.getByRole('link', { name: 'Opens Ingestion' }).click();
  await row('Event name cut').getByText('stored, changed').waitFor();
  await row('No event name').getByText('not stored').waitFor();
  await row('No event name').getByText('posthog-node 5.70.0').waitFor();
  await row('No event name').click();
  await page.getByText('Give each event a name').waitFor();
  await page.getByRole('table', { name: 'Who sent it' }).getByText('/batch').waitFor();
  expect(await page.getByRole('region', { name: 'Sample as JSON' }).innerText()).toContain('{');

  await page.reload();
  await page.getByText('Give each event a name').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Give each event a name').waitFor({ state: 'detached' });
});

test('the account of the hour adds up, and dropped events are marked', async () => {
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

test('what is accepted and not kept is named', async () => {
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

test('beside Live, a warning leads to its whole account', async () => {
  view = await openConsole();
  await view.capture(LONG_NAME);
  await view.page.goto(view.at('/live?ingestion=open'));
  await view.page
    .getByRole('complementary', { name: 'Ingestion' })
    .getByRole('link', { name: 'Event name cut' })
    .click();
  await view.page.getByText('stored under its first 200').waitFor();
  expect(new URL(view.page.url()).pathname).toBe(`/project/${view.server.projectId}/ingestion`);
});

test('axe finds nothing, in either theme, wide or narrow', async () => {
  view = await openConsole();
  await view.page.goto(view.at('/ingestion'));
  await view.page.getByText('Nothing to warn about').waitFor();
  expect(await view.violationsInEveryLook('ingestion-empty')).toEqual([]);
  await view.capture(NAMELESS, LONG_NAME);
  await row('No event name').click();
  await view.page.getByText('Give each event a name').waitFor();
  expect(await view.violationsInEveryLook('ingestion')).toEqual([]);
});
