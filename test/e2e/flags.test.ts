// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { everyone, flagsBehind } from '../support/console-flags.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;
let flags: ReturnType<typeof flagsBehind>;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
  flags = flagsBehind(view);
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const link = (name: string | RegExp) => page.getByRole('link', { name });
const button = (name: string) => page.getByRole('button', { name, exact: true });

async function openList(search = ''): Promise<void> {
  await page.goto(view.at(`/flags${search}`));
  await page.getByRole('table', { name: 'Flags' }).waitFor();
}

describe('the list of flags, by keyboard alone', () => {
  test('explains flags while it is empty', async () => {
    await page.goto(view.at('/flags'));
    await page.getByText('No flags yet').waitFor();
    await page.getByText(/posthog\.isFeatureEnabled/).waitFor();
    await keys.enter('New flag');
    await page.getByLabel('Description').waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/flags\/new$/);
  });

  test(
    'a flag is turned off and on again, and the last change is undone',
    { tags: ['journey'] },
    async () => {
      const flag = await flags.create('pay-by-bank');
      await openList();
      await keys.press('j', 't');
      await page.getByText('pay-by-bank is disabled').waitFor();
      await page.getByText('disabled', { exact: true }).waitFor();
      expect((await flags.read(flag.id)).active).toBe(false);
      await keys.press('Control+z');
      await page.getByText('Change undone').waitFor();
      expect((await flags.read(flag.id)).active).toBe(true);
      // The message of the change that is taken back leaves slowly, and its button takes nothing back any more.
      await button('Undo').waitFor({ state: 'detached' });
      await keys.press('t');
      await button('Undo').waitFor();
      await keys.press('Alt+t');
      await keys.enter('Undo');
      await expect.poll(async () => (await flags.read(flag.id)).active).toBe(true);
    },
  );

  test('is searched and filtered, with the filters in the URL', async () => {
    await flags.create('pay-by-bank', everyone(25), { name: 'Pay from the bank' });
    await flags.create('winter-theme', everyone(100), { active: false });
    await flags.create('tone', {
      ...everyone(100),
      multivariate: { variants: [{ key: 'a', rollout_percentage: 100 }] },
    });
    await openList();
    await keys.press('/');
    await keys.type('bank');
    await link(/winter-theme/).waitFor({ state: 'detached' });
    await link(/pay-by-bank/).waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('bank');
    await keys.press('Escape');
    await link(/winter-theme/).waitFor();
    await keys.enter('Disabled');
    await link(/pay-by-bank/).waitFor({ state: 'detached' });
    await link(/winter-theme/).waitFor();
    await keys.enter('All');
    await keys.pick('Type: Any type', 'Multivariate');
    await link(/winter-theme/).waitFor({ state: 'detached' });
    await page.getByText('1 variant', { exact: true }).waitFor();
    await page.goto(view.at('/flags?search=nothing'));
    await page.getByText('No matching flags').waitFor();
  });

  test('selected flags are deleted together, and restored by undo', async () => {
    const [one, two] = [await flags.create('one'), await flags.create('two')];
    await flags.create('three');
    await openList('?sort=flag');
    await keys.press('j', 'x', 'j', 'j', 'x');
    await page.getByText('2 selected').waitFor();
    await keys.enter('Delete');
    await page.getByText('2 flags deleted').waitFor();
    await link(/^two/).waitFor({ state: 'detached' });
    expect([(await flags.read(one.id)).deleted, (await flags.read(two.id)).deleted]).toEqual([true, true]);
    await keys.press('Control+z');
    await link(/^two/).waitFor();
    expect((await flags.read(one.id)).deleted).toBe(false);
  });

  test('the palette finds a flag by its description, and creates a new one', async () => {
    const { id } = await flags.create('pay-by-bank', everyone(25), { name: 'Transfers without a card' });
    await openList();
    await keys.press('Control+k');
    await keys.type('without a card');
    await page.getByRole('option', { name: /pay-by-bank/ }).waitFor();
    await keys.press('Enter');
    await page.waitForURL(view.at(`/flags/${id}`));
    await keys.press('Control+k');
    await keys.type('new flag');
    await page.getByRole('option', { name: 'New flag' }).waitFor();
    await keys.press('Enter');
    await page.waitForURL(view.at('/flags/new'));
    await expect.poll(() => page.getByRole('heading', { name: 'New flag' }).count()).toBe(1);
  });

  test('a flag without recent calls is marked as stale, and found by that filter', async () => {
    await flags.create('old', everyone(50));
    await flags.create('new', everyone(50));
    const long = new Date(Date.now() - 40 * 24 * 3_600_000).toISOString();
    await view.capture({
      event: '$feature_flag_called',
      timestamp: long,
      properties: { $feature_flag: 'old', $feature_flag_response: true },
    });
    await expect
      .poll(async () => (await flags.list()).map(({ status }) => status).toSorted())
      .toEqual(['ACTIVE', 'STALE']);
    await openList();
    const row = page.getByRole('row').filter({ hasText: 'old' });
    await row.getByTitle(/^Enabled for 30 days, and .* Last called /).waitFor();
    await expect.poll(() => page.getByText('stale', { exact: true }).count()).toBe(1);
    await keys.enter('Stale');
    await link(/^new/).waitFor({ state: 'detached' });
    await keys.press('j', 'Enter');
    await page.getByText(/^Last called .*: it is stale\.$/).waitFor();
  });

  test('shows why SDKs cannot evaluate a flag locally', async () => {
    await flags.create('tone', everyone(25), { ensure_experience_continuity: true });
    await openList();
    const row = page.getByRole('row').filter({ hasText: 'tone' });
    await row.getByText(/^Not compatible with local evaluation: ./).waitFor();
    await page.goto(view.at('/flags?state=STALE'));
    await page.getByText('No matching flags').waitFor();
    expect(await row.count()).toBe(0);
  });

  test('shows the conditions of a flag, its rollout, and that it works with local evaluation', async () => {
    const plan = { key: 'plan', type: 'person', operator: 'exact', value: ['Solo', 'Studio'] };
    await flags.create('tone', { groups: [{ properties: [plan], rollout_percentage: 25 }] });
    await openList();
    const row = page.getByRole('row').filter({ hasText: 'tone' });
    await row.getByText('plan is any of Solo, Studio').waitFor();
    await row.getByText('25%').waitFor();
    await row.getByText(/Works with local evaluation, if code passes plan/).waitFor();
    await row.getByText('never').waitFor();
    expect(await row.getByText('local override').count()).toBe(0);
    await view.ask(`/api/projects/${view.server.projectId}/burrow/flag_overrides/`, {
      method: 'POST',
      body: { key: 'tone', value: true },
    });
    await page.reload();
    await row.getByText('local override').waitFor();
  });
});
