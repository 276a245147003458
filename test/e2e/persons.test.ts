// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ago, identifyAs, sendTwoPersons } from '../support/console-persons.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { listEvents } from '../support/list-events.ts';
import { countPersons, findGroup, findPerson, getPerson } from '../support/list-persons.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let opened: OpenConsole;
let page: Page;
let keys: Keyboard;

/** What a test makes the page complain about on purpose. */
let provoked: RegExp | null;

beforeEach(async () => {
  provoked = null;
  opened = await openConsole();
  page = opened.page;
  keys = keyboardOf(page);
});
afterEach(async () => {
  const complaints = await opened.close();
  expect(complaints.filter((text) => !provoked?.test(text))).toEqual([]);
});

const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const link = (name: string | RegExp) => page.getByRole('link', { name });
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Opens the list and waits for its rows. */
async function openPersons(search = ''): Promise<void> {
  await sendTwoPersons(opened);
  await page.goto(opened.at(`/persons${search}`));
  await link(/Chidi Nwosu|Ana Reyes/)
    .first()
    .waitFor();
}

async function openAna(): Promise<void> {
  await openPersons();
  await link(/Ana Reyes/).click();
  await page.getByText('identified', { exact: true }).waitFor();
}

describe('the list of persons', () => {
  test('explains persons while it is empty', async () => {
    await page.goto(opened.at('/persons'));
    await page.getByText('No persons yet').waitFor();
    await expect.poll(() => page.getByText(/posthog\.identify/).count()).toBe(1);
  });

  test('one is found by search, and Back returns to the same search', { tags: ['journey'] }, async () => {
    await openPersons();
    await page.keyboard.press('/');
    await page.keyboard.type('reyes');
    await link(/Chidi Nwosu/).waitFor({ state: 'detached' });
    await page.getByText('1 of 2').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('identified', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('1 of 2').waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('reyes');
  });

  test('filters by a property in three steps, with stored values', async () => {
    await openPersons();
    await page.keyboard.press('f');
    await page.getByRole('option', { name: /^plan/ }).click();
    await page.getByRole('option', { name: 'is', exact: true }).click();
    await page.getByRole('option', { name: /^studio/ }).click();
    await button('Apply').click();
    await link(/Ana Reyes/).waitFor({ state: 'detached' });
    await expect.poll(() => link(/Chidi Nwosu/).count()).toBe(1);
    await button('Remove filter plan is studio').click();
    await link(/Ana Reyes/).waitFor();
  });

  test('one filter has several values, also after a reload', async () => {
    await openPersons();
    await opened.capture({ event: 'looked', distinct_id: 'cy', properties: { $set: { plan: 'team' } } });
    await page.keyboard.press('f');
    await page.getByRole('option', { name: /^plan/ }).click();
    await page.getByRole('option', { name: 'is', exact: true }).click();
    for (const plan of [/^studio/, /^team/]) await page.getByRole('option', { name: plan }).click();
    await button('Apply').click();
    await page.getByRole('group', { name: 'plan is any of studio, team' }).waitFor();
    await link(/Ana Reyes/).waitFor({ state: 'detached' });
    await link(/^cy/).waitFor();
    await page.reload();
    await page.getByRole('group', { name: 'plan is any of studio, team' }).waitFor();
    await link(/Chidi Nwosu/).waitFor();
    expect(await link(/Ana Reyes/).count()).toBe(0);
  });

  test('filters by a cohort, also after a reload', async () => {
    await openPersons();
    const condition = { key: 'plan', type: 'person', operator: 'exact', value: 'studio' };
    await opened.ask(`/api/projects/${opened.server.projectId}/cohorts/`, {
      method: 'POST',
      body: { name: 'Studios', filters: { properties: { type: 'AND', values: [condition] } } },
    });
    await page.keyboard.press('f');
    await page.getByRole('option', { name: /^Studios/ }).click();
    await page.getByRole('option', { name: 'is not in' }).click();
    await link(/Chidi Nwosu/).waitFor({ state: 'detached' });
    await link(/Ana Reyes/).waitFor();
    await page.reload();
    await page.getByRole('group', { name: /Studios/ }).waitFor();
    await link(/Ana Reyes/).waitFor();
    expect(await link(/Chidi Nwosu/).count()).toBe(0);
  });

  test('shows properties as columns, and stores the choice', async () => {
    await openPersons();
    await page.getByRole('columnheader', { name: 'plan' }).waitFor();
    await button('Columns').click();
    await page.getByRole('option', { name: /^plan/ }).click();
    await page.getByRole('option', { name: /^email/ }).click();
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole('columnheader', { name: 'email' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'plan' }).count()).toBe(0);
  });

  test('several are selected by keyboard and deleted together, their events are kept', async () => {
    await openPersons();
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    await page.getByText('2 selected').waitFor();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog', { name: 'Delete 2 persons?' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByText('No persons yet').waitFor();
    expect(await countPersons(opened.server)).toBe(0);
    await page.goto(opened.at('/live'));
    await page.getByRole('row').filter({ hasText: 'invoice sent' }).waitFor();
  });

  test('a failure is shown and can be retried', async () => {
    await sendTwoPersons(opened);
    provoked = /ERR_FAILED/;
    await page.route(/\/persons\/\?/, (route) => route.abort());
    await page.goto(opened.at('/persons'));
    await page.getByText('Burrow is not responding').first().waitFor();
    await page.unroute(/\/persons\/\?/);
    await button('Retry').click();
    await link(/Ana Reyes/).waitFor();
    expect(await page.getByText('Burrow is not responding').count()).toBe(0);
  });

  test('the palette finds a person by email address', async () => {
    await openPersons();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('chidi@nw');
    await page.getByRole('option', { name: /Chidi Nwosu/ }).waitFor();
    await page.keyboard.press('Enter');
    await heading('Chidi Nwosu').first().waitFor();
    expect(await page.title()).toContain('Chidi Nwosu');
  });
});

