// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sendTwoPersons } from '../support/console-persons.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { countPersons, findGroup, findPerson, getPerson } from '../support/list-persons.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
  await sendTwoPersons(view);
  await page.goto(view.at('/persons'));
  await link(/Ana Reyes/).waitFor();
  await link(/Chidi Nwosu/).waitFor();
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const link = (name: string | RegExp) => page.getByRole('link', { name });
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });

async function openAna(): Promise<void> {
  await keys.press('/');
  await keys.type('reyes');
  await page.getByText('1 of 2').waitFor();
  await keys.press('ArrowDown', 'Enter');
  await page.getByText('identified', { exact: true }).waitFor();
  await button('plan').waitFor();
}

describe('by keyboard alone, of persons', () => {
  test('the list is filtered, the filter removed, and its columns are chosen', async () => {
    await keys.press('f');
    await keys.type('plan');
    await keys.choose(/^plan/);
    await keys.type('is');
    await keys.choose(/^is$/);
    await keys.type('studio');
    await keys.choose(/^studio/);
    await link(/Ana Reyes/).waitFor({ state: 'detached' });
    await button('Remove filter plan is studio').waitFor();
    await keys.enter('Remove filter plan is studio');
    await link(/Ana Reyes/).waitFor();

    await button('Columns').waitFor();
    await keys.enter('Columns');
    await keys.type('email');
    await keys.choose(/^email/);
    await keys.press('Escape');
    await page.getByRole('columnheader', { name: 'email' }).waitFor();
    await expect.poll(() => page.getByRole('columnheader', { name: 'plan' }).count()).toBe(1);
  });

  test('several are selected and deleted', async () => {
    await keys.press('j', 'x', 'j', 'x');
    await page.getByText('2 selected').waitFor();
    await keys.enter('Delete');
    await expectSeen(page.getByRole('dialog', { name: 'Delete 2 persons?' }));
    await keys.enter('Delete');
    await page.getByText('No persons yet').waitFor();
    expect(await countPersons(view.server)).toBe(0);
  });

  test('a property is changed, one is added, and one is deleted and restored', async () => {
    await openAna();
    await keys.enter('plan');
    await button('Edit').waitFor();
    await keys.enter('Edit');
    await keys.press('Control+a');
    await keys.type('team');
    await keys.press('Enter');
    await page.getByText('Set in the console or through the API').waitFor();
    expect((await getPerson(view.server, 'u_1')).properties).toMatchObject({ plan: 'team' });

    await keys.enter('Add a property');
    await keys.type('seats');
    await keys.pick(/^Value type/, 'Number');
    await keys.fill('Value of the new property', '4');
    await keys.press('Enter');
    await button('seats').waitFor();
    expect((await getPerson(view.server, 'u_1')).properties).toMatchObject({ seats: 4 });

    await keys.enter('seats');
    await button('Delete seats').waitFor();
    await keys.enter('Delete seats');
    await button('seats').waitFor({ state: 'detached' });
    await button('Undo').waitFor();
    await keys.enter('Undo');
    await button('seats').waitFor();
    expect((await getPerson(view.server, 'u_1')).properties).toMatchObject({ seats: 4 });
  });

  test('an event of the timeline is opened and closed, and the timeline is filtered by one event', async () => {
    await openAna();
    await page.getByRole('button', { name: /invoice sent/ }).waitFor();
    await keys.enter(/invoice sent/);
    await page.getByText('480', { exact: true }).waitFor();
    await keys.press('Escape');
    await page.getByText('480', { exact: true }).waitFor({ state: 'detached' });
    await keys.pick(/^Events shown/, /invoice sent/);
    await page.getByRole('button', { name: /Viewed/ }).waitFor({ state: 'detached' });

    await view.capture({ event: 'invoice paid', distinct_id: 'u_1' });
    await keys.pick(/^Events shown/, /^All/);
    await page.getByRole('button', { name: /invoice paid/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('event')).toBe(null);
  });

  test('one is split, and one is deleted with all events', async () => {
    await openAna();
    await button('Split IDs').waitFor();
    await keys.enter('Split IDs');
    await expectSeen(page.getByRole('dialog'));
    await keys.tabTo(/u_1/);
    await keys.press('Space');
    await keys.enter('Split');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await getPerson(view.server, 'u_1')).distinct_ids).toEqual(['u_1']);

    await keys.pick(/^More/, /Delete person/);
    await expectSeen(page.getByRole('dialog', { name: 'Delete Ana Reyes?' }));
    await keys.tabTo(/Delete .*events? too/);
    await keys.press('Space');
    await keys.enter('Delete with events');
    await heading('Persons').waitFor();
    await link(/Chidi Nwosu/).waitFor();
    expect(await findPerson(view.server, 'u_1')).toBeNull();
  });
});

describe('by keyboard alone, of groups', () => {
  beforeEach(async () => {
    await keys.enter('Companies');
    await link(/Reyes Studio/).waitFor();
  });

  test('one is searched and opened, its property changed, and one of its persons opened', async () => {
    await keys.press('/');
    await keys.type('nothing like it');
    await page.getByText('No company matches').waitFor();
    await keys.enter('Clear search');
    await link(/Reyes Studio/).waitFor();
    await keys.enter(/Reyes Studio/);
    await page.getByRole('region', { name: 'Related' }).waitFor();
    await button('seats').waitFor();
    await keys.enter('seats');
    await button('Edit').waitFor();
    await keys.enter('Edit');
    await keys.press('Control+a');
    await keys.type('5');
    await keys.press('Enter');
    await expect
      .poll(async () => (await findGroup(view.server, 'company', 'w_1'))?.group_properties)
      .toMatchObject({ seats: 5 });
    await link(/Ana Reyes/).waitFor();
    await keys.enter(/Ana Reyes/);
    await page.getByText('identified', { exact: true }).waitFor();
  });

  test('a group type is renamed, and deleted with all its groups', async () => {
    await keys.enter('Rename company');
    await keys.fill('Singular', 'client');
    await keys.fill('Plural', 'clients');
    await keys.press('Enter');
    await heading('Clients').waitFor();
    await keys.enter('Delete group type client');
    await page.getByText('All of its groups and their properties are deleted').waitFor();
    await keys.enter('Delete all clients');
    await page.getByText('No groups yet').waitFor();
    expect(await findGroup(view.server, 'company', 'w_1')).toBeNull();
  });
});
