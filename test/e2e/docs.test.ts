import { afterEach, describe, expect, test } from 'vitest';
import { openConsole, type OpenConsole } from '../support/console.ts';

let view: OpenConsole;

afterEach(async () => {
  // Every request of the page, its document, and what the browser complained about.
  expect(await view.close()).toEqual([]);
});

describe('the reference at /docs', () => {
  test.each(['light', 'dark'] as const)(
    'shows an operation with its scope, schema and errors, and asks this server alone (%s)',
    async (theme) => {
      view = await openConsole({ theme });
      const { page, server } = view;
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(`${server.url}/docs`);
      const persons = page.locator('#operations-tag-persons');
      await persons.click();
      const operation = page.locator('#operations-persons-persons_list');
      await operation.locator('.opblock-summary-control').click();
      await operation.getByText('Lists persons, newest created first.').waitFor();
      await operation.locator('[data-param-name="limit"]').waitFor();
      await operation.getByText('"is_identified": false').waitFor();
      await operation.locator('.response[data-code="404"]').waitFor();
      expect(await page.locator('html.dark-mode').count()).toBe(theme === 'dark' ? 1 : 0);
      expect(asked).toContain(`${server.url}/openapi.json`);
      expect(asked.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith('data:'))).toEqual(
        [],
      );
    },
  );

  test('tries an operation with the session of the console', async () => {
    view = await openConsole();
    const { page, server } = view;
    await page.goto(`${server.url}/docs`);
    await page.locator('#operations-tag-users').click();
    const operation = page.locator('#operations-users-users_me_retrieve');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const status = operation.locator('.live-responses-table tbody .response-col_status');
    await expect.poll(async () => (await status.first().textContent())?.trim()).toBe('200');
  });

  test('is refused under a foreign name of this server, as the document is', async () => {
    view = await openConsole();
    for (const path of ['/docs', '/openapi.json']) {
      const answer = await fetch(view.server.url + path, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
      expect(answer.status, path).toBe(403);
    }
  });
});
