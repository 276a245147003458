// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cohortsBehind, PAYING } from '../support/console-cohorts.ts';
import { everyone, flagsBehind, sendSixPersons } from '../support/console-flags.ts';
import type { OpenConsole } from '../support/console.ts';
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

const condition = (name: string) => page.getByRole('group', { name, exact: true });

async function openFlag(id: number | 'new'): Promise<void> {
  await page.goto(view.at(`/flags/${id}`));
  await page.getByLabel('Description').waitFor();
}

test('A-9 a condition on a date says in which time zone it is, unless the project is in UTC', async () => {
  const since = { key: 'since', type: 'person', operator: 'is_date_after', value: '2026-03-04' };
  const { id } = await flags.create('dated', { groups: [{ properties: [since], rollout_percentage: 100 }] });
  const hint = page.getByText('Dates without a time zone are in America/New York.');
  const setZone = (timezone: string) =>
    view.ask(`/api/projects/${view.server.projectId}/`, { method: 'PATCH', body: { timezone } });
  await openFlag(id);
  await page.getByText('is after').first().waitFor();
  expect(await page.getByText('Dates without a time zone').count()).toBe(0);
  await setZone('America/New_York');
  try {
    await openFlag(id);
    await hint.waitFor();
    expect(await view.violationsInEveryLook('flag-dates')).toEqual([]);
  } finally {
    await setZone('UTC');
  }
});

describe('a flag is created by keyboard alone', () => {
  test('its key follows from its description, its conditions from stored persons', async () => {
    await sendSixPersons(view);
    await page.goto(view.at('/flags'));
    await page.getByText('No flags yet').waitFor();
    await keys.press('n');
    await page.getByLabel('Description').waitFor();
    await keys.type('Wording of the reminder');
    await expect
      .poll(() => page.getByLabel('Key', { exact: true }).inputValue())
      .toBe('wording-of-the-reminder');

    await keys.enter('Add a condition to set 1');
    await keys.type('plan');
    await keys.choose(/^plan/);
    await keys.choose(/^is$/);
    await keys.type('Solo');
    await page.getByRole('option', { name: /^Solo/ }).waitFor();
    await keys.press('ArrowDown', 'Space');
    await keys.type('Studio');
    await keys.choose(/^Studio/);
    await condition('plan is any of Solo, Studio').waitFor();
    await page.getByText('4 persons match', { exact: true }).waitFor();

    await keys.tabTo('Rollout of set 1');
    await keys.press('End');
    await page.getByText('4', { exact: true }).first().waitFor();
    await keys.press('Control+s');
    await page.waitForURL(/\/flags\/\d+$/);
    const [flag] = await flags.list();
    expect(flag).toMatchObject({
      key: 'wording-of-the-reminder',
      name: 'Wording of the reminder',
      active: true,
    });
    expect(flag?.filters.groups).toMatchObject([
      {
        properties: [{ type: 'person', key: 'plan', operator: 'exact', value: ['Solo', 'Studio'] }],
        rollout_percentage: 100,
      },
    ]);
    await page.getByText('Owner created the flag').waitFor();
  });

  test('without a key it is not created, with a message; an existing key is refused', async () => {
    refusals = ['status of 400'];
    await flags.create('taken');
    await openFlag('new');
    await keys.press('Control+s');
    await page.getByText('Enter a key.').waitFor();
    await keys.tabTo('Key');
    await keys.type('not a key');
    await page.getByText('Only letters, digits, - and _ are allowed.').waitFor();
    await keys.press('Control+a');
    await keys.type('taken');
    await keys.press('Control+s');
    await page.getByText('This project already has a flag with this key').waitFor();
    expect(await flags.list()).toHaveLength(1);
  });
});

