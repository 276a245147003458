import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { startServer, type RunningServer } from './start-server.ts';

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
  /** Asks the management API with the personal key; the parsed answer, whatever its status. */
  ask<Answer>(path: string, init?: { method?: string; body?: unknown }): Promise<Answer>;
  /** What axe-core finds on the page as it is, once nothing moves any more. */
  violations(): Promise<string[]>;
  /** Ends both; returns what the page complained about, and which hosts other than the server it asked. */
  close(): Promise<string[]>;
}

/** Settles when everything that moves and comes to an end has ended. */
const STILL = `Promise.all(document.getAnimations()
  .filter((animation) => animation.effect.getComputedTiming().iterations !== Infinity)
  .map((animation) => animation.finished.catch(() => {})))`;

/** Starts a server and a browser, and signs in by the console's link. Needs `npm run build`. */
export async function openConsole({
  theme = 'light',
  width = 1440,
}: { theme?: 'light' | 'dark'; width?: number } = {}): Promise<OpenConsole> {
  const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  const complaints: string[] = [];
  const page = await openPage(browser, server, { theme, width, complaints });
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
      return (await response.json()) as Answer;
    },
    violations: () => violationsOn(page),
    async close() {
      await browser.close();
      await server.stop();
      return complaints;
    },
  };
}

async function openPage(
  browser: Browser,
  server: RunningServer,
  { theme, width, complaints }: { theme: 'light' | 'dark'; width: number; complaints: string[] },
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== server.url) complaints.push(`asked ${request.url()}`);
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const page = await context.newPage();
  await page.goto(server.consoleUrl);
  await page.waitForURL('**/project/**');
  return page;
}

/** What axe-core finds on a page as it is, once nothing moves any more. */
export async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(STILL);
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    interface Violation {
      id: string;
      nodes: { html: string; failureSummary: string }[];
    }
    const { axe: run } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: Violation[] }> };
    };
    const found = await run.run();
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
    );
  });
}
