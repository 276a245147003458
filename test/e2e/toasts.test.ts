// @module-tag browser
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { flagsBehind } from '../support/console-flags.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen, toastOf } from '../support/expect-seen.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareBrowser } from '../support/shared-console.ts';
import { shoot, violationsOn } from '../support/violations.ts';

const openConsole = shareBrowser();

const LOOKS = [
  ['light', 1440],
  ['light', 390],
  ['dark', 1440],
  ['dark', 390],
] as const;

async function open(colorScheme: 'light' | 'dark' = 'light', width = 1440): Promise<OpenConsole> {
  const view = await openConsole();
  await view.page.emulateMedia({ colorScheme });
  await view.page.setViewportSize({ width, height: 900 });
  return view;
}

async function openFlag(view: OpenConsole, id: number): Promise<Page> {
  await view.page.goto(view.at(`/flags/${id}`));
  await view.page.getByLabel('Description').waitFor();
  return view.page;
}

describe('toasts', () => {
  test.each(LOOKS)('a flag is deleted and restored by keyboard, %s and %i wide', async (theme, width) => {
    const view = await open(theme, width);
    const flags = flagsBehind(view);
    const { id } = await flags.create('tone');
    const page = await openFlag(view, id);
    const keys = keyboardOf(page);
    await keys.pick('More: duplicate, delete', 'Delete flag');
    const toast = toastOf(page, 'tone deleted');
    await expectSeen(toast);
    const undo = toast.getByRole('button', { name: 'Undo' });
    await expectSeen(undo);
    const scheme = 'getComputedStyle(document.querySelector("[data-sonner-toast]")).colorScheme';
    expect(await page.evaluate(scheme)).toBe(
      await page.evaluate('getComputedStyle(document.body).colorScheme'),
    );
    // With the focus inside, a toast stays.
    await keys.press('Alt+t');
    await keys.tabTo('Undo');
    await expectSeen(undo);
    await shoot(page, `toast-deleted-${theme}-${width}`);
    expect(await violationsOn(page)).toEqual([]);
    await keys.press('Enter');
    await page.getByLabel('Description').waitFor();
    expect((await flags.read(id)).deleted).toBe(false);
    expect(await view.close()).toEqual([]);
  });

  test.each(LOOKS)(
    'a save while the server is down has an error toast, %s and %i wide',
    async (theme, width) => {
      const view = await open(theme, width);
      await flagsBehind(view).create('tone');
      await view.page.goto(view.at('/flags'));
      await view.page.getByRole('table', { name: 'Flags' }).waitFor();
      await view.server.kill();
      await keyboardOf(view.page).press('j', 't');
      const toast = toastOf(view.page, 'tone was not changed');
      await expectSeen(toast);
      await expectSeen(toast.getByText('Burrow is not responding. Try again when it is back.'));
      await shoot(view.page, `toast-down-${theme}-${width}`);
      await view.close();
    },
  );

  test('an unhandled error has a toast as well', async () => {
    const view = await open();
    const { page } = view;
    await page.goto(view.at('/connect'));
    await page.getByRole('heading', { name: 'Connect' }).waitFor();
    await page.evaluate("void Promise.reject(new Error('nobody handles this'))");
    await expectSeen(toastOf(page, 'Something went wrong'));
    expect(await view.close()).toEqual(['nobody handles this']);
  });
});
