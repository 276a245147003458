import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { violationsOn } from '../support/violations.ts';

const reason = whyNoDesktop();

let dataDir: string;
let desktop: Desktop | null;

beforeEach((context) => {
  context.skip(reason !== null, reason ?? undefined);
  dataDir = mkdtempSync(join(tmpdir(), 'burrow-failures-'));
  desktop = null;
});
afterEach(async () => {
  if (reason !== null) return;
  await desktop?.quit();
  rmSync(dataDir, { recursive: true });
});

async function openFailing(env: Record<string, string> = {}, folder = dataDir): Promise<string> {
  desktop = await openDesktop(folder, env);
  await desktop.page.getByRole('heading', { name: 'Burrow cannot start' }).waitFor();
  return await desktop.page.innerText('main');
}

/** A click as the page takes it without being in front. */
const press = (name: string) => desktop!.page.getByRole('link', { name, exact: true }).dispatchEvent('click');

/** Chooses this file or folder in the next dialogs. */
function chooseFile(path: string): Promise<void> {
  return desktop!.app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = (() =>
      Promise.resolve({ canceled: false, filePaths: [chosen] })) as typeof dialog.showOpenDialog;
  }, path);
}

async function send(url: string, key: string, event: string): Promise<void> {
  const body = JSON.stringify({ api_key: key, event, distinct_id: 'ann' });
  expect((await fetch(`${url}/capture/`, { method: 'POST', body })).status).toBe(200);
}

function listNames(): Promise<string[]> {
  return desktop!.page.evaluate(async () => {
    const listing = (await (await fetch('/api/projects/1/events/')).json()) as Listing;
    return listing.results.map(({ event }) => event);
  });
}

