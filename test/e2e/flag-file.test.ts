// @module-tag browser
import type { FileChooser, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openConsole, type OpenConsole } from '../support/console.ts';
import { everyone, flagsBehind } from '../support/console-flags.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openShared = shareConsole();

let view: OpenConsole;
let page: Page;
let flags: ReturnType<typeof flagsBehind>;

beforeEach(async () => {
  view = await openShared();
  page = view.page;
  flags = flagsBehind(view);
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const button = (name: string) => page.getByRole('button', { name, exact: true });

async function openList(search = ''): Promise<void> {
  await page.goto(view.at(`/flags${search}`));
  await page.getByRole('table', { name: 'Flags' }).waitFor();
}

async function openImport({ page: there, at }: OpenConsole): Promise<void> {
  await there.goto(at('/flags'));
  await there.getByText('No flags yet').waitFor();
  await keyboardOf(there).enter('Import file');
  await expectSeen(there.getByRole('dialog', { name: 'Import flags' }));
}

/** Presses the button that opens the file dialog, and chooses a file. */
async function chooseFile(there: Page, file: Parameters<FileChooser['setFiles']>[0]): Promise<void> {
  const asked = there.waitForEvent('filechooser');
  await keyboardOf(there).enter('Select file');
  await (await asked).setFiles(file);
}

describe('the flag file, by keyboard alone', () => {
  test('an export is imported by another server, after a preview of its changes', async () => {
    await flags.create('tone', everyone(30), { name: 'Tone' });
    await openList();
    const saved = page.waitForEvent('download');
    await keyboardOf(page).pick('More: export, import, deleted flags', 'Export all flags');
    const path = await (await saved).path();

    const other = await openConsole({ browser: page.context().browser()! });
    try {
      await openImport(other);
      await chooseFile(other.page, path);
      const dialog = other.page.getByRole('dialog', { name: 'Import flags' });
      await dialog.getByText('created').waitFor();
      expect(await other.ask(`/api/projects/${other.server.projectId}/feature_flags/`)).toMatchObject({
        count: 0,
      });
      await keyboardOf(other.page).enter('Import 1 change');
      await other.page.getByRole('link', { name: /tone/ }).waitFor();
    } finally {
      expect(await other.close()).toEqual([]);
    }
  });

  test('an invalid file has a message', async () => {
    await openImport(view);
    await chooseFile(page, { name: 'flags.json', mimeType: 'application/json', buffer: Buffer.from('{') });
    await page.getByText('This file is not valid JSON').waitFor();
    await expect.poll(() => button('Nothing to import').isDisabled()).toBe(true);
  });
});
