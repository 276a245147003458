// @module-tag browser
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import bundles from '../../server/features/static-assets/bundles.json' with { type: 'json' };
import { launchBrowser } from '../support/browser.ts';
import { listEvents, waitForEvent } from '../support/list-events.ts';
import { pathsOf, sdkSnippet, visit, type PostHogInPage, type Visit } from '../support/sdk-page.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';

declare const posthog: PostHogInPage;

let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

function snippet(options = '', file = 'array.js'): string {
  return sdkSnippet(server, options, file);
}

function open(head: string): Promise<Visit> {
  return visit(browser, server, head);
}

describe('posthog-js from the script tag of the Connect screen', () => {
  test('11.3/load, 11.3/capture page view, custom event, identify, group and a click arrive, each once', async () => {
    const { page, origin, requests, leave } = await open(snippet());
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

  test('11.3/beacon, 11.3/leave events captured during unload arrive by beacon', async () => {
    const { page, origin, leave } = await open(snippet());
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

  test('11.3/flags, 11.3/surveys flags, surveys and early access features: none, and their callbacks fire', async () => {
    const { page, leave } = await open(snippet());
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

  test('10.3 extensions are loaded from this server', async () => {
    const head = snippet(
      'capture_exceptions: true, capture_dead_clicks: true, capture_performance: { web_vitals: true }, capture_heatmaps: true,',
    );
    const { page, requests, leave } = await open(head);
    const wanted = ['dead-clicks-autocapture.js', 'exception-autocapture.js', 'web-vitals'];
    await expect
      .poll(() => wanted.filter((name) => pathsOf(requests).some((path) => path.includes(`/${name}`))))
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
    const { page, leave } = await open(snippet('', file));
    const event = `from ${file}`;
    await page.evaluate((name) => posthog.capture(name, {}, { send_instantly: true }), event);
    expect(await waitForEvent(server, event)).toHaveLength(1);
    await leave();
  });

  test('/array/<token>/array.js includes its configuration', async () => {
    const { page, requests, leave } = await open(
      snippet().replace('/static/array.js', `/array/${server.projectApiKey}/array.js`),
    );
    await page.evaluate(() => posthog.capture('from the token script', {}, { send_instantly: true }));
    expect(await waitForEvent(server, 'from the token script')).toHaveLength(1);
    expect(pathsOf(requests)).not.toContain(`/array/${server.projectApiKey}/config.js`);
    await leave();
  });

  test('11.3/uncompressed without compression the browser sends a preflight, and its events arrive', async () => {
    const { page, requests, leave } = await open(snippet('disable_compression: true,'));
    await page.evaluate(() => posthog.capture('uncompressed', { a: 1 }, { send_instantly: true }));
    expect(await waitForEvent(server, 'uncompressed')).toHaveLength(1);
    expect(
      requests.filter((request) => request.headers()['content-type'] === 'application/json'),
    ).not.toEqual([]);
    await leave();
  });
});

describe('A-3 autocapture_opt_out', () => {
  const setOptOut = async (isOptedOut: boolean): Promise<void> => {
    const answer = await fetch(`${server.url}/api/projects/@current/`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${server.personalApiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ autocapture_opt_out: isOptedOut }),
    });
    expect(answer.status).toBe(200);
  };

  /** Clicks the button, then captures an event: what was clicked before it has arrived when that one has. */
  async function clicksOf(id: string): Promise<number> {
    const { page, leave } = await open(snippet());
    await page.evaluate((distinctId) => posthog.identify(distinctId), id);
    await page.click('#buy');
    await page.evaluate((distinctId) => posthog.capture(`clicked by ${distinctId}`), id);
    await waitForEvent(server, `clicked by ${id}`);
    await leave();
    const clicks = await listEvents(server, { event: '$autocapture' });
    return clicks.filter(({ distinct_id }) => distinct_id === id).length;
  }

  test('A-3 clicks are captured without it, and are not with it', async () => {
    await setOptOut(false);
    expect(await clicksOf('opted-in')).toBe(1);
    await setOptOut(true);
    expect(await clicksOf('opted-out')).toBe(0);
    await setOptOut(false);
  });
});
