// @module-tag browser
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { listEvents, waitForEvent, type ListedEvent } from '../support/list-events.ts';
import { findGroup, getPerson } from '../support/list-persons.ts';
import { pathsOf, sdkSnippet, visit, type PostHogInPage, type Visit } from '../support/sdk-page.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';

declare const posthog: PostHogInPage;

/** The optional features of the SDK that are on. */
const OPTIONS = `capture_exceptions: true, capture_dead_clicks: true, capture_heatmaps: true,
  capture_performance: { web_vitals: true, web_vitals_delayed_flush_ms: 200 }, logs: { flushIntervalMs: 200 },`;

let server: RunningServer;
let browser: Browser;
let visitor: Visit;
let anonymous: string;
/** Each event of the visit, by name. */
let events: Map<string, ListedEvent[]>;

/** One visit that makes every call of posthog-js; the tests below look at what has become of each. */
beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  visitor = await visit(browser, server, sdkSnippet(server, OPTIONS));
  const { page } = visitor;
  anonymous = await page.evaluate(() => posthog.get_distinct_id());
  await page.evaluate(async () => {
    posthog.capture('added to cart', { price: 12.5 });
    posthog.identify('lin', { email: 'lin@shop.example', plan: 'free' }, { first_seen: 'today' });
    posthog.identify('lin', { plan: 'pro' }, { first_seen: 'tomorrow' });
    posthog.setPersonProperties({ city: 'Gent' }, { referrer: 'news' });
    posthog.unsetPersonProperties('email');
    posthog.group('company', 'acme', { seats: 5 });
    posthog.alias('lin@old.example');
    posthog.capture('paid');
    await new Promise((resolve) => posthog.onFeatureFlags(resolve as () => void));
    posthog.getFeatureFlag('new-checkout');
    posthog.isFeatureEnabled('new-checkout');
    await new Promise((resolve) => posthog.getSurveys(resolve, true));
    await new Promise((resolve) => posthog.getActiveMatchingSurveys(resolve, true));
    posthog.capture('survey shown', { $survey_id: 's1' });
    posthog.capture('survey sent', { $survey_id: 's1', $survey_response: 'yes' });
    await new Promise((resolve) => posthog.getEarlyAccessFeatures(resolve, true));
    posthog.updateEarlyAccessFeatureEnrollment('new-checkout', true);
    posthog.captureException(new Error('broken'), { where: 'cart' });
    posthog.captureLog({ body: 'checkout completed', level: 'info' });
    posthog.startSessionRecording();
  });
  await page.click('#buy', { clickCount: 3 });
  await page.mouse.move(40, 60);
  // The SDK recognizes a dead click only after some seconds without a change.
  await waitForEvent(server, '$dead_click');
  await page.goto(`${visitor.origin}/elsewhere`);
  await waitForEvent(server, '$pageleave');
  await waitForEvent(server, '$$heatmap');
  const listed = [...(await listEvents(server)), ...(await listEvents(server, { event: '$$heatmap' }))];
  events = new Map(listed.map(({ event }) => [event, listed.filter((other) => other.event === event)]));
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

function only(name: string): ListedEvent {
  const found = events.get(name) ?? [];
  expect(found, name).toHaveLength(1);
  return found[0]!;
}

