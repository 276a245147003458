import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  answerDialogs,
  changeDashboard,
  clickMenu,
  dialogTexts,
  openDesktop,
  readRunFile,
  whyNoDesktop,
  type Desktop,
} from '../support/desktop.ts';
import { startTrayHost, whyNoTray, type TrayHost } from '../support/tray-host.ts';

const reason = whyNoDesktop() ?? whyNoTray();
const KEEP: unknown = expect.stringMatching(/^Keep collecting in the background\?/);
const UNSAVED: unknown = expect.stringMatching(/^Save your changes\?/);

let dataDir: string;
let configDir: string;
let host: TrayHost;
let desktop: Desktop;

beforeEach((context) => {
  context.skip(reason !== null, reason ?? undefined);
  dataDir = mkdtempSync(join(tmpdir(), 'burrow-background-'));
  configDir = mkdtempSync(join(tmpdir(), 'burrow-config-'));
});
afterEach(async () => {
  if (reason !== null) return;
  await desktop.quit();
  host.stop();
  rmSync(dataDir, { recursive: true });
  rmSync(configDir, { recursive: true });
});

async function open(): Promise<void> {
  desktop = await openDesktop(dataDir, { ...host.env, XDG_CONFIG_HOME: configDir });
  await desktop.page.waitForURL(/\/project\/\d+\/connect$/);
}

function closeWindow(): Promise<void> {
  return desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
}

function windowCount(): Promise<number> {
  return desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
}

async function projectKey(): Promise<string> {
  return await desktop.page.evaluate(async () => {
    const session = (await (await fetch('/api/burrow/session/')).json()) as {
      projects: { api_token: string }[];
    };
    return session.projects[0]!.api_token;
  });
}

async function capture(event: string, key: string): Promise<number> {
  const body = JSON.stringify({ api_key: key, event, distinct_id: 'ann' });
  return (await fetch(`${readRunFile(dataDir).url}/capture/`, { method: 'POST', body })).status;
}

/** How far a color is from gray; NaN, which no comparison fits, where nothing can be seen. */
function spread(color: readonly number[] | null): number {
  return color === null ? Number.NaN : Math.max(...color) - Math.min(...color);
}

const labels = async () => (await host.menu()).map(({ label }) => label);
const itemOf = async (label: string) => (await host.menu()).find((item) => item.label === label);

