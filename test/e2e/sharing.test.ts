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

const QUERY = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'looked' }],
  dateRange: { date_from: '-7d' },
};

interface Made {
  id: number;
  short_id: string;
}

const make = (what: 'insights' | 'dashboards', body: object): Promise<Made> =>
  view.ask<Made>(`/api/projects/${view.server.projectId}/${what}/`, { method: 'POST', body });
const makeInsight = (name = 'Looks'): Promise<Made> => make('insights', { name, saved: true, query: QUERY });

const sheet = () => page.getByRole('dialog', { name: /^Share / });
const shareSwitch = () => sheet().getByRole('switch', { name: 'Anyone with the link can view' });

/** Opens the share dialog of an insight; the link is off still. */
async function openSharing({ short_id }: Made): Promise<void> {
  await page.goto(view.at(`/insights/${short_id}`));
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await sheet().getByText('Sharing is off: this insight').waitFor();
}

/** The address that the dialog shows. */
async function shownUrl(): Promise<string> {
  const shown = sheet()
    .getByText(/\/shared\//)
    .first();
  await shown.waitFor();
  return shown.innerText();
}

async function turnOn(): Promise<string> {
  await shareSwitch().click();
  return shownUrl();
}

/** The page at a URL without a session. */
async function statusOf(url: string): Promise<number> {
  return (await fetch(url)).status;
}

test(
  'an insight is shared, its link is renewed, the old one ended, and sharing disabled',
  { tags: ['journey'] },
  async () => {
    await openSharing(await makeInsight());
    expect(await shareSwitch().isChecked()).toBe(false);
    const first = await turnOn();
    expect(new URL(first).origin).toBe(view.server.url);
    await sheet().getByText('so the link only works on this computer').waitFor();
    const guest = await page.context().browser()!.newContext();
    const publicPage = await guest.newPage();
    await publicPage.goto(first);
    await publicPage.getByText('Looks').first().waitFor();

    await sheet().getByRole('button', { name: 'Copy', exact: true }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(first);

    await sheet().getByRole('button', { name: 'New link' }).click();
    await sheet().getByText('The old link still works').waitFor();
    await sheet()
      .getByText(/^\d min left$/)
      .waitFor();
    const second = await shownUrl();
    expect(second).not.toBe(first);
    expect(await Promise.all([first, second].map(statusOf))).toEqual([200, 200]);

    await sheet().getByRole('button', { name: 'Revoke the old link now' }).click();
    await sheet().getByText('The old link still works').waitFor({ state: 'detached' });
    expect(await Promise.all([first, second].map(statusOf))).toEqual([404, 200]);

    await shareSwitch().click();
    await sheet().getByText('Sharing is off: this insight').waitFor();
    expect(await statusOf(second)).toBe(404);
  },
);

test('by keyboard alone: the link is given an expiry, the page other settings, and the snippet is copied', async () => {
  const { id, short_id } = await makeInsight('Looks "per" day');
  await page.goto(view.at(`/insights/${short_id}`));
  await keys.enter('Share');
  await expectSeen(sheet());
  await keys.tabTo('Anyone with the link can view');
  await keys.press('Space');
  const url = await shownUrl();

  await keys.pick(/^Link expiry/, 'In 1 week');
  await sheet().getByText('Expires in 7 d').waitFor();
  await keys.enter('Dark');
  await keys.tabTo('Show name and print button');
  await keys.press('Space');
  const link = `/api/projects/${view.server.projectId}/burrow/insights/${id}/sharing_link/`;
  await expect
    .poll(() => view.ask(link))
    .toMatchObject({ enabled: true, settings: { theme: 'dark', noHeader: true } });
  expect(await (await fetch(`${url}.json`)).json()).toMatchObject({ theme: 'dark', noHeader: true });

  await keys.enter('Copy the embed snippet');
  const snippet = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(snippet).toContain(`<iframe src="${url.replace('/shared/', '/embedded/')}"`);
  expect(snippet).toContain('title="Looks &quot;per&quot; day"');

  await keys.enter('Preview');
  await page.frameLocator('iframe').getByText('Looks "per" day').first().waitFor();
  await keys.press('Escape');
  await sheet().waitFor({ state: 'detached' });
  expect(await statusOf(url)).toBe(200);
});

test('by keyboard alone: the link is renewed, the old one ended, and sharing disabled', async () => {
  const { short_id } = await makeInsight();
  await page.goto(view.at(`/insights/${short_id}`));
  await keys.enter('Share');
  await expectSeen(sheet());
  await keys.tabTo('Anyone with the link can view');
  await keys.press('Space');
  const first = await shownUrl();
  await keys.enter('New link');
  await sheet().getByText('The old link still works').waitFor();
  const second = await shownUrl();
  expect(await Promise.all([first, second].map(statusOf))).toEqual([200, 200]);
  await keys.enter('Revoke the old link now');
  await sheet().getByText('The old link still works').waitFor({ state: 'detached' });
  expect(await Promise.all([first, second].map(statusOf))).toEqual([404, 200]);
  await keys.tabTo('Anyone with the link can view');
  await keys.press('Space');
  await sheet().getByText('Sharing is off: this insight').waitFor();
  expect(await statusOf(second)).toBe(404);
});

describe('all shared links', () => {
  const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name });

  test('is listed; one link is disabled, then all of them, permanently', async () => {
    const dashboard = await make('dashboards', { name: 'Weekly health' });
    const insight = await makeInsight('Looks of all');
    const projects = `/api/projects/${view.server.projectId}`;
    const tokenOf = async (kind: string, id: number) => {
      const path = `${projects}/${kind}/${id}/sharing/`;
      const body = { enabled: true };
      return (await view.ask<{ access_token: string }>(path, { method: 'PATCH', body })).access_token;
    };
    const urlOf = (token: string) => `${view.server.url}/shared/${token}`;
    const ofDashboard = urlOf(await tokenOf('dashboards', dashboard.id));
    const ofInsight = urlOf(await tokenOf('insights', insight.id));

    await page.goto(view.at('/settings/sharing'));
    await rowOf('Weekly health')
      .getByRole('button', { name: /^Turn off/ })
      .click();
    await rowOf('Weekly health').waitFor({ state: 'detached' });
    expect(await Promise.all([ofDashboard, ofInsight].map(statusOf))).toEqual([404, 200]);

    try {
      await page.getByRole('button', { name: 'Turn off all sharing' }).click();
      const dialog = page.getByRole('dialog', { name: 'Turn off all sharing on this server?' });
      await dialog.getByRole('button', { name: 'Turn off all sharing' }).click();
      await page.getByText('Public sharing is off.').waitFor();
      await page.getByText('No shared links').waitFor();
      expect(await statusOf(ofInsight)).toBe(404);

      // Nothing can be shared meanwhile, and the dialog says where to change that.
      provoked = /status of 403/;
      await openSharing(insight);
      await shareSwitch().click();
      await sheet().getByText('All sharing of this machine is turned off.').waitFor();
      await sheet().getByRole('link', { name: 'Open sharing settings' }).click();
      await page.getByRole('button', { name: 'Turn on sharing' }).click();
      await page.getByText('Public sharing is off.').waitFor({ state: 'detached' });
      expect(await statusOf(ofInsight)).toBe(404);
    } finally {
      await view.ask('/api/burrow/sharing/', { method: 'PUT', body: { off: false } });
    }
  });

  test('shows the members with access to a dashboard, which is restricted and opened for one', async () => {
    const add = (first_name: string) =>
      view.ask<{ user: { uuid: string }; personal_api_key: string }>('/api/organizations/@current/members/', {
        method: 'POST',
        body: { email: `${first_name.toLowerCase()}-${view.server.projectId}@local.test`, first_name },
      });
    const [lin, tom] = [await add('Lin'), await add('Tom')];
    const { id } = await make('dashboards', { name: 'Board of few' });
    const path = `/api/projects/${view.server.projectId}/dashboards/${id}/`;
    await view.ask(`${path}sharing/`, { method: 'PATCH', body: { enabled: true } });
    const tryAs = async (method: string, { personal_api_key: key }: { personal_api_key: string }) => {
      const answer = await fetch(view.server.url + path, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(method === 'PATCH' ? { body: JSON.stringify({ description: 'Changed' }) } : {}),
      });
      return answer.status;
    };

    await page.goto(view.at('/settings/sharing'));
    await page.getByRole('button', { name: 'Access to Board of few' }).click();
    const access = page.getByRole('dialog', { name: 'Access to Board of few' });
    await access.getByText(/^All \d+ members of Default can view this dashboard and edit it\.$/).waitFor();

    await access.getByRole('button', { name: /^Access for Default/ }).click();
    await page
      .getByRole('menuitemradio', { name: 'Everyone can view, only the members below can edit' })
      .click();
    await access.getByText(/Only .* can edit it: they created it/).waitFor();
    expect(await tryAs('PATCH', lin)).toBe(403);

    await access.getByRole('button', { name: 'Add member' }).click();
    await page.getByPlaceholder('Name or email').fill('Lin');
    await page.getByRole('option', { name: 'Lin' }).click();
    await access.getByRole('button', { name: 'Lin: Can edit. Change' }).waitFor();
    expect([await tryAs('PATCH', lin), await tryAs('PATCH', tom)]).toEqual([200, 403]);

    await access.getByRole('button', { name: /^Access for Default/ }).click();
    await page.getByRole('menuitemradio', { name: 'Only the members below can view' }).click();
    await expect.poll(() => tryAs('GET', tom)).toBe(403);
    await expect.poll(() => tryAs('PATCH', lin)).toBe(200);
    await access.getByText(/^\d of \d+ members of Default can view this dashboard: .*Lin/).waitFor();
    await access.getByRole('button', { name: /^Lin: / }).click();
    await page.getByRole('menuitemradio', { name: /^Can view/ }).click();
    await access.getByRole('button', { name: 'Lin: Can view. Change' }).waitFor();
    expect([await tryAs('GET', lin), await tryAs('PATCH', lin)]).toEqual([200, 403]);
    await access.getByRole('button', { name: /^Lin: / }).click();
    await page.getByRole('menuitem', { name: 'Remove (use default access)' }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await access.getByRole('button', { name: /^Lin: / }).waitFor({ state: 'detached' });
    expect(await tryAs('GET', lin)).toBe(403);
    expect(await view.violations()).toEqual([]);
  });
});

test('the dialog and the list are accessible, in either theme, wide or narrow', async () => {
  await openSharing(await makeInsight());
  expect(await view.violationsInEveryLook('share-off')).toEqual([]);
  await turnOn();
  await sheet().getByRole('button', { name: 'New link' }).click();
  await sheet().getByText('The old link still works').waitFor();
  expect(await view.violationsInEveryLook('share-on')).toEqual([]);
  await page.goto(view.at('/settings/sharing'));
  await page.getByRole('row').filter({ hasText: 'Looks' }).first().waitFor();
  expect(await view.violationsInEveryLook('settings-sharing')).toEqual([]);
});