describe('a start that fails', () => {
  test('for a port that another program has says which, and a click starts on another port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    onTestFinished(() => void other.close());
    writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ port }));
    const text = await openFailing({ BURROW_PORT: '' });
    expect(text).toMatch(
      new RegExp(`Port ${port} of 127.0.0.1 is in use by .+ \\(process ${process.pid}\\)`),
    );
    await press('Use another port');
    await desktop!.page.waitForURL(/\/project\/1\/connect$/);
    const { url } = readRunFile(dataDir);
    expect(new URL(url).port).not.toBe(String(port));
    expect(new URL(desktop!.page.url()).origin).toBe(url);
    // This time only.
    expect(JSON.parse(readFileSync(join(dataDir, 'settings.json'), 'utf8'))).toEqual({ port });
  });

  test('for a folder that another Burrow holds can attach to it: its events are seen, and closing the window asks nothing and leaves it running', async () => {
    const holder = await startServer({ dataDir });
    onTestFinished(() => void holder.stop());
    const text = await openFailing();
    expect(text).toContain(String(holder.pid));
    await answerDialogs(desktop!, 'Cancel');
    await press('Attach');
    const { page } = desktop!;
    await page.waitForURL(`${holder.url}/project/1/connect`);
    await page.getByText('This window is attached to another Burrow').waitFor();
    await page.goto(`${holder.url}/project/1/live`);
    await page.mouse.move(1, 1);
    await send(holder.url, holder.projectApiKey, 'seen while attached');
    await page.getByText('seen while attached').first().waitFor();
    const title = () =>
      desktop!.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getTitle());
    await expect.poll(title).toMatch(/\(attached\)$/);
    expect(await dialogTexts(desktop!)).toEqual([]);
    const shell = desktop!.app.process();
    await desktop!.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
    await expect.poll(() => shell.exitCode).toBe(0);
    expect((await fetch(`${holder.url}/_readiness`)).status).toBe(200);
    await holder.stop();
  });

  test('an attached window says when that server has ended, and opens the folder itself by a click', async () => {
    const holder = await startServer({ dataDir });
    await openFailing();
    await press('Attach');
    await desktop!.page.waitForURL(`${holder.url}/project/1/connect`);
    await holder.stop();
    const { page } = desktop!;
    await page.getByText('The server that this app was attached to has ended.').waitFor();
    await press('Retry');
    await page.waitForURL(/\/project\/1\/connect$/);
    expect(readRunFile(dataDir).pid).not.toBe(holder.pid);
  });

  test('for a damaged database restores a backup by clicks alone, and keeps the damaged file', async () => {
    const server = await startServer({ dataDir });
    await send(server.url, server.projectApiKey, 'before the backup');
    const headers = { Authorization: `Bearer ${server.personalApiKey}` };
    const made = await fetch(`${server.url}/api/burrow/backup/`, { method: 'POST', headers });
    const { name } = (await made.json()) as { name: string };
    await server.stop();
    writeFileSync(join(dataDir, 'burrow.duckdb'), 'not a database'.repeat(2_000));

    const text = await openFailing();
    expect(text).toContain(`The newest one is ${name}.`);
    const damaged = join(dataDir, 'not-a-backup.duckdb');
    writeFileSync(damaged, 'nothing');
    await answerDialogs(desktop!, 'Restore');
    await chooseFile(damaged);
    await press('Choose backup');
    await desktop!.page.getByText(/is not a Burrow database/).waitFor();

    await chooseFile(join(dataDir, 'backups', name));
    await press('Choose backup');
    await desktop!.page.waitForURL(/\/project\/1\/home$/);
    expect(await listNames()).toEqual(['before the backup']);
    expect(readdirSync(dataDir).join()).toMatch(/burrow\.duckdb\.before-restore-\d/);
  });

  test('for a folder that cannot be written says so', async (context) => {
    // No user, not even root, can create a folder there.
    context.skip(process.platform !== 'linux', 'This needs the file system of Linux.');
    const text = await openFailing({}, '/sys/burrow');
    expect(text).toContain('/sys/burrow');
    expect(text).toContain('After you have made the folder writable for your user.');
  });

  test('keeps a page with unsaved changes, says why on it, and another window starts the server again', async () => {
    desktop = await openDesktop(dataDir);
    const { page } = desktop;
    await page.waitForURL(/\/connect$/);
    await changeDashboard(page, readRunFile(dataDir).url);
    const settings = join(dataDir, 'settings.json');
    writeFileSync(settings, '{"colour": "red"}');
    const opened = desktop.app.waitForEvent('window');
    process.kill(readRunFile(dataDir).pid, 'SIGKILL');
    const other = await opened;
    await other.getByText('settings.json has the unknown option colour.').first().waitFor();
    await page.getByText('The Burrow server cannot start').waitFor();
    const edit = page.getByRole('textbox', { name: 'Dashboard name' });
    expect(await edit.inputValue()).toBe('Weekly, renamed');

    rmSync(settings);
    await other.getByRole('link', { name: 'Retry' }).dispatchEvent('click');
    await other.waitForURL(/\/project\/1\//);
    await page.getByText('The Burrow server cannot start').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await edit.waitFor({ state: 'detached' });
    await other.goto(page.url());
    await other.getByText('Weekly, renamed').first().waitFor();
  });

  test('for an address of the settings that this machine does not have starts with the defaults by a click, and keeps the file', async () => {
    writeFileSync(join(dataDir, 'settings.json'), '{"host": "192.0.2.1"}');
    const text = await openFailing();
    expect(text).toContain('This machine does not have the address 192.0.2.1.');
    await press('Use defaults');
    await desktop!.page.waitForURL(/\/project\/1\/connect$/);
    expect(new URL(readRunFile(dataDir).url).hostname).toBe('127.0.0.1');
    expect(readFileSync(join(dataDir, 'settings.json.old'), 'utf8')).toBe('{"host": "192.0.2.1"}');
  });

  test('diagnostics are copied from the error page', async () => {
    writeFileSync(join(dataDir, 'settings.json'), '{"colour": "red"}');
    const text = await openFailing();
    expect(text).toContain('settings.json has the unknown option colour.');
    expect(await violationsOn(desktop!.page)).toEqual([]);
    await press('Copy diagnostics');
    const copied = () => desktop!.app.evaluate(({ clipboard }) => clipboard.readText());
    await expect.poll(copied).toContain('settings.json has the unknown option colour.');
  });
});

interface Listing {
  results: { event: string }[];
}
