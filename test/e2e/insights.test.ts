// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openNew, sendShop, TREND } from '../support/console-insights.ts';
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
});
afterEach(async () => {
  const complaints = await view.close();
  expect(complaints.filter((text) => !provoked?.test(text))).toEqual([]);
});

const chart = () => page.getByRole('slider');
/** A dialog traps the focus until it is closed. */
async function leaveDialog(): Promise<void> {
  await keys.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
const linesTable = () => page.getByRole('table', { name: 'Series' });
const rowOf = (name: string) => linesTable().getByRole('row', { name });

describe('a trend, by keyboard alone', () => {
  test(
    'an event is picked, counted, broken down, saved and found in the list',
    { tags: ['journey'] },
    async () => {
      await sendShop(view);
      await page.goto(view.at('/insights'));
      await page.getByText('No insights yet').waitFor();
      await keys.press('n');
      await page.getByRole('region', { name: 'Query' }).waitFor();
      await keys.enter(/^A: Any event/);
      await keys.type('looked');
      await keys.choose('looked');
      await rowOf('looked').getByText('36', { exact: true }).waitFor();

      await keys.pick(/Aggregation of looked/, 'Unique persons');
      await keys.enter('Breakdown');
      await keys.type('country');
      await keys.choose(/country/);
      await rowOf('Norway').waitFor();
      await keys.press('Control+s');
      await page.waitForURL(/\/insights\/[\w-]{6,}$/);

      await page.goto(view.at('/insights'));
      const row = page
        .getByRole('table', { name: 'Insights' })
        .getByRole('row', { name: /looked by country/ });
      await row.getByText('Trend').waitFor();
      await expect.poll(() => row.count()).toBe(1);
    },
  );

  test('unsaved changes are in the URL, and a reload runs them again', async () => {
    await sendShop(view);
    await openNew(view, TREND);
    await rowOf('looked').waitFor();
    await keys.pick(/^Aggregation of looked/, 'Unique persons');
    await page.waitForURL(/dau/);
    await page.reload();
    await page.getByRole('button', { name: 'Aggregation of looked: Unique persons' }).waitFor();
    await rowOf('looked').waitFor();
    expect(page.url()).toContain('dau');
  });

  test('a filter by property is applied, and the insight is duplicated with its filter', async () => {
    await sendShop(view);
    await openNew(view, TREND);
    await rowOf('looked').getByText('36', { exact: true }).waitFor();
    await keys.press('f');
    await keys.type('country');
    await keys.choose(/country/);
    await keys.choose(/^is$/);
    await keys.type('Norway');
    await keys.choose(/^Norway/);
    await rowOf('looked').getByText('20', { exact: true }).waitFor();
    await keys.press('Control+s');
    await page.waitForURL(/\/insights\/[\w-]{6,}$/);
    const stored = page.url();

    await keys.pick('More: save as, duplicate, delete', 'Duplicate');
    await page.waitForURL(/\/insights\/new\?q=/);
    await rowOf('looked').getByText('20', { exact: true }).waitFor();
    await keys.press('Control+s');
    await page.waitForURL(/\/insights\/[\w-]{6,}$/);
    expect(page.url()).not.toBe(stored);
  });

  test('a filter by the channel of sessions offers all channels, and is applied', async () => {
    const visit = (session: string, source?: string) => ({
      event: '$pageview',
      properties: { $session_id: session, utm_source: source, $referring_domain: '$direct' },
    });
    await view.capture(visit('one', 'newsletter'), visit('one'), visit('two'));
    await openNew(view, { ...TREND, series: [{ kind: 'EventsNode', event: '$pageview' }] });
    await keys.press('f');
    await keys.type('$channel');
    await keys.choose(/^\$channel_type\s*session, text/);
    await keys.choose(/^is$/);
    await keys.type('Email');
    await keys.choose(/^Email/);
    await page.getByRole('group', { name: '$channel_type is Email', exact: true }).waitFor();
    await expect.poll(() => rowOf('$pageview').getByText('2', { exact: true }).count()).toBe(1);
  });

  test('a point is selected by arrows and read as a sentence; Enter lists its persons', async () => {
    await sendShop(view);
    await openNew(view, TREND);
    await rowOf('looked').waitFor();
    await keys.tabTo('Chart of looked');
    await keys.press('ArrowRight');
    await expect
      .poll(() => chart().getAttribute('aria-valuetext'))
      .toMatch(/^looked, \w+.*: 1, still in progress$/);
    await keys.press('ArrowLeft');
    await expect.poll(() => chart().getAttribute('aria-valuetext')).toMatch(/: 2$/);
    await keys.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: /^2 persons\b/ }).waitFor();
    await expectSeen(dialog);
    await dialog.getByRole('link', { name: /person-1@shop\.example/ }).waitFor();
  });

  test('what is said of a place of the chart is seen whole, wide or narrow, at both ends', async () => {
    await sendShop(view);
    await openNew(view, TREND);
    await rowOf('looked').waitFor();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const { x, y, width: plot, height } = (await chart().first().boundingBox())!;
      for (const share of [0.05, 0.45, 0.6, 0.95]) {
        await page.mouse.move(x + plot * share, y + height / 2);
        await expectSeen(page.locator('.tip'));
      }
    }
  });

  test('by keyboard all numbers are shown in a table, and the query in HogQL', async () => {
    await sendShop(view);
    await openNew(view, TREND);
    await rowOf('looked').waitFor();
    await keys.tabTo('Chart');
    await keys.press('ArrowRight');
    await page.getByRole('table', { name: 'Result' }).getByRole('cell', { name: '36' }).waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), keys.enter('Export as CSV')]);
    expect(file.suggestedFilename()).toBe('looked.csv');
    await keys.tabTo('Table');
    await keys.press('ArrowRight');
    await page
      .getByText(/select/i)
      .first()
      .waitFor();
  });
});

