// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cohortsBehind, PAYING, sendThreePersons } from '../support/console-cohorts.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;
let cohorts: ReturnType<typeof cohortsBehind>;
/** What a test makes the page complain about on purpose. */
let provoked: RegExp | null;

beforeEach(async () => {
  provoked = null;
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
  cohorts = cohortsBehind(view);
});
afterEach(async () => {
  const complaints = await view.close();
  expect(complaints.filter((text) => !provoked?.test(text))).toEqual([]);
});

const preview = () => page.getByRole('region', { name: 'Preview', exact: true });

async function openRule(id: number | 'new'): Promise<void> {
  await page.goto(view.at(`/cohorts/${id}`));
  await page.getByLabel('Name', { exact: true }).waitFor();
}

describe('the rule of a cohort, by keyboard alone', () => {
  test('by a person property; its size is updated immediately, and it is stored', async () => {
    await sendThreePersons(view);
    await page.goto(view.at('/cohorts'));
    await page.getByText('No cohorts yet').waitFor();
    await keys.press('c');
    await page.getByLabel('Name', { exact: true }).waitFor();
    await keys.type('Payers');
    await keys.enter('Property');
    await keys.type('plan');
    await keys.choose(/^plan/);
    await keys.choose(/^is$/);
    await keys.type('studio');
    await keys.choose(/^studio/);
    await preview().getByText('of 3 persons').waitFor();
    await keys.press('Control+s');
    await page.getByText('Payers saved').waitFor();
    const [stored] = await cohorts.list();
    expect(stored).toMatchObject({ name: 'Payers', count: 1, is_static: false });
    expect(JSON.stringify(stored!.filters)).toContain('"plan"');
  });

  test('by a behavior, with count and time', async () => {
    await sendThreePersons(view);
    await openRule('new');
    await keys.type('Busy');
    await keys.enter('Behavior');
    await keys.type('invoice');
    await keys.choose(/^invoice paid/);
    await keys.type('2');
    await keys.choose('at least 2 times');
    await keys.type('2 weeks');
    await keys.choose('in the last 2 weeks');
    await preview()
      .getByRole('link', { name: /Ana Reyes/ })
      .waitFor();
    await expect.poll(() => preview().getByRole('link').count()).toBe(1);
    await keys.press('Control+s');
    await page.getByText('Busy saved').waitFor();
    await keys.press('m');
    await page.getByRole('row').filter({ hasText: 'Ana Reyes' }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'Greta Holm' }).count()).toBe(0);
  });

  test('a pattern without matches has a warning', async () => {
    // The server refuses to count by such a pattern.
    provoked = /status of 400/;
    await sendThreePersons(view);
    await openRule('new');
    await keys.enter('Property');
    await keys.type('email');
    await keys.choose(/^email/);
    await keys.type('matches');
    await keys.choose('matches regex');
    await keys.type('(?=a)b');
    await page.getByText('this regex matches nothing').waitFor();
    await keys.choose(/^Use/);
    await page.getByText('this regex matches nothing').waitFor();
    const chip = page.getByRole('group', { name: 'email matches regex (?=a)b', exact: true });
    await expect.poll(() => chip.count()).toBe(1);
  });

  test('missing fields are reported, and no cohort is stored', async () => {
    await openRule('new');
    await keys.fill('Description', 'x');
    await keys.press('Control+s');
    await page.getByText('Enter a name.').waitFor();
    await page.getByText('Add a condition first.').waitFor();
    expect(await cohorts.list()).toEqual([]);
  });

  test('groups are added, changed between all and any, and removed', async () => {
    await sendThreePersons(view);
    const { id } = await cohorts.create({ name: 'Payers', filters: PAYING });
    await openRule(id);
    await preview().getByText('of 3 persons').waitFor();
    await keys.enter('Group');
    await page.getByRole('region', { name: 'Group 2' }).waitFor();
    // The first field of the new group is right before the button that added it.
    await keys.press('Shift+Tab', 'Enter');
    await keys.type('invoice');
    await keys.choose(/^invoice paid/);
    await keys.choose('at least once');
    await keys.choose('in the last 7 days');
    await keys.enter('all groups');
    await preview()
      .getByRole('link', { name: /Ana Reyes/ })
      .waitFor();
    await page.getByText('unsaved changes').waitFor();
    await keys.enter('Remove filter plan is any of studio, solo');
    await keys.enter('Remove group 1');
    await keys.press('Control+s');
    await page.getByText('Payers saved').waitFor();
    const { filters } = await cohorts.read(id);
    expect(JSON.stringify(filters)).not.toContain('"plan"');
    expect(JSON.stringify(filters)).toContain('performed_event');
  });

  test('leaving with changes asks for confirmation', async () => {
    const { id } = await cohorts.create({ name: 'Payers', filters: PAYING });
    await openRule(id);
    await keys.fill('Description', 'Whoever pays');
    await keys.enter('Cohorts');
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await expectSeen(dialog);
    await keys.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('Whoever pays');
    await keys.enter('Cohorts');
    await expectSeen(dialog);
    await keys.enter('Leave');
    await page.getByRole('table', { name: 'Cohorts' }).waitFor();
  });

  test('a rule of the API that cannot be edited is shown and kept', async () => {
    const solo = { type: 'person', key: 'plan', operator: 'exact', value: 'solo' };
    const nested = { type: 'AND', values: [{ type: 'OR', values: [solo, PAYING.properties] }] };
    const { id } = await cohorts.create({ name: 'Nested', filters: { properties: nested } });
    await openRule(id);
    await page.getByText('any of', { exact: true }).waitFor();
    await keys.fill('Description', 'kept');
    await keys.press('Control+s');
    await page.getByText('Nested saved').waitFor();
    expect(JSON.stringify((await cohorts.read(id)).filters)).toContain('"studio"');
  });
});
