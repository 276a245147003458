import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  answerDialogs,
  changeDashboard,
  dialogTexts,
  openDesktop,
  readRunFile,
  whyNoDesktop,
  type Desktop,
} from '../support/desktop.ts';
import { startServer } from '../support/start-server.ts';

const reason = whyNoDesktop();
/** Pings are a second apart; after 20 unanswered ones the server is killed, and its successor needs a moment. */
const RESTART_LIMIT_MS = 60_000;

describe('windows of the desktop app', () => {
  let dataDir: string;
  let desktop: Desktop;
  let page: Page;
  let url: string;

  beforeEach(async (context) => {
    context.skip(reason !== null, reason ?? undefined);
    dataDir = mkdtempSync(join(tmpdir(), 'burrow-windows-'));
    desktop = await openDesktop(dataDir);
    ({ page } = desktop);
    await page.waitForURL(/\/project\/\d+\/connect$/);
    ({ url } = readRunFile(dataDir));
  });
  afterEach(async () => {
    if (reason !== null) return;
    await answerDialogs(desktop, 'Discard').catch(() => {});
    await desktop.quit();
    rmSync(dataDir, { recursive: true });
  });

  async function storedName(id: number): Promise<string> {
    return await page.evaluate(
      async (dashboard) =>
        ((await (await fetch(`/api/projects/1/dashboards/${dashboard}/`)).json()) as { name: string }).name,
      id,
    );
  }

  function quitAsTheMenuDoes(): Promise<void> {
    return desktop.app.evaluate(({ app }) => app.quit());
  }

  async function canCapture(): Promise<boolean> {
    const answer = await fetch(`${url}/_readiness`).catch(() => null);
    return answer?.status === 200;
  }

  test('quitting with unsaved changes can be canceled: the window and the server continue', async () => {
    await answerDialogs(desktop, 'Cancel');
    await changeDashboard(page, url);
    await quitAsTheMenuDoes();
    await expect.poll(() => dialogTexts(desktop)).toEqual([expect.stringContaining('has unsaved changes')]);
    expect(await canCapture()).toBe(true);
    await page.getByRole('textbox', { name: 'Dashboard name' }).waitFor();
    await page.getByRole('link', { name: 'Live' }).first().waitFor();
  });

  test('a change that the page has not reported yet when the app quits opens the same dialog', async () => {
    await changeDashboard(page, url);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await answerDialogs(desktop, 'Cancel');
    await page.getByRole('textbox', { name: 'Dashboard name' }).waitFor();
    // The app quits while the page is still busy with the change, so that its report comes later.
    await desktop.app.evaluate(({ app }) => void setTimeout(() => app.quit(), 200));
    await page.evaluate(`(() => {
      const field = document.querySelector('input[aria-label="Dashboard name"]');
      field.value = 'Weekly, typed at the last moment';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      const end = Date.now() + 600;
      while (Date.now() < end);
    })()`);
    await expect.poll(() => dialogTexts(desktop)).toEqual([expect.stringContaining('has unsaved changes')]);
    expect(await canCapture()).toBe(true);
  });

  test('quitting saves unsaved changes on demand, then ends', async () => {
    const id = await changeDashboard(page, url);
    await answerDialogs(desktop, 'Save');
    expect(await desktop.quit()).toEqual({ code: 0, signal: null });
    desktop = await openDesktop(dataDir);
    ({ page } = desktop);
    await page.waitForURL(/\/project\/1\//);
    // The page comes back, and is signed in a moment later.
    await expect.poll(() => storedName(id)).toBe('Weekly, renamed');
  });

  test('closing a window asks too, and discards only on request', async () => {
    const id = await changeDashboard(page, url);
    const opened = desktop.app.waitForEvent('window');
    await page.evaluate(`open('/project/1/live') === null`);
    const other = await opened;
    await other.waitForURL(/\/live$/);
    const close = () =>
      desktop.app.evaluate(({ BrowserWindow }) => {
        BrowserWindow.getAllWindows()
          .find(({ webContents }) => webContents.getURL().includes('/dashboards/'))!
          .close();
      });
    await answerDialogs(desktop, 'Cancel');
    await close();
    await expect.poll(async () => (await dialogTexts(desktop)).length).toBe(1);
    expect(desktop.app.windows()).toHaveLength(2);
    await answerDialogs(desktop, 'Discard');
    await close();
    await expect.poll(() => desktop.app.windows().length).toBe(1);
    page = other;
    expect(await storedName(id)).toBe('Weekly');
  });

  test('an unresponsive server is reported within seconds and restarted, and unsaved changes are kept', async () => {
    const id = await changeDashboard(page, url);
    const { pid } = readRunFile(dataDir);
    process.kill(pid, 'SIGSTOP');
    await page.getByText('The Burrow server is not responding').waitFor();
    await expect.poll(() => readRunFile(dataDir).pid, { timeout: RESTART_LIMIT_MS }).not.toBe(pid);
    await page.getByText('The Burrow server was restarted').waitFor();
    const name = page.getByRole('textbox', { name: 'Dashboard name' });
    expect(await name.inputValue()).toBe('Weekly, renamed');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => storedName(id)).toBe('Weekly, renamed');
  });

  test('TV mode fills the screen', async () => {
    await page.evaluate('document.documentElement.requestFullscreen()');
    const isFullScreen = () =>
      desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isFullScreen());
    await expect.poll(isFullScreen).toBe(true);
    await page.evaluate('document.exitFullscreen()');
    await expect.poll(isFullScreen).toBe(false);
  });

  test('a signal ends the app with unsaved changes too, with a clean shutdown', async () => {
    await changeDashboard(page, url);
    const { pid } = readRunFile(dataDir);
    const shell = desktop.app.process();
    shell.kill('SIGTERM');
    await expect.poll(() => existsSync(join(dataDir, 'burrow.json'))).toBe(false);
    await expect.poll(() => shell.exitCode).toBe(0);
    // The system takes a moment to note that a process has ended.
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('while the server cannot start, the app can quit: by its button, its menu and a signal', async (context) => {
  context.skip(reason !== null, reason ?? undefined);
  const dataDir = mkdtempSync(join(tmpdir(), 'burrow-damaged-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  writeFileSync(join(dataDir, 'burrow.duckdb'), 'not a database'.repeat(2_000));
  const ways: ((desktop: Desktop) => unknown)[] = [
    (desktop) => desktop.page.getByRole('link', { name: 'Quit' }).dispatchEvent('click'),
    (desktop) => desktop.app.evaluate(({ app }) => app.quit()).catch(() => {}),
    (desktop) => desktop.app.process().kill('SIGTERM'),
  ];
  for (const quit of ways) {
    const desktop = await openDesktop(dataDir);
    const shell = desktop.app.process();
    onTestFinished(() => void shell.kill('SIGKILL'));
    await desktop.page.getByRole('heading', { name: 'Burrow cannot start' }).waitFor();
    quit(desktop);
    await expect.poll(() => shell.exitCode).toBe(0);
  }
});

test('a window shows the steps of a slow start, and the console once it is over', async (context) => {
  context.skip(reason !== null, reason ?? undefined);
  context.skip(process.platform !== 'linux', 'The process of the server is found in /proc.');
  const dataDir = mkdtempSync(join(tmpdir(), 'burrow-slow-start-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const server = await startServer({ dataDir });
  const filler = 'x'.repeat(2_000);
  for (let request = 0; request < 12; request += 1) {
    const batch = Array.from({ length: 8_000 }, (_, index) => ({
      event: 'written to the log',
      distinct_id: `u${index}`,
      properties: { filler: `${filler}${request}${index}` },
    }));
    const body = JSON.stringify({ api_key: server.projectApiKey, batch });
    expect((await fetch(`${server.url}/batch/`, { method: 'POST', body })).status).toBe(200);
  }
  await server.kill();
  // However fast this machine is, the server takes longer than a window waits for.
  const [desktop, pid] = await Promise.all([openDesktop(dataDir), stopStartingServer(dataDir)]);
  const shown: string[] = [];
  desktop.page.on('framenavigated', (frame) => shown.push(decodeURIComponent(frame.url())));
  await desktop.page.getByText('Starting the server…').waitFor();
  process.kill(pid, 'SIGCONT');
  await desktop.page.waitForURL(/\/project\/1\//);
  await desktop.quit();
  expect(shown.filter((address) => /Replaying \d+ MB of the write-ahead log…/.test(address))).not.toEqual([]);
});

/** Stops the process of an app's server as soon as it is there, and returns its ID. */
async function stopStartingServer(dataDir: string): Promise<number> {
  for (;;) {
    const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isServerOf(name, dataDir));
    if (pid !== undefined) {
      process.kill(Number(pid), 'SIGSTOP');
      return Number(pid);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function isServerOf(pid: string, dataDir: string): boolean {
  try {
    const [command, environment] = ['cmdline', 'environ'].map((name) =>
      readFileSync(`/proc/${pid}/${name}`, 'utf8'),
    );
    return command!.includes('node.mojom.NodeService') && environment!.includes(dataDir);
  } catch {
    // It has ended, or is another user's.
    return false;
  }
}