describe('the date range, by keyboard alone', () => {
  test('is chosen by name, typed, relative, or picked in a calendar', async () => {
    await sendShop(view);
    await openNew(view, TREND);
    await rowOf('looked').waitFor();
    await keys.enter('Date range: Last 7 days');
    await keys.enter('Last 14 days');
    await page.waitForURL(/-14d/);

    await keys.enter('Date range: Last 14 days');
    await keys.fill('Count', '45');
    await keys.press('Enter');
    await page.waitForURL(/-45d/);

    await keys.enter('Date range: Last 45 days');
    await keys.fill('From', '2026-02-30x');
    await page.getByText('Use a date such as 2026-11-01, or -30d.').waitFor();
    await keys.fill('From', '-3d');
    await keys.fill('To', '-1d');
    await keys.press('Enter');
    await page.waitForURL(/-3d.*-1d/);

    await keys.enter('Date range: 3 days ago to 1 day ago');
    const today = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
    await keys.tabTo(new RegExp(`${today}$`));
    await keys.press('ArrowLeft', 'ArrowLeft', 'Enter', 'ArrowRight');
    expect(await view.violations()).toEqual([]);
    await keys.press('Enter');
    await page.waitForURL(/date_from%22:%22\d{4}-|date_from":"\d{4}-/);
    await rowOf('looked').getByText('5', { exact: true }).first().waitFor();
  });

  test('is compared with a chosen period', async () => {
    await sendShop(view);
    await openNew(view, TREND);
    await rowOf('looked').waitFor();
    await keys.pick('Compare: No comparison', 'vs. 1 week earlier');
    await linesTable().getByRole('columnheader', { name: '1 week earlier' }).waitFor();
    expect(page.url()).toContain('-1w');
  });
});

