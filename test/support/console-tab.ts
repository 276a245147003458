import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { launchBrowser } from './browser.ts';
import { startServer, type RunningServer } from './start-server.ts';

/** A server in memory and an empty page for each test, which may open further ones. */
export interface ConsoleTab {
  readonly server: RunningServer;
  readonly context: BrowserContext;
  readonly page: Page;
  openContext(): Promise<BrowserContext>;
  heading(name: string, on?: Page): Locator;
}

/** A tab of the console for each test of the file; no page may ask another host or complain. Needs `npm run build`. */
export function useConsoleTab(): ConsoleTab {
  let browser: Browser;
  let server: RunningServer;
  let context: BrowserContext;
  let page: Page;
  /** Origins of all requests of all pages. */
  let origins: Set<string>;
  let complaints: string[];

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    server = await startServer();
    origins = new Set();
    complaints = [];
    context = await tab.openContext();
    page = await context.newPage();
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((opened) => opened.close()));
    await server.stop();
    expect([...origins]).toEqual([server.url]);
    expect(complaints).toEqual([]);
  });

  const tab: ConsoleTab = {
    get server() {
      return server;
    },
    get context() {
      return context;
    },
    get page() {
      return page;
    },
    async openContext() {
      const opened = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      opened.on('request', (request) => {
        const url = new URL(request.url());
        if (url.protocol.startsWith('http')) origins.add(url.origin);
      });
      opened.on('weberror', (error) => complaints.push(error.error().message));
      opened.on('console', (message) => {
        // A refused sign-in is an answer, which Chromium reports as a failed resource all the same.
        if (message.type() === 'error' && !message.text().includes('401')) complaints.push(message.text());
      });
      return opened;
    },
    heading: (name, on = page) => on.getByRole('heading', { name }),
  };
  return tab;
}
