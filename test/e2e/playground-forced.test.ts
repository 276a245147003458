// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { playgroundOf, type Playground } from '../support/console-playground.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
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

describe('local overrides, by keyboard alone', () => {
  test('one is set for a while, marked in the list and in the trace, and removed', async () => {
    const { keys, region, flagLine } = play;
    await play.openFor('id=u_1&flag=pay-by-bank');
    await keys.press('f');
    const dialog = page.getByRole('dialog', { name: 'Override pay-by-bank' });
    await expectSeen(dialog);
    await keys.fill('Payload, as JSON', '{"a":1}');
    await keys.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await flagLine('pay-by-bank').getByText('true').waitFor();
    await region('Why').getByText('a local override is set').waitFor();
    await keys.press('o');
    const panel = page.getByRole('complementary', { name: 'Local overrides' });
    await panel.getByText(/^u_1, until /).waitFor();
    await keys.enter('Remove override of pay-by-bank for u_1');
    await panel.getByText('No local overrides').waitFor();
    await flagLine('pay-by-bank').getByText('false').waitFor();
    await keys.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await expect.poll(() => region('Why').getByText('does not match the condition set').count()).toBe(1);
  });

  test('all flags are overridden together, and all overrides removed together', async () => {
    const { keys, flagLine } = play;
    await play.openFor('id=u_1');
    await keys.press('o');
    await page.getByText('No local overrides').waitFor();
    await keys.enter('Enable all');
    await flagLine('pay-by-bank').getByText('true').waitFor();
    await flagLine('roles').getByText('true').waitFor();
    await keys.enter('Remove all');
    await flagLine('pay-by-bank').getByText('false').waitFor();
    await page.getByText('No local overrides').waitFor();
    expect(await flagLine('roles').getByText('true').count()).toBe(0);
  });

  test('a refused payload is reported at its field', async () => {
    await play.openFor('id=u_1&flag=pay-by-bank');
    await play.keys.press('f');
    provoked = /400/;
    const dialog = page.getByRole('dialog', { name: 'Override pay-by-bank' });
    await expectSeen(dialog);
    await play.keys.tabTo('Payload, as JSON');
    await page.keyboard.insertText('x'.repeat(100_001));
    await play.keys.press('Enter');
    await expectSeen(dialog.getByRole('alert'));
    await expect.poll(() => dialog.count()).toBe(1);
  });
});