describe('the chart types of a trend', () => {
  const broken = { ...TREND, breakdownFilter: { breakdowns: [{ property: 'country', type: 'event' }] } };
  const norway = () => page.getByRole('button', { name: /^Norway/ });

  test('are chosen by keyboard, and each lists the persons of its numbers', async () => {
    await sendShop(view);
    await openNew(view, broken);
    await rowOf('Norway').waitFor();
    await keys.pick(/^Chart type/, 'Pie');
    await norway().first().waitFor();
    expect(await view.violations()).toEqual([]);
    await keys.enter(/^Norway\s*20/);
    await page
      .getByRole('dialog')
      .getByRole('heading', { name: /^4 persons\b/ })
      .waitFor();
    await leaveDialog();

    await keys.pick(/^Chart type/, 'World map');
    await keys.enter('Norway: 20');
    await page
      .getByRole('dialog')
      .getByRole('heading', { name: /^4 persons\b/ })
      .waitFor();
    await leaveDialog();
    expect(await view.violations()).toEqual([]);

    await keys.press('ArrowRight');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Chile: 16');
    await keys.pick(/^Chart type/, 'Bar by total');
    await page.getByRole('button', { name: /^Chile\s*16/ }).waitFor();
    await keys.pick(/^Chart type/, 'Stacked area');
    await chart().waitFor();
    await keys.pick(/^Chart type/, 'Table');
    await chart().waitFor({ state: 'detached' });
    await keys.enter('Chile: 16. Show persons');
    await page
      .getByRole('dialog')
      .getByRole('heading', { name: /^4 persons\b/ })
      .waitFor();
  });

  test('a number is shown with its previous value', async () => {
    await sendShop(view);
    await openNew(view, {
      ...TREND,
      dateRange: { date_from: '-3d' },
      compareFilter: { compare: true },
      trendsFilter: { display: 'BoldNumber' },
    });
    // Of exactly three days up to now, against the three before.
    await page.getByRole('button', { name: 'looked: 6. Show persons' }).waitFor();
    await keys.enter('looked: 6. Show persons');
    await page
      .getByRole('dialog')
      .getByRole('heading', { name: /^3 persons\b/ })
      .waitFor();
    await leaveDialog();
    await page.getByText('from 15').first().waitFor();
    expect(await view.violations()).toEqual([]);
  });
});

describe('an insight that is stored', () => {
  test('asks before leaving with changes, and becomes a favorite immediately', async () => {
    const { short_id: id } = await view.ask<{ short_id: string }>(
      `/api/projects/${view.server.projectId}/insights/`,
      {
        method: 'POST',
        body: { name: 'Looks', saved: true, query: { kind: 'InsightVizNode', source: TREND } },
      },
    );
    await page.goto(view.at(`/insights/${id}`));
    await page.getByText('No matching events').waitFor();
    await page.getByRole('button', { name: 'Add to favorites' }).click();
    await page.getByRole('button', { name: 'Remove from favorites' }).waitFor();
    await page.getByRole('switch', { name: 'Filter out internal and test users' }).click();
    await page.getByText('Unsaved changes').waitFor();
    // The change reaches the address while the next screen is still being loaded.
    await page.route('**/*.js', (route) => setTimeout(() => void route.continue(), 1000));
    await page.getByRole('link', { name: 'Insights' }).first().click();
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('table', { name: 'Insights' }).waitFor();
    await page.getByRole('button', { name: 'Favorites' }).click();
    await page.getByRole('table', { name: 'Insights' }).getByRole('row', { name: /Looks/ }).waitFor();
    const stored = await view.ask<{ favorited: boolean; query: object }>(
      `/api/projects/${view.server.projectId}/insights/?short_id=${id}`,
    );
    expect(stored).toMatchObject({ results: [{ favorited: true, query: { source: TREND } }] });
  });
});

test('numbers are broken down by an expression, and aggregated by one', async () => {
  await sendShop(view);
  await openNew(view, TREND);
  await rowOf('looked').waitFor();
  await keys.enter('Breakdown');
  await keys.type('upper(properties.country)');
  await keys.choose(/HogQL expression/);
  await rowOf('NORWAY').waitFor();
  await keys.pick(/^Breakdown limit/, 'Top 5 values');
  await page.waitForURL(/breakdown_limit/);
  await keys.pick('Aggregation of looked: Total count', 'HogQL expression');
  await page.getByText('Enter a HogQL expression for looked.').waitFor();
  // Half of an expression is none.
  provoked = /status of 400/;
  await keys.fill('HogQL expression of looked', 'max(toFloat(properties.amount))');
  await page.waitForURL(/math_hogql/);
  await rowOf('NORWAY').waitFor();
  await keys.pick(/^Sampling/, '50%');
  await page.waitForURL(/samplingFactor/);
  expect(decodeURIComponent(page.url())).toContain('"type":"hogql"');
});

