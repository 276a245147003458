// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sendInvoices } from '../support/console-sql.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;
/** What a test makes the page complain about on purpose. */
let provoked: RegExp | null;

beforeEach(async () => {
  provoked = null;
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
  await sendInvoices(view);
  await page.goto(view.at('/sql'));
  await editor().waitFor();
});
afterEach(async () => {
  const complaints = await view.close();
  expect(complaints.filter((text) => !provoked?.test(text))).toEqual([]);
});

const editor = () => page.getByRole('textbox', { name: 'HogQL query' });
const text = () => page.locator('.cm-content').innerText();
const cell = (content: string) =>
  page.getByRole('grid', { name: 'Result' }).getByRole('gridcell', { name: content, exact: true });
const tabBar = () => page.getByRole('navigation', { name: 'Open queries' });
const tab = (name: string) => tabBar().getByRole('button', { name, exact: true });
const history = () => page.getByRole('region', { name: 'History' });

async function write(query: string): Promise<void> {
  await editor().focus();
  await keys.press('Control+a');
  await page.keyboard.insertText(query);
}

test('several queries are open in tabs, and all of them are there after a reload', async () => {
  await write('SELECT 11 AS one');
  await keys.press('Control+Enter');
  await cell('11').waitFor();
  await tabBar().getByRole('button', { name: 'New query' }).click();
  await tab('Untitled 2').waitFor();
  await expect.poll(text).not.toContain('one');
  await write('SELECT 22 AS two');
  await keys.press('Control+Enter');
  await cell('22').waitFor();
  await expectSeen(tab('Untitled 2'));
  await tab('Untitled 1').click();
  await cell('11').waitFor();
  await expect.poll(text).toContain('SELECT 11');
  await tab('Untitled 2').click();
  await expect.poll(text).toContain('SELECT 22');
  await page.reload();
  await editor().waitFor();
  await expect.poll(text).toContain('SELECT 22');
  await tab('Untitled 1').click();
  await expect.poll(text).toContain('SELECT 11');
  expect(await view.violations()).toEqual([]);
});

test('a changed insight stays changed in its tab, and a closed tab is opened again by Undo', async () => {
  const query = { kind: 'DataVisualizationNode', source: { kind: 'HogQLQuery', query: 'SELECT 1 AS n' } };
  const { short_id: id } = await view.ask<{ short_id: string }>(
    `/api/projects/${view.server.projectId}/insights/`,
    { method: 'POST', body: { name: 'One', saved: true, query } },
  );
  await page.goto(view.at(`/sql/${id}`));
  await cell('1').waitFor();
  await write('SELECT 2 AS n');
  await page.getByText('Unsaved changes').waitFor();
  await tab('Untitled 1').click();
  await page.waitForURL(/\/sql$/);
  await tab('One, not saved').click();
  await page.getByText('Unsaved changes').waitFor();
  await expect.poll(text).toContain('SELECT 2');
  await tabBar().getByRole('button', { name: 'Close One' }).click();
  await page.getByText('One closed').waitFor();
  expect(await tab('One, not saved').count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await tab('One, not saved').waitFor();
});

test('history has what ran, with rows or failure, is searched and cleared', async () => {
  provoked = /status of 400/;
  await write("SELECT count() FROM events WHERE event = 'signup'");
  await keys.press('Control+Enter');
  await cell('1').waitFor();
  await write('SELECT nothing');
  await keys.press('Control+Enter');
  await history()
    .getByText(/failed/)
    .waitFor();
  await history().getByText(/1 row/).waitFor();
  await history().getByRole('button', { name: 'Search history' }).click();
  await keys.type('signup');
  await expect.poll(() => history().getByRole('listitem').count()).toBe(1);
  await history().getByRole('listitem').getByRole('button').click();
  await tab('Untitled 2').waitFor();
  await expect.poll(text).toContain("'signup'");
  await page.reload();
  await expect.poll(() => history().getByRole('listitem').count()).toBe(2);
  await history().getByRole('button', { name: 'Clear history' }).click();
  await history().getByText('Queries that you run are listed here.').waitFor();
});

test('a query is formatted, and one that is not complete stays as it is', async () => {
  await write("select event, count() as times from events where event != 'a  b' group by event");
  await keys.press('Control+Shift+F');
  await expect.poll(text).toContain("WHERE\n  event != 'a  b'\nGROUP BY");
  await keys.press('Control+z');
  await expect.poll(text).toContain('select event, count()');
  await write("SELECT 'open");
  await page.getByRole('button', { name: 'Format query' }).click();
  await page.getByText('The query was not formatted').waitFor();
  expect(await text()).toContain("SELECT 'open");
});

test('a selected part runs alone, and an error leads to its place', async () => {
  await write('SELECT 5 AS five');
  await keys.press('Enter');
  await keys.type('SELECT 4711');
  await keys.press('Shift+Home');
  await page.getByRole('button', { name: 'Run selection' }).click();
  await cell('4,711').waitFor();
  await write('SELECT event\nFROM events\nWHERE evnt = 1');
  await page.getByRole('button', { name: /^Line 3, column 7/ }).click();
  await keys.press('Shift+End');
  await expect.poll(() => page.evaluate('getSelection().toString()')).toBe('evnt = 1');
});

test('parameters have fields by their type, with the default value', async () => {
  await view.ask(`/api/projects/${view.server.projectId}/insight_variables/`, {
    method: 'POST',
    body: { name: 'Tone', type: 'List', default_value: 'direct', values: ['direct', 'friendly'] },
  });
  await page.reload();
  await editor().waitFor();
  await write(
    'SELECT {variables.tone} AS tone, count() AS times FROM events WHERE properties.tone = {variables.tone}',
  );
  const group = page.getByRole('group', { name: 'Parameters' });
  await group.getByRole('button', { name: 'tone: direct' }).waitFor();
  await keys.press('Control+Enter');
  await cell('direct').waitFor();
  await group.getByRole('button', { name: 'tone: direct' }).click();
  await page.getByRole('menuitemradio', { name: 'friendly' }).click();
  await expect.poll(() => cell('friendly').count()).toBe(1);
});

test('the schema lists the most frequent events and properties first, and is searched', async () => {
  const schema = page.getByRole('region', { name: 'Tables, properties and functions' });
  await schema.getByRole('button', { name: /^event names/ }).click();
  await expect
    .poll(() =>
      schema
        .getByRole('listitem')
        .filter({ hasText: /invoice paid|signup/ })
        .allInnerTexts(),
    )
    .toEqual([expect.stringMatching(/invoice paid\s*24/), expect.stringMatching(/signup\s*1/)]);
  await schema.getByRole('searchbox').fill('days_to');
  await schema.getByRole('button', { name: /days_to_paid/ }).click();
  await expect.poll(text).toContain('properties.days_to_paid');
});
