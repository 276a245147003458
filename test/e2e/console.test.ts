import { execFileSync } from 'node:child_process';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';

let browser: Browser;
let server: RunningServer;
let context: BrowserContext;
let page: Page;
/** Origins of every request that any page made. */
let origins: Set<string>;
/** What the pages complained about. */
let complaints: string[];

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

beforeEach(async () => {
  server = await startServer();
  origins = new Set();
  complaints = [];
  context = await openContext();
  page = await context.newPage();
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((opened) => opened.close()));
  await server.stop();
  expect([...origins]).toEqual([server.url]);
  expect(complaints).toEqual([]);
});

async function openContext(colorScheme: 'light' | 'dark' = 'light', width = 1440): Promise<BrowserContext> {
  const opened = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  await opened.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
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
}

interface Sent {
  event?: string;
  distinct_id?: string;
  properties?: Record<string, unknown>;
}

async function send(sent: Sent, apiKey = server.projectApiKey): Promise<number> {
  const body = JSON.stringify({ api_key: apiKey, distinct_id: 'ana@reyes-studio.example', ...sent });
  const response = await fetch(`${server.url}/capture/`, { method: 'POST', body });
  await response.arrayBuffer();
  return response.status;
}

const row = (text: string | RegExp, on: Page = page) => on.getByRole('row').filter({ hasText: text });
const heading = (name: string, on: Page = page) => on.getByRole('heading', { name });

/** Signs in and waits for the screen that a project with events begins with. */
async function openLive(search = ''): Promise<void> {
  await send({ event: 'earlier' });
  await page.goto(server.consoleUrl);
  await heading('Live').waitFor();
  if (search) await page.goto(page.url() + search);
  await row('earlier').waitFor();
}

describe('signing in', () => {
  test('a console link opens Connect, and its token stands nowhere any more', async () => {
    await page.goto(server.consoleUrl);
    await heading('Waiting for the first event').waitFor();
    expect(page.url()).toBe(`${server.url}/project/${server.projectId}/connect`);
    const cookies = await context.cookies();
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatchObject({ name: `burrow_${server.port}`, httpOnly: true, sameSite: 'Strict' });
    await page.reload();
    await heading('Waiting for the first event').waitFor();
  });

  test('the link used a second time says so; a personal key opens the door, signing out closes it', async () => {
    await page.goto(server.consoleUrl);
    await heading('Waiting for the first event').waitFor();

    const second = await (await openContext()).newPage();
    await second.goto(server.consoleUrl);
    await heading('This link was already used', second).waitFor();
    expect(second.url()).not.toContain('token');

    await second.getByLabel('Personal key').fill('phx_nobody');
    await second.getByRole('button', { name: 'Sign in' }).click();
    await second.getByRole('alert').filter({ hasText: 'No user here has this key' }).waitFor();
    await second.getByLabel('Personal key').fill(server.personalApiKey);
    await second.keyboard.press('Enter');
    await heading('Waiting for the first event', second).waitFor();

    await second.getByRole('button', { name: /^Project:/ }).click();
    await second.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading('You are signed out', second).waitFor();
    await second.goto(`${server.url}/project/${server.projectId}/live`);
    await heading('Sign in to Burrow', second).waitFor();
  });

  test('a link opened again in the browser that it signed in leads on from there', async () => {
    await page.goto(server.consoleUrl);
    await heading('Waiting for the first event').waitFor();
    const again = await context.newPage();
    await again.goto(server.consoleUrl);
    await heading('This link was already used', again).waitFor();
    await again.getByRole('button', { name: /^Go on as/ }).click();
    await heading('Waiting for the first event', again).waitFor();
    expect(again.url()).toBe(page.url());
  });

  test('a link of another server is told apart from one that was used', async () => {
    await page.goto(`${server.url}/#token=aTokenOfAnotherServer`);
    await heading('This link is not known here').waitFor();
    expect(await page.getByRole('button', { name: /^Go on as/ }).count()).toBe(0);
  });

  test('after signing in somebody is where they wanted to be', async () => {
    await page.goto(`${server.url}/project/${server.projectId}/live?ingestion=closed`);
    await page.getByLabel('Personal key').fill(server.personalApiKey);
    await page.keyboard.press('Enter');
    await heading('No events yet').or(page.getByText('No events yet')).first().waitFor();
    expect(page.url()).toBe(`${server.url}/project/${server.projectId}/live?ingestion=closed`);
  });
});

