// @module-tag browser
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openConsole, openContext, openPage, type OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { startServer } from '../support/start-server.ts';

/**
 * What people come for, each by the pointer alone from Home of a project with demo data. The numbers are the clicks that
 * each takes; typing is none. A change of the console may lower one, and should not raise it.
 */
const CLICKS = {
  'first event': 2,
  'trend to dashboard': 13,
  'who left a funnel': 7,
  'arrange and undo': 5,
  'share and open': 5,
  collaborator: 4,
  'flag for a cohort': 12,
  'compare two users': 5,
  'person and timeline': 3,
  'SQL to insight': 4,
  CSV: 2,
  'dates and interval': 6,
  annotate: 4,
  'TV mode': 5,
  'why dropped': 2,
  'delete and restore': 5,
  theme: 2,
  'back up and restore': 5,
  find: 2,
} as const;

let view: OpenConsole;
let page: Page;
let projectId: number;
let dataDir: string;
let clicks = 0;
/** What the page complains about on purpose. */
let provoked: RegExp | null = null;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'burrow-jobs-'));
  view = await openConsole({ server: await startServer({ dataDir }) });
  page = view.page;
  await page.setViewportSize({ width: 1440, height: 900 });
  const { id } = await view.ask<{ id: number }>('/api/burrow/demo/', {
    method: 'POST',
    body: { size: 'small' },
  });
  projectId = id;
  const isReady = async () =>
    (await view.ask<{ results: { state: string }[] }>('/api/burrow/demo/')).results[0]!.state === 'ready';
  await vi.waitUntil(isReady, { timeout: 60_000, interval: 200 });
});
afterAll(async () => {
  const complaints = await view.close();
  await rm(dataDir, { recursive: true, force: true });
  expect(complaints.filter((text) => provoked?.test(text) !== true)).toEqual([]);
});

beforeEach(async () => {
  clicks = 0;
  await page.goto(`${view.server.url}/project/${projectId}/home`);
  await page.getByRole('heading', { name: 'Home', exact: true }).waitFor();
});

async function click(target: Locator): Promise<void> {
  await target.click();
  clicks += 1;
}

const button = (name: string | RegExp, where: Page | Locator = page) =>
  where.getByRole('button', { name, exact: typeof name === 'string' });
const option = (name: string | RegExp) =>
  page.getByRole('option', { name, exact: typeof name === 'string' }).first();
const item = (name: string | RegExp) => page.getByRole('menuitem', { name, exact: typeof name === 'string' });
const link = (name: string | RegExp) => page.getByRole('link', { name }).first();
/** A link of the sidebar. */
const screen = (name: string) =>
  page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name, exact: true });
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const type = (text: string) => page.keyboard.type(text);

function job(name: keyof typeof CLICKS, does: string, walk: () => Promise<void>): void {
  test(`${name}: ${does}`, async () => {
    await walk();
    expect(clicks).toBe(CLICKS[name]);
  });
}

