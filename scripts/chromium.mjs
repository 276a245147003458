// @ts-check
/** How Chromium is found and started, for tests and for the bench. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { findOnPath } from './find-on-path.mjs';

/** The first draws no window of its own, which costs more than most pages do. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/**
 * `--no-sandbox`: containers and continuous integration run as root. The resolver rule makes every name but the
 * machine's own unknown, so that nothing a page loads by mistake can leave the machine.
 */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

/**
 * The browser to drive: `CHROMIUM` from the environment, else Chromium or Chrome on the PATH, else what Playwright has
 * installed, else null.
 * @returns {string | null}
 */
export function findBrowser() {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  const installed = chromium.executablePath();
  return findOnPath(...NAMES) ?? (existsSync(installed) ? installed : null);
}

/**
 * Why no browser can be driven here, with the command that installs one, or null when one can.
 * @returns {string | null}
 */
export function whyNoBrowser() {
  if (findBrowser() !== null) return null;
  return 'Chromium is missing. Install it with: npx playwright-core install --with-deps chromium';
}

/**
 * Starts a headless Chromium; `close()` ends the process. Throws when there is none.
 * @returns {Promise<import('playwright-core').Browser>}
 */
export function startChromium() {
  const executablePath = findBrowser();
  if (executablePath === null) throw new Error(/** @type {string} */ (whyNoBrowser()));
  return chromium.launch({ executablePath, headless: true, args: ARGS });
}
