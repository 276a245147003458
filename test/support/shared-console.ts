import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { launchBrowser } from './browser.ts';
import { consoleOf, openConsole, openContext, openPage, signIn, type OpenConsole } from './console.ts';
import { startServer, type RunningServer } from './start-server.ts';

interface Shared {
  server: RunningServer;
  browser: Browser;
  /** Signed in. */
  context: BrowserContext;
  /** The cookies of the context after signing in, restored after each test. */
  cookies: Awaited<ReturnType<BrowserContext['cookies']>>;
}

/**
 * Consoles for the tests of a file, which share a server and a session: each has a new project and a new, empty page,
 * and the browser's storage is cleared. For tests that do not change objects outside projects, such as members and
 * keys; the others use `shareBrowser`. Needs `npm run build`.
 */
export function shareConsole(): () => Promise<OpenConsole> {
  let starting: Promise<Shared> | null = null;
  /** What the pages complained about, for each console that is open. */
  const open = new Set<string[]>();
  const complain = (text: string) => open.forEach((complaints) => complaints.push(text));

  afterAll(async () => {
    const shared = await starting;
    await shared?.browser.close();
    await shared?.server.stop();
  });

  return async () => {
    const shared = await (starting ??= start(complain));
    const isAlone = open.size === 0;
    const complaints: string[] = [];
    open.add(complaints);
    const [project, page] = await Promise.all([makeProject(shared.server), openPage(shared.context)]);
    if (isAlone) await tidy(shared, page);
    return consoleOf({ ...shared.server, ...project }, page, async () => {
      await page.close();
      open.delete(complaints);
      return complaints;
    });
  };
}

/**
 * Consoles for the tests of a file, which share only a browser: each has its own profile and server, which is started
 * unless it is given. For tests of objects outside projects. Needs `npm run build`.
 */
export function shareBrowser(): (server?: RunningServer) => Promise<OpenConsole> {
  let launching: Promise<Browser> | null = null;
  afterAll(async () => {
    await (await launching)?.close();
  });
  return async (server) =>
    openConsole({ browser: await (launching ??= launchBrowser()), ...(server && { server }) });
}

async function start(complain: (text: string) => void): Promise<Shared> {
  const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  const context = await openContext(browser, server.url, complain);
  const page = await context.newPage();
  await signIn(page, server);
  return { server, browser, context, cookies: await context.cookies() };
}

/** Takes away what the test before has left: its pages, its contexts, and what they stored. */
async function tidy({ browser, context, cookies, server }: Shared, page: Page): Promise<void> {
  const others = browser.contexts().filter((other) => other !== context);
  const pages = context.pages().filter((other) => other !== page);
  await Promise.all([...others, ...pages].map((left) => left.close()));
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: server.url, storageTypes: 'local_storage' });
  await session.detach();
  await context.clearCookies();
  await context.addCookies(cookies);
}

async function makeProject(
  server: RunningServer,
): Promise<Pick<RunningServer, 'projectId' | 'projectApiKey'>> {
  const answer = await fetch(`${server.url}/api/organizations/@current/projects/`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.personalApiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Default' }),
  });
  if (answer.status !== 201) throw new Error(`A project was answered ${answer.status}`);
  const { id, api_token } = (await answer.json()) as { id: number; api_token: string };
  return { projectId: id, projectApiKey: api_token };
}
