import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { whyUnseen } from './seen-in-page.mjs';

/**
 * Waits until a user sees what the locator names: inside the window, neither covered nor transparent nor empty, its text
 * with a contrast of at least 4.5 (3 for large text). Being in the DOM is not enough: toasts without a stylesheet are.
 */
export async function expectSeen(locator: Locator): Promise<void> {
  await expect.poll(() => problemsOf(locator), { message: `${locator} is seen` }).toEqual([]);
}

/** What keeps a user from seeing it now. */
export async function problemsOf(locator: Locator): Promise<string[]> {
  const count = await locator.count();
  if (count !== 1) return [`${count} of it are on the page`];
  return (await locator.evaluate(whyUnseen)) as string[];
}

/** The text of unreadable content. */
export function failurePanelOf(place: Page | Locator): Locator {
  return place.locator('.state').filter({ hasText: 'Retry' });
}

/** The toast that says a text. */
export function toastOf(page: Page, text: string | RegExp): Locator {
  return page.locator('[data-sonner-toast]').filter({ hasText: text });
}
