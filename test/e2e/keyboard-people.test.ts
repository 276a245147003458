// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareBrowser } from '../support/shared-console.ts';

const openConsole = shareBrowser();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;
/** Expected error responses, which Chromium logs as failed resources. */
let refusal: RegExp | null;

beforeEach(async () => {
  refusal = null;
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
});
afterEach(async () => {
  const complaints = await view.close();
  expect(complaints.filter((text) => !refusal?.test(text))).toEqual([]);
});

const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const panel = (name: string) => page.getByRole('complementary', { name });
const shownKey = async () => (await page.locator('.once .value').innerText()).trim();

/** To the box of this name: Tab leads to one of all, arrows to the others. */
async function goTo(name: string): Promise<void> {
  const [right] = name.split(':');
  await keys.tabTo(/^(Read|Write): /);
  await keys.press('Home', right === 'Read' ? 'ArrowLeft' : 'ArrowRight');
  const label = () => page.evaluate<string>('document.activeElement.getAttribute("aria-label")');
  for (let before = ''; (await label()) !== name && before !== (await label());) {
    before = await label();
    await keys.press('ArrowDown');
    if (right === 'Write') await keys.press('ArrowRight');
  }
  expect(await label()).toBe(name);
}

async function statusWith(key: string, path: string): Promise<number> {
  return (await fetch(view.server.url + path, { headers: { Authorization: `Bearer ${key}` } })).status;
}

describe('by keyboard alone', () => {
  test('a member is added, promoted to admin, signs in, and another is removed', async () => {
    refusal = /status of 401/;
    await page.goto(view.at('/settings/members'));
    await page.getByRole('button', { name: 'Add member' }).waitFor();
    await keys.enter(/^Add member/);
    await expectSeen(page.getByRole('dialog', { name: 'Add member' }));
    await keys.fill('Email address', 'grace@paperboat.example');
    await keys.fill('First name', 'Grace');
    await keys.press('Enter');
    await page.getByText('Grace can sign in with this API key. It is only shown once.').waitFor();
    const key = await shownKey();
    expect(await statusWith(key, '/api/users/@me/')).toBe(200);
    await view.ask('/api/organizations/@current/members/', {
      method: 'POST',
      body: { email: 'tom@paperboat.example', first_name: 'Tom' },
    });

    await page.goto(view.at('/settings/members'));
    await row('Grace').waitFor();
    await keys.press('j', 'j', 'Enter');
    await panel('Grace')
      .getByRole('radio', { name: /^Member/ })
      .waitFor();
    await keys.tabTo(/^Member\s*Access/);
    await keys.chooseNext(/^Admin/);
    await page.getByText('Grace is now admin.').waitFor();
    await row('Grace').getByText('Admin', { exact: true }).waitFor();

    await page.context().clearCookies();
    await page.goto(view.at('/settings/members'));
    await page.getByLabel('Personal API key').waitFor();
    await keys.fill('Personal API key', key);
    await keys.press('Enter');
    await row('Grace').getByText('you', { exact: true }).waitFor();
    await keys.press('j', 'j', 'j', 'Enter');
    await panel('Tom').getByRole('button', { name: 'Remove' }).waitFor();
    await keys.enter('Remove');
    await expectSeen(page.getByRole('dialog'));
    await keys.enter('Remove');
    await page.getByText('Tom removed').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row('Tom').waitFor({ state: 'detached' });
  });

  test('a key is created with one scope, shown once, given another scope, and deleted', async () => {
    await page.goto(view.at('/settings/keys'));
    await page.getByText('No API keys yet').waitFor();
    await keys.press('n');
    await keys.fill('Name', 'Release bot');
    await goTo('Write: Annotations');
    await keys.press('Enter');
    await keys.enter(/^Create key/);
    await page.getByText('Release bot created. It is only shown once.').waitFor();
    const key = await shownKey();
    const at = (rest: string) => `/api/projects/${view.server.projectId}/${rest}/`;
    expect(await statusWith(key, at('annotations'))).toBe(200);
    expect(await statusWith(key, at('actions'))).toBe(403);

    await page.reload();
    await row('Release bot').waitFor();
    expect(await page.getByText(key).count()).toBe(0);
    await keys.enter(/^Release bot/);
    await page.getByRole('button', { name: 'Read: Actions' }).waitFor();
    await goTo('Read: Actions');
    await keys.press('Enter');
    await keys.press('Control+s');
    await row('Release bot').getByText('read 1, write 1').waitFor();
    expect(await statusWith(key, at('actions'))).toBe(200);
    await keys.enter(/^Release bot/);
    await page.getByRole('button', { name: 'Delete key' }).waitFor();
    await keys.enter('Delete key');
    await expectSeen(page.getByRole('dialog'));
    await keys.enter('Delete key');
    await page.getByText('No API keys yet').waitFor();
    expect(await statusWith(key, at('annotations'))).toBe(401);
  });

  test('a project is created, renamed, given a new key, emptied, and deleted', async () => {
    await page.goto(view.at('/settings/projects'));
    await page.getByRole('button', { name: 'New project' }).waitFor();
    await keys.enter(/^New project/);
    await expectSeen(page.getByRole('dialog', { name: 'New project' }));
    await keys.type('Paperboat');
    await keys.press('Enter');
    await panel('Paperboat').getByRole('button', { name: 'Replace' }).waitFor();
    await keys.fill('Name', 'Paper boat');
    await keys.press('Control+s');
    await panel('Paper boat').waitFor();
    const { results } = await view.ask<{ results: any[] }>('/api/projects/');
    const made = results.find(({ name }) => name === 'Paper boat');

    await panel('Paper boat').getByText(made.api_token).waitFor();
    await keys.enter('Replace');
    await expectSeen(page.getByRole('dialog'));
    await keys.enter('Replace');
    await page.getByText('Project API key replaced').waitFor();
    const { api_token } = await view.ask<{ api_token: string }>(`/api/projects/${made.id}/`);
    const event = { api_key: api_token, event: 'a', distinct_id: 'u' };
    await fetch(`${view.server.url}/capture/`, { method: 'POST', body: JSON.stringify(event) });

    await keys.enter('Delete all events');
    await expectSeen(page.getByRole('dialog', { name: 'Delete all events of Paper boat?' }));
    await keys.type('Paper boat');
    await keys.enter('Delete all events');
    await page.getByText('All events of Paper boat deleted').waitFor();
    expect(await view.ask(`/api/projects/${made.id}/events/`)).toMatchObject({ results: [] });

    await keys.enter('Delete project');
    await expectSeen(page.getByRole('dialog', { name: 'Delete Paper boat and all of its data?' }));
    await keys.type('Paper boat');
    await keys.enter('Delete project');
    await page.getByText('Paper boat deleted', { exact: true }).waitFor();
    expect((await view.ask<{ count: number }>('/api/projects/')).count).toBe(1);
  });
});