describe('by the pointer', () => {
  job('first event', 'Connect sends one, and shows it', async () => {
    await click(screen('Connect'));
    await click(button('Send test event'));
    const requests = page.getByRole('complementary', { name: 'Received requests' });
    await expectSeen(requests.getByText(/test event/).first());
  });

  job('trend to dashboard', 'an event is filtered, broken down and put on a dashboard', async () => {
    await click(button('New insight'));
    await click(button(/Change event/));
    await type('invoice sent');
    await click(option('invoice sent'));
    await click(button('Filter', page.getByRole('group', { name: 'A: invoice sent' })));
    await type('plan');
    await click(option('plan person, text'));
    await click(option('is'));
    await click(option(/^pro/));
    await click(button('Apply'));
    await click(button('Breakdown'));
    await type('country_name');
    await click(option('$geoip_country_name'));
    await click(button('Save'));
    await click(button('Add to dashboard'));
    await click(page.getByRole('menuitemcheckbox', { name: 'Revenue' }));
    await expectSeen(page.getByText(/Added to/).first());
  });

  job('who left a funnel', 'a funnel of two steps names who dropped off', async () => {
    await click(button('New insight'));
    await click(button('Funnels'));
    await click(button(/Change event/));
    await type('signup started');
    await click(option('signup started'));
    await click(button('Step'));
    await type('signed up');
    await click(option('signed up'));
    await click(button(/dropped off/));
    await expectSeen(dialog(/persons? who/));
  });

  job('arrange and undo', 'a tile is moved, and moved back', async () => {
    await click(screen('Dashboards'));
    await click(link(/^Revenue/));
    await click(button('Edit'));
    // What drags tiles is loaded when editing begins.
    await page.locator('.grid-stack[data-live] > [gs-x]').first().waitFor();
    const tile = page.getByRole('group', { name: /column \d+, row/ }).first();
    const before = await tile.getAttribute('aria-label');
    const handle = (await tile.getByRole('heading').boundingBox())!;
    await page.mouse.move(handle.x + 20, handle.y + 5);
    await page.mouse.down();
    await page.mouse.move(handle.x + 20, handle.y + 500, { steps: 8 });
    await page.mouse.up();
    clicks += 1;
    await expect.poll(() => button(/^Undo/).count()).toBe(1);
    await click(button(/^Undo/));
    await expect.poll(() => tile.getAttribute('aria-label')).toBe(before);
  });

  job('share and open', 'a dashboard is shared, and seen by who is signed out', async () => {
    await click(screen('Dashboards'));
    await click(link(/^Activation/));
    await click(button('Share'));
    await click(page.getByRole('switch', { name: 'Anyone with the link can view' }));
    await click(button(/^Copy/, dialog(/^Share/)).first());
    await page.getByText('Copied', { exact: true }).first().waitFor({ state: 'attached' });
    const address = await page.evaluate<string>('navigator.clipboard.readText()');
    const signedOut = await openContext(page.context().browser()!, view.server.url, () => undefined);
    const publicPage = await openPage(signedOut);
    await publicPage.goto(address);
    await expectSeen(publicPage.getByText('Activation and engagement').first());
    await signedOut.close();
  });

  job('collaborator', 'a member is added, whose key is shown', async () => {
    await click(screen('Settings'));
    await click(page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Members' }));
    await click(button('Add member'));
    await type('ana@reyes.example');
    await click(button('Add', dialog('Add member')));
    await expectSeen(page.getByText(/^phx_/).first());
  });

  job('flag for a cohort', 'three variants for 20 % of a cohort, and why a person gets one', async () => {
    await click(screen('Flags'));
    await click(button('New flag'));
    await page.getByRole('textbox', { name: 'Key', exact: true }).fill('new-editor');
    await click(button('Multivariate'));
    await click(button('Variant'));
    await page.getByRole('textbox', { name: 'Key of variant 3' }).fill('other');
    await click(button('Distribute evenly'));
    await click(button('Add a condition to set 1'));
    await click(button(/^Cohort/, dialog('Add a condition to set 1')));
    await click(option(/Paying/));
    await page.getByRole('textbox', { name: 'Rollout of set 1, typed' }).fill('20');
    await click(button('Save'));
    await button('Try in playground').waitFor();
    await click(screen('Playground'));
    await click(page.getByRole('region', { name: 'Latest persons' }).getByRole('button').first());
    await click(button(/^new-editor/));
    await expectSeen(page.getByRole('region', { name: 'Reasons' }));
  });

  job('compare two users', 'two persons get the same request side by side', async () => {
    await click(screen('Playground'));
    const latest = page.getByRole('region', { name: 'Latest persons' }).getByRole('button');
    const [, other] = (await latest.nth(1).innerText()).split('\n');
    await click(latest.first());
    await click(button('Compare'));
    await click(button('Select person').last());
    await type(other!);
    await click(option(new RegExp(other!)));
    await expectSeen(page.getByRole('heading', { name: /of 7 flags differ/ }));
  });

  job('person and timeline', 'one of the list is opened, and one of their events', async () => {
    await click(screen('Persons'));
    await click(page.getByRole('table', { name: 'Persons' }).getByRole('link').first());
    const events = page.getByRole('list', { name: 'Events of this person' });
    await click(events.getByRole('button', { name: /web$/ }).first());
    await expectSeen(events.getByText('$session_id'));
  });

  job('SQL to insight', 'an example runs and is saved', async () => {
    await click(screen('SQL'));
    await click(button(/^Most frequent events/));
    await page
      .getByText(/^\d+ rows$/)
      .first()
      .waitFor();
    await click(button('Save insight'));
    await type('Events by name');
    await click(button('Save insight', dialog('Save as an insight')));
    await page.getByRole('heading', { name: 'Events by name', exact: true }).waitFor({ state: 'attached' });
    await expectSeen(button('Add to dashboard'));
  });

  job('CSV', 'events are saved as a file', async () => {
    await click(screen('Explore'));
    const [file] = await Promise.all([page.waitForEvent('download'), click(button('Export as CSV'))]);
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
  });

  job('dates and interval', 'an insight shows the last 90 days by week', async () => {
    await click(screen('Insights'));
    await click(link(/^Visitors/));
    await click(button(/^Date range/));
    await click(button('Last 90 days'));
    await click(button(/^Interval/));
    await click(page.getByRole('menuitemradio', { name: 'Week' }));
    await expectSeen(button('Interval: Week'));
    await expectSeen(button('Date range: Last 90 days'));
  });

  job('annotate', 'what happened today is written on a chart', async () => {
    await click(screen('Insights'));
    await click(link(/^Visitors/));
    await click(button('Annotate'));
    await type('Version 3 was released');
    await click(button('Save annotation'));
    await expectSeen(button('Annotation: Version 3 was released'));
  });

  job('TV mode', 'a dashboard fills the screen', async () => {
    await click(screen('Dashboards'));
    await click(link(/^Revenue/));
    await click(button(/^More: TV mode/));
    await click(item('TV mode…'));
    await click(button('Open', dialog('TV mode')));
    await page.getByRole('article').first().waitFor();
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
  });

  job('why dropped', 'an event without a name says why', async () => {
    const { api_token: key } = await view.ask<{ api_token: string }>(`/api/projects/${projectId}/`);
    const body = JSON.stringify({ api_key: key, batch: [{ distinct_id: 'ana' }] });
    await fetch(`${view.server.url}/batch/`, { method: 'POST', body });
    await click(page.getByRole('link', { name: /Opens Ingestion/ }));
    await click(page.getByRole('row', { name: /No event name/ }));
    await expectSeen(page.getByText('Pass a name with each event'));
  });

  job('delete and restore', 'a dashboard is deleted and comes back', async () => {
    await click(screen('Dashboards'));
    await click(link(/^Errors and AI/));
    await click(button(/^More: TV mode/));
    await click(item('Delete dashboard'));
    await click(button('Undo'));
    await expectSeen(page.getByRole('heading', { name: 'Errors and AI', exact: true }));
  });

  job('theme', 'the console becomes dark', async () => {
    await click(button(/^Theme/));
    await click(page.getByRole('menuitemradio', { name: 'Dark' }));
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  job('find', 'the palette opens what is typed', async () => {
    await click(button('Search'));
    await type('revenue');
    await click(option(/^Revenue/));
    await expectSeen(page.getByRole('heading', { name: 'Revenue', exact: true }));
  });

  // The last, because it signs out.
  job('back up and restore', 'a backup brings the project back', async () => {
    await click(screen('Settings'));
    await click(page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Storage' }));
    await click(button('Create backup'));
    await page.getByText(/created and verified/).waitFor();
    await click(page.getByRole('table', { name: 'Backups' }).getByRole('button').first());
    // While the server restarts, requests fail, and the session is lost.
    provoked = /ERR_CONNECTION_|ERR_EMPTY_RESPONSE|status of 40[13]/;
    await click(button('Restore', dialog('Restore backup')));
    await expectSeen(page.getByText(/^Restored [\d,]+ events from/));
  });
});
