// @module-tag browser
import { expect, test } from 'vitest';
import { openNew, sendShop, TREND } from '../support/console-insights.ts';
import { shareConsole } from '../support/shared-console.ts';
import { smallTargetsOn } from '../support/targets.ts';

const openConsole = shareConsole();

test('a small control beside another is found, one with room around it is not', async () => {
  const view = await openConsole();
  const button = (left: number, size: number) =>
    `<button style="position: absolute; left: ${left}px; width: ${size}px; height: ${size}px">${left}</button>`;
  await view.page.setContent(button(0, 16) + button(18, 16) + button(100, 16) + button(140, 24));
  const found = await smallTargetsOn(view.page);
  expect(found.map((target) => /"(\d+)"/.exec(target)?.[1])).toEqual(['0', '18']);
  expect(await view.close()).toEqual([]);
});

test('every control of the main screens is large enough for a pointer, wide or narrow', async () => {
  const view = await openConsole();
  const { page } = view;
  await sendShop(view);
  const post = (noun: string, body: object) =>
    view.ask<{ id: number }>(`/api/projects/${view.server.projectId}/${noun}/`, { method: 'POST', body });
  const filters = { groups: [{ properties: [], rollout_percentage: 50 }] };
  const flag = await post('feature_flags', { key: 'tone', name: 'Tone', filters });
  const dashboard = await post('dashboards', { name: 'Week' });
  await post('insights', { name: 'Looks', query: TREND, dashboards: [dashboard.id] });
  const screens = [
    '/home',
    '/live',
    '/dashboards',
    `/dashboards/${dashboard.id}`,
    '/insights',
    '/sql',
    '/persons',
    '/flags',
    `/flags/${flag.id}`,
    '/playground',
    '/cohorts',
    '/data/events',
    '/connect',
    '/settings/retention',
    '/settings/keys',
  ];
  const found: string[] = [];
  const measure = async (screen: string) => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate('new Promise((done) => setTimeout(done, 300))');
      for (const target of await smallTargetsOn(page)) found.push(`${screen} ${width}: ${target}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  };
  for (const screen of screens) {
    await page.goto(view.at(screen));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await measure(screen);
  }
  await openNew(view, TREND);
  await measure('insight');
  expect(found).toEqual([]);
  expect(await view.close()).toEqual([]);
});
