// @module-tag browser
import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;
/** What a test makes the page complain about on purpose. */
let provoked: RegExp | null;

beforeEach(async () => {
  provoked = null;
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
});
afterEach(async () => {
  const complaints = await view.close();
  expect(complaints.filter((text) => !provoked?.test(text))).toEqual([]);
});

const row = (text: string) => page.getByRole('row').filter({ hasText: text });

/** Sends one event by itself, as the smallest clients do; the status of the answer. */
async function send(sent: { event?: string; properties?: object }): Promise<number> {
  const body = { api_key: view.server.projectApiKey, distinct_id: 'ana@reyes-studio.example', ...sent };
  const url = `${view.server.url}/capture/`;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  await response.arrayBuffer();
  return response.status;
}

/** Opens Live of a project that has an event. */
async function openLive(search = ''): Promise<void> {
  await send({ event: 'earlier' });
  await page.goto(view.at(`/live${search}`));
  await row('earlier').waitFor();
}

describe('Live', () => {
  test(
    'by keyboard an event opens in place, is copied as curl, and is sent again as a new one',
    { tags: ['journey'] },
    async () => {
      await openLive('?ingestion=closed');
      await send({ event: `it's sent`, properties: { note: `a "quoted" $HOME 'note'` } });
      await row(`it's sent`).waitFor();
      await keys.press('j', 'Enter');
      await page.getByText(`a "quoted" $HOME 'note'`).first().waitFor();

      await keys.enter('Resend');
      await page.getByText("“it's sent” sent again").waitFor();
      await keys.enter('Copy as curl');
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      await runCurl(await page.evaluate<string>('navigator.clipboard.readText()'));

      await page.mouse.move(5, 5);
      await page.keyboard.press('Escape');
      await expect.poll(() => row(`it's sent`).count()).toBe(3);
      const response = await fetch(
        `${view.server.url}/api/projects/${view.server.projectId}/events/?event=it's sent`,
        {
          headers: { Authorization: `Bearer ${view.server.personalApiKey}` },
        },
      );
      const { results } = (await response.json()) as { results: { id: string; properties: string }[] };
      expect(new Set(results.map(({ id }) => id)).size).toBe(3);
      expect(results.map(({ properties }) => (JSON.parse(properties) as { note: string }).note)).toEqual(
        Array(3).fill(`a "quoted" $HOME 'note'`),
      );
    },
  );

  test('rows do not move while they are read: new ones wait behind a button', async () => {
    await openLive();
    await row('earlier').hover();
    await send({ event: 'while reading' });
    await send({ event: 'while reading' });
    await page.getByRole('button', { name: '2 new' }).waitFor();
    expect(await row('while reading').count()).toBe(0);
    await keys.enter('2 new');
    await row('while reading').first().waitFor();
    await expect.poll(() => row('while reading').count()).toBe(2);
  });

  test('Space pauses and resumes', async () => {
    await openLive();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await send({ event: 'while paused' });
    await page.getByRole('button', { name: 'Paused, 1 new' }).waitFor();
    expect(await row('while paused').count()).toBe(0);
    await page.keyboard.press('Space');
    await row('while paused').waitFor();
  });

  test('a filter, built by keyboard, is applied by the server, stays in the URL and survives a reload', async () => {
    await openLive();
    await page.keyboard.press('f');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.type('event');
    await page.keyboard.press('Enter');
    await page.keyboard.type('is not');
    await page.keyboard.press('Enter');
    await page.keyboard.type('noise');
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Event is not noise' }).waitFor();
    expect(new URL(page.url()).searchParams.get('filters')).toBe(
      '[{"field":"event","operator":"is_not","value":"noise"}]',
    );

    await send({ event: 'noise' });
    await send({ event: 'signal' });
    await row('signal').waitFor();
    expect(await row('noise').count()).toBe(0);
    await page.reload();
    await row('signal').waitFor();
    expect(await row('noise').count()).toBe(0);

    await keys.enter('Remove filter Event is not noise');
    await row('noise').waitFor();
  });

  test('each part of a filter is edited in place', async () => {
    await openLive(
      `?filters=${encodeURIComponent('[{"field":"event","operator":"is_not","value":"noise"}]')}`,
    );
    await page.getByRole('button', { name: 'Operator: is not' }).click();
    await page.getByRole('option', { name: 'is', exact: true }).click();
    await page.getByRole('group', { name: 'Event is noise' }).waitFor();
    await page.getByRole('button', { name: 'Value: noise' }).click();
    await page.keyboard.type('signal');
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Event is signal' }).waitFor();
    await page.getByRole('button', { name: 'Value: signal' }).press('Delete');
    await row('earlier').waitFor();
    expect(new URL(page.url()).searchParams.get('filters')).toBe(null);
  });

  test('events show what their persons are called, also when a name comes later', async () => {
    await openLive();
    await row('earlier').getByText('ana@reyes-studio.example').waitFor();
    await send({ event: 'named', properties: { $set: { name: 'Ana Reyes' } } });
    await row('named').getByText('Ana Reyes').waitFor();
    await expectSeen(row('earlier').getByText('Ana Reyes'));
    expect(await row('earlier').getByText('ana@reyes-studio.example').count()).toBe(0);
    await row('named').click();
    await page.getByRole('button', { name: 'Person', exact: true }).click();
    await page.waitForURL(/\/persons\/[0-9a-f-]{36}$/);
  });

  test('on a phone an event is two lines, and new ones are announced in a row of their own', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openLive('?ingestion=closed');
    await send({ event: 'second', properties: { $current_url: 'https://shop.example/cart' } });
    await row('second').waitFor();
    await expectSeen(row('second').getByText('/cart'));
    await row('second').getByRole('button').first().focus();
    await page.keyboard.press('j');
    await send({ event: 'third' });
    const fresh = page.getByRole('button', { name: '1 new' });
    await expectSeen(fresh);
    expect((await fresh.boundingBox())!.width).toBe(390);
    await fresh.click();
    await expectSeen(row('third').getByText('third'));
  });

  test('a broken stream is reported, reconnects automatically, and loads the missed events', async () => {
    await openLive();
    provoked = /ERR_FAILED/;
    await page.route('**/burrow/live/**', (route) => route.abort());
    await page.reload();
    await page.getByText('No connection since').waitFor();
    await send({ event: 'missed' });
    await page.unroute('**/burrow/live/**');
    await row('missed').waitFor();
    await expect.poll(() => page.getByText('No connection since').count()).toBe(0);
    await send({ event: 'afterwards' });
    await row('afterwards').waitFor();
  });

  test('beside it, Ingestion shows dropped events, and the reason', async () => {
    await openLive('?ingestion=open');
    expect(await send({ properties: { $lib: 'posthog-node', $lib_version: '5.70.0' } })).toBe(200);
    const panel = page.getByRole('complementary', { name: 'Ingestion' });
    await panel.getByText('No event name').waitFor();
    await panel.getByText('posthog-node 5.70.0').first().waitFor();
    await panel
      .getByText('were accepted with status 200', { exact: false })
      .or(panel.getByText('was accepted with status 200', { exact: false }))
      .waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(page.url()).toContain('ingestion=closed');
  });

  test('a burst of events reaches the table, with a count of skipped ones', async () => {
    await openLive('?ingestion=closed');
    const batch = Array.from({ length: 3000 }, (_, index) => ({
      event: `flood ${index}`,
      distinct_id: 'flood',
      properties: {},
    }));
    const body = JSON.stringify({ api_key: view.server.projectApiKey, batch });
    expect((await fetch(`${view.server.url}/batch/`, { method: 'POST', body })).status).toBe(200);
    await row('flood').first().waitFor();
    await page.getByText(/events not shown because of the high rate; all are stored/).waitFor();
  });
});

/** Runs a copied curl command as a shell reads it, with fetch in place of curl, which not every machine has. */
async function runCurl(command: string): Promise<void> {
  const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
    encoding: 'utf8',
  });
  const [url = '', ...options] = printed.split('\0').slice(0, -1);
  const [name = '', value = ''] = options[options.indexOf('-H') + 1]!.split(': ');
  const body = options[options.indexOf('--data-raw') + 1]!;
  const response = await fetch(url, { method: 'POST', headers: { [name]: value }, body });
  expect(response.status).toBe(200);
}
