import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { channels } from '../../electron/channels.ts';
import { openDesktop, readRunFile, whyNoDesktop, type Desktop } from '../support/desktop.ts';
import { startServer } from '../support/start-server.ts';

const reason = whyNoDesktop();

describe('the desktop app', () => {
  let dataDir: string;
  let desktop: Desktop;
  let url: string;
  let token: string;

  beforeAll(async () => {
    if (reason !== null) return;
    dataDir = mkdtempSync(join(tmpdir(), 'burrow-desktop-'));
    desktop = await openDesktop(dataDir);
    await desktop.page.waitForURL(/\/project\/\d+\/connect$/);
    ({ url } = readRunFile(dataDir));
    token = await desktop.page.evaluate(async () => {
      const session = (await (await fetch('/api/burrow/session/')).json()) as Session;
      return session.projects[0]!.api_token;
    });
  });
  afterAll(async () => {
    await desktop?.quit();
    if (dataDir) rmSync(dataDir, { recursive: true });
  });
  beforeEach((context) => context.skip(reason !== null, reason ?? undefined));

  function capture(event: string): Promise<Response> {
    const body = JSON.stringify({ api_key: token, event, distinct_id: 'ann', properties: { plan: 'free' } });
    return fetch(`${url}/capture/`, { method: 'POST', body });
  }

  /** What an expression comes to in the console's page. */
  function inPage(expression: string): Promise<unknown> {
    return desktop.page.evaluate(expression);
  }

  test(
    'opens the console signed in, on Connect, with the snippet for this server',
    { tags: ['journey'] },
    async () => {
      expect(token).toMatch(/^phc_/);
      expect(new URL(desktop.page.url()).origin).toBe(new URL(url).origin);
      await desktop.page.getByText(token).first().waitFor();
    },
  );

  test('its pages have no Node.js, only the channels of the table', async () => {
    expect(await inPage('[typeof require, typeof process]')).toEqual(['undefined', 'undefined']);
    expect(await inPage('Object.keys(burrow)')).toEqual([...Object.keys(channels), 'listen']);
    const preferences = await desktop.app.evaluate(({ BrowserWindow }) =>
      // Not in Electron's types.
      (
        BrowserWindow.getAllWindows()[0]!.webContents as unknown as WebPreferencesOwner
      ).getLastWebPreferences(),
    );
    expect(preferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false });
  });

  test('an event that an app sends appears on Live', { tags: ['journey'] }, async () => {
    expect((await capture('signed up')).status).toBe(200);
    await openLive();
    await desktop.page.getByText('signed up').first().waitFor();
    await capture('upgraded');
    await desktop.page.getByText('upgraded').first().waitFor();
  });

  test('the window frame follows the theme chosen in the console', async () => {
    await desktop.page.getByRole('button', { name: /^Theme/ }).click();
    await desktop.page.getByRole('menuitemradio', { name: 'Dark' }).click();
    const themeSource = () => desktop.app.evaluate(({ nativeTheme }) => nativeTheme.themeSource);
    await expect.poll(themeSource).toBe('dark');
  });

  test('no page navigates out of the console, and no window opens elsewhere', async () => {
    const before = desktop.page.url();
    await inPage(`location.href = 'http://example.test/elsewhere'`);
    await inPage(`open('http://example.test/window') === null`);
    await expect.poll(() => desktop.output()).toContain('Refused to open http://example.test/window');
    expect(desktop.output()).toContain('Refused to open http://example.test/elsewhere');
    expect(desktop.page.url()).toBe(before);
    expect(desktop.app.windows()).toHaveLength(1);
  });

  test('a link of the console to a new window opens one, signed in', async () => {
    const opened = desktop.app.waitForEvent('window');
    await inPage(`open('/project/1/connect') === null`);
    const window = await opened;
    await window.waitForURL(/\/project\/1\/connect$/);
    await window.getByText(token).first().waitFor();
    expect(desktop.app.windows()).toHaveLength(2);
    await window.close();
  });

  test('pages may copy, and have no other permission', async () => {
    const outcome = `.then(() => 'granted', () => 'denied')`;
    // Only a window that has the focus may write, and nothing gives it one on a screen without a window manager.
    await desktop.page.bringToFront();
    await expect.poll(() => inPage(`navigator.clipboard.writeText('phc_copied')${outcome}`)).toBe('granted');
    expect(await inPage(`navigator.clipboard.readText()${outcome}`)).toBe('denied');
    expect(await inPage('Notification.requestPermission()')).toBe('denied');
  });

  test('a second start on the same folder prints a message and ends', async () => {
    const second = await desktop.startAgain();
    expect(second.code).toBe(0);
    expect(second.output).toContain('Burrow is already running');
    expect(desktop.app.windows()).toHaveLength(1);
  });

  test('a killed server is restarted on the same port, with all acknowledged data, signed in', async () => {
    const { pid } = readRunFile(dataDir);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => readRunFile(dataDir).pid).not.toBe(pid);
    expect(readRunFile(dataDir).url).toBe(url);
    await expect.poll(listNames).toEqual(['upgraded', 'signed up']);
    await capture('came back');
    await openLive();
    await desktop.page.getByText('came back').first().waitFor();
  });

  test('a backup is restored from the window, which is signed in afterwards at the same page', async () => {
    const { page } = desktop;
    const { pid } = readRunFile(dataDir);
    const before = await listNames();
    await page.goto(`${url}/project/1/settings/storage`);
    await page.getByRole('button', { name: 'Create backup' }).click();
    await page.getByText(/created and verified: /).waitFor();
    await capture('after the backup');
    expect(await listNames()).toContain('after the backup');
    await page.getByRole('button', { name: /^Restore burrow-/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).press('Enter');
    await page.getByText(/^Restored \d+ events? from /).waitFor();
    expect(page.url()).toMatch(/\/settings\/storage$/);
    expect(await listNames()).toEqual(before);
    expect(readRunFile(dataDir)).toMatchObject({ pid, url });
  });

  test('a window opens at its last position', async () => {
    const place = { x: 120, y: 80, width: 1000, height: 700 };
    await desktop.app.evaluate(({ BrowserWindow }, bounds) => {
      BrowserWindow.getAllWindows()[0]!.setBounds(bounds);
    }, place);
    await desktop.quit();
    desktop = await openDesktop(dataDir);
    const bounds = await desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]!.getNormalBounds(),
    );
    expect(bounds).toEqual(place);
  });

  test(
    'quitting drains the server: it ends by itself and leaves no run file',
    { tags: ['journey'] },
    async () => {
      await expect.poll(() => existsSync(join(dataDir, 'burrow.json'))).toBe(true);
      const { pid } = readRunFile(dataDir);
      expect(await desktop.quit()).toEqual({ code: 0, signal: null });
      await expect.poll(() => isRunning(pid)).toBe(false);
      expect(existsSync(join(dataDir, 'burrow.json'))).toBe(false);
    },
  );

  test('on a folder in use by another Burrow it shows its process id, and opens once that one has ended', async () => {
    const holder = await startServer({ dataDir });
    desktop = await openDesktop(dataDir);
    try {
      await desktop.page.getByRole('heading', { name: 'Burrow cannot start' }).waitFor();
      const text = await desktop.page.innerText('main');
      expect(text).toContain(dataDir);
      expect(text).toContain(String(holder.pid));
    } finally {
      await holder.stop();
    }
    await desktop.page.getByRole('link', { name: 'Retry' }).dispatchEvent('click');
    await desktop.page.waitForURL(/\/project\/1\/settings\/storage$/);
  });

  /** Rows wait while a mouse is over them, and on a virtual screen it is. */
  async function openLive(): Promise<void> {
    await desktop.page.goto(`${url}/project/1/live`);
    await desktop.page.mouse.move(1, 1);
  }

  function listNames(): Promise<string[]> {
    return desktop.page.evaluate(async () => {
      const listing = (await (await fetch('/api/projects/1/events/')).json()) as Listing;
      return listing.results.map(({ event }) => event);
    });
  }
});

interface Session {
  projects: { api_token: string }[];
}

interface Listing {
  results: { event: string }[];
}

interface WebPreferencesOwner {
  getLastWebPreferences(): object;
}

/** Also true of a process that has ended until the system has taken note of it. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
