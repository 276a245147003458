// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { actionsBehind, sendPriceSeekers } from '../support/console-actions.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen, failurePanelOf } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;
let actions: ReturnType<typeof actionsBehind>;
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
  actions = actionsBehind(view);
}

const link = (name: string | RegExp) => page.getByRole('link', { name });
const row = (name: string) => page.getByRole('table', { name: 'Actions' }).getByRole('row', { name });
const matches = () => page.getByRole('region', { name: 'Matching events' });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });

const PRICES = {
  name: 'Pricing viewed',
  description: 'Whoever looked',
  tags: ['growth'],
  steps: [
    { event: '$pageview', url: '/pricing', url_matching: 'contains' },
    { event: '$autocapture', text: 'pricing', text_matching: 'contains' },
  ],
};
const INVOICES = { name: 'Large invoice', steps: [{ event: 'invoice sent', properties: [] }] };

async function openAction(id: number): Promise<void> {
  await page.goto(view.at(`/actions/${id}`));
  await page.getByRole('region', { name: 'Match groups' }).waitFor();
}

describe('an action, by keyboard alone', () => {
  test('is created from the empty list, step by step, beside the matching events', async () => {
    await sendPriceSeekers(view);
    await page.goto(view.at('/live'));
    await heading('Live').waitFor();
    await keys.press('g', 'b');
    await page.getByText('No actions yet').waitFor();
    await page.getByText('$pageview where URL contains “/pricing”').waitFor();
    await keys.press('n');
    await page.getByLabel('Name', { exact: true }).waitFor();
    await keys.type('Saw the price');
    await matches().getByText('7', { exact: true }).waitFor();

    await keys.enter(/^Match group 1: Any event/);
    await keys.type('$pageview');
    await keys.choose('$pageview');
    await matches().getByText('4', { exact: true }).waitFor();
    await keys.pick('URL or element', 'URL');
    await keys.type('/pricing');
    await matches().getByText('2', { exact: true }).waitFor();
    await matches().getByText('events of 2 persons').waitFor();

    await keys.enter(/^Match group\s*S$/);
    await page.getByRole('region', { name: 'Match group 2' }).waitFor();
    await keys.enter(/^Match group 2: Any event/);
    await keys.type('invoice');
    await keys.choose('invoice sent');
    await matches().getByText('4', { exact: true }).waitFor();
    await page
      .getByRole('region', { name: 'Match group 2' })
      .getByRole('button', { name: 'Property' })
      .focus();
    await keys.press('Enter');
    await keys.type('amount');
    await keys.choose(/amount/);
    await keys.type('greater');
    await keys.choose('is greater than');
    await keys.type('150');
    await keys.choose(/150/);
    await matches().getByText('3', { exact: true }).waitFor();
    await keys.press('Control+s');
    await page.waitForURL(/\/actions\/\d+$/);

    const [made] = await actions.list();
    expect(made).toMatchObject({
      name: 'Saw the price',
      steps: [
        { event: '$pageview', url: '/pricing', url_matching: 'contains', text: null },
        { event: 'invoice sent', url: null, properties: [{ key: 'amount', operator: 'gt', value: '150' }] },
      ],
    });
  });

  test('is listed with its label and count, and opened in an insight that counts it', async () => {
    await sendPriceSeekers(view);
    await actions.create(PRICES);
    await actions.create(INVOICES);
    await page.goto(view.at('/actions'));
    await row('Pricing viewed').getByText('3', { exact: true }).waitFor();
    await row('Large invoice').getByText('2', { exact: true }).waitFor();
    const words = '$pageview where URL contains “/pricing”, or $autocapture where element text';
    await row('Pricing viewed').getByText(words).waitFor();
    await keys.press('/');
    await keys.type('whoever');
    await link(/Large invoice/).waitFor({ state: 'detached' });
    await keys.press('ArrowDown', 'Enter');
    await heading('Pricing viewed').waitFor();
    await matches().getByText('events of 2 persons').waitFor();
    await keys.press('i');
    await page.waitForURL(/\/insights\/new/);
    const lines = page.getByRole('table', { name: 'Series' });
    await lines.getByRole('row', { name: 'Pricing viewed' }).getByText('3', { exact: true }).waitFor();
    const asked = JSON.parse(new URL(page.url()).searchParams.get('q')!) as { series: object[] };
    expect(asked.series).toMatchObject([{ kind: 'ActionsNode', name: 'Pricing viewed' }]);
  });

  test('is copied with another name; an existing name is refused', async () => {
    provoked = /400/;
    await actions.create(PRICES);
    await page.goto(view.at('/actions'));
    await row('Pricing viewed').waitFor();
    await keys.press('j', 'd');
    await page.waitForURL(/\/actions\/new\?copy=\d+$/);
    const name = page.getByLabel('Name', { exact: true });
    await expect.poll(() => name.inputValue()).toBe('Pricing viewed (copy)');
    await name.fill('Pricing viewed');
    await keys.press('Control+s');
    await page.getByText(/has an action with this name/).waitFor();
    await name.fill('Asked again');
    await keys.press('Control+s');
    await heading('Asked again').waitFor();
    const [first, second] = await actions.list();
    expect(first!.steps).toEqual(second!.steps);
  });

  test('is deleted from the list and from its page, and restored by undo', async () => {
    await actions.create(INVOICES);
    await page.goto(view.at('/actions'));
    await row('Large invoice').waitFor();
    await keys.press('j', 'Delete');
    await page.getByText('No actions yet').waitFor();
    expect(await actions.list()).toEqual([]);
    await keys.press('Alt+t');
    await keys.enter('Undo');
    await row('Large invoice').waitFor();
    await link(/Large invoice/).click();
    await heading('Large invoice').waitFor();
    await keys.pick('More: duplicate, copy, delete', 'Delete action');
    await page.getByText('No actions yet').waitFor();
    expect(await actions.list()).toEqual([]);
  });

  test('lists the insights that use it, and asks before discarding changes', async () => {
    const { id } = await actions.create(PRICES);
    await view.ask(`/api/projects/${view.server.projectId}/insights/`, {
      method: 'POST',
      body: {
        name: 'Price seekers',
        saved: true,
        query: { kind: 'TrendsQuery', series: [{ kind: 'ActionsNode', id }] },
      },
    });
    await openAction(id);
    await page
      .getByRole('region', { name: 'Used by' })
      .getByRole('link', { name: 'Price seekers' })
      .waitFor();
    await keys.press('e');
    await keys.type(' twice');
    await page.getByText('unsaved changes').waitFor();
    await page.getByRole('link', { name: 'Actions', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await expectSeen(dialog);
    await keys.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await keys.press('Control+s');
    await heading('Pricing viewed twice').waitFor();
    expect((await actions.list())[0]!.name).toBe('Pricing viewed twice');
  });
});

describe('errors', () => {
  test('are shown with a way to continue', async () => {
    await actions.create(INVOICES);
    provoked = /ERR_FAILED|404/;
    await page.route(/\/actions\/\?/, (route) => route.abort());
    await page.goto(view.at('/actions'));
    await page.getByText('Burrow is not responding').waitFor();
    await page.unroute(/\/actions\/\?/);
    await expectSeen(failurePanelOf(page));
    await keys.enter('Retry');
    await row('Large invoice').waitFor();
    await page.goto(view.at('/actions/4711'));
    await page.getByText('Action not found').waitFor();
    await keys.enter('All actions');
    await row('Large invoice').waitFor();
    expect(new URL(page.url()).pathname).toBe(new URL(view.at('/actions')).pathname);
  });

  test('an invalid regex is reported while it is typed', async () => {
    // A pause in typing a pattern queries the unfinished one.
    provoked = /400/;
    const { id } = await actions.create(PRICES);
    await openAction(id);
    await keys.pick('URL: operator: contains', 'matches regex');
    await keys.fill('URL', '/pri(');
    await page.getByText('Invalid regex').waitFor();
    expect((await actions.list())[0]!.steps[0]!.url).toBe('/pricing');
  });
});

test('axe reports no violations, empty and full', async () => {
  await page.goto(view.at('/actions'));
  await page.getByText('No actions yet').waitFor();
  expect(await view.violationsInEveryLook('actions-empty')).toEqual([]);
  await sendPriceSeekers(view);
  const { id } = await actions.create(PRICES);
  await page.goto(view.at('/actions'));
  await row('Pricing viewed').waitFor();
  expect(await view.violationsInEveryLook('actions-full')).toEqual([]);
  await openAction(id);
  await matches().getByText('Latest events').waitFor();
  await page.getByRole('button', { name: 'URL or element' }).first().click();
  await page.getByRole('menuitem', { name: 'CSS selector' }).click();
  await page.getByRole('textbox', { name: 'CSS selector' }).waitFor();
  expect(await view.violationsInEveryLook('actions-open')).toEqual([]);
});
