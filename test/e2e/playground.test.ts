// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  fillPlayground,
  playgroundOf,
  sendAnaAndGreta,
  type Playground,
} from '../support/console-playground.ts';
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

describe('the playground, by keyboard alone', () => {
  test('from a name to a result, its reason, the request and the response', async () => {
    const { keys, region, flagLine, search, clipboard } = play;
    await fillPlayground(view);
    await play.openEmpty();
    await keys.press('p');
    await keys.type('reyes');
    await keys.choose(/Ana Reyes/);
    await flagLine('pay-by-bank').waitFor();
    expect(search().get('id')).toBe('u_1');
    await region('Why').getByText('does not match the condition set').waitFor();
    await keys.press('j');
    await region('Why').getByText('matches set 2 and is within its 99% rollout').waitFor();
    expect(search().get('flag')).toBe('reminder-tone');

    await keys.press('q');
    await region('Response').waitFor();
    await keys.press('c');
    await page.getByText('Request as curl copied').waitFor();
    expect(await clipboard()).toContain(`curl '${view.server.url}/flags/?v=2'`);
    await keys.press('r');
    await page.getByText('Response copied').waitFor();
    const answer = JSON.parse(await clipboard()) as { flags: Record<string, { enabled: boolean }> };
    expect(answer.flags['pay-by-bank']?.enabled).toBe(false);
  });

  test('flags are searched and filtered, and the list is reached from the search', async () => {
    const { keys, region, flagLine } = play;
    await play.openFor('id=u_2');
    await keys.press('/');
    await keys.type('tone');
    await flagLine('pay-by-bank').waitFor({ state: 'detached' });
    await keys.press('ArrowDown');
    await region('Why').getByRole('heading', { name: 'reminder-tone' }).waitFor();
    await keys.press('/');
    await page.locator('input:focus').waitFor();
    await keys.press('Control+a', 'Delete');
    await flagLine('pay-by-bank').waitFor();
    await keys.enter('Off');
    await flagLine('pay-by-bank').waitFor({ state: 'detached' });
    await flagLine('roles').waitFor();
    expect(await flagLine('reminder-tone').count()).toBe(0);
  });

  test('the chosen flag is opened in the editor', async () => {
    await play.openFor('id=u_1&flag=pay-by-bank');
    await page.getByRole('link', { name: 'Edit flag' }).waitFor();
    await play.keys.press('e');
    await page.getByLabel('Description').waitFor();
    await expect.poll(() => page.getByLabel('Key', { exact: true }).inputValue()).toBe('pay-by-bank');
  });

  test('the endpoint is chosen, and the response is that of the chosen endpoint', async () => {
    const { keys, clipboard } = play;
    await play.openFor('id=u_2&part=request');
    await keys.pick(/^Endpoint/, '/decide, version 3');
    await page.getByText('"featureFlagPayloads"').waitFor();
    await page.getByText(`'${view.server.url}/decide/?v=3'`).waitFor();
    const response = await fetch(`${view.server.url}/decide/?v=3`, {
      method: 'POST',
      body: JSON.stringify({ api_key: view.server.projectApiKey, distinct_id: 'u_2' }),
    });
    const { featureFlags } = (await response.json()) as { featureFlags: object };
    await keys.press('r');
    await page.getByText('Response copied').waitFor();
    expect((JSON.parse(await clipboard()) as { featureFlags: object }).featureFlags).toEqual(featureFlags);
  });
});

describe('empty and failed states', () => {
  test('no flags: they are explained, with a link to the first', async () => {
    await sendAnaAndGreta(view);
    await page.goto(view.at('/playground?id=u_1'));
    await page.getByText('No flags yet').waitFor();
    await play.keys.enter('New flag');
    await page.getByRole('heading', { name: 'New flag' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/flags\/new$/);
  });

  test('a failure is shown and can be retried', async () => {
    await fillPlayground(view);
    provoked = /ERR_FAILED/;
    await page.route(/\/explain\//, (route) => route.abort());
    await page.goto(view.at('/playground?id=u_1'));
    await page.getByText('Burrow is not responding').waitFor();
    await page.unroute(/\/explain\//);
    await expectSeen(failurePanelOf(page));
    await play.keys.enter('Retry');
    await play.flagLine('pay-by-bank').waitFor();
    expect(await page.getByText('Burrow is not responding').count()).toBe(0);
  });

  test('a missing flag has a message', async () => {
    await play.openFor('id=u_1&flag=gone');
    await play.region('Why').getByText('This flag does not exist in this project').waitFor();
    await expect.poll(() => play.region('Why').getByRole('heading', { name: 'gone' }).count()).toBe(1);
  });

  test('an invalid URL is an empty context, not an error', async () => {
    await fillPlayground(view);
    await page.goto(
      view.at('/playground?id=u_1&props=%5B1%5D&groups=7&group_props=%7B&with=%00&api=x&part=y&flag=gone'),
    );
    await page.getByRole('heading', { name: /Ana Reyes and/ }).waitFor();
    await expect.poll(() => page.getByText('stored values').count()).toBeGreaterThan(0);
  });
});

test('axe reports no violations, in either theme, wide or narrow', async () => {
  await play.openEmpty();
  expect(await view.violationsInEveryLook('playground-nobody')).toEqual([]);
  await fillPlayground(view);
  const look = async (name: string, query: string, ready: string | RegExp) => {
    await page.setViewportSize({ width: 800, height: 900 });
    await page.goto(view.at(`/playground?id=u_1&flag=reminder-tone&${query}`));
    // On a narrow page, one column is shown at a time; a comparison has none.
    if (!query.includes('with')) await page.getByRole('button', { name: 'Why', exact: true }).first().click();
    await page.getByText(ready).first().waitFor();
    expect(await view.violationsInEveryLook(name)).toEqual([]);
  };
  await look('playground', 'props=%7B%22country%22%3A%22Germany%22%7D', 'matches set 2');
  await look('playground-request', 'part=request', '200');
  await look('playground-everyone', 'part=everyone', 'Based on stored values, all');
  await look('playground-comparison', 'with=%7B%22id%22%3A%22u_2%22%7D', '1 of 3 flags differs');
  await play.keys.press('o');
  await page.getByText('No local overrides').waitFor();
  expect(await view.violationsInEveryLook('playground-forced')).toEqual([]);
});
