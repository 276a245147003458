import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findOnPath } from '../../scripts/find-on-path.mjs';
import { clickMenu, openDesktop, readRunFile, whyNoDesktop, type Desktop } from '../support/desktop.ts';

const reason = whyNoDesktop();
const noPdfText =
  findOnPath('pdftotext') === null
    ? 'pdftotext is missing. Install it with: sudo apt-get install poppler-utils'
    : null;

let dataDir: string;
let desktop: Desktop;
let dashboardId: number;

beforeAll(async () => {
  if (reason !== null) return;
  dataDir = mkdtempSync(join(tmpdir(), 'burrow-menus-'));
  desktop = await openDesktop(dataDir);
  await desktop.page.waitForURL(/\/project\/1\/connect$/);
  dashboardId = await createDashboard();
});
afterAll(async () => {
  await desktop?.quit();
  if (dataDir) rmSync(dataDir, { recursive: true });
});
beforeEach((context) => context.skip(reason !== null, reason ?? undefined));

/** A dashboard with a number, a line and a text over three events; returns its id. */
function createDashboard(): Promise<number> {
  return desktop.page.evaluate(async () => {
    const ask = async (path: string, body?: unknown, method = 'POST') => {
      const answer = await fetch(path, {
        method: body === undefined ? 'GET' : method,
        headers: { 'Content-Type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      return (await answer.json()) as { id: number; projects: { api_token: string }[] };
    };
    const [project] = (await ask('/api/burrow/session/')).projects;
    const batch = ['ann', 'bea', 'cay'].map((distinct_id) => ({ event: 'invoice paid', distinct_id }));
    await ask('/batch/', { api_key: project!.api_token, batch });
    const { id } = await ask('/api/projects/1/dashboards/', { name: 'Weekly health' });
    const tiles = [];
    for (const [y, name, display] of [
      [0, 'Paid invoices', 'BoldNumber'],
      [3, 'Invoices by day', 'ActionsLineGraph'],
    ] as const) {
      const source = {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode', event: 'invoice paid' }],
        trendsFilter: { display },
      };
      const insight = await ask('/api/projects/1/insights/', {
        name,
        saved: true,
        query: { kind: 'InsightVizNode', source },
      });
      tiles.push({ insight: insight.id, layouts: { sm: { x: 0, y, w: 12, h: 3 } } });
    }
    tiles.push({ text: { body: 'Targets of the quarter' }, layouts: { sm: { x: 0, y: 6, w: 12, h: 2 } } });
    await ask(`/api/projects/1/dashboards/${id}/`, { tiles }, 'PATCH');
    return id;
  });
}

async function openDashboard(): Promise<void> {
  await desktop.page.goto(`${readRunFile(dataDir).url}/project/1/dashboards/${dashboardId}`);
  await desktop.page.getByText('Targets of the quarter').waitFor();
  await desktop.page.locator('.big-number, .value').getByText('3').first().waitFor();
}

/** Clicks a menu item and returns the page that it opens: a window, or the find bar. */
async function openBy(label: string): Promise<Page> {
  const opened = desktop.app.waitForEvent('window');
  await clickMenu(desktop, label);
  return await opened;
}

describe('the menu', () => {
  test('every item has a letter to press, which no other item beside it has', async (context) => {
    context.skip(process.platform === 'darwin', 'macOS has no such letters.');
    const menus = await desktop.app.evaluate(({ Menu }) => {
      const walk = (menu: Electron.Menu): string[][] => [
        menu.items.filter(({ type, visible }) => type !== 'separator' && visible).map(({ label }) => label),
        ...menu.items.flatMap(({ submenu }) => (submenu ? walk(submenu) : [])),
      ];
      return walk(Menu.getApplicationMenu()!);
    });
    expect(menus.length).toBeGreaterThan(6);
    for (const labels of menus) {
      const letters = labels.map((label) => /&(.)/.exec(label)?.[1]?.toLowerCase() ?? `none in ${label}`);
      expect(letters.filter((letter) => letter.length > 1)).toEqual([]);
      expect(new Set(letters).size, labels.join(', ')).toBe(letters.length);
    }
  });

  test('zooms with the plain key too, and has developer tools while Burrow is developed', async () => {
    const items = await desktop.app.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()!.items.flatMap(({ submenu }) =>
        submenu!.items.map(({ role, accelerator }) =>
          `${role ?? ''} ${accelerator ?? ''}`.toLowerCase().trim(),
        ),
      ),
    );
    expect(items).toContain('zoomin commandorcontrol+=');
    expect(items.some((item) => item.startsWith('toggledevtools'))).toBe(true);
  });
});

describe('Find in Page', () => {
  test('counts the matches, walks over them, and closes by Esc', async () => {
    await openDashboard();
    const bar = await openBy('Find in Page…');
    const field = bar.getByRole('textbox', { name: 'Find in page' });
    const count = bar.getByRole('status');
    await expect.poll(() => field.evaluate((element) => element.matches(':focus'))).toBe(true);

    await field.fill('Targets of the quarter');
    await expect.poll(() => count.textContent()).toBe('1 of 1');
    await field.fill('Paid invoices');
    await expect.poll(() => count.textContent()).toBe('1 of 1');
    await field.fill('invoice');
    await expect.poll(() => count.textContent()).toMatch(/^1 of \d+$/);
    const all = Number((await count.textContent())!.split(' of ')[1]);
    expect(all).toBeGreaterThan(1);
    await field.press('Enter');
    await expect.poll(() => count.textContent()).toBe(`2 of ${all}`);
    await field.press('Shift+Enter');
    await expect.poll(() => count.textContent()).toBe(`1 of ${all}`);
    await field.press('Shift+Enter');
    await expect.poll(() => count.textContent()).toBe(`${all} of ${all}`);
    await field.fill('nothing of this kind');
    await expect.poll(() => count.textContent()).toBe('No matches');

    const closed = bar.waitForEvent('close');
    // The bar closes before its key is up.
    await field.press('Escape').catch(() => {});
    await closed;
  });
});

describe('Save as PDF', () => {
  test('writes the title and every tile of a dashboard, in light colors, and offers the folder', async (context) => {
    context.skip(noPdfText !== null, noPdfText ?? undefined);
    await openDashboard();
    await desktop.page.evaluate("document.documentElement.dataset.theme = 'dark'");
    const file = join(dataDir, 'saved.pdf');
    const proposed = await desktop.app.evaluate(({ dialog, shell }, filePath) => {
      const seen = ((globalThis as { seen?: string[] }).seen = [] as string[]);
      dialog.showSaveDialog = ((_window: unknown, options: Electron.SaveDialogOptions) => {
        seen.push(options.defaultPath!);
        return Promise.resolve({ canceled: false, filePath });
      }) as typeof dialog.showSaveDialog;
      shell.showItemInFolder = (path) => void seen.push(path);
      return seen;
    }, file);
    expect(proposed).toEqual([]);
    await clickMenu(desktop, 'Save as PDF…');
    await desktop.page.getByText('saved.pdf saved').waitFor();
    await desktop.page.getByRole('button', { name: 'Show in folder' }).click();
    const seen = () => desktop.app.evaluate(() => (globalThis as { seen?: string[] }).seen);
    await expect.poll(seen).toEqual([expect.stringMatching(/Weekly health\.pdf$/), file]);

    const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
    for (const part of [
      'Weekly health',
      'Default',
      'dates of each tile',
      'Paid invoices',
      'Invoices by day',
      'Targets of the quarter',
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/Dashboards|Refresh|Settings/);
    // One page, which ends with a form feed.
    expect(text.split('\f')).toHaveLength(2);
    const pixels = execFileSync('pdftoppm', ['-r', '20', file]);
    expect([...pixels.subarray(-3)], 'the margin').toEqual([255, 255, 255]);
    expect(pixels.reduce((sum, value) => sum + value, 0) / pixels.length).toBeGreaterThan(230);
    await desktop.page.evaluate("document.documentElement.removeAttribute('data-theme')");
  });

  test('a long table is printed whole', async (context) => {
    context.skip(noPdfText !== null, noPdfText ?? undefined);
    const { url } = readRunFile(dataDir);
    await desktop.page.goto(`${url}/project/1/sql`);
    await desktop.page
      .locator('.cm-content')
      .fill("SELECT concat('row-', toString(number)) AS name FROM numbers(500) LIMIT 500");
    await desktop.page.getByRole('button', { name: /^Run/ }).click();
    await desktop.page.getByText('row-3', { exact: true }).waitFor();
    expect(await desktop.page.getByText('row-499', { exact: true }).count()).toBe(0);
    const file = join(dataDir, 'table.pdf');
    await desktop.app.evaluate(async ({ BrowserWindow }, to) => {
      const { writeFileSync } = process.getBuiltinModule('node:fs');
      const [window] = BrowserWindow.getAllWindows();
      writeFileSync(to, await window!.webContents.printToPDF({ preferCSSPageSize: true }));
    }, file);
    expect(execFileSync('pdftotext', [file, '-'], { encoding: 'utf8' })).toContain('row-499');
  });
});

test('a download asks for its place under its own name, and offers the folder afterwards', async () => {
  await desktop.app.evaluate(({ session }, folder) => {
    session.defaultSession.once('will-download', (_event, item) => {
      const { title, defaultPath, filters } = item.getSaveDialogOptions();
      (globalThis as { asked?: unknown }).asked = [title, defaultPath, filters![0]!.extensions];
      item.setSavePath(`${folder}/${item.getFilename()}`);
    });
  }, dataDir);
  await desktop.page.evaluate(`
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob(['event,count']));
    link.download = 'events.csv';
    link.click();
  `);
  await desktop.page.getByText('events.csv saved').waitFor();
  expect(readFileSync(join(dataDir, 'events.csv'), 'utf8')).toBe('event,count');
  expect(await desktop.app.evaluate(() => (globalThis as { asked?: unknown }).asked)).toEqual([
    'Save events.csv',
    expect.stringMatching(/events\.csv$/),
    ['csv'],
  ]);
});

describe('the Help menu, without a server', () => {
  test('Licenses lists DuckDB with its text', async () => {
    const page = await openBy('Licenses');
    const entry = page.locator('details', { hasText: '@duckdb/node-bindings' }).first();
    expect(await entry.locator('pre').textContent()).toContain('Permission is hereby granted');
    await closeDocument(page);
  });

  test('About has the versions, and leads to the release notes', async () => {
    const page = await openBy('About Burrow');
    const electron = await desktop.app.evaluate(() => process.versions['electron']);
    expect(await page.locator('dl').textContent()).toContain(electron);
    const opened = desktop.app.waitForEvent('window');
    // A click would wait for the navigation, which is refused.
    await page.getByText('Release notes').dispatchEvent('click');
    const notes = await opened;
    await notes.getByText('What a user of Burrow notices').waitFor();
    await closeDocument(notes);
    await closeDocument(page);
  });

  test('the pages of docs/ are there, and their links lead to each other', async () => {
    const page = await openBy('Burrow Help');
    await page.getByRole('link', { name: 'Options' }).first().click();
    await expect.poll(() => page.url()).toMatch(/help\.html#options$/);
    await closeDocument(page);
  });

  async function closeDocument(page: Page): Promise<void> {
    const window = await desktop.app.browserWindow(page);
    await window.evaluate((shown: Electron.BrowserWindow) => shown.close());
  }
});

test('the windows that were open when the app quit come back with their pages', async () => {
  await openDashboard();
  await clickMenu(desktop, 'New Window');
  await expect.poll(() => desktop.app.windows().length).toBe(2);
  const second = desktop.app.windows()[1]!;
  await second.waitForURL(/\/project\/1\/home$/);
  await second.goto(`${readRunFile(dataDir).url}/project/1/flags`);
  await desktop.quit();
  expect(existsSync(join(dataDir, 'desktop', 'shell.json'))).toBe(true);

  desktop = await openDesktop(dataDir);
  const paths = () =>
    desktop.app
      .windows()
      .map((page) => page.url().replace(/^http:\/\/[^/]+/, ''))
      .toSorted();
  await expect.poll(paths).toEqual([`/project/1/dashboards/${dashboardId}`, '/project/1/flags']);
});
