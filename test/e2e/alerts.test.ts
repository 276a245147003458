// @module-tag browser
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen, toastOf } from '../support/expect-seen.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;

afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const project = (path: string) => `/api/projects/${view.server.projectId}/${path}`;

async function open(): Promise<{ id: number; shortId: string }> {
  view = await openConsole();
  page = view.page;
  // A project without events shows how to connect one.
  await view.capture({ event: 'signup', timestamp: '2026-01-05T12:00:00Z' });
  const query = {
    kind: 'InsightVizNode',
    source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'signup', name: 'signup' }] },
  };
  const body = { name: 'Sign-ups', saved: true, query };
  const made = await view.ask<{ id: number; short_id: string }>(project('insights/'), {
    method: 'POST',
    body,
  });
  return { id: made.id, shortId: made.short_id };
}

const alertBody = (insight: number, more: object = {}) => ({
  insight,
  name: 'Few sign-ups',
  subscribed_users: [],
  condition: { type: 'absolute_value' },
  threshold: { configuration: { type: 'absolute', bounds: { lower: 3 } } },
  ...more,
});

describe('an alert', () => {
  test(
    'is created on an insight, tested, fires by itself, and is seen on Home',
    { tags: ['journey'] },
    async () => {
      const { shortId } = await open();
      await page.goto(view.at(`/insights/${shortId}`));
      await page.getByRole('button', { name: 'Alerts', exact: true }).click();
      const sheet = page.getByRole('dialog');
      await expectSeen(sheet.getByText('No alerts yet'));
      await sheet.getByRole('button', { name: 'New alert' }).click();
      await sheet.getByRole('button', { name: 'Create alert' }).click();
      await expectSeen(sheet.getByText('Enter at least one number.'));
      await sheet.getByLabel('Name').fill('Few sign-ups');
      await sheet.getByLabel('Lower bound').fill('3');
      await sheet.getByRole('button', { name: 'Test', exact: true }).click();
      await expectSeen(sheet.getByText(/signup is 0 .*less than the lower bound of 3/));
      expect(await view.violations()).toEqual([]);
      await sheet.getByRole('button', { name: 'Create alert' }).click();
      await expectSeen(toastOf(page, 'Alert created'));
      await expectSeen(sheet.getByText('Not checked yet.'));
      await sheet.getByRole('button', { name: 'Close' }).click();
      await expectSeen(page.getByRole('button', { name: '1 alert' }));
      await expect
        .poll(
          async () =>
            (await view.ask<{ results: { state: string }[] }>(project('alerts/'))).results[0]?.state,
        )
        .toBe('Firing');

      await page.goto(view.at('/home'));
      const card = page.getByRole('listitem').filter({ hasText: 'Alert: Few sign-ups' });
      await expectSeen(card);
      await card.getByRole('link', { name: 'View: Alert: Few sign-ups' }).click();
      await expectSeen(
        page.getByRole('dialog', { name: 'Few sign-ups' }).getByText('Firing', { exact: true }),
      );
      expect(new URL(page.url()).pathname).toContain(shortId);
    },
  );

  test('is found by the palette, snoozed in its list, and deleted', async () => {
    const { id } = await open();
    await view.ask(project('alerts/'), { method: 'POST', body: alertBody(id) });
    await page.goto(view.at('/alerts'));
    await expectSeen(page.getByRole('cell', { name: /^Few sign-ups/ }));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Few sign');
    await page.getByRole('option', { name: /Few sign-ups/ }).click();
    const panel = page.getByRole('complementary', { name: 'Few sign-ups' });
    await panel.getByRole('button', { name: 'Snooze' }).click();
    await page.getByRole('menuitem', { name: 'Snooze for 1 day' }).click();
    await expectSeen(panel.getByText('Snoozed until'));
    expect(await view.violations()).toEqual([]);
    await panel.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete alert' }).click();
    await expectSeen(page.getByText('No alerts yet'));
  });

  test('is tested in percent, and can only be deleted once its insight has no numbers over time', async () => {
    const { id } = await open();
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    await view.capture(...[1, 1, 2].map((days) => ({ event: 'signup', timestamp: daysAgo(days) })));
    const threshold = { configuration: { type: 'percentage', bounds: { upper: 5 } } };
    const { id: alertId } = await view.ask<{ id: string }>(project('alerts/'), {
      method: 'POST',
      body: alertBody(id, { condition: { type: 'relative_increase' }, threshold }),
    });
    const panel = page.getByRole('complementary', { name: 'Few sign-ups' });
    await page.goto(view.at(`/alerts?open=${alertId}`));
    await panel.getByRole('button', { name: 'Test', exact: true }).click();
    await expectSeen(panel.getByText('Value: 100%.'));

    const step = { kind: 'EventsNode', event: 'signup' };
    const query = { kind: 'InsightVizNode', source: { kind: 'FunnelsQuery', series: [step, step] } };
    await view.ask(project(`insights/${id}/`), { method: 'PATCH', body: { query } });
    await page.reload();
    await expectSeen(panel.getByText('the alert cannot be checked any more'));
    expect(await panel.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await panel.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete alert' }).click();
    await expectSeen(page.getByText('No alerts yet'));
  });

  test('sends its webhook once that is turned on under Privacy, which shows the call', async () => {
    const received: unknown[] = [];
    const server = createServer((req, res) => {
      let text = '';
      req.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      req.on('end', () => {
        received.push(JSON.parse(text));
        res.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

    const { id } = await open();
    await page.goto(view.at('/settings/privacy'));
    await expectSeen(page.getByText('No calls yet').first());
    await page.getByRole('switch', { name: 'Alert webhooks' }).click();
    await expectSeen(toastOf(page, 'Alert webhooks turned on'));
    await view.ask(project('alerts/'), {
      method: 'POST',
      body: alertBody(id, { webhook_url: `http://${host}/hook` }),
    });
    await expect.poll(() => received).toMatchObject([{ type: 'alert_firing', alert_name: 'Few sign-ups' }]);
    await page.reload();
    await expectSeen(page.getByText(new RegExp(`to ${host}\\. It answered with status 200\\.`)));
    expect(await view.violations()).toEqual([]);
  });
});
