// @module-tag browser
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareBrowser } from '../support/shared-console.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';

const openConsole = shareBrowser();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;

async function open(server?: RunningServer): Promise<void> {
  view = await openConsole(server);
  page = view.page;
  keys = keyboardOf(page);
}

afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const DAY = 86_400_000;
const stored = async (): Promise<number> => {
  const path = `/api/projects/${view.server.projectId}/events/?after=2000-01-01`;
  return (await view.ask<{ results: unknown[] }>(path)).results.length;
};

describe('by keyboard alone', () => {
  test('a theme is chosen and the sidebar collapsed, found through the palette, and both are stored', async () => {
    await open();
    await page.goto(view.at('/connect'));
    await page.getByRole('heading', { name: 'Waiting for the first event' }).waitFor();
    await keys.press('Control+k');
    await keys.type('appearance');
    await page.getByRole('option', { name: /^Appearance/ }).waitFor();
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Appearance' }).waitFor();
    expect(await view.violationsInEveryLook('settings-appearance')).toEqual([]);
    await keys.enter('Dark');
    await keys.tabTo('Collapsed sidebar');
    await keys.press('Space');
    await page.getByRole('link', { name: 'Live' }).getByText('Live').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'Appearance' }).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
    await expect
      .poll(() => page.getByRole('switch', { name: 'Collapsed sidebar' }).getAttribute('aria-checked'))
      .toBe('true');
  });

  test('an age limit is set, canceled at first, then confirmed', async () => {
    await open();
    await view.capture(
      { event: 'long ago', timestamp: new Date(Date.now() - 400 * DAY).toISOString() },
      { event: 'of late' },
    );
    await page.goto(view.at('/settings/retention'));
    await page.getByLabel('Days to keep').waitFor();
    await keys.fill('Days to keep', '90');
    await page.getByText('Deleted if you save:').waitFor();
    await keys.press('Control+s');
    const dialog = page.getByRole('dialog', { name: /^Delete 1 event of/ });
    await expectSeen(dialog);
    await keys.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await stored()).toBe(2);

    await keys.press('Control+s');
    await expectSeen(dialog);
    await keys.enter(/^Save and delete/);
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(stored).toBe(1);
  });

  test('inspect only is turned on and off', async () => {
    await open();
    await page.goto(view.at('/settings/retention'));
    await page.getByRole('switch', { name: 'Inspect only' }).waitFor();
    await keys.tabTo('Inspect only');
    await keys.press('Space');
    await expectSeen(page.getByRole('dialog', { name: /^Stop storing events of/ }));
    await keys.enter('Inspect only');
    await page.getByText('events are not stored', { exact: true }).waitFor();
    await view.capture({ event: 'only looked at' });
    expect(await stored()).toBe(0);
    await keys.tabTo('Inspect only');
    await keys.press('Space');
    await page.getByText('Inspect only is off').waitFor();
  });

  test('the file is compacted, a backup is created, and deleted again', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'burrow-keyboard-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    await open(await startServer({ dataDir }));
    await page.goto(view.at('/settings/storage'));
    await page.getByText('No backups yet.').waitFor();
    await keys.enter('Compact now');
    await page.getByText(/^(File compacted|.* freed)$/).waitFor();
    await keys.enter('Create backup');
    await page.getByText(/created and verified: [\d,]+ rows/).waitFor();
    const [name] = await readdir(join(dataDir, 'backups'));
    await keys.enter(`Delete ${name}`);
    await expectSeen(page.getByRole('dialog', { name: 'Delete this backup?' }));
    await keys.enter('Delete backup');
    await page.getByText('No backups yet.').waitFor();
    expect(await readdir(join(dataDir, 'backups'))).toEqual([]);
  });

  test('one link is disabled in the list of all, then all sharing is disabled', async () => {
    await open();
    const projects = `/api/projects/${view.server.projectId}`;
    const links: string[] = [];
    for (const name of ['Weekly health', 'Monthly health']) {
      const { id } = await view.ask<{ id: number }>(`${projects}/dashboards/`, {
        method: 'POST',
        body: { name },
      });
      const path = `${projects}/dashboards/${id}/sharing/`;
      const shared = { method: 'PATCH', body: { enabled: true } };
      const { access_token: token } = await view.ask<{ access_token: string }>(path, shared);
      links.push(`${view.server.url}/shared/${token}`);
    }
    const statuses = async () => await Promise.all(links.map(async (link) => (await fetch(link)).status));
    await page.goto(view.at('/settings/sharing'));
    const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name });
    await rowOf('Weekly health').waitFor();
    await keys.enter('Turn off the link of Weekly health');
    await rowOf('Weekly health').waitFor({ state: 'detached' });
    await rowOf('Monthly health').waitFor();
    expect(await statuses()).toEqual([404, 200]);
    await keys.enter('Turn off all sharing');
    await expectSeen(page.getByRole('dialog', { name: 'Turn off all sharing on this server?' }));
    await keys.enter('Turn off all sharing');
    await page.getByText('Public sharing is off.').waitFor();
    await page.getByText('No shared links').waitFor();
    expect(await statuses()).toEqual([404, 404]);
    await keys.enter('Turn on sharing');
    await page.getByText('Public sharing is off.').waitFor({ state: 'detached' });
  });

  test('an event is described, verified and hidden', async () => {
    await open();
    await view.capture({ event: 'invoice sent' });
    await page.goto(view.at('/data/events'));
    const panel = page.getByRole('complementary', { name: 'invoice sent' });
    await page.getByRole('row').filter({ hasText: 'invoice sent' }).waitFor();
    await keys.enter(/^invoice sent/);
    await panel.waitFor();
    await keys.fill('Description', 'An invoice left');
    await panel.getByText('Saved', { exact: true }).waitFor();
    await keys.enter(/^Verify/);
    await panel.getByText('verified', { exact: true }).waitFor();
    await keys.enter(/^Hide/);
    await panel.getByText('hidden', { exact: true }).waitFor();
    await keys.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'An invoice left' }).getByText('hidden').waitFor();
    const path = `/api/projects/${view.server.projectId}/event_definitions/?search=invoice`;
    expect(await view.ask(path)).toMatchObject({
      results: [{ name: 'invoice sent', description: 'An invoice left', hidden: true }],
    });
  });
});
