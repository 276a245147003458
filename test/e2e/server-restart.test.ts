// @module-tag browser
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { flagsBehind } from '../support/console-flags.ts';
import { consoleOf, type OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareBrowser } from '../support/shared-console.ts';
import { startServer } from '../support/start-server.ts';
import { shoot } from '../support/violations.ts';

const openConsole = shareBrowser();
const EDITED = 'Says hello in another tone';

/** The editor of a flag with an edit that could not be saved, because the server has died; and how that comes back. */
async function openUnsaved(): Promise<{ view: OpenConsole; id: number; restart(): Promise<OpenConsole> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'burrow-restart-'));
  const view = await openConsole(await startServer({ dataDir }));
  onTestFinished(async () => {
    await view.close();
    rmSync(dataDir, { recursive: true });
  });
  const { id } = await flagsBehind(view).create('tone');
  await view.page.goto(view.at(`/flags/${id}`));
  await view.page.getByLabel('Description').fill(EDITED);
  await view.server.kill();
  await view.page.keyboard.press('Control+s');
  const restart = async () => {
    const server = await startServer({ dataDir, port: view.server.port });
    onTestFinished(async () => void (await server.stop()));
    return consoleOf(server, view.page, view.close);
  };
  return { view, id, restart };
}

test('a save while the server is down shows the whole error; after a restart the user signs in on the page, and saves', async () => {
  const { view, id, restart } = await openUnsaved();
  const { page } = view;
  const problem = page.getByRole('alert').filter({ hasText: 'The flag could not be saved' });
  for (const width of [1440, 800, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectSeen(
      problem.getByText('The flag could not be saved: Burrow is not responding. Try again when it is back.'),
    );
    expect(
      await problem.evaluate(
        ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
          scrollWidth - clientWidth,
      ),
    ).toBe(0);
    await shoot(page, `save-while-down-${width}`);
  }
  const again = await restart();
  const dialog = page.getByRole('dialog', { name: 'Sign in again to save' });
  await expectSeen(dialog);
  expect(await view.violationsInEveryLook('sign-in-again', [1440, 390])).toEqual([]);
  await page.keyboard.press('Escape');
  await expectSeen(dialog);
  await dialog.getByLabel('Personal API key').fill('phx_of_somebody_else');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expectSeen(dialog.getByText('This key is not valid'));
  await dialog.getByLabel('Personal API key').fill(again.server.personalApiKey);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Description').inputValue()).toBe(EDITED);
  await page.keyboard.press('Control+s');
  await expect.poll(async () => (await flagsBehind(again).read(id)).name).toBe(EDITED);
  expect(await problem.count()).toBe(0);
});

test('a sign-in link in another tab signs the page in too; leaving without saving leads to the sign-in page', async () => {
  const { view, restart } = await openUnsaved();
  const again = await restart();
  const { page } = view;
  const dialog = page.getByRole('dialog', { name: 'Sign in again to save' });
  await expectSeen(dialog);
  const tab = await page.context().newPage();
  await tab.goto(again.server.consoleUrl);
  await tab.getByRole('navigation').first().waitFor();
  await tab.close();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Description').inputValue()).toBe(EDITED);

  await page.context().clearCookies();
  await expectSeen(dialog);
  await dialog.getByRole('button', { name: 'Leave without saving' }).click();
  await expectSeen(page.getByRole('button', { name: 'Sign in' }));
});

test('signing out with unsaved changes asks for confirmation', async () => {
  const view = await openConsole();
  const { id } = await flagsBehind(view).create('tone');
  const { page } = view;
  await page.goto(view.at(`/flags/${id}`));
  await page.getByLabel('Description').fill(EDITED);
  const keys = keyboardOf(page);
  const signOut = async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Sign out');
    await keys.press('Enter');
  };
  await signOut();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expectSeen(dialog);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByLabel('Description').inputValue()).toBe(EDITED);
  await signOut();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await expectSeen(page.getByRole('button', { name: 'Sign in' }));
  // A request of the page that was on its way when the session ended.
  const late = 'Failed to load resource: the server responded with a status of 401 (Unauthorized)';
  expect((await view.close()).filter((text) => text !== late)).toEqual([]);
});