describe('posthog-js 1.433.10, each of its calls', () => {
  test('11.3/capture an event before identify is anonymous', () => {
    expect(only('added to cart')).toMatchObject({
      distinct_id: anonymous,
      properties: { price: 12.5, $process_person_profile: false, $lib: 'web', $lib_version: '1.433.10' },
    });
  });

  test('11.3/identify both ids are one person, whose properties are set', async () => {
    const person = await getPerson(server, 'lin');
    expect(await getPerson(server, anonymous)).toEqual(person);
    expect(person.is_identified).toBe(true);
    expect(person.distinct_ids).toEqual(expect.arrayContaining(['lin', anonymous]));
    expect(person.properties).toMatchObject({ first_seen: 'today' });
    expect(only('$identify').properties).toMatchObject({ $anon_distinct_id: anonymous });
  });

  test('11.3/person-properties later values win, set_once keeps the first, and unset deletes', async () => {
    const person = await getPerson(server, 'lin');
    expect(person.properties).toMatchObject({
      plan: 'pro',
      first_seen: 'today',
      city: 'Gent',
      referrer: 'news',
    });
    expect(person.properties).not.toHaveProperty('email');
    expect(events.get('$set')!.length).toBeGreaterThanOrEqual(3);
  });

  test('11.3/group the group has its properties, and later events name it', async () => {
    expect(await findGroup(server, 'company', 'acme')).toMatchObject({ group_properties: { seats: 5 } });
    expect(only('$groupidentify').properties).toMatchObject({ $group_type: 'company', $group_key: 'acme' });
    expect(only('paid').properties).toMatchObject({ $groups: { company: 'acme' }, $group_0: 'acme' });
  });

  test('11.3/alias the other id is the same person', async () => {
    expect(only('$create_alias').properties).toMatchObject({ alias: 'lin@old.example' });
    expect(await getPerson(server, 'lin@old.example')).toEqual(await getPerson(server, 'lin'));
  });

  test('11.3/flags reading a flag captures one event', () => {
    const called = events.get('$feature_flag_called') ?? [];
    expect(called.length).toBeLessThanOrEqual(1);
    for (const event of called) expect(event.properties).toMatchObject({ $feature_flag: 'new-checkout' });
    expect(pathsOf(visitor.requests)).toContain('/flags/');
  });

  test('11.3/survey-events the survey state of the SDK is stored as person properties', async () => {
    expect(only('survey shown').properties).toMatchObject({ $survey_id: 's1' });
    expect(only('survey sent').properties).toMatchObject({ $survey_id: 's1', $survey_response: 'yes' });
    expect(pathsOf(visitor.requests)).toContain('/api/surveys/');
  });

  test('11.3/early-access, 10.6 an enrollment is an event and a property of the person', async () => {
    expect(only('$feature_enrollment_update').properties).toMatchObject({
      $feature_flag: 'new-checkout',
      $feature_enrollment: true,
      $set: { '$feature_enrollment/new-checkout': true },
    });
    const { properties } = await getPerson(server, 'lin');
    expect(properties).toMatchObject({ '$feature_enrollment/new-checkout': true });
    expect(pathsOf(visitor.requests)).toContain('/api/early_access_features/');
  });

  test('11.3/automatic exceptions, clicks, rage clicks, dead clicks, web vitals and heatmaps are stored', () => {
    expect(only('$exception').properties).toMatchObject({ where: 'cart' });
    expect(only('$exception').properties).toHaveProperty('$exception_list');
    expect(events.get('$autocapture')![0]!.elements_chain).toMatch(/^button\.big\.red:.*text="Buy now"/);
    for (const name of ['$rageclick', '$dead_click', '$web_vitals', '$$heatmap']) {
      expect(events.get(name) ?? [], name).not.toEqual([]);
    }
  });

  test('11.3/recording no recording is sent: remote configuration disables it', () => {
    const paths = pathsOf(visitor.requests);
    expect(paths).not.toContain('/s/');
    expect(paths.filter((path) => /recorder/.test(path))).toEqual([]);
  });

  test('11.3/logs are accepted and counted, and not stored', async () => {
    const headers = { Authorization: `Bearer ${server.personalApiKey}` };
    const url = `${server.url}/api/projects/@current/burrow/ingestion/`;
    const report = (await (await fetch(url, { headers })).json()) as { accepted_not_kept: object[] };
    expect(report.accepted_not_kept).toMatchObject([{ kind: 'logs', count: 1 }]);
    const logs = visitor.requests.find((request) => new URL(request.url()).pathname === '/i/v1/logs');
    expect((await logs!.response())!.status()).toBe(200);
  });

  test('11.3/leave $pageleave is stored', () => {
    expect(events.get('$pageleave')!.map(({ distinct_id }) => distinct_id)).toEqual(['lin']);
  });

  test('the page logged no errors', async () => {
    await expect(visitor.leave()).resolves.toBeUndefined();
  });
});
