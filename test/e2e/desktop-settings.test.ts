import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  answerDialogs,
  changeDashboard,
  dialogTexts,
  openDesktop,
  readRunFile,
  whyNoDesktop,
  type Desktop,
} from '../support/desktop.ts';
import { violationsOn } from '../support/violations.ts';
import { findFreePort } from '../../electron/port.ts';

const reason = whyNoDesktop();

let dataDir: string;
let configDir: string;
let desktop: Desktop;

beforeEach((context) => {
  context.skip(reason !== null, reason ?? undefined);
  dataDir = mkdtempSync(join(tmpdir(), 'burrow-settings-'));
  configDir = mkdtempSync(join(tmpdir(), 'burrow-config-'));
});
afterEach(async () => {
  if (reason !== null) return;
  await desktop.quit();
  rmSync(dataDir, { recursive: true });
  rmSync(configDir, { recursive: true });
});

const freePort = (): Promise<number> => findFreePort(20_000 + Math.floor(Math.random() * 20_000));

/** Opens the app on a port of its settings file. */
async function open(settings: object, env: Record<string, string> = {}): Promise<void> {
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify(settings));
  desktop = await openDesktop(dataDir, { BURROW_PORT: '', XDG_CONFIG_HOME: configDir, ...env });
  await desktop.page.waitForURL(/\/project\/\d+\/(connect|home|settings\/app)$/);
}

function stored(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(dataDir, name), 'utf8')) as Record<string, unknown>;
}

async function openSettings(): Promise<void> {
  // As its key does.
  await desktop.app.evaluate(({ Menu }) => {
    const file = Menu.getApplicationMenu()!.items.find(({ label }) => label === '&File')!;
    file.submenu!.items.find(({ accelerator }) => accelerator === 'CommandOrControl+,')!.click();
  });
  await desktop.page.waitForURL(/\/settings\/app$/);
}

async function openWindow(): Promise<Page> {
  const opened = desktop.app.waitForEvent('window');
  await desktop.page.evaluate(`open('/project/1/connect') === null`);
  const other = await opened;
  await other.waitForURL(/\/connect$/);
  return other;
}

const field = (name: string) => desktop.page.getByRole('textbox', { name });
const press = (name: string) => desktop.page.getByRole('button', { name }).click();
const toggle = (name: string) => desktop.page.getByRole('switch', { name }).click();

describe('the settings of the app', () => {
  test('a changed port is where the server answers after a restart, and another window saves its edit first', async () => {
    const [before, after] = [await freePort(), await freePort()];
    await open({ port: before, 'max-body': 5_000_000 });
    const { url } = readRunFile(dataDir);
    await openSettings();
    const other = await openWindow();
    const id = await changeDashboard(other, url);

    await field('Port').fill(String(after));
    await answerDialogs(desktop, 'Save');
    await press('Save and restart');
    await desktop.page.waitForURL(`http://127.0.0.1:${after}/project/1/settings/app`);
    expect(await dialogTexts(desktop)).toEqual([expect.stringContaining('Save your changes?')]);
    expect(readRunFile(dataDir).url).toBe(`http://127.0.0.1:${after}`);
    expect(stored('settings.json')).toEqual({ port: String(after), 'max-body': 5_000_000 });
    await other.waitForURL(`http://127.0.0.1:${after}/project/1/dashboards/${id}`);
    const name = () =>
      desktop.page.evaluate(
        async (dashboard) =>
          ((await (await fetch(`/api/projects/1/dashboards/${dashboard}/`)).json()) as { name: string }).name,
        id,
      );
    // It is signed in again a moment after its address has changed.
    await expect.poll(name).toBe('Weekly, renamed');
  });

  test('a restart on the same port keeps an edit in its field', async () => {
    await open({ port: await freePort() });
    const { url, pid } = readRunFile(dataDir);
    await openSettings();
    const other = await openWindow();
    await changeDashboard(other, url);
    await field('Memory limit').fill('512MB');
    await press('Save and restart');
    await expect.poll(() => readRunFile(dataDir).pid).not.toBe(pid);
    expect(readRunFile(dataDir).url).toBe(url);
    await expect.poll(() => field('Memory limit').inputValue()).toBe('512 MB');
    const edit = other.getByRole('textbox', { name: 'Dashboard name' });
    expect(await edit.inputValue()).toBe('Weekly, renamed');
    await answerDialogs(desktop, 'Discard');
  });

  test('what the server would refuse is refused here, with the reason, and not written', async () => {
    const port = await freePort();
    await open({ port });
    await openSettings();
    await field('Port').fill('70000');
    await field('Memory limit').fill('1MB');
    await press('Save and restart');
    await desktop.page.getByText('Must be a whole number from 0 to 65535.').waitFor();
    await desktop.page.getByText(/^Must be a size of at least/).waitFor();
    expect(stored('settings.json')).toEqual({ port });
    await press('Network');
    await desktop.page.getByText('Other computers can reach this server.').waitFor();
    expect(await violationsOn(desktop.page)).toEqual([]);
  });

  test('an option of the environment says so and cannot be changed', async () => {
    const port = await freePort();
    await open({}, { BURROW_PORT: String(port) });
    await openSettings();
    await desktop.page.getByText('From BURROW_PORT, so it cannot be changed here.').waitFor();
    expect(await field('Port').count()).toBe(0);
    await desktop.page.getByText(String(port), { exact: true }).waitFor();
  });

  test('settings of the app are kept for the next start: no GPU, no tray, login, background', async () => {
    await open({ port: await freePort() });
    await openSettings();
    await toggle('Hardware acceleration');
    await toggle('Tray icon');
    await toggle('Notifications');
    await toggle('Start at login');
    await desktop.page
      .getByRole('group', { name: 'Keep collecting' })
      .getByRole('button', { name: 'No' })
      .click();
    await expect
      .poll(() => stored('desktop/shell.json'))
      .toMatchObject({ usesGpu: false, hasTray: false, notifies: false, keepsCollecting: false });
    expect(readFileSync(join(configDir, 'autostart/burrow.desktop'), 'utf8')).toContain(dataDir);
    await desktop.quit();
    await open({ port: await freePort() });
    await openSettings();
    for (const name of ['Hardware acceleration', 'Tray icon', 'Notifications'])
      expect(await desktop.page.getByRole('switch', { name }).getAttribute('aria-checked')).toBe('false');
    expect(
      await desktop.page.getByRole('switch', { name: 'Start at login' }).getAttribute('aria-checked'),
    ).toBe('true');
  });
});
