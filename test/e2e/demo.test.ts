// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const dialog = () => page.getByRole('dialog', { name: 'Try with demo data' });
const banner = () => page.getByRole('region', { name: 'Demo data' });

const demoProjects = async () => (await view.ask<{ results: unknown[] }>('/api/burrow/demo/')).results;

test('an empty project offers demo data: two clicks open its home, one removes it', async () => {
  await page.goto(view.at('/home'));
  await page.getByRole('button', { name: 'Try with demo data' }).click();
  await dialog().getByRole('radio', { name: /^Shop/ }).check();
  await dialog().getByRole('button', { name: '10,000 events' }).click();
  await expectSeen(dialog());
  await dialog().getByRole('button', { name: 'Create demo project' }).click();
  await banner().getByText('This product is invented.').waitFor();
  await page.getByRole('button', { name: /^Project: Larch & Loft/ }).waitFor();
  await page.getByRole('link', { name: /Shop overview/ }).click();
  await page.getByText('Revenue per week').waitFor();
  await expectSeen(banner());
  await banner().getByRole('button', { name: 'Remove demo data' }).click();
  await expect.poll(() => banner().count()).toBe(0);
  await page.getByRole('heading', { name: 'Connect', exact: true }).waitFor();
  await expect.poll(demoProjects).toEqual([]);
});

test('events keep coming during a talk, until they are stopped', async () => {
  const { id } = await view.ask<{ id: number }>('/api/burrow/demo/', {
    method: 'POST',
    body: { size: 'small' },
  });
  const live = async () =>
    (await view.ask<{ results: { state: string; live: { events: number } | null }[] }>('/api/burrow/demo/'))
      .results[0]!;
  await expect.poll(async () => (await live()).state, { timeout: 60_000 }).toBe('ready');
  await page.goto(view.at('/live').replace(/\/project\/\d+\//, `/project/${id}/`));
  const newest = () => page.locator('.event-row .time').first().getAttribute('title');
  const before = await newest();
  await banner().getByRole('button', { name: 'Live events' }).click();
  const events = page.getByRole('dialog', { name: 'Live events' });
  await events.getByRole('button', { name: '1,200 events a minute' }).click();
  await events.getByRole('radio', { name: /^Outage/ }).check();
  await events.getByLabel('Begins at').fill('14:00');
  await expectSeen(events);
  await events.getByRole('button', { name: 'Start' }).click();
  await banner().getByText('1,200/min').waitFor();
  await expect.poll(async () => (await live()).live?.events ?? 0, { timeout: 60_000 }).toBeGreaterThan(20);
  // Rows wait while the mouse is over them.
  await banner().hover();
  await expect.poll(newest).not.toBe(before);
  await page.reload();
  await banner().getByText('1,200/min').waitFor();
  await banner().getByRole('button', { name: 'Live events' }).click();
  const fast = events.getByRole('button', { name: '1,200 events a minute' });
  await expect.poll(() => fast.getAttribute('aria-pressed')).toBe('true');
  expect(await events.getByRole('radio', { name: /^Outage/ }).isChecked()).toBe(true);
  expect(await events.getByLabel('Begins at').inputValue()).toBe('14:00');
  await events.getByRole('button', { name: 'Stop' }).click();
  await events.waitFor({ state: 'detached' });
  await banner().getByRole('button', { name: 'Live events' }).waitFor();
  await expect.poll(() => banner().getByText('1,200/min').count()).toBe(0);
  expect((await live()).live).toBeNull();

  await view.ask(`/api/burrow/demo/${id}/live/`, { method: 'PUT', body: { events_per_minute: 100 } });
  await page.reload();
  await banner().getByText('100/min').waitFor();
  await view.ask(`/api/burrow/demo/${id}/live/`, { method: 'DELETE' });
  await banner().getByText('100/min').waitFor({ state: 'detached' });
  await page.goto(view.at('/dashboards'));
  await page.getByRole('heading', { name: 'Dashboards', exact: true }).waitFor();
  await view.ask(`/api/burrow/demo/${id}/`, { method: 'DELETE' });
});

test('the palette opens it from anywhere, and Cancel leaves nothing behind', async () => {
  await page.goto(view.at('/dashboards'));
  await page.getByRole('heading', { name: 'Dashboards', exact: true }).waitFor();
  const keys = keyboardOf(page);
  await keys.press('Control+k');
  await page.keyboard.type('sample');
  await page.getByRole('option', { name: /Try with demo data/ }).waitFor();
  await keys.press('Enter');
  await dialog().getByRole('button', { name: '1,000,000 events' }).click();
  await dialog().getByRole('button', { name: 'Create demo project' }).click();
  await dialog()
    .getByText(/events stored/)
    .waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await expect
    .poll(() =>
      dialog()
        .getByText(/events stored/)
        .count(),
    )
    .toBe(0);
  await expect.poll(demoProjects).toEqual([]);
});
