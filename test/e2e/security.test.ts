// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
});
afterEach(async () => {
  // A page that loads what an event says, or breaks a rule of its policy, complains.
  expect(await view.close()).toEqual([]);
});

/** Runs when any part of it becomes an element, and sends a request to another host. */
const ATTACK =
  '"><img src="http://evil.test/x.png" onerror="globalThis.attacked=1"><script>globalThis.attacked=1</script>';
const LINK =
  '[here](javascript:globalThis.attacked=1) <iframe src="javascript:globalThis.attacked=1"></iframe>';

async function expectNotAttacked(shown: Page): Promise<void> {
  expect(await shown.evaluate('globalThis.attacked')).toBeUndefined();
  expect(
    await shown.locator('[onerror], iframe, a[href^="javascript:"], img[src*="evil.test"]').count(),
  ).toBe(0);
}

test('names of events, properties, persons, flags and insights are escaped on every screen', async () => {
  const distinct_id = `${ATTACK}@shop.example`;
  await view.capture({
    event: ATTACK,
    distinct_id,
    properties: {
      [ATTACK]: ATTACK,
      $current_url: `javascript:${ATTACK}`,
      $set: { name: ATTACK, [ATTACK]: ATTACK },
    },
  });
  const api = `/api/projects/${view.server.projectId}/`;
  const query = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: ATTACK, name: ATTACK }] };
  const { short_id } = await view.ask<{ short_id: string }>(`${api}insights/`, {
    method: 'POST',
    body: { name: ATTACK, description: ATTACK, tags: ['a<b>'], saved: true, query },
  });
  await view.ask(`${api}dashboards/`, { method: 'POST', body: { name: ATTACK, description: ATTACK } });
  await view.ask(`${api}cohorts/`, { method: 'POST', body: { name: ATTACK, is_static: true } });
  const { results } = await view.ask<{ results: { uuid: string }[] }>(`${api}persons/`);

  for (const path of [
    '/live',
    '/data/events',
    '/data/properties',
    '/persons',
    `/persons/${results[0]!.uuid}`,
    '/home',
    '/insights',
    `/insights/${short_id}`,
    '/cohorts',
  ]) {
    await page.goto(view.at(path));
    await page.getByText('globalThis.attacked=1').first().waitFor();
    await expectNotAttacked(page);
  }
  await page.goto(view.at('/live'));
  await page.getByRole('row').filter({ hasText: 'evil.test' }).first().click();
  await page.getByRole('tab', { name: /Properties/ }).waitFor();
  await expectNotAttacked(page);
});

test('Markdown runs no script on a public page, under any title', async () => {
  const dashboards = `/api/projects/${view.server.projectId}/dashboards/`;
  const { id } = await view.ask<{ id: number }>(dashboards, {
    method: 'POST',
    body: { name: `</title>${ATTACK}` },
  });
  const tiles = [{ text: { body: `${LINK}\n\n${ATTACK}` }, layouts: {} }];
  await view.ask(`${dashboards}${id}/`, { method: 'PATCH', body: { tiles } });
  const { access_token } = await view.ask<{ access_token: string }>(`${dashboards}${id}/sharing/`, {
    method: 'PATCH',
    body: { enabled: true },
  });
  await page.goto(`${view.server.url}/shared/${access_token}`);
  await page.getByText('here').first().waitFor();
  await expectNotAttacked(page);
});

describe('after signing in', () => {
  test.each(['//evil.test/', '/\\evil.test/', 'https://evil.test/', 'javascript:globalThis.attacked=1'])(
    'a next parameter with %s never leads to another origin',
    async (next) => {
      const guest = await page.context().browser()!.newContext();
      const other = await guest.newPage();
      const asked: string[] = [];
      other.on('request', (request) => asked.push(new URL(request.url()).host));
      await other.goto(`${view.server.url}/sign-in?next=${encodeURIComponent(next)}`);
      await other.getByLabel('Personal API key').fill(view.server.personalApiKey);
      await other.keyboard.press('Enter');
      await other.getByRole('navigation', { name: 'Main' }).waitFor();
      expect(new URL(other.url()).origin).toBe(view.server.url);
      expect(new Set(asked)).toEqual(new Set([new URL(view.server.url).host]));
      await expectNotAttacked(other);
      await guest.close();
    },
  );
});
