// @module-tag browser
import { afterEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
/** Expected error responses, which Chromium logs as failed resources. */
let refusals: string[] = [];

afterEach(async () => {
  const complaints = await view.close();
  expect(complaints.filter((text) => !refusals.some((status) => text.includes(status)))).toEqual([]);
  refusals = [];
});

const DAY = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString();

async function storedEvents(): Promise<string[]> {
  const { results } = await view.ask<{ results: { event: string }[] }>(
    `/api/projects/${view.server.projectId}/events/?after=2000-01-01`,
  );
  return results.map(({ event }) => event).toSorted();
}

describe('data retention', () => {
  test('a limit shows what it would delete, deletes no events before it is confirmed, and then does', async () => {
    view = await openConsole();
    await view.capture(
      { event: 'long ago', timestamp: daysAgo(400) },
      { event: 'also long ago', timestamp: daysAgo(300) },
      { event: 'of late', timestamp: daysAgo(1) },
    );
    const { page } = view;
    await page.goto(view.at('/settings/retention'));
    await page.getByText('Events are kept indefinitely.').waitFor();
    await page.getByLabel('Days to keep').fill('90');
    await page.getByText('Deleted if you save:').waitFor();
    await page.getByText('2 events, up to').waitFor();
    await page.getByText('1 event remains').waitFor();
    expect(await storedEvents()).toEqual(['also long ago', 'long ago', 'of late']);

    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'Delete 2 events of Default?' });
    await expectSeen(dialog);
    await expectSeen(dialog.getByText('This cannot be undone.'));
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await storedEvents()).toHaveLength(3);

    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('button', { name: 'Save and delete 2 events' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(storedEvents).toEqual(['of late']);
    await page.getByText('No events are deleted now').waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('Days to keep').inputValue()).toBe('90');
  });

  test('an invalid limit is reported immediately, and cannot be saved', async () => {
    view = await openConsole();
    const { page } = view;
    await page.goto(view.at('/settings/retention'));
    await page.getByRole('switch', { name: 'Limit by size' }).click();
    await page.getByLabel('Gigabytes to keep').fill('much');
    await page.getByText('Enter a number from 0.001 to 1,000,000 GB.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('Events are kept indefinitely.').waitFor();
  });

  test('inspect only shows events live without storing them, until it is turned off', async () => {
    view = await openConsole();
    await view.capture({ event: 'kept before' });
    const { page } = view;
    await page.goto(view.at('/settings/retention'));
    await page.getByRole('switch', { name: 'Inspect only' }).click();
    const dialog = page.getByRole('dialog', { name: 'Stop storing events of Default?' });
    await dialog.getByRole('button', { name: 'Inspect only' }).click();
    await page.getByText('events are not stored', { exact: true }).waitFor();

    await page.goto(view.at('/live'));
    await page.getByText('Inspect only', { exact: false }).first().waitFor();
    await page.getByRole('row').filter({ hasText: 'kept before' }).waitFor();
    await view.capture({ event: 'only looked at' });
    await page.getByRole('row').filter({ hasText: 'only looked at' }).waitFor();
    expect(await storedEvents()).toEqual(['kept before']);

    await page.goto(view.at('/settings/retention'));
    await page.getByRole('switch', { name: 'Inspect only' }).click();
    await page.getByText('Inspect only is off').waitFor();
    await view.capture({ event: 'kept after' });
    expect(await storedEvents()).toEqual(['kept after', 'kept before']);
  });
});

describe('the server', () => {
  test('the storage page names the projects with their events', async () => {
    view = await openConsole();
    const path = `/api/projects/${view.server.projectId}/`;
    await view.ask(path, { method: 'PATCH', body: { name: 'Paperboat' } });
    await view.capture({ event: 'a' }, { event: 'b' });
    await view.page.goto(view.at('/settings/storage'));
    await view.page.getByText('--ephemeral').waitFor();
    const project = view.page.getByRole('row').filter({ hasText: 'Paperboat' });
    await expect
      .poll(async () => (await project.getByRole('cell').allInnerTexts()).slice(0, 2))
      .toEqual(['Paperboat', '2']);
  });

  test('by keyboard an invalid city file is refused with the reason, and the choice "none" is stored', async () => {
    view = await openConsole();
    refusals = ['status of 400'];
    const { page } = view;
    await page.goto(view.at('/settings/geoip'));
    const keys = keyboardOf(page);
    await page.getByRole('radio', { name: 'Countries', checked: true }).waitFor();
    await keys.tabTo(/^Countries/);
    await keys.chooseNext('Cities');
    await keys.fill('File path on the server', '/nowhere/cities.mmdb');
    await keys.enter('Use file');
    await expectSeen(page.getByRole('alert'));
    expect(await view.ask('/api/burrow/geoip/')).toMatchObject({ source: 'country' });
    try {
      await keys.tabTo(/^Cities/);
      await keys.chooseNext('None');
      await page.getByText('Used for new events').waitFor();
      expect(await view.ask('/api/burrow/geoip/')).toMatchObject({ source: 'none' });
    } finally {
      await view.ask('/api/burrow/geoip/', { method: 'PUT', body: { source: 'country' } });
    }
  });
});

test('axe reports no violations, in either theme, wide or narrow', async () => {
  view = await openConsole();
  await view.capture({ event: 'long ago', timestamp: daysAgo(400) }, { event: 'of late' });
  const { page } = view;
  await page.goto(view.at('/settings/retention'));
  await page.getByRole('switch', { name: 'Limit by age' }).click();
  await page.getByText('Deleted if you save:').waitFor();
  expect(await view.violationsInEveryLook('settings-retention')).toEqual([]);
  await page.goto(view.at('/settings/storage'));
  await page.getByRole('row').filter({ hasText: 'Default' }).first().waitFor();
  expect(await view.violationsInEveryLook('settings-storage')).toEqual([]);
  await page.goto(view.at('/settings/geoip'));
  await page.getByRole('radio', { name: 'Cities' }).click();
  expect(await view.violationsInEveryLook('settings-geoip')).toEqual([]);
});