describe('condition sets of a flag, by keyboard alone', () => {
  test('sets are moved by arrows, duplicated and removed', async () => {
    const set = (description: string, percent: number) => ({
      description,
      properties: [],
      rollout_percentage: percent,
    });
    const { id } = await flags.create('sets', { groups: [set('First', 10), set('Second', 20)] });
    const namesOf = async () => (await flags.read(id)).filters.groups.map((group) => group.description);
    await openFlag(id);
    await keys.tabTo('Move set 1 of 2: arrow up or down');
    await keys.press('ArrowDown');
    await expect.poll(() => page.getByLabel('Name of set 2').inputValue()).toBe('First');
    await expect
      .poll(() => page.evaluate('document.activeElement?.getAttribute("aria-label")'))
      .toBe('Move set 2 of 2: arrow up or down');
    await page.getByText('1 unsaved change').waitFor();
    await keys.press('Control+s');
    await expect.poll(namesOf).toEqual(['Second', 'First']);
    // The page takes over what was saved, which closes a menu.
    await page.getByText('1 unsaved change').waitFor({ state: 'detached' });

    await keys.pick('More options for set 2', 'Duplicate');
    await page.getByLabel('Name of set 3').waitFor();
    await keys.pick('More options for set 1', 'Remove');
    await page.getByLabel('Name of set 3').waitFor({ state: 'detached' });
    await keys.press('Control+s');
    await expect.poll(namesOf).toEqual(['First', 'First']);
  });

  test('it depends on another flag, and on a cohort', async () => {
    const { id } = await flags.create('tone');
    const other = await flags.create('new-nav', {
      ...everyone(100),
      multivariate: { variants: [{ key: 'blue', rollout_percentage: 100 }] },
    });
    const cohort = await cohortsBehind(view).create({ name: 'Beta circle', filters: PAYING });
    await openFlag(id);
    await keys.enter('Add a condition to set 1');
    await keys.type('new-nav');
    await keys.choose(/^new-nav/);
    await page.getByRole('option', { name: /^blue/ }).waitFor();
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toHaveLength(3);
    await keys.type('blue');
    await keys.choose(/^blue/);
    await condition('new-nav evaluates to blue').waitFor();
    await keys.enter('Add a condition to set 1');
    await keys.type('beta');
    await keys.choose(/^Beta circle/);
    await keys.type('not');
    await keys.choose('is not in');
    await condition('Cohort is not Beta circle').waitFor();
    await keys.press('Control+s');
    await expect
      .poll(async () => (await flags.read(id)).filters.groups[0]?.properties)
      .toMatchObject([
        { type: 'flag', key: String(other.id), operator: 'flag_evaluates_to', value: 'blue' },
        { type: 'cohort', operator: 'not_in', value: cohort.id },
      ]);
    await keys.enter('Remove filter new-nav evaluates to blue');
    await keys.press('Control+s');
    await expect.poll(async () => (await flags.read(id)).filters.groups[0]?.properties.length).toBe(1);
  });

  test('groups are targeted: by their own properties, counted as groups', async () => {
    const company = (key: string, seats: number) => ({
      event: '$groupidentify',
      properties: { $group_type: 'company', $group_key: key, $group_set: { seats } },
    });
    await view.capture(company('a', 2), company('b', 8), company('c', 9));
    const { id } = await flags.create('seats', everyone(0));
    await openFlag(id);
    await keys.pick('Match by: Persons', 'Companies');
    await keys.enter('Add a condition to set 1');
    await keys.type('seats');
    await keys.choose(/^seats/);
    await keys.type('at least');
    await keys.choose(/^is at least$/);
    await keys.type('8');
    await keys.choose(/^8/);
    await page.getByText('2 companies match').waitFor();
    await keys.fill('Rollout of set 1, typed', '100');
    await page.getByText('of 3 companies would get the flag (66.7%, up from 0%).').waitFor();
    await keys.press('Control+s');
    await expect
      .poll(async () => (await flags.read(id)).filters)
      .toMatchObject({
        aggregation_group_type_index: 0,
        groups: [
          { properties: [{ type: 'group', key: 'seats', operator: 'gte', value: '8', group_type_index: 0 }] },
        ],
      });
  });

  test('a regex with lookaround has a warning that it matches no persons, before and after it is added', async () => {
    const { id } = await flags.create('pattern');
    await openFlag(id);
    await keys.enter('Add a condition to set 1');
    await keys.type('email');
    await keys.choose('Use “email”');
    await keys.type('matches');
    await keys.choose('matches regex');
    await keys.type('(?=a)b');
    await page.getByText('this regex matches nothing').waitFor();
    await keys.choose(/^Use/);
    await page.getByText('this regex matches nothing').waitFor();
    // The value of the condition is right before the button that removes it.
    await keys.tabTo('Remove filter email matches regex (?=a)b');
    await keys.press('Shift+Tab', 'Enter');
    await keys.type('^a.+b$');
    await keys.choose(/^Use/);
    await page.getByText('this regex matches nothing').waitFor({ state: 'detached' });
    await expect.poll(() => condition('email matches regex ^a.+b$').count()).toBe(1);
  });

  test('the preview updates while typing', async () => {
    await sendSixPersons(view);
    const only = { type: 'person', key: 'email', operator: 'exact', value: 'u1@client.example' };
    const { id } = await flags.create('reach', {
      groups: [
        { properties: [], rollout_percentage: 0 },
        { properties: [only], rollout_percentage: 0 },
      ],
    });
    await openFlag(id);
    await page.getByText('of 6 persons get the flag (0%).').waitFor();
    await page.getByText('1 person matches', { exact: true }).waitFor();
    await keys.fill('Rollout of set 1, typed', '100');
    await page.getByText('of 6 persons would get the flag (100%, up from 0%).').waitFor();
    await page.getByText('6 more than now').waitFor();
    expect((await flags.read(id)).version).toBe(1);
  });
});
