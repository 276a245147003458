// @module-tag browser
import type { Page } from 'playwright-core';
import { PostHog } from 'posthog-node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillPlayground } from '../support/console-playground.ts';
import { openContext, openPage, type OpenConsole } from '../support/console.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareBrowser } from '../support/shared-console.ts';

const openConsole = shareBrowser();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;
/** Pages of colleagues, and what they complained about. */
let colleagues: Page[];
let complaints: string[];

beforeEach(async () => {
  colleagues = [];
  complaints = [];
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
});
afterEach(async () => {
  await Promise.all(colleagues.map((theirs) => theirs.context().close()));
  expect([...complaints, ...(await view.close())]).toEqual([]);
});

interface Colleague {
  first_name: string;
  key: string;
}

/** A member of this machine with their own key. */
async function addColleague(firstName: string): Promise<Colleague> {
  const added = await view.ask<{ personal_api_key: string }>('/api/organizations/@current/members/', {
    method: 'POST',
    body: { first_name: firstName, email: `${firstName.toLowerCase()}@paperboat.example` },
  });
  return { first_name: firstName, key: added.personal_api_key };
}

/** Signs in with their key in a browser of their own, at an address that they were sent. */
async function signInAs({ key }: Colleague, address: string): Promise<Page> {
  const context = await openContext(page.context().browser()!, view.server.url, (text) => {
    // Before sign-in the server answers 401.
    if (!/status of 401/.test(text)) complaints.push(text);
  });
  const theirs = await openPage(context);
  colleagues.push(theirs);
  await theirs.goto(address);
  await theirs.getByLabel('Personal API key').waitFor();
  await keyboardOf(theirs).fill('Personal API key', key);
  await theirs.keyboard.press('Enter');
  return theirs;
}

const card = (where: Page, name: string | RegExp) => where.getByRole('article', { name });

/** Three invoices by the SDK, as the app of a developer sends them. */
async function sendInvoices(): Promise<void> {
  const app = new PostHog(view.server.projectApiKey, { host: view.server.url, flushAt: 1 });
  for (const who of ['ana', 'ana', 'chidi']) {
    app.capture({
      distinctId: `${who}@paperboat.example`,
      event: 'invoice sent',
      properties: { amount: 480 },
    });
  }
  await app.shutdown();
}

async function expectOnBoard(): Promise<void> {
  await card(page, /invoice sent/i)
    .getByRole('slider')
    .waitFor();
}

