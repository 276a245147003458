// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen, failurePanelOf } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();
const DAY = 86_400_000;

/** An annotation as far as these tests look at it. */
interface Annotation {
  id: number;
  content: string;
  date_marker: string;
  scope: string;
  dashboard_item: number | null;
  dashboard_id: number | null;
}

let view: OpenConsole;
let page: Page;
let keys: Keyboard;
/** What a test makes the page complain about on purpose. */
let provoked: RegExp | null;

beforeEach(async () => {
  provoked = null;
  await open();
});
afterEach(async () => {
  const complaints = await view.close();
  expect(complaints.filter((text) => !provoked?.test(text))).toEqual([]);
});

async function open(): Promise<void> {
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
}

const project = (rest = '') => `/api/projects/${view.server.projectId}/${rest}`;
const dialog = () => page.getByRole('dialog');
const row = (name: string | RegExp) =>
  page.getByRole('table', { name: 'Annotations' }).getByRole('row', { name });
const gone = () => dialog().waitFor({ state: 'detached' });

function create(body: object): Promise<Annotation> {
  return view.ask<Annotation>(project('annotations/'), { method: 'POST', body });
}

async function stored(): Promise<Annotation[]> {
  return (await view.ask<{ results: Annotation[] }>(project('annotations/'))).results;
}

/** The project keeps the clocks of a place whose days begin earlier than those of the server. */
async function moveTo(timezone: string): Promise<void> {
  await view.ask(project(), { method: 'PATCH', body: { timezone } });
}

/** An insight of visits, one on each of the last days. */
async function makeInsight(): Promise<{ id: number; short_id: string }> {
  const days = Array.from({ length: 6 }, (_, ago) => ({
    event: 'looked',
    timestamp: new Date(Date.now() - ago * DAY - 60_000).toISOString(),
  }));
  await view.capture(...days);
  const query = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'looked' }],
    interval: 'day',
    dateRange: { date_from: '-7d' },
  };
  const body = { name: 'Looks', saved: true, query: { kind: 'InsightVizNode', source: query } };
  return view.ask(project('insights/'), { method: 'POST', body });
}

describe('annotations, by keyboard alone', () => {
  test('one is created from the empty list, at a time in the project’s time zone, and changed', async () => {
    await moveTo('Asia/Tokyo');
    await page.goto(view.at('/annotations'));
    await page.getByText('No annotations yet').waitFor();
    await keys.press('n');
    await dialog().getByLabel('Content').waitFor();
    await keys.type('Version 4.2');
    await keys.press('Shift+Enter');
    await keys.type('for all');
    await keys.enter(/^Day: /);
    await page.getByRole('grid').waitFor();
    const before = await page.locator(':focus').getAttribute('aria-label');
    await keys.press('ArrowLeft', 'Enter');
    await page.getByRole('grid').waitFor({ state: 'detached' });
    expect(before).not.toBeNull();
    await keys.fill('Time', '9:05');
    await keys.press('Enter');
    await gone();
    await row(/Version 4\.2/)
      .getByText(/, 09:05$/)
      .waitFor();
    await row(/Version 4\.2/)
      .getByText('project')
      .waitFor();

    const [first] = await stored();
    const yesterday = new Date(Date.now() + 9 * 3_600_000 - DAY).toISOString().slice(0, 10);
    expect(first).toMatchObject({ content: 'Version 4.2\nfor all', scope: 'project' });
    expect(first!.date_marker).toMatch(new RegExp(`^${yesterday}T00:05:00`));

    await keys.press('j', 'Enter');
    await dialog().getByLabel('Content').waitFor();
    expect(page.url()).toContain(`open=${first!.id}`);
    await keys.fill('Content', 'Version 4.3');
    await keys.pick(/^Scope: /, 'Organization');
    await keys.enter('Save');
    await gone();
    await row(/Version 4\.3/)
      .getByText('organization')
      .waitFor();
    expect((await stored())[0]).toEqual({
      ...first,
      content: 'Version 4.3',
      scope: 'organization',
      updated_at: expect.any(String),
    });
    // The other tests have projects of their own, in the same organization.
    const path = project(`annotations/${first!.id}/`);
    await view.ask(path, { method: 'PATCH', body: { deleted: true } });
  });

  test('they are searched, filtered by scope, deleted, and restored', async () => {
    const { id } = await makeInsight();
    const at = new Date(Date.now() - DAY).toISOString();
    await create({ content: 'Outage of the bank', scope: 'project', date_marker: at });
    const tied = { scope: 'dashboard_item', dashboard_item: id };
    await create({ content: 'New price', date_marker: at, ...tied });
    await page.goto(view.at('/annotations'));
    await row(/New price/)
      .getByText('Looks')
      .waitFor();
    await keys.press('/');
    await keys.type('bank');
    await row(/New price/).waitFor({ state: 'detached' });
    await keys.press('ArrowDown', 'Delete');
    await page.getByText('No matching annotations').waitFor();
    expect((await stored()).map(({ content }) => content)).toEqual(['New price']);
    await keys.press('Alt+t');
    await keys.enter('Undo');
    await row(/Outage/).waitFor();
    expect(await stored()).toHaveLength(2);
  });

  test('one without content is refused before it is sent, and one for a dashboard without a dashboard', async () => {
    await view.ask(project('dashboards/'), { method: 'POST', body: { name: 'Money' } });
    await page.goto(view.at('/home'));
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await keys.press('Control+k');
    await keys.type('new annot');
    await page.getByRole('option', { name: /New annotation/ }).waitFor();
    await keys.press('Enter');
    await dialog().getByLabel('Content').waitFor();
    await keys.press('Enter');
    await dialog().getByText('Enter what happened.').waitFor();
    await keys.type('Board meeting');
    await keys.pick(/^Scope: /, 'Dashboard');
    await keys.enter('Save annotation');
    await dialog().getByText('Select a dashboard.', { exact: true }).waitFor();
    expect(await stored()).toEqual([]);
    await keys.enter('Select dashboard');
    await keys.choose('Money');
    await keys.enter('Save annotation');
    await gone();
    await row(/Board meeting/)
      .getByText('Money')
      .waitFor();
    expect((await stored())[0]).toMatchObject({ scope: 'dashboard', dashboard_id: expect.any(Number) });
  });

  test('a failure is shown and can be retried', async () => {
    await create({ content: 'v1', scope: 'project', date_marker: new Date().toISOString() });
    provoked = /ERR_FAILED/;
    await page.route(/\/annotations\/\?/, (route) => route.abort());
    await page.goto(view.at('/annotations'));
    await page.getByText('Burrow is not responding').waitFor();
    await page.unroute(/\/annotations\/\?/);
    await expectSeen(failurePanelOf(page));
    await keys.enter('Retry');
    await row(/v1/).waitFor();
    expect(await page.getByText('Burrow is not responding').count()).toBe(0);
  });
});

