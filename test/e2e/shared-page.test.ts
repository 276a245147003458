import type { Page } from 'playwright-core';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
/** A browser's page without session, as anybody has who is sent a link. */
let page: Page;
/** Every address that the page asked for. */
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

async function shareDashboard(): Promise<{ id: number; token: string; path: string }> {
  const dashboards = `/api/projects/${view.server.projectId}/dashboards/`;
  const body = { name: 'Weekly health', description: 'The last 30 days.' };
  const { id } = await view.ask<{ id: number }>(dashboards, { method: 'POST', body });
  const path = `${dashboards}${id}/`;
  const layout = (x: number, w: number) => ({ sm: { x, y: 0, w, h: 5 } });
  const insight = await view.ask<{ id: number }>(`/api/projects/${view.server.projectId}/insights/`, {
    method: 'POST',
    body: {
      name: 'Active people',
      description: 'Everybody who did something.',
      query: {
        kind: 'InsightVizNode',
        source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
      },
    },
  });
  const tiles = [
    { insight: insight.id, layouts: layout(0, 8) },
    { text: { body: TEXT }, layouts: layout(8, 4) },
  ];
  await view.ask(path, { method: 'PATCH', body: { tiles } });
  const link = await view.ask<{ access_token: string }>(`${path}sharing/`, {
    method: 'PATCH',
    body: { enabled: true },
  });
  return { id, token: link.access_token, path };
}

describe('the page behind a shared link', () => {
  test('shows the dashboard without session, asks for its own files alone, and sets no cookie', async () => {
    const { token } = await shareDashboard();
    await page.goto(`${view.server.url}/shared/${token}`);
    await page.getByRole('heading', { level: 1, name: 'Weekly health' }).waitFor();
    await page.getByRole('heading', { name: 'Active people' }).waitFor();
    await page.getByText('Everybody who did something.').waitFor();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    // HTML in a text is text, and its picture is not asked for.
    await page.getByText('<img src="https://burrow.test/p.png">').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'site' }).getAttribute('rel')).toContain('noopener');
    expect(await page.title()).toBe('Weekly health');
    await page.waitForLoadState('networkidle');
    const own = asked.filter((url) => !url.startsWith('data:'));
    expect(own[0]).toBe(`${view.server.url}/shared/${token}`);
    expect(own.slice(1).filter((url) => !url.startsWith(`${view.server.url}/shared/assets/`))).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('puts tiles beside each other where there is room, and below each other where there is none', async () => {
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

  test('is gone at once when the link is turned off', async () => {
    const { token, path } = await shareDashboard();
    await view.ask(`${path}sharing/`, { method: 'PATCH', body: { enabled: false } });
    const answer = await page.goto(`${view.server.url}/shared/${token}`);
    expect(answer!.status()).toBe(404);
    await page.getByText('There is nothing at this address').waitFor();
    expect(await page.getByText('Weekly health').count()).toBe(0);
  });

  test('stands in a frame of another page when its address is the embedded one, and only then', async () => {
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

/** A page of somebody else that frames both addresses of a link. */
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
