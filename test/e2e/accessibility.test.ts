// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { shareConsole } from '../support/shared-console.ts';
import { violationsInEveryLook } from '../support/violations.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const row = (text: string) => page.getByRole('row').filter({ hasText: text });
const heading = (name: string) => page.getByRole('heading', { name });

describe('without a mouse', () => {
  test('palette, screens, rows, event and help by keyboard alone', async () => {
    await view.capture({ event: 'earlier' });
    await page.goto(view.at('/live'));
    await row('earlier').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await heading('Connect').waitFor();
    await page.keyboard.press('Control+k');
    await page
      .getByRole('textbox', { name: 'Search' })
      .or(page.getByRole('combobox', { name: 'Search' }))
      .first()
      .waitFor();
    await page.keyboard.type('liv');
    await page.keyboard.press('Enter');
    await heading('Live').waitFor();
    await row('earlier').waitFor();

    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: /Properties/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: /Properties/ }).waitFor({ state: 'detached' });

    await page.keyboard.press('?');
    await expectSeen(page.getByRole('dialog', { name: 'Keyboard shortcuts' }));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' });
    await expect.poll(() => row('earlier').getByRole('button').getAttribute('aria-expanded')).toBe('false');
  });

  test.each([
    ['light', 1440],
    ['light', 390],
    ['dark', 1440],
    ['dark', 390],
  ] as const)('the tooltip of an icon button is visible, %s and %i wide', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(view.at('/flags'));
    await page.getByRole('button', { name: 'More: export, import, deleted flags' }).hover();
    await expectSeen(page.locator('.tooltip'));
  });

  test('Tab reaches every control of Connect, each with a visible focus ring', async () => {
    await page.goto(view.at('/connect'));
    await page.getByRole('button', { name: 'Send test event' }).waitFor();
    const names: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate<Focused>(FOCUSED);
      if (focused.isPage) break;
      expect(focused).toMatchObject({ isRinged: true });
      names.push(focused.name);
    }
    for (const name of [
      'Search',
      'Live',
      'Connect',
      'Browser',
      'Copy snippet',
      'Copy project API key',
      'Send test event',
    ]) {
      expect(names.some((found) => found.includes(name))).toBe(true);
    }
  });
});

test('sign-in, Connect, Live and palette pass axe in either theme, wide or narrow', async () => {
  const guest = await page.context().browser()!.newContext({ viewport: page.viewportSize() });
  const door = await guest.newPage();
  await door.goto(`${view.server.url}/#token=foreign`);
  await door.getByRole('heading', { name: 'This link is not valid' }).waitFor();
  expect(await violationsInEveryLook(door, 'sign-in', [1440, 800, 390])).toEqual([]);
  await guest.close();

  await page.goto(view.at('/connect'));
  await heading('Waiting for the first event').waitFor();
  expect(await view.violationsInEveryLook('connect')).toEqual([]);
  const unknown = { api_key: 'phc_aKeyOfNoProjectAtAll', event: 'refused', distinct_id: 'ana' };
  await fetch(`${view.server.url}/capture/`, { method: 'POST', body: JSON.stringify(unknown) });
  await page.getByText('does not belong to any project').waitFor();
  expect(await view.violationsInEveryLook('connect-refused')).toEqual([]);

  const properties = { $current_url: 'https://app.example/invoices' };
  await view.capture(
    { event: '$pageview', properties },
    { event: 'invoice sent', properties },
    { properties },
  );
  await heading('First event received').waitFor();
  expect(await view.violationsInEveryLook('connect-received')).toEqual([]);
  await page.getByRole('button', { name: 'View live events' }).click();
  await row('invoice sent').click();
  await page.getByText('No event name').waitFor();
  await page.getByRole('tab', { name: 'JSON' }).click();
  expect(await view.violationsInEveryLook('live-event')).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('f');
  await page.getByRole('option').first().waitFor();
  expect(await view.violationsInEveryLook('live-filter')).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('option').first().waitFor();
  expect(await view.violationsInEveryLook('palette')).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  // Where there is little room, Ingestion waits behind its button, and lies over Live.
  await page.setViewportSize({ width: 800, height: 900 });
  const ingestion = page.getByRole('complementary', { name: 'Ingestion' });
  await ingestion.waitFor({ state: 'detached' });
  expect(await view.violationsInEveryLook('live', [800])).toEqual([]);
  await page.getByRole('button', { name: 'Ingestion' }).click();
  await ingestion.getByText('Pipeline').waitFor();
  expect(await view.violationsInEveryLook('live-ingestion', [800])).toEqual([]);
});

interface Focused {
  name: string;
  isPage: boolean;
  isRinged: boolean;
}

/** Describes the element that has the focus; text, because these tests are not compiled for a page. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return {
    name: element.getAttribute('aria-label') ?? element.innerText ?? '',
    isPage: element === document.body,
    isRinged: outlineStyle !== 'none' && outlineWidth !== '0px',
  };
})()`;
