// @module-tag browser
import { expect, test } from 'vitest';
import { flagsBehind } from '../support/console-flags.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();
const LONG = 'Release 4.2 of the checkout went out to everybody after the freeze';

test('at 390 px the names of annotations, flags, insights and dashboards are shown in full', async () => {
  const view = await openConsole();
  const { page } = view;
  const make = (path: string, body: unknown) =>
    view.ask(`/api/projects/${view.server.projectId}/${path}/`, { method: 'POST', body });
  await make('annotations', { content: LONG, date_marker: new Date().toISOString(), scope: 'project' });
  await make('dashboards', { name: LONG, description: 'Numbers of the shop' });
  const query = { kind: 'DataVisualizationNode', source: { kind: 'HogQLQuery', query: 'select 1' } };
  await make('insights', { name: LONG, description: 'Numbers of the shop', saved: true, query });
  const key = 'checkout-button-colour-for-returning-customers';
  await flagsBehind(view).create(key);
  await page.setViewportSize({ width: 390, height: 900 });
  for (const [path, name] of [
    ['/annotations', LONG],
    ['/dashboards', LONG],
    ['/insights', LONG],
    ['/flags', key],
  ] as const) {
    await page.goto(view.at(path));
    const named = page.getByRole('table').getByText(name, { exact: true });
    await expectSeen(named);
    const cut = await named.evaluate(
      ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
        scrollWidth - clientWidth,
    );
    expect(cut, path).toBeLessThanOrEqual(0);
  }
  expect(await view.close()).toEqual([]);
});

test('a picker whose list cannot be loaded shows the error, and accepts typed text', async () => {
  const view = await openConsole();
  const { page } = view;
  await page.goto(view.at('/insights/new'));
  await page.route('**/event_definitions/**', (route) =>
    route.fulfill({ status: 500, json: { detail: 'A server error occurred.' } }),
  );
  await page
    .getByRole('button', { name: /Any event|Add a series|Series/ })
    .first()
    .click();
  await expectSeen(page.getByText('The list is incomplete: A server error occurred. Try again.'));
  await page.keyboard.type('bought');
  await expectSeen(page.getByRole('option', { name: /bought/ }));
});