describe('Connect', () => {
  test('turns to “first event received” by itself, and leads to the event under Live', async () => {
    await page.goto(server.consoleUrl);
    await heading('Waiting for the first event').waitFor();
    expect(await send({ event: 'invoice sent', properties: { amount: 480 } })).toBe(200);
    await heading('First event received').waitFor();
    await page.getByText('invoice sent', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'See it live' }).click();
    await row('invoice sent').waitFor();
    await send({ event: 'invoice paid' });
    await row('invoice paid').waitFor();
  });

  test('the test event goes through the same door', async () => {
    await page.goto(server.consoleUrl);
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await heading('First event received').waitFor();
    await page.getByText('test event', { exact: true }).waitFor();
    await page.goto(`${server.url}/`);
    await row('test event').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/project/${server.projectId}/live`);
  });

  test('every snippet can be copied, with this host and token', async () => {
    await page.goto(server.consoleUrl);
    const tabs = page.getByRole('tab');
    await tabs.first().waitFor();
    for (const tab of await tabs.all()) {
      await tab.click();
      await page.getByRole('button', { name: 'Copy snippet' }).click();
      const text = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(text).toContain(server.projectApiKey);
      expect(text).toContain(`:${server.port}`);
    }
  });

  test('a refused request shows up with the reason', async () => {
    await page.goto(server.consoleUrl);
    await heading('Waiting for the first event').waitFor();
    expect(await send({ event: 'lost' }, 'phc_aKeyOfNoProjectAtAll')).toBe(401);
    await page.getByText('belongs to no project here').waitFor();
    await page.getByText('refused', { exact: true }).waitFor();
  });
});

describe('Live', () => {
  test('an event opens in place, is copied as curl, and is sent again as a new one', async () => {
    await openLive('?ingestion=closed');
    await send({ event: `it's sent`, properties: { note: `a "quoted" $HOME 'note'` } });
    await row(`it's sent`).waitFor();
    await row(`it's sent`).click();
    await page.getByText(`a "quoted" $HOME 'note'`).first().waitFor();

    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText("Sent “it's sent” again").waitFor();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await runCurl(await page.evaluate<string>('navigator.clipboard.readText()'));

    await page.mouse.move(5, 5);
    await page.keyboard.press('Escape');
    await expect.poll(() => row(`it's sent`).count(), { timeout: 10_000 }).toBe(3);
    const response = await fetch(`${server.url}/api/projects/${server.projectId}/events/?event=it's sent`, {
      headers: { Authorization: `Bearer ${server.personalApiKey}` },
    });
    const { results } = (await response.json()) as { results: { id: string; properties: string }[] };
    expect(new Set(results.map(({ id }) => id)).size).toBe(3);
    expect(results.map(({ properties }) => (JSON.parse(properties) as { note: string }).note)).toEqual(
      Array(3).fill(`a "quoted" $HOME 'note'`),
    );
  });

  test('rows do not move while they are read: new ones wait behind a pill', async () => {
    await openLive();
    await row('earlier').hover();
    await send({ event: 'while reading' });
    await send({ event: 'while reading' });
    await page.getByRole('button', { name: '2 new' }).waitFor();
    expect(await row('while reading').count()).toBe(0);
    await page.getByRole('button', { name: '2 new' }).click();
    await row('while reading').first().waitFor();
    expect(await row('while reading').count()).toBe(2);
  });

  test('Space pauses and goes on', async () => {
    await openLive();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await send({ event: 'while paused' });
    await page.getByRole('button', { name: 'Paused, 1 new' }).waitFor();
    expect(await row('while paused').count()).toBe(0);
    await page.keyboard.press('Space');
    await row('while paused').waitFor();
  });

  test('a filter, built by keyboard, is applied by the server, stays in the address and survives a reload', async () => {
    await openLive();
    await page.keyboard.press('f');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.type('event');
    await page.keyboard.press('Enter');
    await page.keyboard.type('is not');
    await page.keyboard.press('Enter');
    await page.keyboard.type('noise');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Event is not noise' }).waitFor();
    expect(new URL(page.url()).searchParams.get('filters')).toBe(
      '[{"field":"event","operator":"is_not","value":"noise"}]',
    );

    await send({ event: 'noise' });
    await send({ event: 'signal' });
    await row('signal').waitFor();
    expect(await row('noise').count()).toBe(0);
    await page.reload();
    await row('signal').waitFor();
    expect(await row('noise').count()).toBe(0);

    await page.getByRole('button', { name: 'Remove filter Event' }).click();
    await row('noise').waitFor();
  });

  test('a stream that cannot be had says so, comes back by itself, and brings what was missed', async () => {
    await openLive();
    await page.route('**/burrow/live/**', (route) => route.abort());
    await page.reload();
    await page.getByText('No connection since').waitFor();
    await send({ event: 'missed' });
    await page.unroute('**/burrow/live/**');
    await row('missed').waitFor();
    await expect.poll(() => page.getByText('No connection since').count(), { timeout: 15_000 }).toBe(0);
    await send({ event: 'afterwards' });
    await row('afterwards').waitFor();
    complaints = complaints.filter((text) => !text.includes('ERR_FAILED'));
  });

  test('beside it, Ingestion says what was dropped, and why', async () => {
    await openLive('?ingestion=open');
    expect(await send({ properties: { $lib: 'posthog-node', $lib_version: '5.70.0' } })).toBe(200);
    const panel = page.getByRole('complementary', { name: 'Ingestion' });
    await panel.getByText('No event name').waitFor();
    await panel.getByText('posthog-node 5.70.0').first().waitFor();
    await panel
      .getByText('were answered with 200', { exact: false })
      .or(panel.getByText('was answered with 200', { exact: false }))
      .waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(page.url()).toContain('ingestion=closed');
  });

  test('many events at once reach the table without a gap that is not named', async () => {
    await openLive('?ingestion=closed');
    const batch = Array.from({ length: 3000 }, (_, index) => ({
      event: `flood ${index}`,
      distinct_id: 'flood',
      properties: {},
    }));
    const body = JSON.stringify({ api_key: server.projectApiKey, batch });
    expect((await fetch(`${server.url}/batch/`, { method: 'POST', body })).status).toBe(200);
    await row('flood').first().waitFor();
    await page.getByText(/came too fast to show; all are stored/).waitFor();
  });
});

