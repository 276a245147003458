import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../electron/port.ts';
import { electronSwitches, findElectron } from '../../scripts/electron-runtime.mjs';
import {
  answerDialogs,
  changeDashboard,
  dialogTexts,
  openDesktop,
  readRunFile,
  startScreen,
  whyNoDesktop,
  type Desktop,
} from '../support/desktop.ts';
import { inheritedEnvironment } from '../support/start-server.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const reason = whyNoDesktop();

let root: string;
let first: string;
let second: string;

beforeEach((context) => {
  context.skip(reason !== null, reason ?? undefined);
  root = realpathSync(mkdtempSync(join(tmpdir(), 'burrow-folders-')));
  [first, second] = [join(root, 'first'), join(root, 'second')];
  mkdirSync(first);
  mkdirSync(second);
});
afterEach(() => {
  if (reason === null) rmSync(root, { recursive: true, maxRetries: 5, retryDelay: 200 });
});

/** What the app keeps of folders, in its own configuration. */
const launchFile = () => join(root, 'config/burrow-desktop/launch.json');

function writeLaunchFile(state: object): void {
  mkdirSync(join(launchFile(), '..'), { recursive: true });
  writeFileSync(launchFile(), JSON.stringify(state));
}

function launchState(): { folder: string | null; recent: string[] } {
  return JSON.parse(readFileSync(launchFile(), 'utf8')) as { folder: string | null; recent: string[] };
}

/** Without a folder in the environment. */
const ENV = () => ({
  BURROW_DATA_DIR: '',
  XDG_CONFIG_HOME: join(root, 'config'),
  XDG_DATA_HOME: join(root, 'data'),
});

async function capture(page: Page, event: string): Promise<void> {
  await page.evaluate(async (name) => {
    const session = (await (await fetch('/api/burrow/session/')).json()) as Session;
    const body = JSON.stringify({ api_key: session.projects[0]!.api_token, event: name, distinct_id: 'ann' });
    await fetch('/capture/', { method: 'POST', body });
  }, event);
}

function listNames(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const listing = (await (await fetch('/api/projects/1/events/')).json()) as Listing;
    return listing.results.map(({ event }) => event);
  });
}

