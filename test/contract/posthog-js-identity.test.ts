// @module-tag browser
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { listEvents, waitForEvent } from '../support/list-events.ts';
import { countPersons, findPerson, getPerson } from '../support/list-persons.ts';
import { sdkSnippet, visit, type PostHogInPage } from '../support/sdk-page.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';

declare const posthog: PostHogInPage;

/** Sends without waiting for more, so that each step is stored before the next. */
const AT_ONCE = { send_instantly: true };

let browser: Browser;
let dataDir: string;
let server: RunningServer;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'burrow-'));
  server = await startServer({ dataDir });
});
afterEach(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function view(page: Page, step: string): Promise<void> {
  await page.evaluate(([name, options]) => posthog.capture('$pageview', { step: name }, options), [
    step,
    AT_ONCE,
  ] as const);
  await expect.poll(() => steps(server)).toContain(step);
}

async function steps(of: RunningServer): Promise<unknown[]> {
  const views = await listEvents(of, { event: '$pageview' });
  return views.map(({ properties }) => properties['step']).toSorted();
}

/** The page views of the person that a distinct id belongs to, by their steps. */
async function stepsOf(distinctId: string): Promise<unknown[]> {
  const { id } = await getPerson(server, distinctId);
  const views = await listEvents(server, { event: '$pageview', person_id: String(id) });
  return views.map(({ properties }) => properties['step']).toSorted();
}

describe("posthog-js' default flow by name", () => {
  test('6.4, 6.6.5 anonymous page views, $identify, more page views: one person with all of them', async () => {
    const { page, leave } = await visit(browser, server, sdkSnippet(server));
    const anonymous = await page.evaluate(() => posthog.get_distinct_id());
    await view(page, 'first');
    await view(page, 'second');
    expect(await countPersons(server)).toBe(0);
    expect(await findPerson(server, anonymous)).toBeNull();

    await page.evaluate(() => posthog.identify('lin', { email: 'lin@shop.example' }));
    await waitForEvent(server, '$identify');
    await view(page, 'third');
    await leave();

    const person = await getPerson(server, 'lin');
    expect(person).toMatchObject({ is_identified: true, properties: { email: 'lin@shop.example' } });
    expect(await getPerson(server, anonymous)).toEqual(person);
    expect(await countPersons(server)).toBe(1);
    const all = ['first', 'second', 'third', undefined];
    expect(await stepsOf('lin')).toEqual(all);

    await server.stop();
    server = await startServer({ dataDir });
    expect(await getPerson(server, 'lin')).toEqual(person);
    expect(await getPerson(server, anonymous)).toEqual(person);
    expect(await stepsOf(anonymous)).toEqual(all);
  });

  test('6.4 also when $identify arrives first: later anonymous events belong to the same person', async () => {
    const { page, leave } = await visit(browser, server, sdkSnippet(server, 'capture_pageview: false,'));
    const anonymous = await page.evaluate(() => posthog.get_distinct_id());
    // The page view waits in the SDK's queue, as a slow network would make it wait, while the identify is on its way.
    const held = await holdFirst(page);
    await page.evaluate((options) => posthog.capture('$pageview', { step: 'held' }, options), AT_ONCE);
    await held.caught;
    await page.evaluate(() => posthog.identify('lin', { email: 'lin@shop.example' }));
    await waitForEvent(server, '$identify');
    expect(await steps(server)).toEqual([]);
    await held.release();
    await expect.poll(() => steps(server)).toEqual(['held']);
    await view(page, 'later');
    await leave();

    expect(await countPersons(server)).toBe(1);
    expect(await getPerson(server, anonymous)).toEqual(await getPerson(server, 'lin'));
    expect(await stepsOf('lin')).toEqual(['held', 'later']);
  });
});

/** Keeps the first request to an events path back until it is released. */
async function holdFirst(page: Page) {
  let release: () => Promise<void> = () => Promise.resolve();
  let noted: () => void;
  const caught = new Promise<void>((resolve) => (noted = resolve));
  let isHeld = false;
  await page.route(/\/(e|i\/v0\/e)\//, async (route) => {
    if (isHeld) return route.continue();
    isHeld = true;
    release = () => route.continue();
    noted();
  });
  return { caught, release: () => release() };
}