describe('on charts', () => {
  const chart = () => page.getByRole('slider');
  const mark = (content: string) => page.getByRole('button', { name: `Annotation: ${content}` });

  test('those of the insight and of the project are marked; another is created at the hovered day', async () => {
    const insight = await makeInsight();
    const date_marker = new Date(Date.now() - 2 * DAY).toISOString();
    await create({ content: 'For all', scope: 'project', date_marker });
    await create({ content: 'For it', scope: 'dashboard_item', dashboard_item: insight.id, date_marker });
    await create({ content: 'For none', scope: 'dashboard_item', dashboard_item: null, date_marker });
    await create({ content: 'Long ago', scope: 'project', date_marker: '2020-01-01T00:00:00Z' });
    await page.goto(view.at(`/insights/${insight.short_id}`));
    await page.getByRole('button', { name: '2 annotations' }).click();
    const list = page.getByRole('dialog', { name: '2 annotations' });
    await expectSeen(list.getByText('For all'));
    await expectSeen(list.getByText('For it'));
    await keys.press('Escape');
    await list.waitFor({ state: 'detached' });
    await expect
      .poll(() => page.getByRole('button', { name: /^Annotation: |^\d+ annotations?$/ }).count())
      .toBe(1);
    await keys.tabTo('Chart of looked');
    await keys.press('ArrowRight', 'ArrowLeft', 'ArrowLeft');
    await expect.poll(() => chart().getAttribute('aria-valuetext')).toMatch(/annotation: .*For all/);

    await keys.press('ArrowLeft', 'a');
    await dialog().getByLabel('Content').waitFor();
    await keys.type('The day before');
    await keys.pick(/^Scope: /, 'Insight');
    await dialog().getByRole('button', { name: 'Looks' }).waitFor();
    await keys.enter('Save annotation');
    await gone();
    await page
      .getByRole('button', { name: /^(3 annotations|Annotation: The day before)$/ })
      .first()
      .waitFor();
    const written = (await stored()).find(({ content }) => content === 'The day before');
    const day = new Date(Date.now() - 3 * DAY).toISOString().slice(0, 10);
    expect(written).toMatchObject({ scope: 'dashboard_item', dashboard_item: insight.id });
    expect(written!.date_marker).toMatch(new RegExp(`^${day}T12:00:00`));
  });

  test('those of a dashboard are marked on it, not on the insight by itself', async () => {
    const insight = await makeInsight();
    const board = await view.ask<{ id: number }>(project('dashboards/'), {
      method: 'POST',
      body: { name: 'Money' },
    });
    const path = project(`insights/${insight.id}/`);
    await view.ask(path, { method: 'PATCH', body: { dashboards: [board.id] } });
    const at = (days: number) => new Date(Date.now() - days * DAY).toISOString();
    await create({ content: 'On money', scope: 'dashboard', dashboard_id: board.id, date_marker: at(4) });
    await create({ content: 'On all', scope: 'project', date_marker: at(1) });
    await page.goto(view.at(`/dashboards/${board.id}`));
    await mark('On money').waitFor();
    await page.goto(view.at(`/insights/${insight.short_id}`));
    await mark('On all').waitFor();
    expect(await mark('On money').count()).toBe(0);
  });
});

test('axe reports no violations, empty and full', async () => {
  await page.goto(view.at('/annotations'));
  await page.getByText('No annotations yet').waitFor();
  expect(await view.violationsInEveryLook('annotations-empty')).toEqual([]);
  const { id } = await create({ content: 'v1', scope: 'project', date_marker: new Date().toISOString() });
  await page.goto(view.at('/annotations'));
  await row(/v1/).waitFor();
  expect(await view.violationsInEveryLook('annotations-full')).toEqual([]);
  await page.goto(view.at(`/annotations?open=${id}`));
  await expectSeen(dialog());
  expect(await view.violationsInEveryLook('annotations-open')).toEqual([]);
  await dialog()
    .getByRole('button', { name: /^Day: / })
    .click();
  await page.getByRole('grid').waitFor();
  expect(await view.violationsInEveryLook('annotations-choosing')).toEqual([]);
});
