// @module-tag browser
import type { Browser } from 'playwright-core';
import type { PostHog } from 'posthog-js-lite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { bundleForPage } from '../support/bundle-for-page.ts';
import { listEvents, type ListedEvent } from '../support/list-events.ts';
import { findGroup, getPerson } from '../support/list-persons.ts';
import { pathsOf, visit, type Visit } from '../support/sdk-page.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';

/** The client that the page below makes. */
declare const client: PostHog;
declare const history: { pushState(data: null, unused: string, url: string): void };

let server: RunningServer;
let browser: Browser;
let visitor: Visit;
let anonymous: string;
let flags: unknown;
let events: ListedEvent[];

/** One visit that makes every call of posthog-js-lite, bundled as an app bundles it. */
beforeAll(async () => {
  const [lite, started, launched] = await Promise.all([
    bundleForPage('posthog-js-lite', 'lite'),
    startServer(),
    launchBrowser(),
  ]);
  [server, browser] = [started, launched];
  const head = `<script src="/lite.js"></script><script>
    const client = new lite.PostHog('${server.projectApiKey}', {
      host: '${server.url}', captureHistoryEvents: true, personProfiles: 'identified_only', flushInterval: 100,
    });
  </script>`;
  visitor = await visit(browser, server, head, { '/lite.js': lite });
  const { page } = visitor;
  anonymous = await page.evaluate(() => client.getAnonymousId());
  flags = await page.evaluate(async () => {
    client.capture('added to cart', { price: 12.5 });
    history.pushState(null, '', '/cart');
    client.identify('lin', { email: 'lin@shop.example', plan: 'free', $set_once: { first_seen: 'today' } });
    client.setPersonProperties({ plan: 'pro' }, { first_seen: 'tomorrow', city: 'Gent' });
    client.unsetPersonProperties('email');
    client.group('company', 'acme', { seats: 5 });
    client.groupIdentify('company', 'acme', { plan: 'pro' });
    client.alias('lin-elsewhere');
    await client.register({ shop: 'Gent' });
    client.capture('paid');
    client.autocapture('click', [{ tag_name: 'button', $el_text: 'Buy now', nth_child: 1, nth_of_type: 1 }]);
    client.captureException(new Error('broken'), { where: 'cart' });
    client.captureTraceFeedback('trace-1', 'good');
    client.captureTraceMetric('trace-1', 'speed', 3);
    await client.reloadFeatureFlagsAsync();
    const answers = [
      client.getFeatureFlag('new-checkout') ?? null,
      client.isFeatureEnabled('new-checkout') ?? null,
      client.getFeatureFlagPayload('new-checkout') ?? null,
      client.getFeatureFlags() ?? null,
    ];
    await client.flush();
    await client.shutdown();
    return answers;
  });
  events = await listEvents(server);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

function only(name: string): ListedEvent {
  const found = events.filter(({ event }) => event === name);
  expect(found, name).toHaveLength(1);
  return found[0]!;
}

describe('11.5/lite posthog-js-lite 4.12.1, each of its calls', () => {
  test('custom events, super properties, and page views of its history', () => {
    expect(only('added to cart')).toMatchObject({
      distinct_id: anonymous,
      properties: { price: 12.5, $lib: 'js', $lib_version: '4.12.1' },
    });
    expect(only('$pageview').properties).toMatchObject({ navigation_type: 'pushState' });
    expect(only('paid').properties).toMatchObject({ shop: 'Gent' });
  });

  test('identify merges both ids into one person; properties are set, set once and unset', async () => {
    const person = await getPerson(server, 'lin');
    expect(await getPerson(server, anonymous)).toEqual(person);
    expect(person.is_identified).toBe(true);
    expect(person.properties).toMatchObject({ plan: 'pro', first_seen: 'today', city: 'Gent' });
    expect(person.properties).not.toHaveProperty('email');
    const theirs = await listEvents(server, { person_id: String(person.id) });
    expect(theirs.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['added to cart', '$pageview', 'paid']),
    );
  });

  test('a group has the properties of both calls', async () => {
    expect(await findGroup(server, 'company', 'acme')).toMatchObject({
      group_properties: { seats: 5, plan: 'pro' },
    });
    expect(only('paid').properties).toMatchObject({ $groups: { company: 'acme' } });
  });

  test('an alias is the same person', async () => {
    expect(await getPerson(server, 'lin-elsewhere')).toEqual(await getPerson(server, 'lin'));
  });

  test('clicks, exceptions and traces are events', () => {
    expect(only('$autocapture').elements_chain).toMatch(/^button:.*text="Buy now"/);
    expect(only('$exception').properties).toMatchObject({ where: 'cart' });
    expect(only('$ai_feedback').properties).toMatchObject({ $ai_trace_id: 'trace-1' });
    expect(only('$ai_metric').properties).toMatchObject({ $ai_metric_name: 'speed' });
  });

  test('flags: none, and only the documented paths are requested', () => {
    expect(flags).toEqual([null, null, null, {}]);
    const paths = new Set(pathsOf(visitor.requests).filter((path) => !/^\/(shop|lite)/.test(path)));
    expect(paths).toEqual(new Set(['/flags/', '/batch/']));
  });

  test('the page logged no errors', async () => {
    await expect(visitor.leave()).resolves.toBeUndefined();
  });
});
