// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MEDIANS, sendInvoices } from '../support/console-sql.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();
const COUNTS = 'SELECT event, count() AS times FROM events GROUP BY event ORDER BY times DESC';

interface Stored {
  id: number;
  short_id: string;
  name: string;
  query: { kind: string; display?: string; source: { query: string } };
}

let view: OpenConsole;
let page: Page;
let keys: Keyboard;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
  await sendInvoices(view);
});
afterEach(async () => expect(await view.close()).toEqual([]));

const editor = () => page.getByRole('textbox', { name: 'HogQL query' });
const result = () => page.getByRole('grid', { name: 'Result' });
const path = (rest: string) => `/api/projects/${view.server.projectId}/${rest}`;
const readInsight = (id: string | number) => view.ask<Stored>(path(`insights/${id}/?basic=true`));
const store = (query: object, name = 'Counts') =>
  view.ask<Stored>(path('insights/'), { method: 'POST', body: { name, query, saved: true } });
const save = () => page.getByRole('button', { name: 'Save', exact: true });

async function write(text: string): Promise<void> {
  await editor().focus();
  await keys.press('Control+a');
  await page.keyboard.insertText(text);
}

test('SQL is saved as an insight, opened from the list, shown as another chart, renamed, saved and reloaded', async () => {
  await page.goto(view.at(`/sql?q=${encodeURIComponent(MEDIANS)}`));
  await editor().waitFor();
  await keys.press('s');
  await expectSeen(page.getByRole('dialog'));
  await keys.type('Days to paid');
  await keys.press('Enter');
  await page.waitForURL(/\/sql\/[\w-]+$/);

  await page.goto(view.at('/insights'));
  await page.getByRole('link', { name: 'Days to paid' }).click();
  await page.getByText('12 rows').first().waitFor();
  await page.getByRole('button', { name: /^Chart type/ }).click();
  await page.getByRole('menuitemradio', { name: 'Stacked bar' }).click();
  await page.getByRole('button', { name: /^Y:/ }).click();
  await page.getByRole('menuitemradio').first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Days until paid');
  await page.getByText('Unsaved changes').waitFor();
  await save().click();
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
  const id = new URL(page.url()).pathname.split('/').at(-1)!;
  const stored = await readInsight(id);
  expect(stored).toMatchObject({
    name: 'Days until paid',
    query: { kind: 'DataVisualizationNode', display: 'ActionsStackedBar', source: { query: MEDIANS } },
  });

  await page.goto(view.at(`/sql/${id}`));
  await page.getByRole('button', { name: 'Chart type: Stacked bar' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Days until paid');
});

describe.each([
  ['HogQLQuery', (source: object) => source],
  ['DataTableNode', (source: object) => ({ kind: 'DataTableNode', source })],
  [
    'DataVisualizationNode',
    (source: object) => ({
      kind: 'DataVisualizationNode',
      source,
      display: 'ActionsBar',
      chartSettings: { xAxis: { column: 'event' }, yAxis: [{ column: 'times' }] },
      tableSettings: { columns: [{ column: 'event' }] },
    }),
  ],
] as const)('SQL stored as %s', (kind, wrap) => {
  test('opens with its result, is edited and keeps its wrapper', async () => {
    const source = { kind: 'HogQLQuery', query: COUNTS };
    const { short_id: id } = await store(wrap(source));
    // The address of an insight leads to the editor.
    await page.goto(view.at(`/insights/${id}`));
    await page.waitForURL(new RegExp(`/sql/${id}`));
    if (kind === 'DataVisualizationNode')
      await page.getByRole('slider', { name: 'times by event' }).waitFor();
    await result().getByRole('gridcell', { name: 'invoice paid', exact: true }).waitFor();
    await write(`${COUNTS} LIMIT 1`);
    await keys.press('Control+Enter');
    await page.getByText('1 row', { exact: true }).first().waitFor();
    await keys.press('Control+s');
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    const { query } = await readInsight(id);
    expect(query).toEqual(wrap({ ...source, query: `${COUNTS} LIMIT 1` }));
  });
});

test('an unsaved query is in the URL, confirmed before it is lost, and saved as a new insight', async () => {
  const { short_id: id } = await store({ kind: 'HogQLQuery', query: COUNTS });
  await page.goto(view.at(`/sql/${id}`));
  await result().waitFor();
  await write('SELECT 4711 AS n');
  await page.waitForURL(/q=SELECT/);
  await page.reload();
  await page.getByText('Unsaved changes').waitFor();
  await page.getByRole('link', { name: 'Insights' }).first().click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expectSeen(dialog);
  await keys.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'More: save as, duplicate, delete' }).click();
  await page.getByRole('menuitem', { name: 'Save as…' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Another');
  await keys.press('Enter');
  await page.waitForURL((url) => /\/sql\/[\w-]+$/.test(url.pathname) && !url.pathname.endsWith(id));
  await result().getByRole('gridcell', { name: '4,711', exact: true }).waitFor();
  expect((await readInsight(id)).query.source ?? (await readInsight(id)).query).toMatchObject({
    query: COUNTS,
  });
});

test('a SQL tile is added, edited and drawn on the dashboard, and opens in the editor', async () => {
  const { id } = await view.ask<{ id: number }>(path('dashboards/'), {
    method: 'POST',
    body: { name: 'Board' },
  });
  await page.goto(view.at(`/dashboards/${id}`));
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  await keys.press('e');
  await page.getByRole('button', { name: /^Add tile/ }).click();
  await page.getByRole('menuitem', { name: 'SQL' }).click();
  const field = page.getByRole('textbox', { name: 'HogQL query' });
  await field.fill(`${COUNTS} LIMIT 3`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await result().getByRole('gridcell', { name: 'invoice paid', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Chart type: Table' }).click();
  await page.getByRole('menuitemradio', { name: 'Bar', exact: true }).click();
  await page.getByRole('slider', { name: /times by event/ }).waitFor();
  await keys.press('Control+s');
  await page.getByText('Saved', { exact: true }).first().waitFor();

  await page.reload();
  await page.getByRole('slider', { name: /times by event/ }).waitFor();
  await page.getByRole('button', { name: 'More options for New SQL' }).click();
  await page.getByRole('menuitem', { name: 'Open insight' }).click();
  await page.waitForURL(/\/sql\/[\w-]+/);
  await page.getByRole('button', { name: 'Chart type: Bar' }).waitFor();
  const { query } = await readInsight(new URL(page.url()).pathname.split('/').at(-1)!);
  expect(query).toMatchObject({ display: 'ActionsBar', source: { query: `${COUNTS} LIMIT 3` } });
});

test('an insight of an unsupported kind has a message, shows its result and is renamed', async () => {
  const source = { kind: 'ActorsQuery', select: ['id'], limit: 5 };
  const { short_id: id } = await store({ kind: 'DataTableNode', source }, 'Latest');
  await page.goto(view.at(`/insights/${id}`));
  await page.getByText("This insight uses a query type that Burrow can't edit yet.").waitFor();
  await result().getByRole('gridcell').first().waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Latest persons');
  await save().click();
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
  const stored = await readInsight(id);
  expect(stored.name).toBe('Latest persons');
  expect(stored.query).toMatchObject({ kind: 'DataTableNode', source });
});
