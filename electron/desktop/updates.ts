import { app, clipboard } from 'electron';
import type { AppUpdater, UpdateInfo } from 'electron-updater';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { showMessage } from './console-window.ts';

/** Says which installation it is; the same everywhere, so that it says nothing. */
const ANONYMOUS = { 'x-user-staging-id': '00000000-0000-0000-0000-000000000000' };

let isBusy = false;

/**
 * Looks for a newer version, at the address that the package was built with (docs/packages.md), and only when a user asks:
 * there is no other request. An AppImage, and the app on Windows and macOS, are replaced when the app quits, after a yes;
 * for packages of a system only the version is said.
 */
export async function checkForUpdates(): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  let doing = 'look for updates';
  try {
    await check(() => (doing = 'download the update'));
  } catch (error) {
    await showMessage({
      type: 'warning',
      message: `Burrow could not ${doing}.`,
      detail: `${firstLine(error)}\n\nNothing was changed. Are you online?`,
    });
  } finally {
    isBusy = false;
  }
}

async function check(onDownload: () => void): Promise<void> {
  const config = configFile();
  if (config === null)
    return void (await showMessage({
      message: `This is Burrow ${app.getVersion()}.`,
      detail: 'It was built without an address of updates. Newer versions are where you got this one.',
    }));
  const updater = await openUpdater(config);
  const found = await updater.checkForUpdates();
  if (found === null)
    return void (await showMessage({
      message: `This is Burrow ${app.getVersion()}.`,
      detail: 'Updates of this package come with those of the system that installed it.',
    }));
  if (!found.isUpdateAvailable)
    return void (await showMessage({ message: `Burrow ${app.getVersion()} is the newest version.` }));
  await (replacesItself() ? offer(updater, found.updateInfo, onDownload) : announce(found.updateInfo));
}

/** Downloads the new version after a yes; it takes the place of this one when the app quits. */
async function offer(updater: AppUpdater, { version }: UpdateInfo, onDownload: () => void): Promise<void> {
  const wanted = await showMessage({
    message: `Burrow ${version} is available.`,
    detail: `This is ${app.getVersion()}. It is downloaded now and installed when Burrow quits. Data stays where it is: before a database is changed for a new version, a copy of it is kept.`,
    buttons: ['Download', 'Not Now'],
    cancelId: 1,
  });
  if (wanted !== 0) return;
  onDownload();
  await updater.downloadUpdate();
  const quits = await showMessage({
    message: `Burrow ${version} is downloaded.`,
    detail: 'It is installed when Burrow quits.',
    buttons: ['Quit Now', 'Later'],
    cancelId: 1,
  });
  if (quits === 0) app.quit();
}

/** Packages of a system are the system's to replace, with its own question for a password. */
async function announce({ version, files }: UpdateInfo): Promise<void> {
  const [file] = files;
  const answer = await showMessage({
    message: `Burrow ${version} is available.`,
    detail: `This is ${app.getVersion()}. Install the new package over it; data is kept.`,
    buttons: file === undefined ? ['OK'] : ['Copy File Name', 'OK'],
    cancelId: file === undefined ? 0 : 1,
  });
  if (file !== undefined && answer === 0) await clipboard.writeText(file.url);
}

/** Written into a package that was built with an address of updates; while Burrow is developed, a file that a variable names. */
function configFile(): string | null {
  const file = app.isPackaged
    ? join(process.resourcesPath, 'app-update.yml')
    : process.env['BURROW_UPDATE_CONFIG'];
  return file !== undefined && existsSync(file) ? file : null;
}

async function openUpdater(config: string): Promise<AppUpdater> {
  const { default: electronUpdater } = await import('electron-updater');
  const { autoUpdater } = electronUpdater;
  autoUpdater.logger = null;
  autoUpdater.updateConfigPath = config;
  autoUpdater.forceDevUpdateConfig = !app.isPackaged;
  autoUpdater.autoDownload = false;
  autoUpdater.autoInstallOnAppQuit = true;
  autoUpdater.requestHeaders = ANONYMOUS;
  autoUpdater.disableDifferentialDownload = true;
  autoUpdater.disableWebInstaller = true;
  // The promises report what goes wrong; without a listener the event would end the app.
  autoUpdater.removeAllListeners('error').on('error', () => {});
  return autoUpdater;
}

function replacesItself(): boolean {
  if (process.platform === 'linux') return process.env['APPIMAGE'] !== undefined;
  return process.env['PORTABLE_EXECUTABLE_FILE'] === undefined;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;
}
