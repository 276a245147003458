import type { Browser } from 'playwright-core';
import { startChromium } from '../../scripts/chromium.mjs';
import { PATIENCE_MS } from './patience.ts';

/** Starts a headless Chromium, whose pages are waited for patiently; `close()` ends the process. Throws when there is none. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await startChromium();
  const openContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await openContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}
