// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fillPlayground, playgroundOf, type Playground } from '../support/console-playground.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen, failurePanelOf } from '../support/expect-seen.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let play: Playground;
/** What a test makes the page complain about on purpose. */
let provoked: RegExp | null;

beforeEach(async () => {
  provoked = null;
  view = await openConsole();
  page = view.page;
  play = playgroundOf(view);
});
afterEach(async () => {
  const complaints = await view.close();
  expect(complaints.filter((text) => !provoked?.test(text))).toEqual([]);
});

const heading = (name: string) => page.getByRole('heading', { name });

describe('two contexts side by side, by keyboard alone', () => {
  test('differing flags are first, and the traces are marked where they differ', async () => {
    const { keys, region, search, clipboard } = play;
    await play.openFor('id=u_1&flag=pay-by-bank');
    await keys.press('x');
    await region('Ana Reyes (2)').waitFor();
    await keys.press('p');
    await keys.type('holm');
    await keys.choose(/Greta Holm/);
    await heading('1 of 3 flags differs').waitFor();
    await keys.enter('Why: Greta Holm');
    await region('Ana Reyes').getByText('first difference').waitFor();
    await region('Greta Holm').getByText('first difference').waitFor();
    await expect.poll(() => region('Flags').getByTitle('Sweden', { exact: true }).count()).toBe(1);
    await keys.enter('Copy as text');
    await page.getByText('Comparison copied').waitFor();
    expect(await clipboard()).toContain('Ana Reyes: false, does not match the condition set');
    await keys.press('s');
    await heading('Greta Holm and Ana Reyes').waitFor();
    await keys.press('Escape');
    await region('Person')
      .getByRole('link', { name: /Greta Holm/ })
      .waitFor();
    expect(search().get('with')).toBeNull();
  });

  test('a value of one side is changed, and flags are stepped through', async () => {
    const { keys, region, search } = play;
    await play.openFor('id=u_1&flag=pay-by-bank');
    await keys.press('x');
    await heading('0 of 3 flags differ').waitFor();
    await play.changeProperty('country', 'Germany');
    await heading('1 of 3 flags differs').waitFor();
    await region('Flags').getByText('pay-by-bank').waitFor();
    await keys.press('j');
    expect(search().get('flag')).not.toBe('pay-by-bank');
    await keys.press('k');
    await expect.poll(() => search().get('flag')).toBe('pay-by-bank');
  });

  test('a failure is shown in place of the comparison, and can be retried', async () => {
    await fillPlayground(view);
    provoked = /ERR_FAILED/;
    await page.route(/\/explain\//, (route) => route.abort());
    const other = encodeURIComponent(JSON.stringify({ id: 'u_2' }));
    await page.goto(view.at(`/playground?id=u_1&with=${other}`));
    await heading('Not compared').waitFor();
    await play.region('Flags').getByText('Burrow is not responding').waitFor();
    await page.unroute(/\/explain\//);
    await expectSeen(failurePanelOf(play.region('Flags')));
    await play.keys.enter('Retry');
    await heading('1 of 3 flags differs').waitFor();
    expect(await page.getByText('Burrow is not responding').count()).toBe(0);
  });

  test('the URL opens the same comparison again', async () => {
    await fillPlayground(view);
    const other = JSON.stringify({ id: 'u_1', props: JSON.stringify({ country: 'Germany' }) });
    await page.goto(view.at(`/playground?id=u_1&with=${encodeURIComponent(other)}`));
    await heading('1 of 3 flags differs').waitFor();
    await expect.poll(() => page.getByText('u_1, 1 value edited').count()).toBe(1);
  });
});
