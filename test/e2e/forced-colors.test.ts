// @module-tag browser
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openNew, sendShop, TREND } from '../support/console-insights.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { colorsOf, contrastOf } from '../support/pixels.ts';
import { shareConsole } from '../support/shared-console.ts';
import { shoot, violationsOn } from '../support/violations.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

/** Expects that one of its main colors contrasts with the one that most of it has. */
async function expectDrawn(locator: Locator): Promise<void> {
  const [most, ...others] = (await colorsOf(locator)).slice(0, 6);
  const best = Math.max(...others.map((color) => contrastOf(most!, color)));
  expect(best, `${locator} in ${most}, ${others.join(' and ')}`).toBeGreaterThan(3);
}

/** Expects that what is chosen has another main color than what is not, by a contrast that is seen. */
async function expectInverted(chosen: Locator, other: Locator): Promise<void> {
  const [[one], [two]] = await Promise.all([colorsOf(chosen), colorsOf(other)]);
  expect(contrastOf(one!, two!), `${chosen} in ${one}, the other in ${two}`).toBeGreaterThan(3);
}

describe.each(['light', 'dark'] as const)('with the colors of the system, %s', (colorScheme) => {
  beforeEach(async () => {
    await page.emulateMedia({ colorScheme, forcedColors: 'active' });
  });
  const look = (name: string) => shoot(page, `forced-${name}-${colorScheme}`);

  test('Home: the current entry of the sidebar is inverted, the numbers and lines are seen', async () => {
    await sendShop(view);
    await page.goto(view.at('/home'));
    const nav = page.getByRole('navigation').first();
    await expectSeen(nav.getByRole('link', { name: 'Home' }));
    await page.locator('.lines.today').waitFor();
    await expectInverted(nav.getByRole('link', { name: 'Home' }), nav.getByRole('link', { name: 'Live' }));
    await expectDrawn(page.locator('.lines.today'));
    await look('home');
    expect(await violationsOn(page)).toEqual([]);
  });

  test('an insight: bars, legend and the chosen segment keep a shape and a color', async () => {
    await sendShop(view);
    const breakdownFilter = { breakdown: 'country', breakdown_type: 'event' };
    const bars = { ...TREND, breakdownFilter, trendsFilter: { display: 'ActionsBar', showLegend: true } };
    await openNew(view, bars);
    await page.locator('rect.bar').first().waitFor();
    await expectDrawn(page.locator('svg:has(rect.bar)'));
    await look('bars');
    expect(await violationsOn(page)).toEqual([]);
  });

  test('an insight without changes: what Save is called can be read while it is disabled', async () => {
    const body = { query: { kind: 'InsightVizNode', source: TREND }, saved: true };
    const path = `/api/projects/${view.server.projectId}/insights/`;
    const { short_id: id } = await view.ask<{ short_id: string }>(path, { method: 'POST', body });
    await page.goto(view.at(`/insights/${id}`));
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await expectSeen(save);
    expect(await save.isDisabled()).toBe(true);
    await expectDrawn(save);
  });

  test('retention: each cell has its shade, and its number is read on it', async () => {
    await sendShop(view);
    const looked = { id: 'looked', type: 'events' };
    const retentionFilter = {
      period: 'Day',
      totalIntervals: 7,
      targetEntity: looked,
      returningEntity: looked,
    };
    await openNew(view, { kind: 'RetentionQuery', retentionFilter });
    const cell = page.locator('td[class*="heat-"]').first();
    await expectSeen(cell);
    await expectDrawn(cell);
    await look('retention');
    expect(await violationsOn(page)).toEqual([]);
  });

  test('flags: a switch that is on, one that is off, a ticked row and one with the focus differ', async () => {
    for (const key of ['tone', 'price', 'banner']) {
      const body = { key, name: key, active: key !== 'price', filters: { groups: [{ properties: [] }] } };
      await view.ask(`/api/projects/${view.server.projectId}/feature_flags/`, { method: 'POST', body });
    }
    await page.goto(view.at('/flags'));
    const rowOf = (key: string) => page.getByRole('row').filter({ hasText: key });
    await rowOf('tone').getByRole('switch').waitFor();
    await expectInverted(rowOf('tone').getByRole('switch'), rowOf('price').getByRole('switch'));
    await expectDrawn(rowOf('price').getByRole('switch'));
    await expectDrawn(rowOf('tone').getByRole('switch'));
    await rowOf('tone').getByRole('checkbox').click();
    await expectInverted(rowOf('tone').locator('.tick'), rowOf('banner').locator('.tick'));
    const [highlight] = await colorsOf(page.getByRole('link', { name: 'Flags', exact: true }));
    expect(await colorsOf(rowOf('tone').getByRole('cell').nth(2))).toContain(highlight);
    expect(await colorsOf(rowOf('banner').getByRole('cell').nth(2))).not.toContain(highlight);
    await expectSeen(page.getByText('1 selected'));
    await look('flags');
    expect(await violationsOn(page)).toEqual([]);
  });

  test('settings: the current page is inverted, and the focus has a ring of three pixels', async () => {
    await page.goto(view.at('/settings/retention'));
    const pages = page.getByRole('navigation', { name: 'Settings' });
    const current = pages.locator('[aria-current]');
    await expectSeen(current);
    await expectInverted(current, pages.locator('a:not([aria-current])').first());
    await page.getByLabel('Days to keep').fill('90');
    await page.keyboard.press('Tab');
    const ring = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineWidth');
    expect(ring).toBe('3px');
    await look('settings');
    expect(await violationsOn(page)).toEqual([]);
  });
});

test('a user who prefers more contrast has stronger lines and text than one who does not', async () => {
  await page.goto(view.at('/connect'));
  await page.locator('main .hint').first().waitFor();
  const read = async () => {
    const [text, line] = await page.evaluate<[string, string]>(`[
      getComputedStyle(document.querySelector('main .hint')).color,
      getComputedStyle(document.querySelector('.top-bar')).borderBottomColor,
    ].map((color) => color.match(/\\d+/g).join())`);
    return [text, line].map((color) => contrastOf(color, '255,255,255'));
  };
  const [text, line] = await read();
  await page.emulateMedia({ contrast: 'more' });
  const [strongText, strongLine] = await read();
  expect(strongText).toBeGreaterThan(Math.max(7, text!));
  expect(strongLine).toBeGreaterThan(line!);
});
