// @module-tag browser
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen, toastOf } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();
const HOUR = 3_600_000;

let view: OpenConsole;
let page: Page;
let keys: Keyboard;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
});
afterEach(async () => expect(await view.close()).toEqual([]));

const row = (text: string | RegExp) => page.getByRole('row').filter({ hasText: text });
const rows = () => page.locator('tbody tr.row');
const histogram = () => page.getByRole('slider', { name: 'Events over time' });
const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();
const exploreAt = (query: object) => view.at(`/explore?q=${encodeURIComponent(JSON.stringify(query))}`);

/** Three payments of Ana over two days, and a page that a visitor viewed. */
async function sendPayments(): Promise<void> {
  await view.capture(
    {
      event: '$identify',
      timestamp: ago(60),
      properties: { $set: { name: 'Ana Reyes', email: 'ana@reyes.example' } },
    },
    { event: 'invoice paid', timestamp: ago(50), properties: { amount: 20, note: 'first' } },
    { event: 'invoice paid', timestamp: ago(26), properties: { amount: 3480 } },
    { event: 'invoice paid', timestamp: ago(2), properties: { amount: 480 } },
    {
      event: '$pageview',
      distinct_id: 'visitor-7',
      timestamp: ago(1),
      properties: { $session_id: 's-7', $current_url: 'https://app.example/pricing' },
    },
  );
}

async function openExplore(query: object = {}): Promise<void> {
  await page.goto(exploreAt(query));
  await rows().first().waitFor();
}

