import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { startServer, type RunningServer } from './start-server.ts';
import { violationsInEveryLook, violationsOn } from './violations.ts';

interface Captured {
  event?: string;
  distinct_id?: string;
  timestamp?: string;
  properties?: Record<string, unknown>;
}

/** A server in memory, a browser, and a page of its console that is signed in. */
export interface OpenConsole {
  readonly server: RunningServer;
  readonly page: Page;
  /** The address of a screen of the first project: `/data/events`. */
  at(path: string): string;
  /** Sends events in one request, through the door of SDKs. */
  capture(...events: Captured[]): Promise<void>;
  /**
   * Sends a request to the management API with the personal key; returns the parsed response. Throws the error when it
   * is refused.
   */
  ask<Answer>(path: string, init?: { method?: string; body?: unknown }): Promise<Answer>;
  /** Violations that axe-core finds on the page, after all animations have ended. */
  violations(): Promise<string[]>;
  /** The same in both themes and at both widths, or at those given; the name is that of its pictures (see SHOTS). */
  violationsInEveryLook(name: string, widths?: readonly number[]): Promise<string[]>;
  /** Closes it; returns the errors logged by the page, and the other hosts it requested. */
  close(): Promise<string[]>;
}

/** Starts a server and a browser, unless they are given, and signs in by the console's link. Needs `npm run build`. */
export async function openConsole(
  given: { server?: RunningServer; browser?: Browser } = {},
): Promise<OpenConsole> {
  const [server, browser] = await Promise.all([
    given.server ?? startServer(),
    given.browser ?? launchBrowser(),
  ]);
  const complaints: string[] = [];
  const context = await openContext(browser, server.url, (text) => complaints.push(text));
  const page = await openPage(context);
  await signIn(page, server);
  const close = async () => {
    await (given.browser ? context : browser).close();
    await server.stop();
    return complaints;
  };
  return consoleOf(server, page, close);
}

/** What tests do with a page of the console, and with the server and project behind it. */
export function consoleOf(server: RunningServer, page: Page, close: OpenConsole['close']): OpenConsole {
  return {
    server,
    page,
    at: (path) => `${server.url}/project/${server.projectId}${path}`,
    async capture(...events) {
      const batch = events.map((event) => ({ distinct_id: 'ana@reyes-studio.example', ...event }));
      const body = JSON.stringify({ api_key: server.projectApiKey, batch });
      const response = await fetch(`${server.url}/batch/`, { method: 'POST', body });
      if (response.status !== 200) throw new Error(`/batch/ answered ${response.status}`);
    },
    async ask<Answer>(path: string, { method = 'GET', body }: { method?: string; body?: unknown } = {}) {
      const response = await fetch(server.url + path, {
        method,
        headers: {
          Authorization: `Bearer ${server.personalApiKey}`,
          'Content-Type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok)
        throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
      return (response.status === 204 ? null : await response.json()) as Answer;
    },
    violations: () => violationsOn(page),
    violationsInEveryLook: (name, widths) => violationsInEveryLook(page, name, widths),
    close,
  };
}

/**
 * A separate profile in a browser; `complain` is called with errors logged by its pages, and with other hosts they
 * request.
 */
export async function openContext(
  browser: Browser,
  origin: string,
  complain: (text: string) => void,
): Promise<BrowserContext> {
  const context = await browser.newContext();
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== origin) complain(`asked ${request.url()}`);
  });
  context.on('weberror', (error) => complain(error.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error') complain(message.text());
  });
  return context;
}

/** An empty page, light and 1440 pixels wide. */
export async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
  return page;
}

/** Opens the console's link, which works once, and waits for the first screen. */
export async function signIn(page: Page, server: RunningServer): Promise<void> {
  await page.goto(server.consoleUrl);
  await page.waitForURL('**/project/**');
}