test(
  'an app is connected, its events arrive, and the first dashboard is created from them',
  { tags: ['journey'] },
  async () => {
    await page.getByRole('heading', { name: 'Waiting for the first event' }).waitFor();
    await sendInvoices();
    await page.getByRole('heading', { name: 'First event received' }).waitFor();

    await page.goto(view.at('/dashboards'));
    await page.getByRole('button', { name: 'Blank dashboard' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Invoices');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('No tiles yet').waitFor();

    await page.goto(view.at('/insights/new'));
    await page.getByRole('button', { name: /^A: Any event/ }).click();
    await page.getByRole('option', { name: /^invoice sent/ }).click();
    await page.getByRole('table', { name: 'Series' }).getByRole('row', { name: 'invoice sent' }).waitFor();
    await page.keyboard.press('Control+s');
    await page.waitForURL(/\/insights\/[\w-]{6,}$/);
    await page.getByRole('button', { name: 'Add to dashboard' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Invoices' }).click();
    await expect
      .poll(() => view.ask(`/api/projects/${view.server.projectId}/dashboards/?search=Invoices`))
      .toMatchObject({ count: 1 });

    await page.goto(view.at('/dashboards'));
    await page
      .getByRole('link', { name: /Invoices/ })
      .first()
      .click();
    await expectOnBoard();
  },
);

test('by keyboard alone: the first dashboard is created from the events of an app', async () => {
  await sendInvoices();
  await page.getByRole('heading', { name: 'First event received' }).waitFor();
  await page.goto(view.at('/dashboards'));
  await page.getByRole('button', { name: 'Blank dashboard' }).waitFor();
  await keys.enter('Blank dashboard');
  await page.getByLabel('Name', { exact: true }).waitFor();
  await keys.fill('Name', 'Invoices');
  await keys.press('Enter');
  await page.getByText('No tiles yet').waitFor();

  await page.goto(view.at('/insights/new'));
  await page.getByRole('button', { name: /^A: Any event/ }).waitFor();
  await keys.enter(/^A: Any event/);
  await keys.type('invoice');
  await keys.choose(/^invoice sent/);
  await page.getByRole('table', { name: 'Series' }).getByRole('row', { name: 'invoice sent' }).waitFor();
  await keys.press('Control+s');
  await page.waitForURL(/\/insights\/[\w-]{6,}$/);
  await keys.pick('Add to dashboard', 'Invoices');
  await keys.press('Escape');

  await page.goto(view.at('/dashboards'));
  await page
    .getByRole('link', { name: /Invoices/ })
    .first()
    .waitFor();
  await keys.enter(/^Invoices/);
  await expectOnBoard();
});

/** The URL of an empty dashboard, which is open on the page. */
async function openBoard(): Promise<string> {
  const { id } = await view.ask<{ id: number }>(`/api/projects/${view.server.projectId}/dashboards/`, {
    method: 'POST',
    body: { name: 'Board of few' },
  });
  const address = view.at(`/dashboards/${id}`);
  await page.goto(address);
  await page.getByRole('button', { name: 'Access', exact: true }).waitFor();
  return address;
}

test(
  'a dashboard is restricted; of two colleagues, each with their own key, one edits it and one views it',
  { tags: ['journey'] },
  async () => {
    const [lin, tom] = [await addColleague('Lin'), await addColleague('Tom')];
    const address = await openBoard();
    await page.getByRole('button', { name: 'Access', exact: true }).click();
    const access = page.getByRole('dialog', { name: 'Access to Board of few' });
    await access.getByRole('button', { name: /^Access for / }).click();
    await page
      .getByRole('menuitemradio', { name: 'Everyone can view, only the members below can edit' })
      .click();
    await access.getByRole('button', { name: 'Add member' }).click();
    await page.getByPlaceholder('Name or email').fill('Lin');
    await page.getByRole('option', { name: 'Lin' }).click();
    await access.getByRole('button', { name: 'Lin: Can edit. Change' }).waitFor();

    const [hers, his] = [await signInAs(lin, address), await signInAs(tom, address)];
    await his.getByText('No tiles yet').waitFor();
    expect(await his.getByRole('button', { name: /^Edit/ }).count()).toBe(0);

    await hers.getByText('No tiles yet').waitFor();
    await hers.getByRole('button', { name: 'Add text' }).click();
    await hers.getByRole('textbox', { name: 'Text (Markdown)' }).fill('# Lin was here');
    await hers.keyboard.press('Control+s');
    await hers.getByRole('button', { name: /^Edit/ }).waitFor();

    await his.reload();
    await his.getByRole('heading', { name: 'Lin was here' }).waitFor();
    await his.keyboard.press('e');
    await expect
      .poll(() => his.getByRole('toolbar', { name: 'Dates, filters and variables' }).count())
      .toBe(1);
    expect(await his.getByRole('button', { name: /^Save/ }).count()).toBe(0);
  },
);

test('by keyboard alone: a dashboard is restricted, and a user with edit access edits it', async () => {
  const lin = await addColleague('Lin');
  const address = await openBoard();
  await keys.enter('Access');
  const access = page.getByRole('dialog', { name: 'Access to Board of few' });
  await access.getByRole('button', { name: /^Access for / }).waitFor();
  await keys.pick(/^Access for /, /^Everyone can view, only the members below can edit/);
  await access.getByRole('button', { name: 'Add member' }).waitFor();
  await keys.enter('Add member');
  await keys.type('Lin');
  await keys.choose('Lin');
  await access.getByRole('button', { name: 'Lin: Can edit. Change' }).waitFor();

  const hers = await signInAs(lin, address);
  await hers.getByText('No tiles yet').waitFor();
  const herKeys = keyboardOf(hers);
  await herKeys.enter('Add text');
  // The cursor is already in the text; the initial text is deleted.
  await hers.locator('textarea:focus').waitFor();
  await herKeys.press('Control+a');
  await herKeys.type('# Lin was here');
  await hers.keyboard.press('Control+s');
  await hers.getByRole('button', { name: /^Edit/ }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Lin was here' }).waitFor();
  const path = `/api/projects/${view.server.projectId}/dashboards/?search=Board`;
  expect(await view.ask(path)).toMatchObject({ results: [{ restriction_level: 37 }] });
});

test(
  'a flag is explained to a colleague: the URL of the playground shows the same to both',
  { tags: ['journey'] },
  async () => {
    const tom = await addColleague('Tom');
    await fillPlayground(view);
    await page.goto(view.at('/playground?id=u_1&flag=reminder-tone'));
    const why = (where: Page) => where.getByRole('region', { name: 'Why' });
    const reason = 'matches set 2 and is within its 99% rollout';
    await why(page).getByText(reason).waitFor();
    const his = await signInAs(tom, page.url());
    await why(his).getByText(reason).waitFor();
    // What the flag is called and who may edit it comes after the reason.
    await expect.poll(async () => (await why(his).innerText()) === (await why(page).innerText())).toBe(true);
  },
);

test('by keyboard alone: a flag is found for a person, and a colleague sees the same', async () => {
  const tom = await addColleague('Tom');
  await fillPlayground(view);
  await page.goto(view.at('/live'));
  await page.getByRole('heading', { name: 'Live', exact: true }).waitFor();
  await keys.press('Control+k');
  await keys.type('playground');
  await page.getByRole('option', { name: /^Playground/ }).waitFor();
  await keys.press('Enter');
  await page.getByText('Select a person').waitFor();
  await keys.press('p');
  await keys.type('reyes');
  await keys.choose(/Ana Reyes/);
  const why = (where: Page) => where.getByRole('region', { name: 'Why' });
  await why(page).getByText('does not match the condition set').waitFor();
  await keys.press('j');
  const reason = 'matches set 2 and is within its 99% rollout';
  await why(page).getByText(reason).waitFor();
  const his = await signInAs(tom, page.url());
  await why(his).getByText(reason).waitFor();
  await expect.poll(async () => (await why(his).innerText()) === (await why(page).innerText())).toBe(true);
});
