// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { everyone, flagsBehind } from '../support/console-flags.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;
let flags: ReturnType<typeof flagsBehind>;
/** Expected error responses, which Chromium logs as failed resources. */
let refusals: string[];

beforeEach(async () => {
  refusals = [];
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
  flags = flagsBehind(view);
});
afterEach(async () => {
  const complaints = await view.close();
  expect(complaints.filter((text) => !refusals.some((status) => text.includes(status)))).toEqual([]);
});

const MENU = 'More: duplicate, delete';
const button = (name: string) => page.getByRole('button', { name, exact: true });

async function openFlag(id: number): Promise<void> {
  await page.goto(view.at(`/flags/${id}`));
  await page.getByLabel('Description').waitFor();
}

describe('a flag edited by several users, by keyboard alone', () => {
  test('a concurrent change by another user: both are shown, and each part is chosen', async () => {
    refusals = ['status of 409'];
    const { id } = await flags.create('tone', everyone(10), { name: 'Before' });
    await openFlag(id);
    await flags.change(id, { name: 'Theirs', filters: everyone(20) });
    await keys.fill('Description', 'Mine');
    await keys.fill('Rollout of set 1, typed', '30');
    await keys.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'This flag was changed by someone else' });
    await dialog.getByRole('cell', { name: '20% of everyone' }).waitFor();
    await dialog.getByRole('cell', { name: 'Mine', exact: true }).waitFor();
    expect((await flags.read(id)).name).toBe('Theirs');
    await keys.enter('Release conditions: Theirs');
    await keys.enter('Save');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await flags.read(id)).name).toBe('Mine');
    expect((await flags.read(id)).filters.groups[0]?.rollout_percentage).toBe(20);
  });

  test('its history shows values before and after', async () => {
    const { id } = await flags.create('tone', everyone(10), { name: 'Before' });
    await flags.change(id, { name: 'After' });
    await openFlag(id);
    await page.getByRole('button', { name: /Owner (renamed|changed)/ }).waitFor();
    await keys.enter(/Owner (renamed|changed)/);
    const dialog = page.getByRole('dialog', { name: 'What was changed' });
    await expectSeen(dialog);
    await expect.poll(() => dialog.getByRole('cell').allInnerTexts()).toEqual(['Before', 'After']);
  });

  test('a value is overridden for one distinct id, and removed', async () => {
    const { id } = await flags.create('tone', everyone(0));
    await openFlag(id);
    await keys.enter('Add override');
    await keys.fill('Distinct ID', 'ana');
    await keys.enter('Add override');
    await button('Remove the override for ana').waitFor();
    expect((await flags.answersFor('ana'))['tone']).toBe(true);
    expect((await flags.answersFor('chidi'))['tone']).toBe(false);
    await keys.enter('Remove the override for ana');
    await page.getByText('Override removed').waitFor();
    expect((await flags.answersFor('ana'))['tone']).toBe(false);
  });
});

describe('deleting and restoring a flag, by keyboard alone', () => {
  test('leaving with changes asks for confirmation', async () => {
    const { id } = await flags.create('tone');
    await openFlag(id);
    await keys.fill('Description', 'Changed');
    await keys.press('Escape', 'Escape');
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await expectSeen(dialog);
    await keys.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('Changed');
    await keys.press('Escape');
    await expectSeen(dialog);
    await keys.enter('Leave');
    await page.getByRole('table', { name: 'Flags' }).waitFor();
    expect((await flags.read(id)).name).toBe('');
  });

  test('a duplicate is disabled at first, with a new key', async () => {
    const { id } = await flags.create('tone', everyone(30), { name: 'Tone' });
    await openFlag(id);
    await keys.pick(MENU, 'Duplicate');
    await page.getByRole('heading', { name: 'New flag' }).waitFor();
    await expect.poll(() => page.getByLabel('Key', { exact: true }).inputValue()).toBe('tone-copy');
    await keys.press('Control+s');
    await page.waitForURL((url) => !url.pathname.endsWith('/new') && !url.pathname.endsWith(`/${id}`));
    const results = await flags.list();
    expect(results.map(({ key, active }) => [key, active])).toEqual([
      ['tone-copy', false],
      ['tone', true],
    ]);
    expect(results[0]?.filters.groups[0]?.rollout_percentage).toBe(30);
  });

  test('a deleted flag is missing from the list, and is restored by undo', async () => {
    const { id } = await flags.create('tone');
    await openFlag(id);
    await keys.pick(MENU, 'Delete flag');
    await page.getByText('No flags yet').waitFor();
    expect((await flags.read(id)).deleted).toBe(true);
    await keys.press('Alt+t');
    await keys.enter('Undo');
    await page.getByLabel('Description').waitFor();
    expect((await flags.read(id)).deleted).toBe(false);
  });

  test('a deleted flag has a message at its URL, and is restored there', async () => {
    const { id } = await flags.create('tone');
    await flags.change(id, { deleted: true });
    await openFlag(id);
    await page.getByText('This flag is deleted').waitFor();
    await keys.enter('Restore');
    await page.getByText('This flag is deleted').waitFor({ state: 'detached' });
    expect((await flags.read(id)).deleted).toBe(false);
  });

  test('a missing one has a message, with a link to all flags', async () => {
    refusals = ['status of 404'];
    await page.goto(view.at('/flags/4711'));
    await page.getByText('Flag not found').waitFor();
    await keys.enter('All flags');
    await page.getByText('No flags yet').waitFor();
    expect(new URL(page.url()).pathname).toBe(new URL(view.at('/flags')).pathname);
  });
});
