// @module-tag browser
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { waitForEvent } from '../support/list-events.ts';
import { getPerson } from '../support/list-persons.ts';
import { managementClient } from '../support/management-client.ts';
import { pathsOf, sdkSnippet, visit, type PostHogInPage, type Visit } from '../support/sdk-page.ts';
import { makeShopFlags, SHOP_FLAGS } from '../support/shop-flags.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';

declare const posthog: PostHogInPage;

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

/** A page of which the SDK has its flags. */
async function open(options = ''): Promise<Visit> {
  const visitor = await visit(browser, server, sdkSnippet(server, options));
  await visitor.page.evaluate(() => new Promise((resolve) => posthog.onFeatureFlags(resolve)));
  return visitor;
}

/** Values of some flags as the page's SDK gives them; null: it does not know the flag. */
function valuesOf(page: Page, keys: readonly string[]): Promise<unknown[]> {
  return page.evaluate((names) => names.map((name) => posthog.getFeatureFlag(name) ?? null), keys);
}

/** Identifies the page's visitor and waits for the flags of that person; those of before would count for them until then. */
function identify(page: Page, distinctId: string): Promise<void> {
  return page.evaluate(
    (id) =>
      new Promise((resolve) => {
        let isAsked = false;
        posthog.onFeatureFlags(() => isAsked && resolve());
        isAsked = true;
        posthog.identify(id);
      }),
    distinctId,
  );
}

const valueOf = async (page: Page, key: string) => (await valuesOf(page, [key]))[0];

describe('posthog-js 1.433.10 on flags created through the API', () => {
  test('11.3/flags it has the value of each active flag, and not of inactive ones', async () => {
    const { page, leave } = await open();
    const { everybody, nobody, disabled, colleagues, variant, company } = SHOP_FLAGS;
    expect(await valuesOf(page, [everybody, nobody, disabled, colleagues, variant, company])).toEqual([
      true,
      false,
      null,
      false,
      'red',
      false,
    ]);
    expect(await page.evaluate((key) => posthog.isFeatureEnabled(key), variant)).toBe(true);
    const called = await waitForEvent(server, '$feature_flag_called');
    expect(called.map(({ properties }) => properties)).toContainEqual(
      expect.objectContaining({
        $feature_flag: variant,
        $feature_flag_response: 'red',
        $feature_flag_reason: 'Matched condition set 1',
        $feature_flag_version: 1,
        $feature_flag_id: expect.any(Number),
        $feature_flag_request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      }),
    );
    await leave();
  });

  test('11.3/flags payloads are parsed', async () => {
    const { page, leave } = await open();
    const payloads = await page.evaluate(
      (keys) => keys.map((key) => posthog.getFeatureFlagPayload(key) ?? null),
      [SHOP_FLAGS.everybody, SHOP_FLAGS.variant, SHOP_FLAGS.nobody],
    );
    expect(payloads).toEqual([{ color: 'blue', steps: [1, 2] }, '#f00', null]);
    await leave();
  });

  test('11.3/identify flags are reloaded after identify, with stored properties', async () => {
    const first = await open();
    await first.page.evaluate(() => posthog.identify('ann', { email: 'ann@shop.example' }));
    await expect.poll(() => valueOf(first.page, SHOP_FLAGS.colleagues)).toBe(true);
    await waitForEvent(server, '$identify');
    await first.leave();

    const elsewhere = await open();
    expect(await valueOf(elsewhere.page, SHOP_FLAGS.colleagues)).toBe(false);
    await elsewhere.page.evaluate(() => posthog.identify('ann'));
    await expect.poll(() => valueOf(elsewhere.page, SHOP_FLAGS.colleagues)).toBe(true);
    await elsewhere.page.evaluate(() => posthog.reset());
    await elsewhere.page.evaluate(() => posthog.reloadFeatureFlags());
    await expect.poll(() => valueOf(elsewhere.page, SHOP_FLAGS.colleagues)).toBe(false);
    await elsewhere.leave();
  });

  test('11.3/group a flag about groups is on in the right group, by properties that are sent or stored', async () => {
    const { page, leave } = await open();
    await page.evaluate(() => posthog.group('company', 'acme', { plan: 'free' }));
    await expect.poll(() => valueOf(page, SHOP_FLAGS.company)).toBe(false);
    await page.evaluate(() => posthog.group('company', 'hooli', { plan: 'enterprise' }));
    await expect.poll(() => valueOf(page, SHOP_FLAGS.company)).toBe(true);
    await page.evaluate(() => posthog.group('company', 'acme'));
    await expect.poll(() => valueOf(page, SHOP_FLAGS.company)).toBe(false);
    await page.evaluate(() => posthog.group('company', 'initech'));
    await expect.poll(() => valueOf(page, SHOP_FLAGS.company)).toBe(true);
    await leave();
  });

  test('bootstrapped flags are used until the response of the server', async () => {
    const bootstrap = { [SHOP_FLAGS.everybody]: 'from the page', 'only-here': true };
    const options = `bootstrap: { distinctID: 'boot', featureFlags: ${JSON.stringify(bootstrap)},
      featureFlagPayloads: { 'only-here': { a: 1 } } }, loaded: (ph) => { window.atOnce = [
        ph.get_distinct_id(), ph.getFeatureFlag('${SHOP_FLAGS.everybody}'), ph.getFeatureFlagPayload('only-here')] },`;
    const { page, leave } = await open(options);
    expect(await page.evaluate('window.atOnce')).toEqual(['boot', 'from the page', { a: 1 }]);
    expect(await valueOf(page, 'only-here')).toBe(true);
    await page.evaluate(() => posthog.reloadFeatureFlags());
    await expect.poll(() => valuesOf(page, [SHOP_FLAGS.everybody, 'only-here'])).toEqual([true, null]);
    await leave();
  });

  test('a disabled flag is off after a reload of flags', async () => {
    const { post, patch } = managementClient(server);
    const flag = await post('feature_flags/', { key: 'for-a-while', _should_create_usage_dashboard: false });
    const { page, leave } = await open();
    expect(await valueOf(page, 'for-a-while')).toBe(true);
    await patch(`feature_flags/${flag.id}/`, { active: false });
    await page.evaluate(() => posthog.reloadFeatureFlags());
    await expect.poll(() => valueOf(page, 'for-a-while')).toBeNull();
    await leave();
  });
});

