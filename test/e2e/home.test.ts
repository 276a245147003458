// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();
const DAY = 86_400_000;

let view: OpenConsole;
let page: Page;
let keys: Keyboard;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

/** So many events of one person each, at the start of the day that was so long ago. */
async function sendMany(event: string, count: number, ago: number): Promise<void> {
  const at = Date.now() - ago;
  const timestamp = new Date(at - (at % DAY)).toISOString();
  const persons = Array.from({ length: count }, (_, place) => `${event}-${place}@shop.example`);
  await view.capture(...persons.map((distinct_id) => ({ event, timestamp, distinct_id })));
}

const number = (name: string) => page.getByRole('article', { name });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });

test('Connect is the home until the first event; from then on G H opens today’s numbers', async () => {
  await page.goto(view.at('/home'));
  await heading('Connect').waitFor();
  await view.capture({ event: 'looked' });
  await heading('First event received').waitFor();
  await keys.press('g', 'h');
  await number('Events').getByText('1', { exact: true }).waitFor();
  await number('Active persons').getByText('1', { exact: true }).waitFor();
  await number('New persons').getByText('1', { exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/project/${view.server.projectId}/home`);
  await page.getByText('All good').waitFor();
  await page.getByText('No dashboards yet').waitFor();
  await page.getByText('No insights yet').waitFor();
});

test('numbers are compared with a week ago at the same time, and a stopped event is listed', async () => {
  await sendMany('looked', 6, 0);
  await sendMany('looked', 4, 7 * DAY);
  await sendMany('scanned', 25, 7 * DAY);
  await page.goto(view.at('/home'));
  await number('Events').getByText('6', { exact: true }).waitFor();
  await number('Events').getByText('from 29').waitFor();
  await number('Active persons').getByText('6', { exact: true }).waitFor();
  await page.getByText('Much less than usual.').waitFor();
  await keys.enter('View trend: scanned has almost stopped');
  await page.getByRole('region', { name: 'Query' }).waitFor();
  await page.getByRole('button', { name: /^A: scanned/ }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/insights\//);
});

test('problems are listed, with links to where they are fixed, by keyboard', async () => {
  await view.capture({ event: 'looked' }, { event: '' });
  const insights = `/api/projects/${view.server.projectId}/insights/`;
  const { id, short_id } = await view.ask<{ id: number; short_id: string }>(insights, {
    method: 'POST',
    body: {
      name: 'Broken question',
      saved: true,
      query: { kind: 'HogQLQuery', query: `SELECT repeat('x', 40000)` },
    },
  });
  await view.ask(`${insights}${id}/`);
  await page.goto(view.at('/home'));
  await page.getByRole('link', { name: 'Show reasons: 1 event dropped in the last hour' }).waitFor();
  await page.getByText('No event name').waitFor();
  await page.getByRole('link', { name: 'View: An insight failed: Broken question' }).waitFor();
  await keys.enter('View: An insight failed: Broken question');
  await page.waitForURL(`**/insights/${short_id}`);
  await page.goBack();
  await page.getByRole('link', { name: /^Show reasons/ }).waitFor();
  await keys.enter(/^Show reasons/);
  await heading('Ingestion').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/ingestion$/);
});

test('dashboards and insights are links, by keyboard too', async () => {
  await view.capture({ event: 'looked' });
  const path = `/api/projects/${view.server.projectId}/`;
  await view.ask(`${path}dashboards/`, { method: 'POST', body: { name: 'Weekly health' } });
  await view.ask(`${path}dashboards/`, { method: 'POST', body: { name: 'Payments', pinned: true } });
  const query = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'looked' }] };
  const { short_id } = await view.ask<{ short_id: string }>(`${path}insights/`, {
    method: 'POST',
    body: { name: 'Looks', saved: true, query },
  });
  await page.goto(view.at('/home'));
  const boards = page.getByRole('region', { name: 'Dashboards' }).getByRole('listitem');
  await boards.first().waitFor();
  expect((await boards.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
    'Payments',
    'Weekly health',
  ]);
  await keys.enter(/^Looks/);
  await page.waitForURL(`**/insights/${short_id}`);
  await keys.press('Control+k');
  await keys.type('home');
  await keys.press('Enter');
  await heading('Home').waitFor();
  await keys.press('n');
  await page.waitForURL('**/insights/new');
});

test('Home is accessible, full and empty, in either theme, wide or narrow', async () => {
  await view.capture({ event: 'looked' });
  await page.goto(view.at('/home'));
  await page.getByText('All good').waitFor();
  expect(await view.violationsInEveryLook('home-empty')).toEqual([]);
  await sendMany('looked', 30, 7 * DAY);
  await view.capture({ event: '' });
  const path = `/api/projects/${view.server.projectId}/`;
  await view.ask(`${path}dashboards/`, { method: 'POST', body: { name: 'Weekly health', pinned: true } });
  const query = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'looked' }] };
  await view.ask(`${path}insights/`, { method: 'POST', body: { name: 'Looks', saved: true, query } });
  await page.reload();
  await page.getByText('looked has almost stopped').waitFor();
  await page.getByText('Weekly health').waitFor();
  expect(await view.violationsInEveryLook('home')).toEqual([]);
});
