// @module-tag browser
import type { Page } from 'playwright-core';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen, failurePanelOf } from '../support/expect-seen.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';
import { violationsInEveryLook } from '../support/violations.ts';

const openConsole = shareConsole();

let view: OpenConsole;
/** A page without a session, as for any visitor with the link. */
let page: Page;
/** Every URL that the page requested. */
let asked: string[];
let complaints: string[];

beforeEach(async () => {
  view = await openConsole();
  const context = await view.page
    .context()
    .browser()!
    .newContext({ viewport: { width: 1440, height: 900 } });
  page = await context.newPage();
  asked = [];
  complaints = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
});

afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const TEXT =
  '# Welcome\n\nWrite to **us**: [site](https://burrow.test). <img src="https://burrow.test/p.png">';

const TREND = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'looked' }] };
const NUMBER = { ...TREND, trendsFilter: { display: 'BoldNumber' } };
const ROWS = {
  kind: 'HogQLQuery',
  query: 'SELECT event AS what, count() AS times FROM events GROUP BY event',
};
const NOTHING = { ...TREND, series: [{ kind: 'EventsNode', event: 'never happened' }] };
const wrapped = (source: object) => ({ kind: 'InsightVizNode', source });

const projectPath = () => `/api/projects/${view.server.projectId}`;

async function makeInsight(name: string, query: object, description = ''): Promise<number> {
  const body = { name, description, query };
  return (await view.ask<{ id: number }>(`${projectPath()}/insights/`, { method: 'POST', body })).id;
}

/** Turns a link on; returns its token. */
async function share(path: string): Promise<string> {
  const init = { method: 'PATCH', body: { enabled: true } };
  return (await view.ask<{ access_token: string }>(`${path}sharing/`, init)).access_token;
}

async function shareTiles(
  tiles: readonly object[],
  about: object = {},
): Promise<{ token: string; path: string }> {
  const body = { name: 'Weekly health', description: 'The last 30 days.', ...about };
  const dashboards = `${projectPath()}/dashboards/`;
  const { id } = await view.ask<{ id: number }>(dashboards, { method: 'POST', body });
  const path = `${dashboards}${id}/`;
  await view.ask(path, { method: 'PATCH', body: { tiles } });
  return { token: await share(path), path };
}

const layout = (x: number, y: number, w: number, h: number) => ({ layouts: { sm: { x, y, w, h } } });

/** A text beside an insight. */
async function shareDashboard(): Promise<{ token: string; path: string }> {
  const insight = await makeInsight('Active people', wrapped(TREND), 'Everybody who did something.');
  return shareTiles([
    { insight, ...layout(0, 0, 8, 5) },
    { text: { body: TEXT }, ...layout(8, 0, 4, 5) },
  ]);
}

/** Every kind of tile, over events of today: 7 looks of ana, 2 purchases. */
async function shareAllKinds(): Promise<string> {
  const looks = Array.from({ length: 7 }, () => ({ event: 'looked' }));
  await view.capture(...looks, { event: 'bought' }, { event: 'bought' });
  const [number, trend, rows, nothing] = await Promise.all([
    makeInsight('Looks in all', wrapped(NUMBER)),
    makeInsight('Looks per day', wrapped(TREND)),
    makeInsight('What happened', { kind: 'DataTableNode', source: ROWS }),
    makeInsight('What never happened', wrapped(NOTHING)),
  ]);
  const { token } = await shareTiles(
    [
      { text: { body: '## Growth' }, transparent_background: true, ...layout(0, 0, 12, 1) },
      { insight: number, color: 'green', ...layout(0, 1, 3, 2) },
      { insight: trend, ...layout(3, 1, 9, 5) },
      { insight: rows, ...layout(0, 6, 6, 5) },
      { insight: nothing, ...layout(6, 6, 6, 5) },
    ],
    { filters: { date_from: '-7d' } },
  );
  return token;
}

const tile = (name: string) => page.getByRole('article').filter({ hasText: name });

async function openAllKinds(): Promise<void> {
  const token = await shareAllKinds();
  await page.goto(`${view.server.url}/shared/${token}`);
  await tile('Looks in all').getByText('7', { exact: true }).waitFor();
  await tile('Looks per day')
    .getByRole('slider', { name: /^Chart of/ })
    .waitFor();
  await tile('What happened').getByRole('gridcell', { name: 'bought' }).waitFor();
}

