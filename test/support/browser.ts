import { chromium, type Browser } from 'playwright-core';
import { findOnPath } from './find-on-path.ts';
import { PATIENCE_MS } from './patience.ts';

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

/** The browser that the tests drive: `CHROMIUM` from the environment, else Chromium or Chrome on the PATH, else null. */
export function findBrowser(): string | null {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  return findOnPath(...NAMES);
}

/** Starts a headless Chromium, whose pages are waited for patiently; `close()` ends the process. Throws when there is none. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === null) {
    throw new Error('No Chromium found: install one or name it in the environment variable CHROMIUM.');
  }
  const browser = await chromium.launch({ executablePath, headless: true, args: ARGS });
  const openContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await openContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}
