// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cohortsBehind, PAYING, sendThreePersons } from '../support/console-cohorts.ts';
import type { OpenConsole } from '../support/console.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;
let cohorts: ReturnType<typeof cohortsBehind>;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
  cohorts = cohortsBehind(view);
  await sendThreePersons(view);
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const row = (name: string) => page.getByRole('row').filter({ hasText: name });

/** Chooses a file in the next file dialog. The listener is added before, as the dialog may open immediately. */
async function whenAskedForFile(name: string, text: string): Promise<void> {
  const chooser = await page.waitForEvent('filechooser');
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}

describe('the members of a cohort, by keyboard alone', () => {
  test('a static list is filled by name and by a file, and a member is removed', async () => {
    const { id } = await cohorts.create({ name: 'Testers', is_static: true });
    await page.goto(view.at(`/cohorts/${id}`));
    const chosen = whenAskedForFile('testers.csv', 'distinct_id\nu_2\nu_3\nnobody\n');
    await page.getByText('No members yet').waitFor();
    await keys.press('p');
    await keys.type('reyes');
    await keys.choose(/Ana Reyes/);
    await row('Ana Reyes').waitFor();
    // Keys belong to the picker until it has closed.
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await keys.press('f');
    await chosen;
    await page.getByText('2 added from testers.csv').waitFor();
    await row('Greta Holm').waitFor();
    await page.getByRole('link', { name: 'Members 3' }).waitFor();
    const places = await page.getByRole('row').allInnerTexts();
    const place = places.findIndex((text) => text.includes('Chidi Nwosu'));
    await keys.press(...Array<string>(place).fill('j'), 'x');
    await page.getByText('1 selected').waitFor();
    await keys.enter('Remove');
    await row('Chidi Nwosu').waitFor({ state: 'detached' });
    expect((await cohorts.read(id)).count).toBe(2);
  });

  test('members of a dynamic cohort are listed, each with a link to the person', async () => {
    const { id } = await cohorts.create({ name: 'Payers', filters: PAYING });
    await page.goto(view.at(`/cohorts/${id}`));
    await page.getByRole('link', { name: 'Members 2' }).waitFor();
    await keys.press('m');
    await row('Ana Reyes').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await keys.press('j');
    const name = await page.evaluate<string>('document.activeElement.innerText.trim().split("\\n").at(-1)');
    await keys.press('Enter');
    await page.getByRole('heading', { name }).first().waitFor();
    expect(new URL(page.url()).pathname).toContain('/persons/');
  });
});
