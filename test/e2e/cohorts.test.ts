// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cohortsBehind, PAYING, sendThreePersons } from '../support/console-cohorts.ts';
import { flagsBehind } from '../support/console-flags.ts';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen, failurePanelOf } from '../support/expect-seen.ts';
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

const link = (name: string | RegExp) => page.getByRole('link', { name });
const region = (name: string) => page.getByRole('region', { name, exact: true });

async function openList(): Promise<void> {
  await page.goto(view.at('/cohorts'));
  await page.getByRole('table', { name: 'Cohorts' }).waitFor();
}

async function openCohort(id: number): Promise<void> {
  await page.goto(view.at(`/cohorts/${id}`));
  await page.getByRole('navigation', { name: 'Cohort' }).waitFor();
}

const askForIt = (id: number) =>
  flagsBehind(view).create('beta', {
    groups: [{ properties: [{ type: 'cohort', key: 'id', value: id }], rollout_percentage: 100 }],
  });

describe('the list of cohorts, by keyboard alone', () => {
  test('explains cohorts while it is empty, and creates the first one', async () => {
    await page.goto(view.at('/cohorts'));
    await page.getByText('No cohorts yet').waitFor();
    await keys.enter(/^New cohort/);
    await page.getByLabel('Name', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/cohorts\/new$/);
  });

  test('shows size, type and use; one is searched, filtered and opened', async () => {
    await sendThreePersons(view);
    const payers = await cohorts.create({
      name: 'Payers',
      description: 'Whoever pays',
      filters: PAYING,
    });
    await cohorts.create({ name: 'Testers', is_static: true });
    await askForIt(payers.id);
    await openList();
    const row = page.getByRole('row').filter({ hasText: 'Payers' });
    await row.getByText('1 flag').waitFor();
    await expect
      .poll(() => row.getByRole('cell').allInnerTexts())
      .toEqual(expect.arrayContaining(['Dynamic', '2', '1 flag']));
    await keys.press('/');
    await keys.type('whoever');
    await link(/Testers/).waitFor({ state: 'detached' });
    await keys.press('Escape', 'Escape');
    await link(/Testers/).waitFor();
    await keys.enter('Static');
    await link(/Payers/).waitFor({ state: 'detached' });
    await keys.press('j', 'Enter');
    await page.getByRole('heading', { name: 'Testers' }).waitFor();
    await page.getByText('No members yet').waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/cohorts\/\d+$/);
  });

  test('a failure is shown and can be retried', async () => {
    await cohorts.create({ name: 'Testers', is_static: true });
    provoked = /ERR_FAILED/;
    await page.route(/\/cohorts\/\?/, (route) => route.abort());
    await page.goto(view.at('/cohorts'));
    await page.getByText('Burrow is not responding').waitFor();
    await page.unroute(/\/cohorts\/\?/);
    await expectSeen(failurePanelOf(page));
    await keys.enter('Retry');
    await link(/Testers/).waitFor();
    expect(await page.getByText('Burrow is not responding').count()).toBe(0);
  });
});

describe('a cohort, by keyboard alone', () => {
  test('is deleted, and restored by undo', async () => {
    const { id } = await cohorts.create({ name: 'Testers', is_static: true });
    await openCohort(id);
    await keys.pick('More: copy, delete', /^Delete cohort/);
    await expectSeen(page.getByRole('dialog', { name: 'Delete Testers?' }));
    await keys.enter('Delete');
    await page.getByText('No cohorts yet').waitFor();
    expect((await cohorts.read(id)).deleted).toBe(true);
    // The toasts are reached by one key, also from the end of the page.
    await keys.press('Alt+t');
    await keys.enter('Undo');
    await page.getByRole('heading', { name: 'Testers' }).waitFor();
    expect((await cohorts.read(id)).deleted).toBe(false);
  });

  test('that a flag uses cannot be deleted, and the reason is shown', async () => {
    const { id } = await cohorts.create({ name: 'Payers', filters: PAYING });
    await askForIt(id);
    provoked = /400/;
    await openCohort(id);
    await region('Used by').getByRole('link', { name: /beta/ }).waitFor();
    await keys.pick('More: copy, delete', /^Delete cohort/);
    await expectSeen(page.getByRole('dialog'));
    await keys.enter('Delete');
    await expectSeen(page.getByRole('dialog').getByRole('alert'));
    expect((await cohorts.read(id)).deleted).toBe(false);
  });

  test('that is missing is reported, with a link to all cohorts', async () => {
    provoked = /404/;
    await page.goto(view.at('/cohorts/4711'));
    await page.getByText('Cohort not found').waitFor();
    await keys.enter('All cohorts');
    await page.getByText('No cohorts yet').waitFor();
    expect(new URL(page.url()).pathname).toBe(new URL(view.at('/cohorts')).pathname);
  });
});

test('axe reports no violations, in either theme, wide or narrow', async () => {
  const look = async (name: string, path: string, ready: string | RegExp) => {
    await page.goto(view.at(path));
    await page.getByText(ready).first().waitFor();
    expect(await view.violationsInEveryLook(name)).toEqual([]);
  };
  await look('cohorts-empty', '/cohorts', 'No cohorts yet');
  await sendThreePersons(view);
  const payers = await cohorts.create({ name: 'Payers', filters: PAYING });
  const testers = await cohorts.create({ name: 'Testers', is_static: true });
  await look('cohorts', '/cohorts', 'Payers');
  await look('cohort', `/cohorts/${payers.id}`, 'of 3 persons');
  await look('cohort-members', `/cohorts/${payers.id}?tab=members`, 'Ana Reyes');
  await look('cohort-static', `/cohorts/${testers.id}`, 'No members yet');
  await page.goto(view.at('/cohorts/new'));
  await page.getByRole('button', { name: 'Behavior' }).click();
  await page.getByRole('option').first().waitFor();
  expect(await view.violationsInEveryLook('cohort-new')).toEqual([]);
});
