import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { version } from '../../package.json';
import {
  answerDialogs,
  clickMenu,
  dialogTexts,
  openDesktop,
  whyNoDesktop,
  type Desktop,
} from '../support/desktop.ts';

const reason = whyNoDesktop();
const NEW_FILE = '#!/bin/sh\necho "the new version"\n';
const OLD_FILE = '#!/bin/sh\necho "the old version"\n';

let folder: string;
let desktop: Desktop;
let feed: Server;
let requests: IncomingMessage[];

beforeEach((context) => {
  context.skip(reason !== null, reason ?? undefined);
  folder = mkdtempSync(join(tmpdir(), 'burrow-updates-'));
  requests = [];
});
afterEach(async () => {
  if (reason !== null) return;
  await desktop.quit();
  feed?.closeAllConnections();
  feed?.close();
  rmSync(folder, { recursive: true });
});

/** Serves what electron-builder writes beside an AppImage; returns the address. */
async function serve(offered: string, content = NEW_FILE): Promise<string> {
  const hash = createHash('sha512').update(NEW_FILE).digest('base64');
  const name = `Burrow-${offered}.AppImage`;
  const files = `files:\n  - url: ${name}\n    sha512: ${hash}\n    size: ${NEW_FILE.length}\n`;
  const feedText = `version: ${offered}\n${files}path: ${name}\nsha512: ${hash}\nreleaseDate: '2026-11-27T00:00:00.000Z'\n`;
  feed = createServer((request, response) => {
    requests.push(request);
    response.end(request.url!.includes('.AppImage') ? content : feedText);
  });
  await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(feed.address() as AddressInfo).port}/`;
}

/** Opens the app as one that was built with this address; as an AppImage when `file` is one. */
async function open(address: string | null, file: string | null = null): Promise<void> {
  const config = join(folder, 'app-update.yml');
  if (address !== null)
    writeFileSync(config, `provider: generic\nurl: ${address}\nupdaterCacheDirName: burrow-updater\n`);
  desktop = await openDesktop(folder, {
    BURROW_UPDATE_CONFIG: config,
    XDG_CACHE_HOME: join(folder, 'cache'),
    ...(file === null ? {} : { APPIMAGE: file }),
  });
  await desktop.page.waitForURL(/\/project\/1\/connect$/);
}

async function check(...buttons: string[]): Promise<void> {
  await answerDialogs(desktop, ...buttons);
  await clickMenu(desktop, 'Check for Updates…');
}

describe('Help > Check for Updates', () => {
  test('of a build without an address says where newer versions are, and sends no request', async () => {
    await serve('99.0.0');
    await open(null);
    await check('OK');
    await expect
      .poll(() => dialogTexts(desktop))
      .toEqual([
        `This is Burrow ${version}. It was built without an address of updates. Newer versions are where you got this one.`,
      ]);
    expect(requests).toEqual([]);
  });

  test('says so when it is offline', async () => {
    await open('http://127.0.0.1:9/');
    await check('OK');
    await expect
      .poll(() => dialogTexts(desktop))
      .toEqual([expect.stringMatching(/^Burrow could not look for updates\. .*Nothing was changed\./s)]);
  });

  test('says that there is nothing newer, in one request that says nothing about who asks', async () => {
    const address = await serve(version);
    await open(address);
    expect(requests).toEqual([]);
    await check('OK');
    await expect
      .poll(() => dialogTexts(desktop))
      .toEqual([expect.stringContaining(`Burrow ${version} is the newest version.`)]);
    expect(requests.map(({ headers }) => headers['x-user-staging-id'])).toEqual([
      '00000000-0000-0000-0000-000000000000',
    ]);
  });

  test('of a package of the system names the new version, and downloads nothing', async () => {
    await open(await serve('99.0.0'));
    await check('OK');
    await expect
      .poll(() => dialogTexts(desktop))
      .toEqual([expect.stringContaining('Burrow 99.0.0 is available. This is')]);
    expect(requests).toHaveLength(1);
  });

  describe('of an AppImage', () => {
    let file: string;

    beforeEach(() => {
      file = join(folder, 'Burrow.AppImage');
      writeFileSync(file, OLD_FILE);
      chmodSync(file, 0o755);
    });

    test('downloads nothing without a yes', async () => {
      await open(await serve('99.0.0'), file);
      await check('Not Now');
      await expect.poll(() => dialogTexts(desktop)).toHaveLength(1);
      await desktop.quit();
      expect(requests).toHaveLength(1);
      expect(readFileSync(file, 'utf8')).toBe(OLD_FILE);
    });

    test('takes the place of the old file when the app quits, and data stays', async () => {
      await open(await serve('99.0.0'), file);
      await check('Download', 'Later');
      await expect
        .poll(() => dialogTexts(desktop))
        .toEqual([
          expect.stringContaining('Burrow 99.0.0 is available.'),
          expect.stringContaining('Burrow 99.0.0 is downloaded.'),
        ]);
      expect(readFileSync(file, 'utf8')).toBe(OLD_FILE);
      await desktop.quit();
      expect(readFileSync(file, 'utf8')).toBe(NEW_FILE);
      expect(existsSync(join(folder, 'burrow.duckdb'))).toBe(true);
    });

    test('is refused when the download is not what was announced', async () => {
      await open(await serve('99.0.0', NEW_FILE.replace('new', 'odd')), file);
      await check('Download', 'OK');
      await expect
        .poll(() => dialogTexts(desktop))
        .toEqual([
          expect.stringContaining('Burrow 99.0.0 is available.'),
          expect.stringMatching(/^Burrow could not download the update\. .*checksum/s),
        ]);
      await desktop.quit();
      expect(readFileSync(file, 'utf8')).toBe(OLD_FILE);
    });
  });
});
