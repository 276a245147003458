// @module-tag browser
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openConsole, type OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { listEvents } from '../support/list-events.ts';
import { startServer } from '../support/start-server.ts';

let view: OpenConsole;
/** What a test makes the page complain about on purpose. */
let provoked: RegExp | null;

beforeEach(() => {
  provoked = null;
});
afterEach(async () => {
  const complaints = await view.close();
  expect(complaints.filter((text) => !provoked?.test(text))).toEqual([]);
});

/** A console over a server that keeps its database on disk; returns its folder. */
async function openOnDisk(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'burrow-storage-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  view = await openConsole({ server: await startServer({ dataDir }) });
  return dataDir;
}

describe('backups', () => {
  test('one is created while the server runs, verified, downloaded, and deleted again', async () => {
    const dataDir = await openOnDisk();
    await view.capture({ event: 'a' }, { event: 'b' }, { event: 'c' });
    const { page } = view;
    await page.goto(view.at('/settings/storage'));
    await page.getByText('No backups yet.').waitFor();
    await page.getByRole('button', { name: 'Create backup' }).click();
    await page.getByText(/^burrow-\d{8}-\d{6}\.duckdb created and verified: [\d,]+ rows/).waitFor();
    const row = page.getByRole('table', { name: 'Backups' }).getByRole('row').nth(1);
    const [name, events] = await row.getByRole('cell').allInnerTexts();
    expect(events).toBe('3');
    expect(await readdir(join(dataDir, 'backups'))).toEqual([name]);

    const coming = page.waitForEvent('download');
    await row.getByRole('link', { name: `Download ${name}` }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe(name);
    expect(await download.failure()).toBe(null);

    await row.getByRole('button', { name: `Delete ${name}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this backup?' });
    await expectSeen(dialog);
    await expectSeen(dialog.getByText('The database itself is not affected'));
    await dialog.getByRole('button', { name: 'Delete backup' }).click();
    await page.getByText('No backups yet.').waitFor();
    expect(await readdir(join(dataDir, 'backups'))).toEqual([]);
  });

  test('restoring explains its effect, and runs, by keyboard: the page is signed in afterwards', async () => {
    const dataDir = await openOnDisk();
    await view.capture({ event: 'a' });
    const { name, path } = await view.ask<{ name: string; path: string }>('/api/burrow/backup/', {
      method: 'POST',
    });
    const { page } = view;
    await page.goto(view.at('/settings/storage'));
    await page.getByRole('button', { name, exact: true }).waitFor();
    const keys = keyboardOf(page);
    await keys.enter(name);
    const dialog = page.getByRole('dialog', { name: 'Restore backup' });
    await dialog.waitFor();
    expect(await page.getByRole('tooltip').count()).toBe(0);
    await expectSeen(dialog.getByText('with 1 event'));
    await expectSeen(dialog.getByText('Members and API keys are those of the backup'));
    await keys.enter('Copy command');
    await dialog.getByText('Copied', { exact: true }).waitFor({ state: 'attached' });
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `node dist/server/main.js restore ${path} --data-dir ${dataDir}`,
    );
    expect(await view.violations()).toEqual([]);

    await view.capture({ event: 'after the backup' });
    // While the server restarts, requests fail, and the session is lost.
    provoked = /ERR_CONNECTION_|ERR_EMPTY_RESPONSE|status of 40[13]/;
    await keys.enter('Restore');
    await page.getByText(/^Restored 1 event from .* The previous database is kept as/).waitFor();
    expect(page.url()).toBe(view.at('/settings/storage'));
    expect((await listEvents(view.server)).map(({ event }) => event)).toEqual(['a']);
    expect(await view.violations()).toEqual([]);
  });

  test('the file is compacted on request, and the freed space is shown', async () => {
    await openOnDisk();
    await view.capture({ event: 'a' });
    const { page } = view;
    await page.goto(view.at('/settings/storage'));
    await page.getByRole('button', { name: 'Compact now' }).click();
    await page.getByText(/^(File compacted|.* freed)$/).waitFor();
    expect(await view.ask('/api/burrow/storage/')).toMatchObject({ wal_bytes: 0 });
  });
});

test('a project is emptied once its name is typed: its events are deleted, and the project is kept', async () => {
  await openOnDisk();
  await view.capture({ event: 'a' }, { event: 'b' });
  const { page } = view;
  await page.goto(view.at('/settings/projects'));
  await page.getByRole('row').filter({ hasText: 'Default' }).getByRole('button').first().click();
  await page.getByRole('button', { name: 'Delete all events' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete all events of Default?' });
  const confirm = dialog.getByRole('button', { name: 'Delete all events' });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await dialog.getByLabel('Type Default to confirm').fill('Default');
  expect(await view.violations()).toEqual([]);
  await confirm.click();
  await page.getByText('All events of Default deleted').waitFor();
  const path = `/api/projects/${view.server.projectId}/`;
  expect(await view.ask(`${path}events/?after=2000-01-01`)).toMatchObject({ results: [] });
  expect(await view.ask(path)).toMatchObject({ name: 'Default' });
  await page.goto(view.at('/activity'));
  await page.getByText('deleted all events and persons of the project').waitFor();
});

test('the memory limit of queries is shown, and how to change it', async () => {
  await openOnDisk();
  const { page } = view;
  const { memory_limit: limit } = await view.ask<{ memory_limit: number }>('/api/burrow/server/');
  await page.goto(view.at('/settings/storage'));
  const memory = page.getByRole('region', { name: 'Memory' });
  const shown = (await memory.locator('.big').innerText()).trim();
  expect(Math.round(Number.parseFloat(shown) * (shown.endsWith('GB') ? 1000 : 1))).toBe(
    Math.round(Number((limit / 1_000_000).toPrecision(3))),
  );
  await memory.getByText('Changing it requires a restart.').waitFor();
});

test('axe reports no violations on the storage page', async () => {
  await openOnDisk();
  await view.capture({ event: 'a' });
  await view.ask('/api/burrow/backup/', { method: 'POST' });
  await view.page.goto(view.at('/settings/storage'));
  await view.page.getByRole('table', { name: 'Backups' }).waitFor();
  expect(await view.violationsInEveryLook('settings-storage')).toEqual([]);
});