describe('Explore', () => {
  test('events of all time are listed with the names of their persons, and one opens with all its properties', async () => {
    await sendPayments();
    await page.goto(view.at('/live'));
    await page.getByRole('heading', { name: 'Live' }).waitFor();
    await keys.press('g', 'x');
    await expect.poll(() => rows().count()).toBe(5);
    await expect.poll(() => row('Ana Reyes').count()).toBe(4);
    await keys.press('j', 'j', 'Enter');
    await page.getByRole('tab', { name: /^Properties/ }).waitFor();
    await page.getByText('480', { exact: true }).first().waitFor();
    expect(await view.violations()).toEqual([]);
    await keys.press('Escape');
    await expect.poll(() => page.getByRole('tab', { name: /^Properties/ }).count()).toBe(0);
  });

  test('a value of an event becomes a filter and a column, and a link shows the same', async () => {
    await sendPayments();
    await openExplore();
    await row(/invoice paid/)
      .nth(2)
      .click();
    await page.getByText('first', { exact: true }).hover();
    await page.getByRole('button', { name: 'Show note as a column' }).click();
    await page.getByRole('columnheader', { name: 'note' }).waitFor();
    await row(/invoice paid/)
      .nth(2)
      .click();
    await page.getByText('first', { exact: true }).last().hover();
    await page.getByRole('button', { name: 'Only events with this note' }).click();
    await expect.poll(() => rows().count()).toBe(1);
    await page.waitForURL(/q=.*first/);
    await page.goto(page.url());
    await page.getByRole('columnheader', { name: 'note' }).waitFor();
    await expect.poll(() => rows().count()).toBe(1);
  });

  test('columns are moved and sorted by keyboard', async () => {
    await sendPayments();
    await openExplore({ events: ['invoice paid'], select: ['timestamp', 'event', 'properties.amount'] });
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await expectSeen(page.getByRole('dialog', { name: 'Columns' }));
    await page.getByRole('checkbox', { name: 'Show amount' }).focus();
    await keys.press('Alt+ArrowUp');
    const heads = () => page.getByRole('columnheader').allInnerTexts();
    await expect.poll(heads).toEqual(['Time', 'amount', 'Event']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'amount', exact: true }).click();
    await expect.poll(() => rows().first().innerText()).toContain('3480');
    await page.getByRole('button', { name: 'amount', exact: true }).click();
    await expect.poll(() => rows().first().innerText()).toContain('20');
  });

  test('a part of the histogram is chosen by keyboard, counted, zoomed into and left by Esc', async () => {
    await sendPayments();
    await openExplore({ events: ['invoice paid'], after: '-3d' });
    const total = page.locator('.count');
    await expect.poll(() => total.innerText()).toBe('3');
    await histogram().focus();
    await keys.press('End', 'Shift+Home');
    await expect.poll(() => total.innerText()).toBe('3');
    await expectSeen(page.getByRole('group', { name: 'Chosen time' }));
    await keys.press('Escape');
    await expect.poll(() => page.getByRole('group', { name: 'Chosen time' }).count()).toBe(0);
    await keys.press('End', 'Shift+PageUp');
    await expect.poll(() => total.innerText()).toBe('1');
    await expect.poll(() => rows().count()).toBe(1);
    const live = page.getByRole('switch', { name: /^Live/ });
    expect(await live.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(() => page.getByRole('group', { name: 'Chosen time' }).count()).toBe(0);
    await expect.poll(() => total.innerText()).toBe('1');
  });

  test('live, an event that was sent appears on top', async () => {
    await sendPayments();
    await openExplore();
    await page.getByRole('switch', { name: /^Live/ }).click();
    await view.capture({ event: 'payout requested' });
    await row('payout requested').waitFor();
    await expect.poll(() => rows().first().innerText()).toContain('payout requested');
  });

  test('a view is saved as an insight, listed, opened, renamed and deleted with a way back', async () => {
    await sendPayments();
    await openExplore({ events: ['invoice paid'] });
    await keys.press('Control+s');
    await expectSeen(page.getByRole('dialog'));
    await keys.fill('Name', 'Payments');
    await keys.press('Enter');
    await page.waitForURL(/\/explore\/[\w-]+$/);
    await page.getByRole('link', { name: 'Payments' }).waitFor();
    const { results } = await view.ask<{
      results: { query: { kind: string; source: { events: string[] } } }[];
    }>(`/api/projects/${view.server.projectId}/insights/?saved=true&basic=true`);
    expect(results.map(({ query }) => [query.kind, query.source.events])).toEqual([
      ['DataTableNode', ['invoice paid']],
    ]);

    await page.goto(view.at('/insights'));
    await page.getByRole('link', { name: 'Payments' }).click();
    await page.waitForURL(/\/explore\/[\w-]+$/);
    await expect.poll(() => rows().count()).toBe(3);
    expect(await view.violations()).toEqual([]);
    await page.getByRole('button', { name: 'More actions for this view' }).click();
    await page.getByRole('menuitem', { name: 'Delete view' }).click();
    await expectSeen(toastOf(page, 'deleted'));
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Payments' }).waitFor();
  });

  test('what is filtered is exported as CSV, and opened in SQL with the same events', async () => {
    await sendPayments();
    await openExplore({
      events: ['invoice paid'],
      select: ['timestamp', 'person_display_name -- Person', 'properties.amount'],
    });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
    expect(lines[0]).toBe('uuid,timestamp,distinct_id,email,amount');
    expect(lines.slice(1).map((line) => line.split(',').at(-1))).toEqual(['480', '3480', '20']);
    await expectSeen(toastOf(page, 'Exported 3 events'));
    await page.getByRole('button', { name: 'Open in SQL' }).click();
    await page.getByText('3 rows').first().waitFor();
  });

  test('on a phone events are cards, and nothing scrolls sideways', async () => {
    await sendPayments();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(view.at('/explore'));
    const card = page.getByRole('button', { name: /invoice paid/ }).first();
    await expectSeen(card);
    await card.click();
    await page.getByRole('tab', { name: /^Properties/ }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await view.violations()).toEqual([]);
  });
});

