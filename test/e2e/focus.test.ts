// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { openNew, TREND } from '../support/console-insights.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';
import { shoot } from '../support/violations.ts';

const openConsole = shareConsole();

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

/** What has the focus: its element and name, and whether a ring shows it. */
const FOCUS = `(({ activeElement: it }) => [
  it.tagName.toLowerCase(),
  it.getAttribute('aria-label') ?? it.textContent.trim(),
  getComputedStyle(it).outlineStyle === 'none' ? 'without a ring' : 'ringed',
].join(' '))(document)`;
const focus = () => page.evaluate<string>(FOCUS);

async function addFlag(key: string): Promise<number> {
  const body = { key, name: 'A flag', filters: { groups: [{ properties: [] }] } };
  const path = `/api/projects/${view.server.projectId}/feature_flags/`;
  return (await view.ask<{ id: number }>(path, { method: 'POST', body })).id;
}

test('the first Tab shows a link that skips the sidebar; the next one after it is in the content', async () => {
  await page.goto(view.at('/connect'));
  await page.getByRole('button', { name: 'Send test event' }).waitFor();
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await keys.press('Tab');
  await expectSeen(skip);
  await shoot(page, 'skip-link');
  await keys.press('Enter');
  expect(await focus()).toMatch(/^h1 Connect/);
  await keys.press('Tab');
  expect(await page.evaluate<boolean>(`document.activeElement.closest('main') !== null`)).toBe(true);
});

test('a screen opened by a key has the focus on its heading; by the mouse too, but without a ring', async () => {
  await page.goto(view.at('/connect'));
  await page.getByRole('button', { name: 'Send test event' }).waitFor();
  await keys.press('g', 'f');
  await expect.poll(focus).toBe('h1 Flags ringed');
  await page.getByRole('link', { name: 'Cohorts', exact: true }).click();
  await expect.poll(focus).toBe('h1 Cohorts without a ring');
  await keys.press('Control+k');
  await keys.type('playgr');
  await page
    .getByRole('option', { name: /Playground/ })
    .first()
    .waitFor();
  await keys.press('Enter');
  await expect.poll(focus).toMatch(/^h1 Playground/);
});

test('the title of the page names what is shown, also after its query has changed', async () => {
  const id = await addFlag('reminder-tone');
  await page.goto(view.at('/flags'));
  await page.getByRole('link', { name: /reminder-tone/ }).waitFor();
  expect(await page.title()).toBe('Flags · Default · Burrow');
  await page.goto(view.at(`/flags/${id}`));
  await expect.poll(() => page.title()).toBe('reminder-tone · Flags · Burrow');
  await openNew(view, TREND);
  await expect.poll(() => page.title()).toBe('looked · Insights · Burrow');
  await page.getByRole('button', { name: 'Funnels' }).click();
  await page.waitForURL(/FunnelsQuery/);
  await expect.poll(() => page.title()).toMatch(/· Insights · Burrow$/);
});

test('a dialog that is closed gives the focus back to what opened it', async () => {
  const path = `/api/projects/${view.server.projectId}/dashboards/`;
  const { id: dashboard } = await view.ask<{ id: number }>(path, { method: 'POST', body: { name: 'Week' } });
  const MORE = /^More: /;
  const ways: [screen: string, opener: string | RegExp, item?: RegExp][] = [
    ['/dashboards', MORE, /^Duplicate a dashboard/],
    ['/dashboards', MORE, /^Import a dashboard file/],
    [`/dashboards/${dashboard}`, MORE, /^Description and tags/],
    [`/dashboards/${dashboard}`, MORE, /^TV mode/],
    [`/dashboards/${dashboard}`, 'Share'],
    [`/dashboards/${dashboard}`, 'Access'],
    ['/cohorts', /^Search/],
    ['/cohorts', /^Project: /, /New project/],
  ];
  for (const [screen, opener, item] of ways) {
    await page.goto(view.at(screen));
    await page.getByRole('button', { name: opener }).first().waitFor();
    if (item) await keys.pick(opener, item);
    else await keys.enter(opener);
    const dialog = page.getByRole('dialog');
    await expectSeen(dialog);
    await keys.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const name = typeof opener === 'string' ? opener : opener.source.slice(1);
    await expect.poll(focus, { message: `after ${item} on ${screen}` }).toContain(`button ${name}`);
  }
});
