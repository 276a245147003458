// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openNew, sendShop, TREND } from '../support/console-insights.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

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

const range = { dateRange: { date_from: '-7d' } };

test('a funnel shows conversions and drop-offs of each step, with their persons, by keyboard', async () => {
  await sendShop(view);
  const series = ['looked', 'bought'].map((event) => ({ kind: 'EventsNode', event }));
  await openNew(view, { kind: 'FunnelsQuery', series, ...range });
  await page.getByRole('button', { name: '8 entered' }).waitFor();
  // The time is shown for converted persons only.
  const bought = page.getByRole('listitem').filter({ hasText: '4 dropped off' });
  await expect.poll(() => bought.innerText()).toMatch(/4 converted\s\(median \S.*\)\s+4 dropped off$/);
  await keys.enter('4 dropped off');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: /^4 persons\b/ }).waitFor();
  await expectSeen(dialog);
  await expect.poll(() => dialog.getByRole('link', { name: /@shop\.example/ }).count()).toBe(4);
});

test('a funnel is given an exclusion, and shown as conversion times and over time, by keyboard', async () => {
  await sendShop(view);
  const series = ['looked', 'bought'].map((event) => ({ kind: 'EventsNode', event }));
  await openNew(view, { kind: 'FunnelsQuery', series, ...range });
  await page.getByRole('button', { name: '8 entered' }).waitFor();
  await keys.pick(/^Step order/, 'Any order');
  await page.waitForURL(/unordered/);
  await keys.pick(/^Step order/, 'Sequential');
  await keys.enter('Optional step: bought');
  await page.waitForURL(/optionalInFunnel/);
  await keys.fill('Conversion window', '7');
  await keys.pick(/^Unit of conversion window/, 'hours');
  await page.waitForURL(/hour/);
  await keys.pick(/^Unit of conversion window/, 'days');
  await keys.enter('Exclude events between steps');
  await keys.type('refunded');
  await keys.choose(/refunded/);
  await page.waitForURL(/refunded/);
  expect(await view.violations()).toEqual([]);

  await keys.pick(/^Chart type/, 'Time to convert');
  await page.getByText('average time from first to last step').waitFor();
  expect(await view.violations()).toEqual([]);
  await keys.pick(/^Chart type/, 'Conversion over time');
  const chart = page.getByRole('slider', { name: /^Conversion of looked to bought/ });
  await chart.waitFor();
  expect(await view.violations()).toEqual([]);

  // The previous period is a line that the keyboard reaches too.
  await keys.pick(/^Compare/, 'vs. previous 7 days');
  await page.waitForURL(/compareFilter/);
  await chart.focus();
  await page.keyboard.press('ArrowLeft');
  await expect
    .poll(() => chart.getAttribute('aria-valuetext'))
    .toMatch(/than previous 7 days|previous 7 days, /);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/^Converted, previous 7 days, /);
});

test('a funnel of sessions lists sessions, each with the link to its page', async () => {
  await view.capture(
    { event: 'looked', distinct_id: 'lin', properties: { $session_id: 's-lin' } },
    { event: 'bought', distinct_id: 'lin', properties: { $session_id: 's-lin' } },
  );
  const series = ['looked', 'bought'].map((event) => ({ kind: 'EventsNode', event }));
  const funnelsFilter = { funnelAggregateByHogQL: 'properties.$session_id' };
  await openNew(view, { kind: 'FunnelsQuery', series, funnelsFilter, ...range });
  await keys.enter('1 entered');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: /^1 session\b/ }).waitFor();
  const link = dialog.getByRole('link', { name: /s-lin\s*lin/ });
  await expect.poll(() => link.getAttribute('href')).toMatch(/\/sessions\/s-lin$/);
});

test('a calendar heatmap and a box plot are chosen by keyboard, and say what they need', async () => {
  await sendShop(view);
  // So uneven that the mean of today does not lie on its box.
  await view.capture(...[10, 10, 500].map((amount) => ({ event: 'looked', properties: { amount } })));
  await openNew(view, TREND);
  await page.getByRole('table', { name: 'Series' }).waitFor();
  await keys.pick(/^Chart type/, 'Calendar heatmap');
  const heatmap = page.getByRole('table', { name: 'looked by weekday and hour' });
  await expectSeen(heatmap.getByRole('rowheader', { name: 'Sun' }));
  await expectSeen(heatmap.locator('td.h6').first());
  await expect.poll(() => heatmap.getByRole('row', { name: /^All/ }).last().innerText()).toMatch(/39$/);
  expect(await view.violations()).toEqual([]);

  await keys.pick(/^Chart type/, 'Box plot');
  await expectSeen(page.getByText('A box plot shows the values of a property', { exact: false }));
  await keys.pick(/^Aggregation of looked/, 'Average of property');
  await keys.enter('select property');
  await keys.type('amount');
  await keys.choose(/amount/);
  const plot = page.getByRole('img', { name: /^Box plot of/ });
  await expectSeen(plot.locator('.box').last());
  await plot.locator('.box').last().hover();
  await expectSeen(
    page.locator('.tip', { hasText: /Maximum\s*500\s*75th percentile.*Median.*Mean.*Minimum.*\d+ values/ }),
  );
  expect(await view.violations()).toEqual([]);
});

test('a cell of retention lists its persons, by keyboard', async () => {
  await sendShop(view);
  const looked = { id: 'looked', type: 'events' };
  await openNew(view, {
    kind: 'RetentionQuery',
    retentionFilter: { period: 'Day', totalIntervals: 7, targetEntity: looked, returningEntity: looked },
    ...range,
  });
  const cell = page.getByRole('button', { name: /6 of 7 in cohort .*: Day 1$/ });
  await cell.waitFor();
  await keys.enter(/6 of 7 in cohort .*: Day 1$/);
  await page
    .getByRole('dialog')
    .getByRole('heading', { name: /^6 persons\b/ })
    .waitFor();
  await keys.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await keys.fill('Number of periods', '3');
  await page.waitForURL(/totalIntervals%22:3|totalIntervals":3/);
  await page.getByRole('columnheader', { name: 'Day 3' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('columnheader', { name: 'Day 2' }).count()).toBe(1);
});

test.each([
  [
    'RetentionQuery',
    {
      retentionFilter: {
        period: 'Day',
        totalIntervals: 7,
        targetEntity: { id: 'looked', type: 'events' },
        returningEntity: { id: 'looked', type: 'events' },
      },
    },
    'Retention',
  ],
  ['StickinessQuery', { series: TREND.series }, 'Series'],
  ['LifecycleQuery', { series: TREND.series }, 'Series'],
])('a %s is drawn', async (kind, rest, table) => {
  await sendShop(view);
  await openNew(view, { kind, ...rest, ...range });
  await page.getByRole('table', { name: table }).waitFor();
  expect(await view.violations()).toEqual([]);
});

test('paths are drawn', async () => {
  await sendShop(view);
  await openNew(view, { kind: 'PathsQuery', ...range });
  await page.getByRole('region', { name: 'Step 1', exact: true }).waitFor();
  expect(await view.violations()).toEqual([]);
});
