// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { flagsBehind } from '../support/console-flags.ts';
import { playgroundOf, type Playground } from '../support/console-playground.ts';
import type { OpenConsole } from '../support/console.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let play: Playground;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
  play = playgroundOf(view);
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

describe('the trace of a flag, by keyboard alone', () => {
  test('each property has expected value, actual value and source; the hash is shown against the threshold, and the payload is there', async () => {
    await play.openFor('id=u_1&flag=reminder-tone');
    const why = play.region('Why');
    const email = why.getByRole('row').filter({ hasText: 'email' });
    await expect
      .poll(() => email.getByRole('cell').allInnerTexts())
      .toEqual(['does not match', 'email', 'contains @paperboat', 'ana@reyes.example', 'stored']);
    await why.getByRole('img', { name: /^Hash 0\.\d{4} is within 0\.99$/ }).waitFor();
    await why.getByRole('img', { name: /^Variant hash in friendly: / }).waitFor();
    await expect.poll(() => why.getByText(/"tone"/).count()).toBeGreaterThan(0);
  });

  test('a disabled flag is marked', async () => {
    const { keys, region, flagLine } = play;
    await play.openFor('id=u_1');
    const flags = flagsBehind(view);
    const { id } = (await flags.list()).find(({ key }) => key === 'roles')!;
    await flags.change(id, { active: false });
    await page.reload();
    await flagLine('roles').waitFor();
    await keys.press('j', 'j');
    await region('Why').getByRole('heading', { name: 'roles' }).waitFor();
    await region('Why').getByText('so nothing else is evaluated').waitFor();
    await expect.poll(() => flagLine('roles').innerText()).toMatch(/off$/);
  });
});

describe('the shares over all persons, by keyboard alone', () => {
  test('the share of each variant over the stored persons, and with another rollout', async () => {
    const { keys, region } = play;
    await play.openFor('id=u_1&flag=reminder-tone');
    await keys.press('a');
    await page.getByText('Based on stored values, all').waitFor();
    const rowOf = (value: string) => region('Why').getByRole('row').filter({ hasText: value });
    await rowOf('friendly').getByText('100%').waitFor();
    await keys.fill('Rollout of set 2', '0');
    await page.getByText(/2 lose it/).waitFor();
    await rowOf('false').getByText(/^100%/).waitFor();
    await keys.press('Control+a');
    await keys.type('lots');
    await page.getByText('Enter a percentage from 0 to 100.').waitFor();
    await keys.enter('Reset');
    await page.getByText(/2 lose it/).waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Rollout of set 2').inputValue()).toBe('99');
  });
});
