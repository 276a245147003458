// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const panel = (name: string) => page.getByRole('complementary', { name });
const project = () => `/api/projects/${view.server.projectId}`;

const INVOICE = {
  event: 'invoice sent',
  properties: { amount: 480, $lib: 'posthog-node', $lib_version: '5.70.0' },
};

describe('by keyboard alone, from an empty project', () => {
  test('a snippet is copied, the test event sent and opened', async () => {
    await page.goto(view.at('/connect'));
    await heading('Waiting for the first event').waitFor();
    await page.getByRole('tab').first().waitFor();
    await keys.enter('Copy snippet');
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain(
      view.server.projectApiKey,
    );
    await keys.enter('Send test event');
    await heading('First event received').waitFor();
    await page.getByRole('button', { name: 'View live events' }).waitFor();
    await keys.enter('View live events');
    await row('test event').waitFor();
  });

  test('another project is created, and the palette leads back to the first', async () => {
    await view.ask(`${project()}/`, { method: 'PATCH', body: { name: 'Harbour' } });
    await view.capture({ event: 'earlier' });
    await page.goto(view.at('/live'));
    await row('earlier').waitFor();
    await keys.pick(/^Project:/, 'New project');
    await expectSeen(page.getByRole('dialog'));
    await keys.type('Paperboat');
    await keys.press('Enter');
    await page.getByRole('button', { name: 'Project: Paperboat' }).waitFor();
    await heading('Waiting for the first event').waitFor();
    await keys.press('Control+k');
    await keys.type('harbour');
    await page.getByRole('option', { name: /Harbour/ }).waitFor();
    await keys.press('Enter');
    const home = new URL(view.at('/')).pathname;
    await expect.poll(() => new URL(page.url()).pathname.startsWith(home)).toBe(true);
  });

  test('a warning is opened, read and closed', async () => {
    await view.capture({ properties: { $lib: 'posthog-node', amount: 480 } }, INVOICE);
    await page.goto(view.at('/ingestion'));
    await row('No event name').waitFor();
    await keys.press('j', 'Enter');
    await page.getByText('Pass a name with each event').waitFor();
    await keys.press('Escape');
    await page.getByText('Pass a name with each event').waitFor({ state: 'detached' });
    await expect.poll(() => row('No event name').count()).toBe(1);
  });
});

describe('by keyboard alone, of event definitions', () => {
  test('a property of one is opened, and links back to its events', async () => {
    await view.capture(INVOICE);
    await page.goto(view.at('/data/events'));
    await row('invoice sent').waitFor();
    await keys.press('j', 'Enter');
    await panel('invoice sent').waitFor();
    await panel('invoice sent').getByRole('link', { name: 'amount' }).waitFor();
    await keys.enter(/^amount/);
    await panel('amount').getByText('480').waitFor();
    await panel('amount').getByRole('link', { name: 'invoice sent' }).waitFor();
    await keys.enter(/^invoice sent/);
    await panel('invoice sent').getByRole('button', { name: 'Explore events' }).waitFor();
    await keys.enter('Explore events');
    await heading('Explore').waitFor();
    await expect.poll(() => row('invoice sent').count()).toBe(1);
  });

  test('one is removed from the list, and that is undone', async () => {
    await view.capture(INVOICE, { event: 'invoice paid' });
    await page.goto(view.at('/data/events?open=invoice+sent'));
    await panel('invoice sent').getByRole('button', { name: 'Delete this event definition' }).waitFor();
    await keys.enter('Delete this event definition');
    await expectSeen(page.getByRole('dialog'));
    await keys.enter('Delete');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    // Behind the dialog no row has a role: only after it are they looked for.
    await row('invoice sent').waitFor({ state: 'detached' });
    await keys.enter('Undo');
    await row('invoice sent').waitFor();
    const { results } = await view.ask<{ results: unknown[] }>(`${project()}/event_definitions/`);
    expect(results).toContainEqual(expect.objectContaining({ name: 'invoice sent' }));
  });
});

describe('by keyboard alone, of insights and dashboards', () => {
  const LOOKS = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'looked' }] };

  async function makeInsight(): Promise<string> {
    const body = { name: 'Looks', saved: true, query: { kind: 'InsightVizNode', source: LOOKS } };
    return (await view.ask<{ short_id: string }>(`${project()}/insights/`, { method: 'POST', body }))
      .short_id;
  }

  test('a result is shown as a table, saved as CSV, and shown in HogQL; the insight becomes a favorite', async () => {
    await view.capture({ event: 'looked' });
    const id = await makeInsight();
    await page.goto(view.at(`/insights/${id}`));
    await page.getByRole('tab', { name: 'Table' }).waitFor();
    await keys.enter('Add to favorites');
    await page.getByRole('button', { name: 'Remove from favorites' }).waitFor();
    await keys.tabTo('Chart');
    await keys.press('ArrowRight');
    await page.getByRole('table', { name: 'Result' }).waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), keys.enter('Export as CSV')]);
    expect(file.suggestedFilename()).toBe('Looks.csv');
    await keys.tabTo('Table');
    await keys.press('ArrowRight');
    await page
      .getByText(/select/i)
      .first()
      .waitFor();
    await page.goto(view.at('/insights'));
    await page.getByRole('table', { name: 'Insights' }).waitFor();
    await keys.enter('Favorites');
    await row('Looks').waitFor();
  });

  test('changes of an insight are discarded only after confirmation', async () => {
    const id = await makeInsight();
    await page.goto(view.at(`/insights/${id}`));
    await page.getByRole('switch', { name: 'Filter out internal and test users' }).waitFor();
    await keys.tabTo('Filter out internal and test users');
    await keys.press('Space');
    await page.getByText('Unsaved changes').waitFor();
    await keys.press('g', 'd');
    await page.getByRole('button', { name: 'Leave' }).waitFor();
    await keys.enter('Leave');
    await heading('Dashboards').waitFor();
    const stored = await view.ask<{ results: unknown[] }>(`${project()}/insights/?short_id=${id}`);
    expect(stored.results).toMatchObject([{ query: { source: LOOKS } }]);
  });

  test('a dashboard is deleted, restored, and saved as a picture', async () => {
    const made = await view.ask<{ id: number }>(`${project()}/dashboards/`, {
      method: 'POST',
      body: { name: 'Weekly' },
    });
    await view.ask(`${project()}/dashboards/${made.id}/`, {
      method: 'PATCH',
      body: { tiles: [{ text: { body: 'Left' }, layouts: { sm: { x: 0, y: 0, w: 6, h: 3 } } }] },
    });
    await page.goto(view.at('/dashboards'));
    await row('Weekly').waitFor();
    await keys.press('j', 'x');
    await page.getByRole('toolbar', { name: 'Selected rows' }).waitFor();
    await keys.enter('Delete');
    await page.getByText('No dashboards yet').waitFor();
    await keys.pick(/^More: duplicate/, 'Deleted dashboards…');
    await page.getByRole('button', { name: 'Restore Weekly' }).waitFor();
    await keys.enter('Restore Weekly');
    await page.getByText('No deleted dashboards.').waitFor();
    await keys.press('Escape');
    await row('Weekly').waitFor();
    await keys.enter('Weekly');
    await page.getByText('Left', { exact: true }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      keys.pick(/^More: TV/, 'Export as PNG'),
    ]);
    expect(file.suggestedFilename()).toBe('Weekly.png');
  });
});
