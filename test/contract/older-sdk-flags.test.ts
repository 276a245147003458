// @module-tag browser
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import type { PostHog } from 'posthog-js-lite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { bundleForPage } from '../support/bundle-for-page.ts';
import { waitForEvent } from '../support/list-events.ts';
import { pathsOf, visit, type PostHogInPage } from '../support/sdk-page.ts';
import { makeShopFlags, SHOP_FLAGS } from '../support/shop-flags.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';

declare const posthog: PostHogInPage;
/** The client of posthog-js-lite that a page below makes. */
declare const client: PostHog;

let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  await makeShopFlags(server);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe('11.4/1.24.0 posthog-js 1.24.0 on flags created through the API', () => {
  test('it has the flags that are on by /decide?v=2, again after identify, and those of groups', async () => {
    const script = fileURLToPath(import.meta.resolve('posthog-js-1.24')).replace(/[^/\\]+$/, 'array.js');
    const head = `<script src="/array.js"></script><script>
      posthog.init('${server.projectApiKey}', { api_host: '${server.url}' });
    </script>`;
    const { page, requests, leave } = await visit(browser, server, head, {
      '/array.js': await readFile(script, 'utf8'),
    });
    const { everybody, nobody, disabled, colleagues, variant, company } = SHOP_FLAGS;
    const on = await page.evaluate(() => new Promise<string[]>((resolve) => posthog.onFeatureFlags(resolve)));
    expect(on.toSorted()).toEqual([variant, everybody].toSorted());
    const values = (keys: string[]) =>
      page.evaluate((names) => names.map((name) => posthog.getFeatureFlag(name) ?? null), keys);
    expect(await values([everybody, variant, nobody, disabled])).toEqual([true, 'red', null, null]);
    // This version sends properties with events only, so that what is stored must count.
    await page.evaluate(() => posthog.identify('old', { email: 'old@shop.example' }));
    await waitForEvent(server, '$identify');
    await page.evaluate(() => posthog.reloadFeatureFlags());
    await expect.poll(() => values([colleagues, company])).toEqual([true, null]);
    await page.evaluate(() => {
      posthog.group('company', 'initech');
      posthog.reloadFeatureFlags();
    });
    await expect.poll(() => values([colleagues, company])).toEqual([true, true]);
    const asked = requests.filter((request) => new URL(request.url()).pathname === '/decide/');
    expect(new Set(asked.map((request) => new URL(request.url()).searchParams.get('v')))).toEqual(
      new Set(['2']),
    );
    await leave();
  });
});

describe('11.5/lite posthog-js-lite on flags created through the API', () => {
  test('it has values and payloads, again after identify, and those of groups', async () => {
    const lite = await bundleForPage('posthog-js-lite', 'lite');
    const head = `<script src="/lite.js"></script><script>
      const client = new lite.PostHog('${server.projectApiKey}', { host: '${server.url}', flushInterval: 100 });
    </script>`;
    const { page, requests, leave } = await visit(browser, server, head, { '/lite.js': lite });
    const { everybody, nobody, disabled, colleagues, variant, company } = SHOP_FLAGS;
    const reload = () => page.evaluate(() => client.reloadFeatureFlagsAsync());
    expect(await reload()).toEqual({
      [everybody]: true,
      [nobody]: false,
      [colleagues]: false,
      [variant]: 'red',
      [company]: false,
    });
    const asked = await page.evaluate(
      ([first, second, third]) => [
        client.getFeatureFlagPayload(first!),
        client.getFeatureFlagPayload(second!),
        client.getFeatureFlag(third!),
      ],
      [everybody, variant, disabled],
    );
    expect(asked).toEqual([{ color: 'blue', steps: [1, 2] }, '#f00', false]);
    await page.evaluate(() => {
      client.identify('lite', { email: 'lite@shop.example' });
      client.group('company', 'initech');
    });
    await page.evaluate(() => client.flush());
    expect(await reload()).toMatchObject({ [colleagues]: true, [company]: true });
    expect(pathsOf(requests)).toContain('/flags/');
    await page.evaluate(() => client.shutdown());
    await leave();
  });
});
