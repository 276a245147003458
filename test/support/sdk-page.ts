import type { Browser, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { snippets } from '../../renderer/screens/connect/snippets.ts';
import { servePage } from './serve-page.ts';
import type { RunningServer } from './start-server.ts';

const BODY = '<h1>Shop</h1><a href="#more">More</a><button id="buy" class="big red">Buy now</button>';
/** Older SDKs have no option against their rule that a headless browser is a bot. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36';

/** What tests call of posthog-js inside a page, of all its versions. */
export interface PostHogInPage {
  capture(event: string, properties?: object, options?: object): void;
  identify(id: string, set?: object, setOnce?: object): void;
  setPersonProperties(set: object, setOnce?: object): void;
  unsetPersonProperties(names: string | string[]): void;
  people: { set(properties: object): void; set_once(properties: object): void };
  group(type: string, key: string, properties?: object): void;
  alias(alias: string): void;
  register(properties: object): void;
  reset(): void;
  get_distinct_id(): string;
  getFeatureFlag(key: string): unknown;
  getFeatureFlagPayload(key: string): unknown;
  isFeatureEnabled(key: string): unknown;
  reloadFeatureFlags(): void;
  onFeatureFlags(callback: (flags: string[]) => void): void;
  getSurveys(callback: (surveys: unknown[]) => void, force: boolean): void;
  canRenderSurveyAsync(id: string, force: boolean): Promise<{ visible: boolean; disabledReason?: string }>;
  getActiveMatchingSurveys(callback: (surveys: unknown[]) => void, force: boolean): void;
  getEarlyAccessFeatures(
    callback: (features: unknown[]) => void,
    force: boolean,
    stages?: readonly string[],
  ): void;
  updateEarlyAccessFeatureEnrollment(key: string, isEnrolled: boolean): void;
  captureException(error: Error, properties?: object): void;
  captureLog(log: object): void;
  startSessionRecording(): void;
}

export interface Visit {
  page: Page;
  origin: string;
  /** All requests of the page's SDK and of the page itself; the browser does not report beacons. */
  requests: Request[];
  /** Closes the page and checks that it had no complaint and talked to this machine's two servers only. */
  leave(): Promise<void>;
}

/**
 * The script-tag snippet of the Connect screen, with further options. Without the first a headless browser counts as a
 * bot; without the second a page on this machine counts as its developer's, who is a person from the first page on.
 */
export function sdkSnippet(
  server: Pick<RunningServer, 'url' | 'projectApiKey'>,
  options = '',
  file = 'array.js',
): string {
  const shown = snippets(server.url, server.projectApiKey)
    .flatMap((group) => group.snippets)
    .find(({ id }) => id === 'browser-script')!.code;
  const changed = shown
    .replace('/static/array.js', `/static/${file}`)
    .replace(
      'api_host:',
      `opt_out_useragent_filter: true, internal_or_test_user_hostname: null, ${options} api_host:`,
    );
  expect(changed).toContain('opt_out_useragent_filter');
  return changed;
}

/** Opens a page of a foreign origin whose head is `head`, and which brings `scripts` (path -> JavaScript) of its own. */
export async function visit(
  browser: Browser,
  server: Pick<RunningServer, 'url'>,
  head: string,
  scripts: Readonly<Record<string, string>> = {},
): Promise<Visit> {
  const app = await servePage(
    `<!doctype html><html><head><title>Shop</title>${head}</head><body>${BODY}</body></html>`,
    scripts,
  );
  const context = await browser.newContext({ userAgent: USER_AGENT });
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

export function pathsOf(requests: readonly Request[]): string[] {
  return requests.map((request) => new URL(request.url()).pathname);
}
