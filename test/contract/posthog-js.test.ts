import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { snippets } from '../../renderer/screens/connect/snippets.ts';
import bundles from '../../server/features/static-assets/bundles.json' with { type: 'json' };
import { launchBrowser } from '../support/browser.ts';
import { listEvents, waitForEvent } from '../support/list-events.ts';
import { servePage } from '../support/serve-page.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';

/** posthog-js' global, as far as these tests call it inside the page. */
declare const posthog: {
  capture(event: string, properties?: object, options?: object): void;
  identify(id: string, set?: object, setOnce?: object): void;
  group(type: string, key: string): void;
  reset(): void;
  get_distinct_id(): string;
  getFeatureFlag(key: string): unknown;
  isFeatureEnabled(key: string): unknown;
  onFeatureFlags(callback: (flags: string[]) => void): void;
  getSurveys(callback: (surveys: unknown[]) => void, force: boolean): void;
  getEarlyAccessFeatures(callback: (features: unknown[]) => void, force: boolean): void;
};

const BODY = '<h1>Shop</h1><a href="#more">More</a><button id="buy" class="big red">Buy now</button>';

let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** The script-tag snippet of the Connect screen, with further options; a headless browser counts as a bot without the first. */
function snippet(options = '', file = 'array.js'): string {
  const shown = snippets(server.url, server.projectApiKey)
    .flatMap((group) => group.snippets)
    .find(({ id }) => id === 'browser-script')!.code;
  const changed = shown
    .replace('/static/array.js', `/static/${file}`)
    .replace('api_host:', `opt_out_useragent_filter: true, ${options} api_host:`);
  expect(changed).toContain('opt_out_useragent_filter');
  return changed;
}

interface Visit {
  page: Page;
  origin: string;
  requests: Request[];
  /** Closes the page and checks that it had no complaint and talked to this machine's two servers only. */
  leave(): Promise<void>;
}

