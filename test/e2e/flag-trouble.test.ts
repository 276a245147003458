// @module-tag browser
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { everyone, flagsBehind } from '../support/console-flags.ts';
import { consoleOf } from '../support/console.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareBrowser } from '../support/shared-console.ts';
import { startServer } from '../support/start-server.ts';
import { openTestStore } from '../support/store.ts';

const openConsole = shareBrowser();

const row = (page: Page, key: string) => page.getByRole('row').filter({ hasText: key });
const asking = (properties: object[]) => ({ groups: [{ properties, rollout_percentage: 100 }] });
const answerOf = (id: number) => ({
  type: 'flag',
  key: String(id),
  operator: 'flag_evaluates_to',
  value: true,
});

/** Filters as no route lets them in, and as a file of an older or a damaged server may hold them. */
async function writeFilters(dataDir: string, filters: ReadonlyMap<number, object>): Promise<void> {
  const store = await openTestStore({ path: join(dataDir, 'burrow.duckdb') });
  for (const [id, value] of filters) {
    await store.db.run('UPDATE feature_flags SET filters = $filters WHERE id = $id', {
      filters: JSON.stringify(value),
      id,
    });
  }
  await store.close();
}

test('a flag that cannot be evaluated shows the error, in the list, beside its definition and in the playground', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'burrow-flags-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const before = await startServer({ dataDir });
  const { create } = flagsBehind(consoleOf(before, null as never, null as never));
  const lost = await create('lost', everyone(100));
  const [one, other] = [await create('one', everyone(100)), await create('other', everyone(100))];
  await before.stop();
  await writeFilters(
    dataDir,
    new Map([
      [lost.id, asking([{ type: 'cohort', key: 'id', value: 99 }])],
      [one.id, asking([answerOf(other.id)])],
      [other.id, asking([answerOf(one.id)])],
    ]),
  );

  const view = await openConsole(await startServer({ dataDir }));
  const { page } = view;
  const keys = keyboardOf(page);
  await page.goto(view.at('/flags?sort=flag'));
  await row(page, 'lost')
    .getByTitle(/^It cannot be evaluated: .*99/)
    .waitFor();
  await row(page, 'other')
    .getByTitle(/^It cannot be evaluated: .*one/)
    .waitFor();
  await keys.press('j', 'Enter');
  await page.getByText('It cannot be evaluated.').waitFor();
  await page.getByRole('complementary').getByText(/99/).first().waitFor();
  expect(await view.violations()).toEqual([]);
  await page.goto(view.at('/playground?id=u_1&flag=one'));
  const why = page.getByRole('region', { name: 'Why', exact: true });
  await why.getByText('This flag cannot be evaluated:').waitFor();
  await why.getByText(/other/).first().waitFor();
  // The preview is requested, and refused for the same reason.
  expect((await view.close()).filter((text) => !text.includes('status of 400'))).toEqual([]);
});

test('a viewer of a flag sees its state, and no controls that change it', async () => {
  const view = await openConsole();
  const { page, server } = view;
  const keys = keyboardOf(page);
  const plan = { type: 'person', key: 'plan', operator: 'exact', value: 'Solo' };
  const variants = ['a', 'b'].map((key) => ({ key, rollout_percentage: 50 }));
  const { id } = await flagsBehind(view).create('tone', { ...asking([plan]), multivariate: { variants } });
  const lin = await view.ask<{ id: string; personal_api_key: string }>(
    '/api/organizations/@current/members/',
    { method: 'POST', body: { email: 'lin@local.test', first_name: 'Lin', level: 1 } },
  );
  await view.ask(`/api/projects/${server.projectId}/feature_flags/${id}/access_controls/`, {
    method: 'PUT',
    body: { organization_member: lin.id, access_level: 'viewer' },
  });

  await page.context().clearCookies();
  await page.goto(view.at('/flags'));
  await keys.fill('Personal API key', lin.personal_api_key);
  await keys.press('Enter');
  await row(page, 'tone').waitFor();
  await expect.poll(() => page.getByRole('switch', { name: 'Enable tone' }).isDisabled()).toBe(true);
  await keys.press('j', 'Enter');
  await page.getByText('You have view access only').waitFor();
  const form = page.getByRole('region', { name: 'Definition' });
  await form.getByText('plan').waitFor();
  // What is there can be read, none of it answers, and nothing is there that only changes it.
  expect(await form.locator('input:enabled, textarea:enabled, button:enabled').count()).toBe(0);
  expect(await form.getByRole('button', { name: /Condition|Add|Remove|Move|More|Variant$/ }).count()).toBe(0);
  for (const name of ['Save', 'Add override', 'Restore'])
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  const border = form.getByRole('slider', { name: 'Border between a and b' });
  await expect.poll(() => border.getAttribute('data-disabled')).not.toBeNull();
  expect(await view.violations()).toEqual([]);
  await keys.enter('More: duplicate, delete');
  await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
  await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['Duplicate']);
  // Before sign-in the console gets a 401.
  expect((await view.close()).filter((text) => !text.includes('401'))).toEqual([]);
});