describe('a single person', () => {
  test('a property is changed in place, and stored', async () => {
    await openAna();
    await button('plan').click();
    await page.getByText('Set by $identify').waitFor();
    await button('Edit').click();
    await page.getByLabel('Value of plan').fill('team');
    await page.keyboard.press('Enter');
    await page.getByText('Set in the console or through the API').waitFor();
    expect((await getPerson(opened.server, 'u_1')).properties).toMatchObject({ plan: 'team' });
  });

  test('a property is added with its type; an invalid number is refused', async () => {
    await openAna();
    await button('Add a property').click();
    await page.getByLabel('Name of the new property').fill('seats');
    await page.getByRole('button', { name: /^Value type/ }).click();
    await page.getByRole('menuitemradio', { name: 'Number' }).click();
    await page.getByLabel('Value of the new property').fill('four');
    await page.keyboard.press('Enter');
    await expectSeen(page.getByRole('alert').filter({ hasText: 'A number looks like' }));
    await page.getByLabel('Value of the new property').fill('4');
    await page.keyboard.press('Enter');
    await button('seats').waitFor();
    expect((await getPerson(opened.server, 'u_1')).properties).toMatchObject({ seats: 4 });
  });

  test('a property is deleted, and restored by undo', async () => {
    await openAna();
    await button('plan').click();
    await button('Delete plan').click();
    await button('plan').waitFor({ state: 'detached' });
    expect((await getPerson(opened.server, 'u_1')).properties).not.toHaveProperty('plan');
    await button('Undo').click();
    await button('plan').waitFor();
    expect((await getPerson(opened.server, 'u_1')).properties).toMatchObject({ plan: 'solo' });
  });

  test('the timeline shows the events, also those from before identify', async () => {
    await openAna();
    await page.getByRole('button', { name: /Viewed 3 pages.*\/invoices, then \/invoices\/new/ }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /\$pageview/ }).count()).toBe(1);
    await page.getByRole('button', { name: /invoice sent/ }).click();
    await page.getByText('480', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('480', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Events shown/ }).click();
    await page.getByRole('menuitemradio', { name: /invoice sent/ }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /Viewed/ }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('event')).toBe('invoice sent');
  });

  test('new events wait until they are shown on request', async () => {
    await openAna();
    await page.getByRole('button', { name: /invoice sent/ }).waitFor();
    await opened.capture({ event: 'invoice paid', distinct_id: 'u_1' });
    await button('1 new').waitFor();
    await keys.enter('1 new');
    await page.getByRole('button', { name: /invoice paid/ }).waitFor();
    expect(await button('1 new').count()).toBe(0);
  });

  test('shows the ids and the merges', async () => {
    await opened.capture({ event: 'opened', distinct_id: 'phone', timestamp: ago(60) });
    await sendTwoPersons(opened);
    await opened.capture(identifyAs('u_1', 'phone', {}));
    await openAna();
    const identity = page.getByRole('region', { name: 'Activity and identity' });
    await identity.getByText('Merged into this person').waitFor();
    await expect.poll(() => identity.getByTitle('phone', { exact: true }).count()).toBe(2);
    await identity.getByRole('link', { name: /w_1/ }).waitFor();
  });

  test('shows the current value of each flag, and the last sent one', async () => {
    const path = `/api/projects/${opened.server.projectId}/feature_flags/`;
    const groups = [
      {
        properties: [{ key: 'plan', type: 'person', operator: 'exact', value: 'solo' }],
        rollout_percentage: 100,
      },
    ];
    await opened.ask(path, {
      method: 'POST',
      body: { key: 'new-editor', active: true, filters: { groups } },
    });
    await opened.capture({
      event: '$feature_flag_called',
      distinct_id: 'u_1',
      timestamp: ago(2),
      properties: { $feature_flag: 'new-editor', $feature_flag_response: false },
    });
    await openAna();
    const flag = page
      .getByRole('region', { name: 'Activity and identity' })
      .getByRole('link', { name: /new-editor/ });
    await flag.getByText('sent false').waitFor();
    await flag.getByText('true', { exact: true }).waitFor();
    await keys.enter(/^new-editor/);
    await heading('new-editor').first().waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/flags\/\d+$/);
  });

  test('is split into one person for each id', async () => {
    await openAna();
    await button('Split IDs').click();
    await page.getByRole('dialog').getByText('u_1').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Split' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await getPerson(opened.server, 'u_1')).distinct_ids).toEqual(['u_1']);
    expect((await findPerson(opened.server, 'anon-1'))?.properties ?? {}).not.toHaveProperty('plan');
  });

  test('is deleted with all events', async () => {
    await openAna();
    await button(/^More/).click();
    await page.getByRole('menuitem', { name: /Delete person/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Ana Reyes?' });
    await dialog.getByText(/Delete .*events? too/).click();
    await dialog.getByRole('button', { name: 'Delete with events' }).click();
    await heading('Persons').waitFor();
    await link(/Chidi Nwosu/).waitFor();
    expect(await findPerson(opened.server, 'u_1')).toBeNull();
    await page.goto(opened.at('/live'));
    await page.getByRole('row').filter({ hasText: '$identify' }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'invoice sent' }).count()).toBe(0);
  });

  test('a missing one has a message, with a link to all persons', async () => {
    await openPersons();
    provoked = /404/;
    await page.goto(opened.at('/persons/00000000-0000-4000-8000-000000000000'));
    await page.getByText('Person not found').waitFor();
    await button('All persons').click();
    await link(/Ana Reyes/).waitFor();
    expect(new URL(page.url()).pathname).toBe(new URL(opened.at('/persons')).pathname);
  });
});