describe('posthog-js 1.433.10 and an early access feature', () => {
  test('11.3/early-access, 10.5, 10.6, F-2 it is listed, and a user who opts in has it: immediately, after a reload, and in another browser', async () => {
    const { post } = managementClient(server);
    const feature = await post('early_access_feature/', {
      name: 'Dark mode',
      description: 'Easy on the eyes',
      stage: 'beta',
      documentation_url: 'https://shop.example/dark',
    });
    await post('early_access_feature/', { name: 'Light mode', stage: 'concept' });
    const { page, requests, leave } = await open();
    const listed = (stages?: string[]) =>
      page.evaluate(
        (wanted) => new Promise((resolve) => posthog.getEarlyAccessFeatures(resolve, true, wanted)),
        stages,
      );
    expect(await listed()).toEqual([
      {
        id: feature.id,
        name: 'Dark mode',
        description: 'Easy on the eyes',
        stage: 'beta',
        documentationUrl: 'https://shop.example/dark',
        flagKey: 'dark-mode',
        payload: {},
      },
    ]);
    expect(await listed(['concept'])).toMatchObject([{ flagKey: 'light-mode' }]);
    expect(pathsOf(requests)).toContain('/api/early_access_features/');

    await identify(page, 'dora');
    expect(await valueOf(page, 'dark-mode')).toBe(false);
    await page.evaluate(() => posthog.updateEarlyAccessFeatureEnrollment('dark-mode', true));
    expect(await valueOf(page, 'dark-mode')).toBe(true);
    const [update] = await waitForEvent(server, '$feature_enrollment_update');
    expect(update).toMatchObject({
      distinct_id: 'dora',
      properties: { $feature_flag: 'dark-mode', $feature_enrollment: true },
    });
    const { properties } = await getPerson(server, 'dora');
    expect(properties).toMatchObject({ '$feature_enrollment/dark-mode': true });
    await page.reload();
    await page.evaluate(() => new Promise((resolve) => posthog.onFeatureFlags(resolve)));
    await page.evaluate(() => posthog.reloadFeatureFlags());
    await expect.poll(() => valueOf(page, 'dark-mode')).toBe(true);

    const elsewhere = await open();
    expect(await valueOf(elsewhere.page, 'dark-mode')).toBe(false);
    await identify(elsewhere.page, 'dora');
    expect(await valueOf(elsewhere.page, 'dark-mode')).toBe(true);
    await elsewhere.leave();

    await page.evaluate(() => posthog.updateEarlyAccessFeatureEnrollment('dark-mode', false));
    expect(await valueOf(page, 'dark-mode')).toBe(false);
    await page.evaluate(() => posthog.reloadFeatureFlags());
    await expect
      .poll(async () => (await getPerson(server, 'dora')).properties)
      .toMatchObject({ '$feature_enrollment/dark-mode': false });
    expect(await valueOf(page, 'dark-mode')).toBe(false);
    await leave();
  });

  test('a user who opted in to a concept has it from alpha on', async () => {
    const { post, patch } = managementClient(server);
    const feature = await post('early_access_feature/', { name: 'Voice search', stage: 'concept' });
    const { page, leave } = await open();
    await page.evaluate(() => {
      posthog.identify('emil');
      posthog.updateEarlyAccessFeatureEnrollment('voice-search', true);
      posthog.reloadFeatureFlags();
    });
    await expect.poll(() => valueOf(page, 'voice-search')).toBe(false);
    await patch(`early_access_feature/${feature.id}/`, { stage: 'alpha' });
    await page.evaluate(() => posthog.reloadFeatureFlags());
    await expect.poll(() => valueOf(page, 'voice-search')).toBe(true);
    await leave();
  });
});
