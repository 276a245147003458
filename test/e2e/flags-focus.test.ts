// @module-tag browser
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { cohortsBehind, PAYING } from '../support/console-cohorts.ts';
import { flagsBehind } from '../support/console-flags.ts';
import { fillPlayground } from '../support/console-playground.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

const MOST_STOPS = 90;
/**
 * The focused element, as its HTML, and how its focus shows: its own outline, or the mark of its row. The field of a
 * picker and the frame of a page without focus are skipped.
 */
const FOCUS = `(({ activeElement: it }) => {
  if (!it || it === document.body) return null;
  const marks = [it, it.closest('tr')?.querySelector('td, th'), it.parentElement].filter(Boolean).map((one) => getComputedStyle(one));
  const isSeen = marks.some((style, place) =>
    (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || (place === 1 && style.boxShadow !== 'none'));
  return { html: it.outerHTML.slice(0, 160), isSeen };
})(document)`;

interface Focus {
  html: string;
  isSeen: boolean;
}

/** Walks once through the page by Tab; returns the HTML of each stop without a visible focus. */
async function unseenStops(page: Page): Promise<{ unseen: string[]; count: number }> {
  const unseen: string[] = [];
  let count = 0;
  for (; count < MOST_STOPS; count += 1) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate<Focus | null>(FOCUS);
    if (!focus) break;
    if (!focus.isSeen) unseen.push(focus.html);
  }
  return { unseen, count };
}

test('on every screen of flags and cohorts, each element that Tab reaches has a visible focus', async () => {
  const view = await openConsole();
  const { page } = view;
  await fillPlayground(view);
  const [flag] = await flagsBehind(view).list();
  const payers = await cohortsBehind(view).create({ name: 'Payers', filters: PAYING });
  const other = encodeURIComponent(JSON.stringify({ id: 'u_2' }));
  const screens: [path: string, ready: string | RegExp][] = [
    ['/flags', 'reminder-tone'],
    [`/flags/${flag!.id}`, 'Stored version'],
    ['/playground?id=u_1&flag=reminder-tone', 'matches set 2'],
    [`/playground?id=u_1&with=${other}`, '1 of 3 flags differs'],
    ['/cohorts', 'Payers'],
    [`/cohorts/${payers.id}`, /of \d+ persons/],
  ];
  for (const [path, ready] of screens) {
    await page.goto(view.at(path));
    await page.getByText(ready).first().waitFor();
    const { unseen, count } = await unseenStops(page);
    expect({ path, unseen }).toEqual({ path, unseen: [] });
    expect(count).toBeGreaterThan(15);
  }
  expect(await view.close()).toEqual([]);
});