describe('the shared page', () => {
  test('shows the dashboard without a session, loads only its own files, and sets no cookie', async () => {
    const { token } = await shareDashboard();
    await page.goto(`${view.server.url}/shared/${token}`);
    await page.getByRole('heading', { level: 1, name: 'Weekly health' }).waitFor();
    await page.getByRole('heading', { name: 'Active people' }).waitFor();
    await page.getByText('Everybody who did something.').waitFor();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    // HTML in a text is escaped, and its image is not requested.
    await page.getByText('<img src="https://burrow.test/p.png">').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await expect
      .poll(() => page.getByRole('link', { name: 'site' }).getAttribute('rel'))
      .toContain('noopener');
    expect(await page.title()).toBe('Weekly health');
    await tile('Active people').getByText('No matching events').waitFor();
    await tile('Active people')
      .getByText(/^per day, .+, UTC$/)
      .waitFor();
    await page.evaluate('document.fonts.ready.then(() => null)');
    const own = asked.filter((url) => !url.startsWith('data:'));
    expect(own[0]).toBe(`${view.server.url}/shared/${token}`);
    expect(own.slice(1).filter((url) => !url.startsWith(`${view.server.url}/shared/assets/`))).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('shows the result of every tile, from the data in the page only', async () => {
    await openAllKinds();
    const row = tile('What happened').getByRole('row').filter({ hasText: 'looked' });
    await expect
      .poll(() => row.getByRole('gridcell').allInnerTexts())
      .toEqual(expect.arrayContaining(['looked', '7']));
    const [head, first] = await Promise.all(
      [0, 1].map((at) => tile('What happened').getByRole('row').nth(at).boundingBox()),
    );
    expect(first!.y).toBeGreaterThanOrEqual(head!.y + head!.height);
    await tile('What never happened').getByText('No matching events').waitFor();
    expect(await page.getByText('Try a longer date range').count()).toBe(0);
    expect(await page.getByText('No result yet').count()).toBe(0);
    await page.getByRole('banner').getByText('Last 7 days').waitFor();
    await page.getByText(/^Updated /).waitFor();
    // A number is to be read, not to be clicked.
    expect(await page.getByRole('button', { name: /Show persons/ }).count()).toBe(0);
    expect(asked.filter((url) => !url.startsWith(`${view.server.url}/shared/`))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('a colored tile has its color, a section no card', async () => {
    await openAllKinds();
    const STYLES = `[...document.querySelectorAll('article')].map((one) =>
      [getComputedStyle(one, '::before').borderLeftStyle, getComputedStyle(one).backgroundColor])`;
    const [[, bare], [colored], [plain, card]] =
      await page.evaluate<[[string, string], [string, string], [string, string]]>(STYLES);
    expect([colored, plain]).toEqual(['solid', 'none']);
    expect(bare).not.toBe(card);
    expect(bare).toBe('rgba(0, 0, 0, 0)');
  });

  test('a single shared insight fills the page, and shows all of its numbers on request', async () => {
    await view.capture(...Array.from({ length: 12 }, () => ({ event: 'looked' })));
    const id = await makeInsight('Looks per day', wrapped(TREND), 'Every look counts.');
    const token = await share(`${projectPath()}/insights/${id}/`);
    await page.goto(`${view.server.url}/shared/${token}`);
    await page.getByRole('heading', { level: 1, name: 'Looks per day' }).waitFor();
    await page.getByText('Every look counts.').waitFor();
    const chart = page.getByRole('slider', { name: /^Chart of/ });
    await chart.waitFor();
    await page.getByText('12', { exact: true }).first().waitFor();
    expect((await chart.boundingBox())!.height).toBeGreaterThan(500);
    await expect.poll(() => page.getByRole('heading', { name: 'Looks per day' }).count()).toBe(1);
    await page.goto(`${view.server.url}/shared/${token}?detailed&noHeader`);
    await page.getByRole('heading', { level: 2, name: 'Looks per day' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'looked' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a failed tile shows the error, and can be retried by keyboard; the others are shown', async () => {
    const broken = await makeInsight('Broken', {
      kind: 'DataTableNode',
      source: { kind: 'HogQLQuery', query: `SELECT repeat('x', 40000)` },
    });
    const { token } = await shareTiles([
      { insight: broken, ...layout(0, 0, 6, 5) },
      { text: { body: TEXT }, ...layout(6, 0, 6, 5) },
    ]);
    await page.goto(`${view.server.url}/shared/${token}`);
    await tile('Broken').getByText('Query failed').waitFor();
    await tile('Broken').getByText('32768 bytes').waitFor();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    const before = asked.length;
    await expectSeen(failurePanelOf(page));
    await keyboardOf(page).enter('Retry');
    await expect.poll(() => asked.length).toBeGreaterThan(before);
    await tile('Broken').getByText('Query failed').waitFor();
    expect(complaints).toEqual([]);
  });

  test('is accessible in either theme, wide or narrow', async () => {
    await openAllKinds();
    expect(await violationsInEveryLook(page, 'shared-dashboard')).toEqual([]);
  });

  test('in print it is light, has all tiles and no buttons', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await openAllKinds();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.getByRole('button', { name: /^Print/ }).isVisible()).toBe(false);
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light');
    for (const name of ['Looks in all', 'Looks per day', 'What happened', 'What never happened']) {
      const box = await tile(name).boundingBox();
      expect(box!.width, name).toBeGreaterThan(100);
      expect(box!.height, name).toBeGreaterThan(60);
    }
    await tile('Looks in all').getByText('7', { exact: true }).waitFor();
    const folder = process.env['SHOTS'];
    if (folder) await page.screenshot({ path: `${folder}/shared-dashboard-paper.png`, fullPage: true });
  });

  test('places tiles beside each other where there is room, and below each other where there is none', async () => {
    const { token } = await shareDashboard();
    await page.goto(`${view.server.url}/shared/${token}`);
    const tops = async () => {
      await page.getByRole('heading', { name: 'Welcome' }).waitFor();
      const boxes = await Promise.all([0, 1].map((i) => page.locator('article').nth(i).boundingBox()));
      return boxes.map((box) => box!.y);
    };
    const [first, second] = await tops();
    expect(second).toBe(first);
    await page.setViewportSize({ width: 800, height: 900 });
    const [above, below] = await tops();
    expect(below).toBeGreaterThan(above!);
    expect(complaints).toEqual([]);
  });

  test('leaves no half-empty row on a narrow page: of three small tiles the last has its own row', async () => {
    const { token } = await shareTiles(
      ['One', 'Two', 'Three'].map((body, at) => ({ text: { body }, ...layout(at * 4, 0, 4, 2) })),
    );
    await page.setViewportSize({ width: 800, height: 900 });
    await page.goto(`${view.server.url}/shared/${token}`);
    await tile('Three').waitFor();
    const [one, two, three] = await Promise.all(
      ['One', 'Two', 'Three'].map(async (body) => (await tile(body).boundingBox())!),
    );
    expect(two!.y).toBe(one!.y);
    expect(three!.y).toBeGreaterThan(one!.y);
    expect([three!.x, three!.x + three!.width]).toEqual([one!.x, two!.x + two!.width]);
  });

  test('a hovered day, by arrows or pointer, is read as a sentence and shown in the other charts', async () => {
    await view.capture({ event: 'looked' });
    const [lines, bars] = await Promise.all([
      makeInsight('As lines', wrapped(TREND)),
      makeInsight('As bars', wrapped({ ...TREND, trendsFilter: { display: 'ActionsBar' } })),
    ]);
    const { token } = await shareTiles([
      { insight: lines, ...layout(0, 0, 6, 5) },
      { insight: bars, ...layout(6, 0, 6, 5) },
    ]);
    await page.goto(`${view.server.url}/shared/${token}`);
    const chart = (name: string) => tile(name).getByRole('slider');
    const elsewhere = tile('As bars').locator('.elsewhere');
    await chart('As bars').waitFor();
    await chart('As lines').focus();
    await page.keyboard.press('ArrowLeft');
    await elsewhere.waitFor();
    const first = await elsewhere.textContent();
    const sentence = await chart('As lines').getAttribute('aria-valuetext');
    expect(sentence).toContain('looked');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => elsewhere.textContent()).not.toBe(first);
    await expect.poll(() => chart('As lines').getAttribute('aria-valuetext')).not.toBe(sentence);
    await page.keyboard.press('Tab');
    await elsewhere.waitFor({ state: 'detached' });

    const box = (await chart('As lines').boundingBox())!;
    await page.mouse.move(box.x + 1, box.y + box.height / 2);
    await elsewhere.waitFor();
    await page.mouse.move(2, 2);
    await elsewhere.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  test('is a 404 immediately when the link is disabled', async () => {
    const { token, path } = await shareDashboard();
    await view.ask(`${path}sharing/`, { method: 'PATCH', body: { enabled: false } });
    const answer = await page.goto(`${view.server.url}/shared/${token}`);
    expect(answer!.status()).toBe(404);
    await page.getByText('Link not available').waitFor();
    expect(await page.getByText('Weekly health').count()).toBe(0);
  });

  test('can be framed by another page only at its embedded URL', async () => {
    const { token } = await shareDashboard();
    const framing = await serveFrames(view.server.url, token);
    await page.goto(framing.url);
    const embedded = page.frameLocator('#embedded');
    await embedded.getByRole('heading', { level: 1, name: 'Weekly health' }).waitFor();
    expect(await embedded.getByRole('button', { name: 'Print' }).count()).toBe(0);
    expect(await page.frameLocator('#shared').getByText('Weekly health').count()).toBe(0);
    expect(complaints.every((text) => text.includes('frame'))).toBe(true);
    framing.server.close();
  });
});

/** A page of another origin that frames both URLs of a link. */
async function serveFrames(server: string, token: string): Promise<{ url: string; server: Server }> {
  const frame = (path: string) =>
    `<iframe id="${path}" width="900" height="400" src="${server}/${path}/${token}"></iframe>`;
  const site = createServer((_req, res) => {
    res.setHeader('Content-Type', 'text/html');
    res.end(`<!doctype html><title>Somebody</title>${frame('embedded')}${frame('shared')}`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`, server: site };
}
