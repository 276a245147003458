// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
/** What a test makes the page complain about on purpose. */
let provoked: RegExp | null;

beforeEach(async () => {
  provoked = null;
  view = await openConsole();
  page = view.page;
});
afterEach(async () => {
  const complaints = await view.close();
  expect(complaints.filter((text) => !provoked?.test(text))).toEqual([]);
});

const row = (text: string) => page.getByRole('row').filter({ hasText: text });
const heading = (name: string) => page.getByRole('heading', { name });

/** Sends one event by itself, as the smallest clients do; the status of the answer. */
async function send(sent: object, apiKey = view.server.projectApiKey): Promise<number> {
  const body = { api_key: apiKey, distinct_id: 'ana@reyes-studio.example', ...sent };
  const url = `${view.server.url}/capture/`;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  await response.arrayBuffer();
  return response.status;
}

describe('Connect', () => {
  test('switches to “first event received” automatically, and links to the event under Live', async () => {
    await page.goto(view.at('/connect'));
    await heading('Waiting for the first event').waitFor();
    expect(await send({ event: 'invoice sent', properties: { amount: 480 } })).toBe(200);
    await heading('First event received').waitFor();
    await page.getByText('invoice sent', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'View live events' }).click();
    await row('invoice sent').waitFor();
    await send({ event: 'invoice paid' });
    await row('invoice paid').waitFor();
  });

  test('retries while the events so far cannot be loaded, and shows the waiting state only then', async () => {
    provoked = /ERR_FAILED/;
    const listing = /\/events\/\?/;
    await page.route(listing, (route) => route.abort());
    const refused = page.waitForEvent('requestfailed', (request) => listing.test(request.url()));
    await page.goto(view.at('/connect'));
    await refused;
    await heading('Looking for events').waitFor();
    expect(await heading('Waiting for the first event').count()).toBe(0);
    await page.unroute(listing);
    await heading('Waiting for the first event').waitFor();
  });

  test('the test event is sent to the same endpoint', async () => {
    await page.goto(view.at('/connect'));
    await page.getByRole('button', { name: 'Send test event' }).click();
    await heading('First event received').waitFor();
    await page.getByText('test event', { exact: true }).waitFor();
    await page.goto(`${view.server.url}/`);
    await heading('Home').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/project/${view.server.projectId}/home`);
  });

  test('every snippet can be copied, with this host and token', async () => {
    await page.goto(view.at('/connect'));
    const tabs = page.getByRole('tab');
    await tabs.first().waitFor();
    for (const language of await tabs.all()) {
      await language.click();
      await page.getByRole('button', { name: 'Copy snippet' }).click();
      const text = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(text).toContain(view.server.projectApiKey);
      expect(text).toContain(`:${view.server.port}`);
    }
  });

  test('a refused request shows up with the reason', async () => {
    await page.goto(view.at('/connect'));
    await heading('Waiting for the first event').waitFor();
    expect(await send({ event: 'lost' }, 'phc_aKeyOfNoProjectAtAll')).toBe(401);
    await page.getByText('does not belong to any project').waitFor();
    await page.getByText('rejected', { exact: true }).waitFor();
  });
});

describe('projects', () => {
  test(
    'a new project has its own key and starts at Connect; the palette leads back',
    { tags: ['journey'] },
    async () => {
      const path = `/api/projects/${view.server.projectId}/`;
      await view.ask(path, { method: 'PATCH', body: { name: 'Harbour' } });
      await send({ event: 'earlier' });
      await page.goto(view.at('/live'));
      await row('earlier').waitFor();
      await page.getByRole('button', { name: /^Project:/ }).click();
      await page.getByRole('menuitem', { name: 'New project' }).click();
      await page.getByLabel('Name').fill('Paperboat');
      await page.keyboard.press('Enter');
      await heading('Waiting for the first event').waitFor();
      await page.getByRole('button', { name: 'Project: Paperboat' }).waitFor();
      expect(await page.getByText(view.server.projectApiKey).count()).toBe(0);

      await page.keyboard.press('Control+k');
      await page.keyboard.type('harbour');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/project/${view.server.projectId}/**`);
    },
  );
});

test('a chosen theme is applied before any script of the console has run', async () => {
  await page.goto(view.at('/connect'));
  await heading('Waiting for the first event').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('dark theme');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  provoked = /ERR_FAILED/;
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.reload();
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
});
