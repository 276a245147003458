import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { launchBrowser } from './browser.ts';
import { violationsOn } from './console.ts';
import { startServer, type RunningServer } from './start-server.ts';

interface Sent {
  event?: string;
  distinct_id?: string;
  properties?: Record<string, unknown>;
}

/** A server in memory and an empty page for each test, which may open further ones. */
export interface ConsoleTab {
  readonly server: RunningServer;
  readonly context: BrowserContext;
  /** The page that the functions below mean when none is given. */
  page: Page;
  /** What the pages complained about; the test fails when something is left at its end. */
  complaints: string[];
  openContext(colorScheme?: 'light' | 'dark', width?: number): Promise<BrowserContext>;
  /** Sends an event through the door of SDKs; the status of the answer. */
  send(sent: Sent, apiKey?: string): Promise<number>;
  row(text: string | RegExp, on?: Page): Locator;
  heading(name: string, on?: Page): Locator;
  /** Signs in and waits for the screen that a project with events begins with. */
  openLive(search?: string): Promise<void>;
  violations(): Promise<string[]>;
}

/** A tab of the console for each test of the file; no page may ask another host or complain. Needs `npm run build`. */
export function useConsoleTab(): ConsoleTab {
  let browser: Browser;
  let server: RunningServer;
  let context: BrowserContext;
  /** Origins of every request that any page made. */
  let origins: Set<string>;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    server = await startServer();
    origins = new Set();
    tab.complaints = [];
    context = await tab.openContext();
    tab.page = await context.newPage();
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((opened) => opened.close()));
    await server.stop();
    expect([...origins]).toEqual([server.url]);
    expect(tab.complaints).toEqual([]);
  });

  const tab: ConsoleTab = {
    get server() {
      return server;
    },
    get context() {
      return context;
    },
    page: null as never,
    complaints: [],
    async openContext(colorScheme = 'light', width = 1440) {
      const opened = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      await opened.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
      opened.on('request', (request) => {
        const url = new URL(request.url());
        if (url.protocol.startsWith('http')) origins.add(url.origin);
      });
      opened.on('weberror', (error) => tab.complaints.push(error.error().message));
      opened.on('console', (message) => {
        // A refused sign-in is an answer, which Chromium reports as a failed resource all the same.
        if (message.type() === 'error' && !message.text().includes('401'))
          tab.complaints.push(message.text());
      });
      return opened;
    },
    async send(sent, apiKey = server.projectApiKey) {
      const body = JSON.stringify({ api_key: apiKey, distinct_id: 'ana@reyes-studio.example', ...sent });
      const response = await fetch(`${server.url}/capture/`, { method: 'POST', body });
      await response.arrayBuffer();
      return response.status;
    },
    row: (text, on = tab.page) => on.getByRole('row').filter({ hasText: text }),
    heading: (name, on = tab.page) => on.getByRole('heading', { name }),
    async openLive(search = '') {
      await tab.send({ event: 'earlier' });
      await tab.page.goto(server.consoleUrl);
      await tab.heading('Live').waitFor();
      if (search) await tab.page.goto(tab.page.url() + search);
      await tab.row('earlier').waitFor();
    },
    violations: () => violationsOn(tab.page),
  };
  return tab;
}
