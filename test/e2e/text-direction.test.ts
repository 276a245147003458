// @module-tag browser
import { expect, test } from 'vitest';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

/** From right to left, with marks that go astray where a text is not for itself, and a picture of two characters. */
const NAME = '(שלום) ‏عالم 👩‍💻!';

/**
 * What shows the name and neither isolates it nor finds its own direction: a block that has nothing else is fine, as
 * are fields, whose text is alone.
 */
const LEAKING = `(() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.data.includes('שלום') || node.parentElement.closest('title, script, style, .visually-hidden')) continue;
    let element = node.parentElement;
    let isIsolated = false;
    for (; element; element = element.parentElement) {
      const { display, unicodeBidi } = getComputedStyle(element);
      isIsolated ||= unicodeBidi !== 'normal' && unicodeBidi !== 'embed';
      if (isIsolated || !display.startsWith('inline')) break;
    }
    const isAlone = element && element.textContent.trim() === node.data.trim();
    if (!isIsolated && !isAlone) found.push(node.parentElement.outerHTML.slice(0, 160));
  }
  return found;
})()`;

test('names from right to left and with emoji do not change the order of what is beside them', async () => {
  const view = await openConsole();
  const { page } = view;
  const all = `/api/projects/${view.server.projectId}`;
  await view.capture(
    ...['a', 'b'].map((id) => ({
      event: NAME,
      distinct_id: id,
      properties: { plan: NAME, tone: id, $set: { name: `${NAME} ${id}`, plan: NAME } },
    })),
  );
  const board = await view.ask<{ id: number }>(`${all}/dashboards/`, {
    method: 'POST',
    body: { name: NAME },
  });
  const store = async (display: string, property: string) => {
    const source = {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: NAME }],
      breakdownFilter: { breakdowns: [{ property, type: 'event' }] },
      trendsFilter: { display },
    };
    const body = {
      name: `${NAME} ${display}`,
      query: { kind: 'InsightVizNode', source },
      dashboards: [board.id],
    };
    return view.ask<{ short_id: string }>(`${all}/insights/`, { method: 'POST', body });
  };
  const { short_id: insightId } = await store('ActionsLineGraph', 'plan');
  await store('ActionsPie', 'plan');
  await store('ActionsBarValue', 'tone');
  await view.ask(`${all}/feature_flags/`, { method: 'POST', body: { key: 'rtl', name: NAME } });
  await view.ask(`${all}/cohorts/`, { method: 'POST', body: { name: NAME, is_static: true } });
  const found: string[] = [];
  const paths = [
    '/home',
    '/live',
    '/explore',
    '/insights',
    `/insights/${insightId}`,
    `/dashboards/${board.id}`,
  ];
  for (const path of [
    ...paths,
    '/dashboards',
    '/persons',
    '/cohorts',
    '/flags',
    '/data/events',
    '/activity',
  ]) {
    await page.goto(view.at(path));
    await page.getByText('שלום').first().waitFor();
    const leaking = await page.evaluate<string[]>(LEAKING);
    found.push(...leaking.map((html) => `${path}: ${html}`));
  }
  expect(found).toEqual([]);

  // The number in a legend stays behind the name.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(view.at(`/insights/${insightId}`));
  const entry = page.locator('.legend .entry').first();
  const name = await entry.getByText('שלום').boundingBox();
  const number = await entry.locator('b').boundingBox();
  expect(name!.x + name!.width).toBeLessThanOrEqual(number!.x);
  expect(await view.close()).toEqual([]);
}, 120_000);