describe('projects', () => {
  test('a new project has its own key and starts at Connect; the palette leads back', async () => {
    await openLive();
    await page.getByRole('button', { name: /^Project:/ }).click();
    await page.getByRole('menuitem', { name: 'New project' }).click();
    await page.getByLabel('Name').fill('Paperboat');
    await page.keyboard.press('Enter');
    await heading('Waiting for the first event').waitFor();
    await page.getByRole('button', { name: 'Project: Paperboat' }).waitFor();
    expect(await page.getByText(server.projectApiKey).count()).toBe(0);

    await page.keyboard.press('Control+k');
    await page.keyboard.type('default');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/project/${server.projectId}/**`);
  });
});

test('a chosen theme stands before anything of the console has run', async () => {
  await page.goto(server.consoleUrl);
  await heading('Waiting for the first event').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('dark theme');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.reload();
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  complaints = complaints.filter((text) => !text.includes('ERR_FAILED'));
});

describe('without a mouse', () => {
  test('palette, screens, rows, event and help by keyboard alone', async () => {
    await openLive();
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await heading('Connect').waitFor();
    await page.keyboard.press('Control+k');
    await page
      .getByRole('textbox', { name: 'Find or jump' })
      .or(page.getByRole('combobox', { name: 'Find or jump' }))
      .first()
      .waitFor();
    await page.keyboard.type('liv');
    await page.keyboard.press('Enter');
    await heading('Live').waitFor();
    await row('earlier').waitFor();

    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: /Properties/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: /Properties/ }).waitFor({ state: 'detached' });

    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
    expect(await row('earlier').getByRole('button').getAttribute('aria-expanded')).toBe('false');
  });

  test('Tab reaches every control of Connect, each with a visible ring', async () => {
    await page.goto(server.consoleUrl);
    await page.getByRole('button', { name: 'Send a test event' }).waitFor();
    const names: string[] = [];
    for (let step = 0; step < 30; step += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate<Focused>(FOCUSED);
      if (focused.isPage) break;
      expect(focused).toMatchObject({ isRinged: true });
      names.push(focused.name);
    }
    for (const name of [
      'Find or jump',
      'Live',
      'Connect',
      'Browser',
      'Copy snippet',
      'Copy project key',
      'Send a test event',
    ]) {
      expect(names.some((found) => found.includes(name))).toBe(true);
    }
  });
});

describe.each(['light', 'dark'] as const)('for everybody, in the %s theme', (theme) => {
  test('axe finds nothing on Connect, Live, the palette and sign-in', async () => {
    const themed = await openContext(theme);
    page = await themed.newPage();
    await page.goto(`${server.url}/#token=foreign`);
    await heading('This link is not known here').waitFor();
    expect(await violations()).toEqual([]);

    await page.goto(server.consoleUrl);
    await heading('Waiting for the first event').waitFor();
    await send({ event: 'refused' }, 'phc_aKeyOfNoProjectAtAll');
    await page.getByText('belongs to no project here').waitFor();
    expect(await violations()).toEqual([]);

    for (const event of ['$pageview', 'invoice sent', undefined]) {
      await send({
        ...(event ? { event } : {}),
        properties: { $current_url: 'https://app.example/invoices' },
      });
    }
    await heading('First event received').waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole('button', { name: 'See it live' }).click();
    await row('invoice sent').click();
    await page.getByText('No event name').waitFor();
    await page.getByRole('tab', { name: 'JSON' }).click();
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('f');
    await page.getByRole('option').first().waitFor();
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
    expect(await violations()).toEqual([]);
  });

  test('axe finds nothing at 800 pixels', async () => {
    const themed = await openContext(theme, 800);
    page = await themed.newPage();
    await page.goto(server.consoleUrl);
    await heading('Waiting for the first event').waitFor();
    expect(await violations()).toEqual([]);
    await send({ event: 'invoice sent' });
    await page.getByRole('button', { name: 'See it live' }).click();
    await row('invoice sent').waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole('button', { name: 'Ingestion' }).click();
    await page.getByRole('complementary', { name: 'Ingestion' }).getByText('Pipeline').waitFor();
    expect(await violations()).toEqual([]);
  });
});

interface Focused {
  name: string;
  isPage: boolean;
  isRinged: boolean;
}

/** Describes the element that has the focus; text, because these tests are not compiled for a page. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return {
    name: element.getAttribute('aria-label') ?? element.innerText ?? '',
    isPage: element === document.body,
    isRinged: outlineStyle !== 'none' && outlineWidth !== '0px',
  };
})()`;

/** Settles when everything that moves and comes to an end has ended. */
const STILL = `Promise.all(document.getAnimations()
  .filter((animation) => animation.effect.getComputedTiming().iterations !== Infinity)
  .map((animation) => animation.finished.catch(() => {})))`;

/** What axe-core finds on the page as it is, once nothing moves any more. */
async function violations(): Promise<string[]> {
  await page.evaluate(STILL);
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    interface Violation {
      id: string;
      nodes: { html: string; failureSummary: string }[];
    }
    const found = await axe.run();
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
    );
  });
}

/** Runs a copied curl command as a shell reads it, with fetch in place of curl, which not every machine has. */
async function runCurl(command: string): Promise<void> {
  const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
    encoding: 'utf8',
  });
  const [url = '', ...options] = printed.split('\0').slice(0, -1);
  const [name = '', value = ''] = options[options.indexOf('-H') + 1]!.split(': ');
  const body = options[options.indexOf('--data-raw') + 1]!;
  const response = await fetch(url, { method: 'POST', headers: { [name]: value }, body });
  expect(response.status).toBe(200);
}
