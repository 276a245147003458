// @module-tag browser
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { listEvents, waitForEvent, type ListedEvent } from '../support/list-events.ts';
import { findGroup, getPerson } from '../support/list-persons.ts';
import { pathsOf, visit, type PostHogInPage, type Visit } from '../support/sdk-page.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';

declare const posthog: PostHogInPage;

let server: RunningServer;
let browser: Browser;
let visitor: Visit;
let anonymous: string;
let events: ListedEvent[];
let flags: unknown;

/** One visit that makes every call of posthog-js 1.24.0 (2022), whose script the page brings along. */
beforeAll(async () => {
  const script = fileURLToPath(import.meta.resolve('posthog-js-1.24')).replace(/[^/\\]+$/, 'array.js');
  const scripts = { '/array.js': await readFile(script, 'utf8') };
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  const head = `<script src="/array.js"></script><script>
    posthog.init('${server.projectApiKey}', { api_host: '${server.url}', request_batching: true });
  </script>`;
  visitor = await visit(browser, server, head, scripts);
  const { page } = visitor;
  anonymous = await page.evaluate(() => posthog.get_distinct_id());
  flags = await page.evaluate(async () => {
    const asked = await new Promise((resolve) => posthog.onFeatureFlags(resolve));
    posthog.register({ shop: 'Gent' });
    posthog.capture('added to cart', { price: 12.5, name: 'käse' });
    posthog.identify('lin', { email: 'lin@shop.example' });
    posthog.people.set({ plan: 'pro' });
    posthog.people.set_once({ referrer: 'news' });
    posthog.group('company', 'acme', { seats: 5 });
    posthog.alias('lin-elsewhere');
    posthog.reloadFeatureFlags();
    posthog.capture('paid');
    return [
      asked,
      posthog.getFeatureFlag('new-checkout') ?? null,
      posthog.isFeatureEnabled('new-checkout') ?? null,
    ];
  });
  await page.click('#buy');
  await waitForEvent(server, 'paid');
  await waitForEvent(server, '$autocapture');
  await page.goto(`${visitor.origin}/elsewhere`);
  await waitForEvent(server, '$pageleave');
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

describe('11.4/1.24.0 posthog-js 1.24.0, each of its calls', () => {
  test('page view and custom event, with super properties', () => {
    const views = events.filter(({ event }) => event === '$pageview');
    expect(views.map(({ distinct_id }) => distinct_id)).toContain(anonymous);
    expect(only('added to cart')).toMatchObject({
      distinct_id: anonymous,
      properties: { price: 12.5, name: 'käse', shop: 'Gent', $lib: 'web', $lib_version: '1.24.0' },
    });
  });

  test('identify merges both ids into one person, with all their events', async () => {
    const person = await getPerson(server, 'lin');
    expect(await getPerson(server, anonymous)).toEqual(person);
    expect(person.properties).toMatchObject({ email: 'lin@shop.example' });
    const theirs = await listEvents(server, { person_id: String(person.id) });
    expect(theirs.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['$pageview', 'added to cart', 'paid']),
    );
  });

  test('2.2/engage people.set and set_once arrive by /engage as $identify', async () => {
    expect(pathsOf(visitor.requests)).toContain('/engage/');
    const { properties } = await getPerson(server, 'lin');
    expect(properties).toMatchObject({ plan: 'pro', referrer: 'news' });
  });

  test('a group and its properties', async () => {
    expect(await findGroup(server, 'company', 'acme')).toMatchObject({ group_properties: { seats: 5 } });
    expect(only('paid').properties).toMatchObject({ $groups: { company: 'acme' } });
  });

  test('an alias is the same person', async () => {
    expect(await getPerson(server, 'lin-elsewhere')).toEqual(await getPerson(server, 'lin'));
  });

  test('flags: none, by /decide', () => {
    expect(flags).toEqual([[], null, false]);
    expect(pathsOf(visitor.requests)).toContain('/decide/');
  });

  test('a click and $pageleave', () => {
    expect(only('$autocapture').elements_chain).toMatch(/^button\.big\.red:.*text="Buy now"/);
    expect(only('$pageleave').distinct_id).toBe('lin');
  });

  test('the page logged no errors', async () => {
    await expect(visitor.leave()).resolves.toBeUndefined();
  });
});