describe('the tray', () => {
  beforeEach(async () => {
    host = await startTrayHost();
    await open();
    await expect.poll(() => host.iconCount()).toBe(1);
    await expect.poll(async () => (await labels())[0]).toMatch(/^Collecting, \d+ events?\/min$/);
  });

  test('says how many events arrive, and offers what users need without a window', async () => {
    await capture('seen', await projectKey());
    await expect.poll(async () => (await labels())[0], { timeout: 15_000 }).toBe('Collecting, 1 event/min');
    expect((await labels()).slice(1)).toEqual([
      'Open Burrow',
      'Live Events',
      'Pause Capture',
      'Copy Server Address',
      'Copy Project API Key',
      'Keep Collecting in the Background',
      'Start at Login',
      'Quit Burrow',
    ]);
  });

  test('has an icon that can be seen, amber while events are stored', async () => {
    await expect.poll(async () => spread((await host.icon()).color)).toBeGreaterThan(100);
    expect((await host.icon()).width).toBe(32);
  });

  test('pauses and resumes capture: events meanwhile are answered and not stored', async () => {
    const key = await projectKey();
    await host.click('Until You Resume It');
    await expect.poll(async () => (await labels())[0]).toBe('Capture is paused');
    // Gray instead of amber.
    await expect.poll(async () => spread((await host.icon()).color)).toBeLessThan(40);
    expect(await capture('meanwhile', key)).toBe(200);
    await desktop.page.getByText('Events are answered as accepted and not stored').waitFor();
    await host.click('Resume Capture');
    await expect.poll(async () => (await labels())[0]).toMatch(/^Collecting/);
    await capture('after', key);
    const stored = await desktop.page.evaluate(async () => {
      const answer = await fetch('/api/projects/1/events/');
      return ((await answer.json()) as { results: { event: string }[] }).results.map(({ event }) => event);
    });
    expect(stored).toEqual(['after']);
  });

  test('copies the address and the key', async () => {
    const key = await projectKey();
    const copied = () => desktop.app.evaluate(({ clipboard }) => clipboard.readText());
    await host.click('Copy Server Address');
    await expect.poll(copied).toBe(readRunFile(dataDir).url);
    await host.click('Copy Project API Key');
    await expect.poll(copied).toBe(key);
  });

  test('the last window asks once whether to keep collecting, and the tray opens it again', async () => {
    const key = await projectKey();
    await answerDialogs(desktop, 'Cancel');
    await closeWindow();
    await expect.poll(() => dialogTexts(desktop)).toEqual([KEEP]);
    expect(await windowCount()).toBe(1);

    await answerDialogs(desktop, 'Keep Collecting');
    await closeWindow();
    await expect.poll(windowCount).toBe(0);
    expect(await capture('in the background', key)).toBe(200);
    expect((await itemOf('Keep Collecting in the Background'))?.checked).toBe(true);

    const opened = desktop.app.waitForEvent('window');
    await host.click('Live Events');
    const window = await opened;
    await window.waitForURL(/\/project\/1\/live$/);
    await closeWindow();
    await expect.poll(windowCount).toBe(0);
    expect(await dialogTexts(desktop)).toHaveLength(2);
  });

  test('unsaved changes are settled before that question', async () => {
    await changeDashboard(desktop.page, readRunFile(dataDir).url);
    await answerDialogs(desktop, 'Cancel');
    await closeWindow();
    await expect.poll(() => dialogTexts(desktop)).toEqual([UNSAVED]);
    expect(await windowCount()).toBe(1);

    await answerDialogs(desktop, 'Discard', 'Keep Collecting');
    await closeWindow();
    await expect.poll(windowCount).toBe(0);
    expect(await dialogTexts(desktop)).toEqual([UNSAVED, UNSAVED, KEEP]);
  });

  test('Quit of the tray ends the app and its server in good order', async () => {
    const { pid } = readRunFile(dataDir);
    const shell = desktop.app.process();
    await host.click('Quit Burrow');
    await expect.poll(() => shell.exitCode).toBe(0);
    expect(existsSync(join(dataDir, 'burrow.json'))).toBe(false);
    // The system removes an ended process from its list a moment later.
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  });

  test('an entry of the session starts the app at login, hidden, until it is switched off', async () => {
    const file = join(configDir, 'autostart', 'burrow.desktop');
    await host.click('Start at Login');
    await expect.poll(() => existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8')).toMatch(/^Exec=.*"--hidden"$/m);
    await expect.poll(async () => (await itemOf('Start at Login'))?.checked, { timeout: 15_000 }).toBe(true);
    await host.click('Start at Login');
    await expect.poll(() => existsSync(file)).toBe(false);
  });
});

describe('on a desktop without a tray', () => {
  test('the app keeps collecting when that was chosen, and a notification says how to get back', async () => {
    host = await startTrayHost({ isWithoutTray: true });
    await open();
    await answerDialogs(desktop, 'Keep Collecting');
    await closeWindow();
    await expect.poll(windowCount).toBe(0);
    await expect
      .poll(() => host.notifications())
      .toEqual([expect.stringMatching(/^Burrow keeps collecting: .*Start Burrow again/)]);
    const opened = desktop.app.waitForEvent('window');
    expect((await desktop.startAgain()).code).toBe(0);
    await (await opened).waitForURL(/\/project\/\d+\/connect$/);
  });

  test('closing the last window quits when that was chosen', async () => {
    host = await startTrayHost({ isWithoutTray: true });
    await open();
    const shell = desktop.app.process();
    await answerDialogs(desktop, 'Quit');
    await closeWindow().catch(() => {});
    await expect.poll(() => shell.exitCode).toBe(0);
    expect(existsSync(join(dataDir, 'burrow.json'))).toBe(false);
  });
});

describe('the menus of a window', () => {
  /** The item at these labels of the application menu. */
  beforeEach(async () => {
    host = await startTrayHost();
    await open();
  });

  test('Back and Forward walk the pages of the window', async () => {
    const { page } = desktop;
    await desktop.app.evaluate(({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows()[0]!;
      BrowserWindow.getFocusedWindow = () => window;
    });
    await page.getByRole('link', { name: 'Live' }).first().click();
    await page.waitForURL(/\/live$/);
    await clickMenu(desktop, 'History', 'Back');
    await page.waitForURL(/\/connect$/);
    await clickMenu(desktop, 'History', 'Forward');
    await expect.poll(() => page.url()).toMatch(/\/live$/);
  });

  test('capture is paused there too', async () => {
    await expect
      .poll(() => clickMenu(desktop, 'File', 'Pause Capture', 'Until You Resume It').then(() => 'clicked'))
      .toBe('clicked');
    await desktop.page.getByText('Capture is paused').first().waitFor();
  });

  test('diagnostics are copied, with the last warnings of the log and without a key', async () => {
    const key = await projectKey();
    await clickMenu(desktop, 'File', 'Pause Capture', 'Until You Resume It');
    await desktop.page.getByText('Capture is paused').first().waitFor();
    await clickMenu(desktop, 'Help', 'Copy Diagnostics');
    const copied = () => desktop.app.evaluate(({ clipboard }) => clipboard.readText());
    await expect.poll(copied).toContain('Burrow 0.1.0, Electron ');
    const text = await copied();
    expect(text).toContain(`Server: running on ${readRunFile(dataDir).url}`);
    expect(text).toContain(`Data folder: ${dataDir}`);
    expect(text).toMatch(/^ {2}burrow\.duckdb: [\d.]+ MB$/m);
    expect(text).toMatch(/Capture is paused\. Events are answered/);
    expect(text).not.toContain(key);
  });

  test('a right click in a field offers to cut, copy and paste, and on a link to copy it', async () => {
    const { page } = desktop;
    await desktop.app.evaluate(({ Menu }) => {
      const shown = ((globalThis as { menus?: string[][] }).menus = [] as string[][]);
      const build = Menu.buildFromTemplate.bind(Menu);
      Menu.buildFromTemplate = (template) => {
        const menu = build(template);
        menu.popup = () => void shown.push(menu.items.map(({ label, role }) => label || String(role)));
        return menu;
      };
    });
    const menus = () => desktop.app.evaluate(() => (globalThis as { menus?: string[][] }).menus!);
    await page.getByRole('link', { name: 'Live' }).first().click({ button: 'right' });
    await expect.poll(menus).toEqual([['Open Link in New Window', 'Copy Link', 'Inspect Element']]);
    await page.goto(`${readRunFile(dataDir).url}/project/1/insights`);
    await page
      .getByRole('searchbox')
      .or(page.getByPlaceholder(/search/i))
      .first()
      .click({ button: 'right' });
    await expect
      .poll(async () => (await menus()).at(-1))
      .toEqual(expect.arrayContaining(['Cut', 'Copy', 'Paste']));
  });
});
