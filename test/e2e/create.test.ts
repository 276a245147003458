// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;

afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

/** A new insight of this kind is being edited. */
const kindIs = (label: string) => (where: Page) =>
  where.getByRole('group', { name: 'Insight type' }).getByRole('button', { name: label, pressed: true });

/** What each line of the palette opens: something that only its form has. */
const FORMS: readonly [string, (where: Page) => ReturnType<Page['getByRole']>][] = [
  ['New dashboard', (where) => where.getByText('A blank dashboard without tiles.')],
  ['New dashboard from template', (where) => where.getByRole('dialog').getByText('Template').first()],
  ['New dashboard from file', (where) => where.getByLabel('Dashboard file')],
  ['New insight', kindIs('Trends')],
  ['New funnel insight', kindIs('Funnels')],
  ['New retention insight', kindIs('Retention')],
  ['New stickiness insight', kindIs('Stickiness')],
  ['New lifecycle insight', kindIs('Lifecycle')],
  ['New paths insight', kindIs('Paths')],
  ['New SQL insight', (where) => where.getByRole('region', { name: 'Tables, properties and functions' })],
  ['New flag', (where) => where.getByRole('heading', { name: 'New flag' })],
  ['New cohort', (where) => where.getByRole('heading', { name: 'New cohort' })],
  ['New action', (where) => where.getByRole('heading', { name: 'New action' })],
  ['New annotation', (where) => where.getByRole('dialog', { name: 'New annotation' })],
  ['New personal API key', (where) => where.getByRole('complementary', { name: /New personal API key/ })],
  ['New member', (where) => where.getByRole('dialog', { name: 'Add member' })],
];

test('the palette opens the form of everything that can be created, by keyboard only', async () => {
  view = await openConsole();
  page = view.page;
  const keys = keyboardOf(page);
  for (const [label, form] of FORMS) {
    await page.goto(view.at('/home'));
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await keys.press('Control+k');
    await keys.type(label);
    await page.getByRole('option', { name: label, exact: true }).waitFor();
    await keys.press('Enter');
    await form(page).waitFor();
  }
  expect(await view.violations()).toEqual([]);
  // The address begins it once.
  expect(new URL(page.url()).search).toBe('');
  await page.reload();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('the URL of a new insight has its kind, and another kind replaces it', async () => {
  view = await openConsole();
  page = view.page;
  await page.goto(view.at('/insights/new?kind=FunnelsQuery'));
  await kindIs('Funnels')(page).waitFor();
  await page.keyboard.press('Control+k');
  await keyboardOf(page).type('New stickiness insight');
  await page.getByRole('option', { name: 'New stickiness insight' }).waitFor();
  await page.keyboard.press('Enter');
  await kindIs('Stickiness')(page).waitFor();
  await page.goto(view.at('/insights/new?kind=nonsense'));
  await kindIs('Trends')(page).waitFor();
  expect(await view.violations()).toEqual([]);
});