test('another folder is opened from the settings by a real restart of the app, and back: both keep their data', async (context) => {
  context.skip(process.platform !== 'linux', 'This finds the app by the process table of Linux.');
  writeLaunchFile({ folder: first, recent: [first, second, join(root, 'gone')] });
  const screen = await startScreen();
  const debugPort = await findFreePort(20_000 + Math.floor(Math.random() * 20_000));
  const args = [...electronSwitches(), '--disable-gpu', `--remote-debugging-port=${debugPort}`, PROJECT];
  const env = { ...inheritedEnvironment(), ...screen.env, ...ENV(), BURROW_PORT: '0' };
  // Not by Playwright, whose way to start Electron a restart cannot repeat.
  spawn(findElectron()!, args, { env, stdio: 'ignore' });
  onTestFinished(screen.stop);

  /** The window of the app that runs on the folder now. */
  async function pageOn(folder: string): Promise<Page> {
    await expect.poll(() => readRunFile(folder).url, { timeout: 30_000 }).toMatch(/^http/);
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${debugPort}`);
    const page = browser.contexts()[0]!.pages()[0]!;
    await page.waitForURL(new RegExp(`^${readRunFile(folder).url}/project/1/`));
    // Its address changes before it is signed in.
    const isSignedIn = () => page.evaluate(async () => (await fetch('/api/projects/1/')).ok);
    await expect.poll(isSignedIn).toBe(true);
    return page;
  }

  async function openRecent(page: Page, folder: string): Promise<void> {
    await page.goto(`${new URL(page.url()).origin}/project/1/settings/app`);
    await page.getByText('Missing').waitFor();
    await page.getByRole('button', { name: `Open ${folder}` }).click();
  }

  let page = await pageOn(first);
  await capture(page, 'in the first');
  await openRecent(page, second);
  page = await pageOn(second);
  expect(launchState()).toMatchObject({ folder: second, recent: [second, first, join(root, 'gone')] });
  await capture(page, 'in the second');
  expect(await listNames(page)).toEqual(['in the second']);
  await openRecent(page, first);
  page = await pageOn(first);
  expect(await listNames(page)).toEqual(['in the first']);

  // Of a server that the app has started the parent is the app.
  const { pid } = readRunFile(first);
  const app = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
  process.kill(app, 'SIGTERM');
  await expect.poll(() => isRunning(app), { timeout: 20_000 }).toBe(false);
});

describe('in one start', () => {
  let desktop: Desktop;
  afterEach(async () => {
    if (reason === null) await desktop.quit();
  });

  function chooseInDialogs(folder: string): Promise<void> {
    return desktop.app.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = (() =>
        Promise.resolve({ canceled: false, filePaths: [chosen] })) as typeof dialog.showOpenDialog;
      dialog.showSaveDialog = (() =>
        Promise.resolve({ canceled: false, filePath: chosen })) as typeof dialog.showSaveDialog;
    }, folder);
  }

  /** A second app would outlive the test. */
  function catchRelaunch(): Promise<void> {
    return desktop.app.evaluate(({ app }) => {
      app.relaunch = (options) => void process.stdout.write(`Starts again with ${options!.args!.at(-1)!}\n`);
    });
  }

  function clickFileItem(label: string): Promise<void> {
    return desktop.app.evaluate(({ Menu, BrowserWindow }, wanted) => {
      const file = Menu.getApplicationMenu()!.items.find((item) => item.label === '&File')!;
      const found = file.submenu!.items.find((item) => item.label === wanted)!;
      found.click(undefined, BrowserWindow.getAllWindows()[0]);
    }, label);
  }

  test('the argument --data-dir names the folder, before the environment, and is remembered', async () => {
    desktop = await openDesktop(first, { ...ENV(), BURROW_DATA_DIR: first }, [`--data-dir=${second}`]);
    await desktop.page.waitForURL(/\/connect$/);
    expect(readRunFile(second).url).toBe(new URL(desktop.page.url()).origin);
    expect(launchState()).toMatchObject({ folder: second, recent: [second] });
  });

  test('a folder that is missing is not created: an error page says so, and opens it once it is back', async () => {
    writeLaunchFile({ folder: first, recent: [first] });
    renameSync(first, join(root, 'elsewhere'));
    desktop = await openDesktop('', ENV());
    await desktop.page.getByText(`The data folder ${first} is missing.`).waitFor();
    await desktop.page.getByText('Nothing was created or deleted.').waitFor();
    renameSync(join(root, 'elsewhere'), first);
    await desktop.page.getByRole('link', { name: 'Retry' }).dispatchEvent('click');
    await desktop.page.waitForURL(/\/connect$/);
    expect(readRunFile(first).url).toBe(new URL(desktop.page.url()).origin);
  });

  test('a folder with other files is not filled with those of Burrow: a question offers a folder inside', async () => {
    writeFileSync(join(second, 'thesis.txt'), 'mine');
    desktop = await openDesktop(first, { ...ENV(), BURROW_DATA_DIR: first });
    await desktop.page.waitForURL(/\/connect$/);
    await chooseInDialogs(second);
    await answerDialogs(desktop, 'Cancel');
    await clickFileItem('&Open Data Folder…');
    await expect
      .poll(() => dialogTexts(desktop))
      .toEqual([expect.stringContaining('“second” is not a data folder of Burrow')]);
    expect(readRunFile(first).url).toBe(new URL(desktop.page.url()).origin);
    expect(readdirSync(second)).toEqual(['thesis.txt']);

    await catchRelaunch();
    await answerDialogs(desktop, 'Use a Folder Inside');
    await clickFileItem('&Open Data Folder…');
    const inside = join(second, 'Burrow');
    await expect.poll(() => desktop.output()).toContain(`Starts again with --data-dir=${inside}`);
    expect(launchState()).toMatchObject({ folder: inside, recent: [inside, first] });
    expect(readdirSync(second)).toEqual(['Burrow', 'thesis.txt']);
  });

  test('a new folder is created where the dialog says, and opened', async () => {
    desktop = await openDesktop(first, { ...ENV(), BURROW_DATA_DIR: first });
    await desktop.page.waitForURL(/\/connect$/);
    const created = join(root, 'shop', 'analytics');
    await chooseInDialogs(created);
    await catchRelaunch();
    await clickFileItem('New Data Fold&er…');
    await expect.poll(() => desktop.output()).toContain(`Starts again with --data-dir=${created}`);
    expect(existsSync(created)).toBe(true);
    expect(launchState().folder).toBe(created);
  });

  test('with unsaved changes another folder is opened only once they are settled', async () => {
    desktop = await openDesktop(first, { ...ENV(), BURROW_DATA_DIR: first });
    await desktop.page.waitForURL(/\/connect$/);
    await changeDashboard(desktop.page, readRunFile(first).url);
    await chooseInDialogs(second);
    await answerDialogs(desktop, 'Cancel');
    await clickFileItem('&Open Data Folder…');
    await expect.poll(() => dialogTexts(desktop)).toEqual([expect.stringContaining('Save your changes?')]);
    await desktop.page.getByRole('textbox', { name: 'Dashboard name' }).waitFor();
    expect(existsSync(launchFile())).toBe(false);

    // A later quit does not start the app again.
    await catchRelaunch();
    await answerDialogs(desktop, 'Discard');
    await desktop.quit();
    expect(desktop.output()).not.toContain('Starts again');
  });
});

interface Session {
  projects: { api_token: string }[];
}

interface Listing {
  results: { event: string }[];
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