test('a refused query shows the error, and can be retried', async () => {
  provoked = /status of 400/;
  await openNew(view, { ...TREND, trendsFilter: { formula: 'A +' } });
  await page.getByText('Could not load the result').waitFor();
  expect(await page.getByRole('button', { name: 'Retry' }).isEnabled()).toBe(true);
});

test('editor and list are accessible, in either theme, wide or narrow', async () => {
  await sendShop(view);
  const breakdownFilter = { breakdowns: [{ property: 'country', type: 'event' }] };
  await openNew(view, { ...TREND, breakdownFilter, compareFilter: { compare: true } });
  await rowOf('Norway').waitFor();
  expect(await view.violationsInEveryLook('insight')).toEqual([]);
  await page.goto(view.at('/insights'));
  await page.getByText('No insights yet').waitFor();
  expect(await view.violationsInEveryLook('insights-empty')).toEqual([]);
});

test('the list shows the last result of each insight, and computes none for it', async () => {
  await sendShop(view);
  const all = `/api/projects/${view.server.projectId}`;
  const dashboards = await Promise.all(
    ['Shop', 'Board'].map((name) =>
      view.ask<{ id: number }>(`${all}/dashboards/`, { method: 'POST', body: { name } }),
    ),
  );
  const store = async (name: string, query: object) => {
    const body = { name, query, dashboards: dashboards.map(({ id }) => id) };
    const { id } = await view.ask<{ id: number }>(`${all}/insights/`, { method: 'POST', body });
    return id;
  };
  const sql = (query: string) => ({ kind: 'DataVisualizationNode', source: { kind: 'HogQLQuery', query } });
  const node = (source: object) => ({ kind: 'InsightVizNode', source });
  const looked = { kind: 'EventsNode', event: 'looked' };
  const steps = { kind: 'FunnelsQuery', series: [looked, { kind: 'EventsNode' }] };
  const entity = { id: 'looked', type: 'events' };
  const retention = {
    kind: 'RetentionQuery',
    retentionFilter: { targetEntity: entity, returningEntity: entity },
  };
  const computed = [
    await store('Looks', node(TREND)),
    await store('Steps', node(steps)),
    await store('Returns', node(retention)),
    await store('All looks', sql("SELECT count() AS looks FROM events WHERE event = 'looked'")),
  ];
  for (const id of computed) await view.ask(`${all}/insights/${id}/?refresh=blocking`);
  await store('Never opened', node({ ...TREND, interval: 'month' }));
  const queries: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/query/')) queries.push(request.url());
  });
  await page.goto(view.at('/insights'));
  const previewOf = (name: string) =>
    page
      .getByRole('table', { name: 'Insights' })
      .getByRole('row')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('.preview');
  await previewOf('Looks').and(page.locator('.line')).waitFor();
  await previewOf('Steps').and(page.locator('.bars[title$="converted"]')).waitFor();
  await previewOf('Returns').and(page.locator('.shares')).waitFor();
  await expect.poll(() => previewOf('All looks').textContent()).toBe('36');
  await previewOf('Never opened').and(page.locator('[title="Not computed yet"]')).waitFor();
  expect(queries).toEqual([]);
  expect(await view.violationsInEveryLook('insights-list')).toEqual([]);

  await page.getByRole('link', { name: 'All looks' }).click();
  await page.getByRole('button', { name: /^On 2 dashboards/ }).waitFor();
  const facts = page.getByRole('region', { name: 'Details' });
  expect(await facts.getByText('Created').count()).toBe(0);
  await facts.getByRole('button', { name: 'Details' }).click();
  await facts.getByText(/by \w/).first().waitFor();
  await facts.getByRole('link', { name: 'Shop', exact: true }).waitFor();
  await page.goto(view.at('/insights'));
  await page.getByRole('link', { name: 'Looks', exact: true }).click();
  await facts.getByRole('button', { name: 'Details' }).click();
  await facts.getByText('Trend', { exact: true }).waitFor();
  await facts.getByRole('link', { name: 'Board', exact: true }).waitFor();
  expect(await view.violations()).toEqual([]);
});
