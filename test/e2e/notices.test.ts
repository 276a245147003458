// @module-tag browser
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { expectSeen } from '../support/expect-seen.ts';
import { shareBrowser } from '../support/shared-console.ts';
import { startServer } from '../support/start-server.ts';

const openConsole = shareBrowser();

const LOG_DAMAGED = {
  id: 'log_damaged',
  level: 'warning',
  title: 'The log was damaged',
  text: 'Its last 3 commits were dropped. The damaged log is kept beside the database.',
  page: 'backups',
  refusesEvents: false,
  dismissible: true,
  since: 1_795_000_000_000,
};

async function openWithNotice() {
  const dataDir = mkdtempSync(join(tmpdir(), 'burrow-notices-'));
  writeFileSync(join(dataDir, 'notices.json'), JSON.stringify([LOG_DAMAGED]));
  const view = await openConsole(await startServer({ dataDir }));
  onTestFinished(async () => {
    await view.close();
    rmSync(dataDir, { recursive: true });
  });
  return view;
}

test('a notice is shown on every screen, links to help, and is hidden once it is dismissed', async () => {
  const view = await openWithNotice();
  const { page } = view;
  const notice = page.getByRole('alert').filter({ hasText: LOG_DAMAGED.title });
  for (const path of ['/live', '/dashboards', '/flags']) {
    await page.goto(view.at(path));
    await expectSeen(notice);
  }
  expect(await view.violationsInEveryLook('notice', [1440, 390])).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expectSeen(notice);
      await expectSeen(notice.getByRole('link', { name: 'Open backups' }));
      await expectSeen(notice.getByRole('button', { name: 'Dismiss' }));
    }
  }
  await notice.getByRole('link', { name: 'Open backups' }).click();
  await page.getByRole('heading', { name: 'Backups' }).waitFor();
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await notice.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { name: 'Backups' }).waitFor();
  expect(await notice.count()).toBe(0);
});

test('a banner shows that the server is not responding, until it responds again', async () => {
  const view = await openConsole();
  const { page } = view;
  await page.goto(view.at('/dashboards'));
  await page.route('**/api/**', (route) => route.abort());
  const notice = page.getByRole('alert').filter({ hasText: 'The Burrow server is not responding' });
  await expectSeen(notice);
  await page.unroute('**/api/**');
  await expect.poll(() => notice.count()).toBe(0);
  await view.close();
});
