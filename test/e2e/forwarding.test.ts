// @module-tag browser
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen, toastOf } from '../support/expect-seen.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;

afterEach(async () => {
  // The address that the test enters first is refused.
  expect((await view.close()).filter((text) => !/status of 400/.test(text))).toEqual([]);
});

/** A host that takes one key, and notes the names of the events it gets. */
async function openHost(key: string): Promise<{ url: string; events: string[] }> {
  const events: string[] = [];
  const server = createServer((req, res) => {
    const pieces: Buffer[] = [];
    req.on('data', (piece: Buffer) => pieces.push(piece));
    req.on('end', () => {
      const bytes = Buffer.concat(pieces);
      const text = req.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
      const body = JSON.parse(text.toString()) as { api_key: string; batch?: { event: string }[] };
      if (body.api_key !== key) return res.writeHead(401).end();
      events.push(...(body.batch ?? []).map(({ event }) => event));
      res.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, events };
}

test(
  'M9.14 forwarding is tested, turned on, stopped by a refused key, mended, paused and turned off',
  { tags: ['journey'] },
  async () => {
    view = await openConsole();
    const { page } = view;
    const host = await openHost('phc_right_key_of_the_host');
    await view.capture({ event: 'before', timestamp: '2026-01-05T12:00:00Z' });
    await page.goto(view.at('/settings/forwarding'));
    await expectSeen(page.getByText(/every new event of this project leaves this machine/));
    const turnOn = page.getByRole('button', { name: 'Turn on' });
    expect(await turnOn.isDisabled()).toBe(true);

    await page.getByLabel('Host').fill('http://169.254.169.254');
    await page.getByLabel('Project API key').fill('phc_wrong_key_of_the_host');
    await turnOn.click();
    await expectSeen(page.getByText(/link-local, multicast or metadata address/));
    await page.getByLabel('Host').fill(host.url);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await expectSeen(page.getByText(/The host refused the project API key/));
    await turnOn.click();
    await expectSeen(toastOf(page, 'Forwarding turned on'));
    await expectSeen(page.getByText('Up to date'));
    expect(await view.violations()).toEqual([]);

    await view.capture({ event: 'first', timestamp: '2026-01-05T12:00:00Z' });
    await expectSeen(page.getByText('Stopped', { exact: true }));
    expect(await view.violationsInEveryLook('forwarding-stopped', [1440, 390])).toEqual([]);
    await page.goto(view.at('/home'));
    await page.getByRole('link', { name: /View: Forwarding has stopped, 1 event waiting/ }).click();
    await page.getByLabel('Project API key').fill('phc_right_key_of_the_host');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await expectSeen(page.getByText('The host accepts the key. No event was sent.'));
    await page.getByRole('button', { name: 'Save' }).click();
    await expectSeen(page.getByText('Up to date'));
    expect(host.events).toEqual(['first']);

    await page.getByRole('button', { name: 'Pause' }).click();
    await expectSeen(page.getByText('Paused', { exact: true }));
    await view.capture({ event: 'second', timestamp: '2026-01-05T12:00:00Z' });
    await expectSeen(page.getByText(/^oldest /));
    expect(await view.violationsInEveryLook('forwarding', [1440, 800, 390])).toEqual([]);
    await page.getByRole('button', { name: 'Resume' }).click();
    await expectSeen(page.getByText('Up to date'));
    expect(host.events).toEqual(['first', 'second']);

    await page.goto(view.at('/settings/privacy'));
    await expectSeen(page.getByText(`to ${host.url.slice('http://'.length)}`));
    await page.goto(view.at('/settings/forwarding'));
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await expectSeen(toastOf(page, 'Forwarding turned off'));
    await view.capture({ event: 'third', timestamp: '2026-01-05T12:00:00Z' });
    await page.reload();
    await expectSeen(page.getByRole('heading', { name: 'Forward new events' }));
    expect(host.events).toEqual(['first', 'second']);
  },
);