describe('Sessions', () => {
  test('a visit is listed with its paths, and opened with its timeline and the way to Explore', async () => {
    await sendPayments();
    await page.goto(view.at('/sessions'));
    await row('visitor-7').waitFor();
    expect(await row('visitor-7').innerText()).toContain('/pricing');
    expect(await view.violations()).toEqual([]);
    await row('visitor-7').click();
    await page.waitForURL(/\/sessions\/s-7$/);
    await page.getByRole('list', { name: 'Events of this session' }).getByText('$pageview').waitFor();
    expect(await view.violations()).toEqual([]);
    await page.getByRole('link', { name: 'Open in Explore' }).click();
    await expect.poll(() => rows().count()).toBe(1);
  });

  test('an ID that no event has says so', async () => {
    await sendPayments();
    await page.goto(view.at('/sessions/none-of-them'));
    await expectSeen(page.getByText('Session not found'));
  });
});

describe('The panel behind a number', () => {
  const series = ['$identify', 'invoice paid'].map((event) => ({ kind: 'EventsNode', event }));
  const panel = () => page.getByRole('dialog').first();

  async function openFunnel(): Promise<void> {
    await sendPayments();
    await view.capture({
      event: '$identify',
      distinct_id: 'bo',
      properties: { $set: { name: 'Bo Lund', plan: 'solo' } },
    });
    const query = { kind: 'FunnelsQuery', series, dateRange: { date_from: '-7d' } };
    const { short_id: id } = await view.ask<{ short_id: string }>(
      `/api/projects/${view.server.projectId}/insights/`,
      {
        method: 'POST',
        body: { name: 'Payments', saved: true, query: { kind: 'InsightVizNode', source: query } },
      },
    );
    await page.goto(view.at(`/insights/${id}`));
    await page.getByRole('button', { name: '1 dropped off' }).click();
    await expectSeen(
      panel().getByRole('heading', { name: '1 person who dropped off before “invoice paid”' }),
    );
  }

  test('it is searched, leads to the points beside it and to who converted, and Esc closes it', async () => {
    await openFunnel();
    await expectSeen(panel().getByRole('link', { name: /Bo Lund/ }));
    await expectSeen(panel().getByRole('columnheader', { name: 'plan' }));
    expect(await view.violations()).toEqual([]);
    await panel().getByRole('searchbox').fill('nothing like it');
    await panel().getByText('No persons match').waitFor();
    await panel().getByRole('searchbox').fill('');
    await panel().getByRole('button', { name: 'Converted 1' }).click();
    await panel()
      .getByRole('link', { name: /Ana Reyes/ })
      .waitFor();
    await panel().getByRole('button', { name: 'Previous data point' }).click();
    await panel().getByRole('heading', { name: '2 persons who entered with “$identify”' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('its persons are saved as a static cohort, as CSV, and their events are explored', async () => {
    await openFunnel();
    await panel().getByRole('button', { name: 'Save as cohort' }).click();
    await expectSeen(page.getByRole('button', { name: 'Save 1 person' }));
    await page.getByRole('button', { name: 'Save 1 person' }).click();
    await expectSeen(toastOf(page, 'saved'));
    const { results } = await view.ask<{ results: { name: string; count: number; is_static: boolean }[] }>(
      `/api/projects/${view.server.projectId}/cohorts/`,
    );
    expect(results).toMatchObject([
      { name: 'Persons who dropped off before “invoice paid”', count: 1, is_static: true },
    ]);
    const download = page.waitForEvent('download');
    await panel().getByRole('button', { name: 'Download CSV' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).toMatch(
      /^id,email,name,plan.*\n.*Bo Lund,solo/,
    );
    await panel().getByRole('button', { name: 'Open in Explore' }).click();
    await page
      .getByRole('button', { name: 'Persons are those who dropped off before “invoice paid”', exact: false })
      .first()
      .waitFor();
    await expect.poll(() => rows().count()).toBe(1);
    await expect.poll(() => row('Bo Lund').count()).toBe(1);
  });
});