describe('groups', () => {
  test('are explained while there are none', async () => {
    await page.goto(opened.at('/groups'));
    await page.getByText('No groups yet').waitFor();
    await expect.poll(() => page.getByText(/posthog\.group/).count()).toBe(1);
  });

  test('are listed beside persons, each with its related persons', async () => {
    await openPersons();
    await link('Companies').click();
    await link(/Reyes Studio/).click();
    const related = page.getByRole('region', { name: 'Related' });
    await related.getByRole('link', { name: /Ana Reyes/ }).waitFor();
    await page.getByRole('button', { name: /invoice sent/ }).waitFor();
    await button('seats').click();
    await button('Edit').click();
    await page.getByLabel('Value of seats').fill('5');
    await page.keyboard.press('Enter');
    await page.getByLabel('Value of seats').and(page.locator('input')).waitFor({ state: 'detached' });
    expect((await findGroup(opened.server, 'company', 'w_1'))?.group_properties).toMatchObject({ seats: 5 });
    await related.getByRole('link', { name: /Ana Reyes/ }).click();
    await page.getByText('identified', { exact: true }).waitFor();
  });

  test('are renamed by group type', async () => {
    await openPersons();
    await link('Companies').click();
    await button('Rename company').click();
    await page.getByLabel('Singular').fill('client');
    await page.getByLabel('Plural').fill('clients');
    await page.keyboard.press('Enter');
    await heading('Clients').waitFor();
    await page.reload();
    await link('Clients').waitFor();
    expect(await link('Companies').count()).toBe(0);
  });

  test('of an unused type are deleted with it, after confirmation', async () => {
    await openPersons();
    await link('Companies').click();
    await button('Delete group type company').click();
    await page.getByText('All of its groups and their properties are deleted').waitFor();
    await button('Delete all companies').click();
    await page.getByText('No groups yet').waitFor();
    expect(await findGroup(opened.server, 'company', 'w_1')).toBeNull();
    expect((await listEvents(opened.server)).map(({ event }) => event)).toContain('invoice sent');
  });

  test('are searched by key and name', async () => {
    await openPersons();
    await link('Companies').click();
    await link(/Reyes Studio/).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('nothing like it');
    await page.getByText('No company matches').waitFor();
    expect(await link(/Reyes Studio/).count()).toBe(0);
    await button('Clear search').first().click();
    await link(/Reyes Studio/).waitFor();
  });
});

test('axe reports no violations, in either theme, wide or narrow', async () => {
  await page.goto(opened.at('/persons'));
  await page.getByText('No persons yet').waitFor();
  expect(await opened.violationsInEveryLook('persons-empty')).toEqual([]);
  await openPersons();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('f');
  await page.getByRole('option').first().waitFor();
  expect(await opened.violationsInEveryLook('persons')).toEqual([]);
  await page.keyboard.press('Escape');

  await link(/Ana Reyes/).click();
  await page.getByRole('button', { name: /invoice sent/ }).click();
  expect(await opened.violationsInEveryLook('person')).toEqual([]);
  // On a narrow page, the details of a person are behind a button.
  await page.setViewportSize({ width: 800, height: 900 });
  await button('About').click();
  await button('plan').click();
  await button('Edit').click();
  await button('Add a property').click();
  expect(await opened.violationsInEveryLook('person-about')).toEqual([]);

  await page.goto(opened.at('/groups'));
  await link(/Reyes Studio/).waitFor();
  expect(await opened.violationsInEveryLook('groups')).toEqual([]);
  await link(/Reyes Studio/).click();
  await page.getByRole('button', { name: /invoice sent/ }).waitFor();
  expect(await opened.violationsInEveryLook('group')).toEqual([]);
});