/** Opens a page of a foreign origin whose head is `head`. */
async function visit(head: string): Promise<Visit> {
  const app = await servePage(
    `<!doctype html><html><head><title>Shop</title>${head}</head><body>${BODY}</body></html>`,
  );
  const context = await browser.newContext();
  const page = await context.newPage();
  const requests: Request[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${app.origin}/shop?utm_source=news`);
  return {
    page,
    origin: app.origin,
    requests,
    async leave() {
      await context.close();
      await app.close();
      const foreign = requests
        .map((request) => request.url())
        .filter((url) => ![server.url, app.origin].includes(new URL(url).origin));
      expect(foreign).toEqual([]);
      expect(complaints).toEqual([]);
    },
  };
}

function pathsOf(requests: readonly Request[]): string[] {
  return requests.map((request) => new URL(request.url()).pathname);
}

describe('posthog-js from the script tag of the Connect screen', () => {
  test('page view, custom event, identify, group and a click arrive, each once', async () => {
    const { page, origin, requests, leave } = await visit(snippet());
    const anonymous = await page.evaluate(() => posthog.get_distinct_id());
    await page.evaluate(() => {
      posthog.capture('added to cart', { price: 12.5, tags: ['a', 'ü'] });
      posthog.identify('lin', { email: 'lin@shop.example' }, { first_seen: 'today' });
      posthog.group('company', 'acme');
      posthog.capture('paid');
    });
    await page.click('#buy');

    const [view] = await waitForEvent(server, '$pageview');
    expect(view).toMatchObject({
      distinct_id: anonymous,
      properties: {
        $current_url: `${origin}/shop?utm_source=news`,
        utm_source: 'news',
        $lib: 'web',
        title: 'Shop',
      },
    });
    const [added] = await waitForEvent(server, 'added to cart');
    expect(added).toMatchObject({ distinct_id: anonymous, properties: { price: 12.5, tags: ['a', 'ü'] } });
    const [identify] = await waitForEvent(server, '$identify');
    expect(identify).toMatchObject({
      distinct_id: 'lin',
      properties: {
        $anon_distinct_id: anonymous,
        $set: { email: 'lin@shop.example' },
        $set_once: { first_seen: 'today' },
      },
    });
    const [paid] = await waitForEvent(server, 'paid');
    expect(paid).toMatchObject({ distinct_id: 'lin', properties: { $groups: { company: 'acme' } } });
    const [click] = await waitForEvent(server, '$autocapture');
    expect(click).toMatchObject({ distinct_id: 'lin', properties: { $event_type: 'click' } });
    expect(click!.elements_chain).toMatch(/^button\.big\.red:.*text="Buy now"/);
    await leave();

    for (const name of [
      '$pageview',
      'added to cart',
      '$identify',
      '$groupidentify',
      'paid',
      '$autocapture',
    ]) {
      const mine = (await listEvents(server, { event: name })).filter((event) =>
        [anonymous, 'lin'].includes(event.distinct_id),
      );
      expect(mine, name).toHaveLength(1);
    }
    expect(pathsOf(requests)).toEqual(
      expect.arrayContaining([
        '/static/array.js',
        `/array/${server.projectApiKey}/config.js`,
        '/flags/',
        '/i/v0/e/',
      ]),
    );
  });

  test('what is captured while the page goes away arrives by beacon', async () => {
    const { page, origin, leave } = await visit(snippet());
    const visitor = await page.evaluate(() => posthog.get_distinct_id());
    // The browser does not report beacons as requests of the page, so the page notes them for the next one.
    await page.evaluate(`
      const send = navigator.sendBeacon.bind(navigator);
      navigator.sendBeacon = (url, data) => {
        sessionStorage.beacons = (sessionStorage.beacons ?? '') + new URL(url).origin + ' ';
        return send(url, data);
      };
      addEventListener('pagehide', () => posthog.capture('gone', { last: true }, { transport: 'sendBeacon' }));
    `);
    await page.goto(`${origin}/elsewhere`);
    const beacons = await page.evaluate<string>('sessionStorage.beacons');
    expect(new Set(beacons.trim().split(' '))).toEqual(new Set([server.url]));
    expect(await waitForEvent(server, 'gone')).toMatchObject([
      { distinct_id: visitor, properties: { last: true } },
    ]);
    const left = await waitForEvent(server, '$pageleave');
    expect(left.map((event) => event.distinct_id)).toContain(visitor);
    await leave();
  });

  test('flags, surveys and early access features: none, and their callbacks fire', async () => {
    const { page, leave } = await visit(snippet());
    const answers = await page.evaluate(async () => ({
      flags: await new Promise((resolve) => posthog.onFeatureFlags(resolve)),
      value: posthog.getFeatureFlag('new-checkout') ?? null,
      enabled: posthog.isFeatureEnabled('new-checkout') ?? null,
      surveys: await new Promise((resolve) => posthog.getSurveys(resolve, true)),
      features: await new Promise((resolve) => posthog.getEarlyAccessFeatures(resolve, true)),
    }));
    expect(answers).toEqual({ flags: [], value: null, enabled: null, surveys: [], features: [] });
    await leave();
  });

  test('extensions are loaded from this server', async () => {
    const head = snippet(
      'capture_exceptions: true, capture_dead_clicks: true, capture_performance: { web_vitals: true }, capture_heatmaps: true,',
    );
    const { page, requests, leave } = await visit(head);
    const wanted = ['dead-clicks-autocapture.js', 'exception-autocapture.js', 'web-vitals'];
    await expect
      .poll(() => wanted.filter((name) => pathsOf(requests).some((path) => path.includes(`/${name}`))), {
        timeout: 20_000,
      })
      .toEqual(wanted);
    await page.waitForLoadState('networkidle');
    const scripts = requests.filter((request) => new URL(request.url()).pathname.startsWith('/static/'));
    for (const script of scripts) {
      expect((await script.response())?.status(), script.url()).toBe(200);
      expect([...bundles.snippets, ...bundles.extensions]).toContain(
        new URL(script.url()).pathname.split('/').at(-1),
      );
    }
    await leave();
  });

  test.each(bundles.snippets)('%s works as the script', async (file) => {
    const { page, leave } = await visit(snippet('', file));
    const event = `from ${file}`;
    await page.evaluate((name) => posthog.capture(name, {}, { send_instantly: true }), event);
    expect(await waitForEvent(server, event)).toHaveLength(1);
    await leave();
  });

  test('/array/<token>/array.js brings its configuration along', async () => {
    const { page, requests, leave } = await visit(
      snippet().replace('/static/array.js', `/array/${server.projectApiKey}/array.js`),
    );
    await page.evaluate(() => posthog.capture('from the token script', {}, { send_instantly: true }));
    expect(await waitForEvent(server, 'from the token script')).toHaveLength(1);
    expect(pathsOf(requests)).not.toContain(`/array/${server.projectApiKey}/config.js`);
    await leave();
  });

  test('without compression the browser asks first, and its events arrive', async () => {
    const { page, requests, leave } = await visit(snippet('disable_compression: true,'));
    await page.evaluate(() => posthog.capture('uncompressed', { a: 1 }, { send_instantly: true }));
    expect(await waitForEvent(server, 'uncompressed')).toHaveLength(1);
    expect(
      requests.filter((request) => request.headers()['content-type'] === 'application/json'),
    ).not.toEqual([]);
    await leave();
  });
});
