// @module-tag browser
import { afterEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;

afterEach(async () => {
  // Every request of the page, its document, and what the browser complained about.
  expect(await view.close()).toEqual([]);
});

describe('the reference at /docs', () => {
  test('by keyboard shows an operation with its scope, schema and errors, in the theme of the machine; tries one with the session of the console; sends requests to this server only', async () => {
    view = await openConsole();
    const { page, server } = view;
    await page.emulateMedia({ colorScheme: 'dark' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${server.url}/docs`);
    await page.locator('#operations-tag-persons .expand-operation').press('Enter');
    const list = page.locator('#operations-persons-persons_list');
    await list.locator('.opblock-summary-control').press('Enter');
    await list.getByText('Lists persons, newest first.').waitFor();
    await list.locator('[data-param-name="limit"]').waitFor();
    await list.getByText('"is_identified": false').waitFor();
    await list.locator('.response[data-code="404"]').waitFor();
    await expect.poll(() => page.locator('html.dark-mode').count()).toBe(1);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('html:not(.dark-mode)').waitFor();

    await page.locator('#operations-tag-users .expand-operation').press('Enter');
    const me = page.locator('#operations-users-users_me_retrieve');
    await me.locator('.opblock-summary-control').press('Enter');
    const keys = keyboardOf(page);
    await keys.enter(/^Try it out/);
    await keys.enter('Execute');
    const status = me.locator('.live-responses-table tbody .response-col_status');
    await expect.poll(async () => (await status.first().textContent())?.trim()).toBe('200');
    expect(asked).toContain(`${server.url}/openapi.json`);
    expect(asked.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith('data:'))).toEqual([]);
  });

  test('has no violations that axe finds, closed or with an open operation, in either theme, wide or narrow', async () => {
    view = await openConsole();
    const { page, server } = view;
    await page.goto(`${server.url}/docs`);
    await page.locator('#operations-tag-persons .expand-operation').waitFor();
    expect(await view.violationsInEveryLook('docs')).toEqual([]);
    await page.locator('#operations-tag-persons .expand-operation').press('Enter');
    const list = page.locator('#operations-persons-persons_list');
    await list.locator('.opblock-summary-control').press('Enter');
    await list.getByText('"is_identified": false').waitFor();
    expect(await view.violationsInEveryLook('docs-operation')).toEqual([]);
  });

  test('is a key away from Connect, and found in the palette', async () => {
    view = await openConsole();
    const { page, server } = view;
    await page.goto(view.at('/connect'));
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'API reference' }).waitFor();
    await keyboardOf(page).enter('API reference');
    expect((await opened).url()).toBe(`${server.url}/docs`);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('reference');
    const openedAgain = page.context().waitForEvent('page');
    await page.getByRole('option', { name: 'Open API reference' }).waitFor();
    await page.keyboard.press('Enter');
    expect((await openedAgain).url()).toBe(`${server.url}/docs`);
  });

  test('is refused under a foreign host name, as the document is', async () => {
    view = await openConsole();
    for (const path of ['/docs', '/openapi.json']) {
      const answer = await fetch(view.server.url + path, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
      expect(answer.status, path).toBe(403);
    }
  });
});
