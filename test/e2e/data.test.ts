// @module-tag browser
import { afterEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;

afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const row = (name: string) => view.page.getByRole('row').filter({ hasText: name });
const panel = (name: string) => view.page.getByRole('complementary', { name });
const heading = (name: string) => view.page.getByRole('heading', { name, exact: true });

interface Definitions {
  results: { name: string; description: string; verified: boolean; hidden: boolean; tags: string[] }[];
}

async function eventDefinition(name: string) {
  const path = `/api/projects/${view.server.projectId}/event_definitions/?search=${encodeURIComponent(name)}`;
  const { results } = await view.ask<Definitions>(path);
  return results.find((found) => found.name === name);
}

const INVOICE = {
  event: 'invoice sent',
  properties: { amount: 480, currency: 'EUR', $lib: 'posthog-node', $lib_version: '5.70.0' },
};

describe('definitions of events', () => {
  test('an event is described, tagged, verified and hidden, and found by these filters', async () => {
    view = await openConsole();
    await view.capture(INVOICE, { event: 'invoice paid', properties: { amount: 480 } });
    const { page } = view;
    await page.goto(view.at('/data/events'));
    await row('invoice sent').click();
    await panel('invoice sent').getByLabel('Description').fill('An invoice left, by any channel');
    await panel('invoice sent').getByText('Saved', { exact: true }).waitFor();
    await panel('invoice sent').getByLabel('Add a tag').fill('Billing');
    await page.keyboard.press('Enter');
    await panel('invoice sent').getByText('billing', { exact: true }).waitFor();
    await panel('invoice sent').getByRole('button', { name: 'Verify' }).click();
    await panel('invoice sent').getByText('verified', { exact: true }).waitFor();
    expect(await eventDefinition('invoice sent')).toMatchObject({ verified: true, hidden: false });
    await panel('invoice sent').getByRole('button', { name: 'Hide' }).click();
    await panel('invoice sent').getByText('hidden', { exact: true }).waitFor();
    expect(await eventDefinition('invoice sent')).toMatchObject({
      description: 'An invoice left, by any channel',
      tags: ['billing'],
      // Nothing is both: who hides an event does not vouch for it.
      verified: false,
      hidden: true,
    });

    await page.goto(view.at('/data/events'));
    await row('invoice paid').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('sent');
    await row('invoice paid').waitFor({ state: 'detached' });
    await row('invoice sent').getByText('An invoice left, by any channel').waitFor();
    await row('invoice sent').getByText('hidden').waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await row('invoice paid').waitFor();
    await page.getByRole('button', { name: 'Hidden', exact: true }).click();
    await row('invoice paid').waitFor({ state: 'detached' });
    await row('invoice sent').waitFor();
  });

  test('the panel shows the properties of an event, and links from a property back to its events', async () => {
    view = await openConsole();
    await view.capture(INVOICE);
    await view.page.goto(view.at('/data/events?open=invoice+sent'));
    await panel('invoice sent').getByRole('link', { name: 'amount' }).click();
    await panel('amount').getByText('Number').waitFor();
    await panel('amount').getByText('480').waitFor();
    await panel('amount').getByRole('link', { name: 'invoice sent' }).click();
    await panel('invoice sent').getByRole('button', { name: 'SDK' }).click();
    await panel('invoice sent').getByRole('link', { name: '$lib_version' }).waitFor();
    await panel('invoice sent').getByRole('button', { name: 'Explore events' }).click();
    await heading('Explore').waitFor();
    await view.page.getByRole('button', { name: 'Event is invoice sent', exact: true }).waitFor();
    await expect.poll(() => row('invoice sent').count()).toBe(1);
  });

  test('deleting warns, removes the event from the list, and can be undone', async () => {
    view = await openConsole();
    await view.capture(INVOICE, { event: 'invoice paid' });
    const { page } = view;
    const path = `/api/projects/${view.server.projectId}/event_definitions/`;
    const { results } = await view.ask<{ results: { id: string; name: string }[] }>(path);
    const { id } = results.find(({ name }) => name === 'invoice sent')!;
    await view.ask(`${path}${id}/`, { method: 'PATCH', body: { description: 'Kept in mind' } });

    await page.goto(view.at('/data/events?open=invoice+sent'));
    await panel('invoice sent').getByRole('button', { name: 'Delete this event definition' }).click();
    const dialog = page.getByRole('dialog');
    await expectSeen(dialog);
    await expectSeen(dialog.getByText('Its description, tags and status are deleted.'));
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('invoice sent').waitFor({ state: 'detached' });
    await row('invoice paid').waitFor();
    expect(await eventDefinition('invoice sent')).toBeUndefined();

    await page.getByRole('button', { name: 'Undo' }).click();
    await row('invoice sent').getByText('Kept in mind').waitFor();
  });

  test('several are selected by keyboard, verified together, and undone', async () => {
    view = await openConsole();
    await view.capture({ event: 'first of all' }, { event: 'second to none' });
    const { page } = view;
    await page.goto(view.at('/data/events'));
    await row('first of all').waitFor();
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    await page.getByText('2 selected').waitFor();
    await page.getByRole('toolbar').getByRole('button', { name: 'Verify' }).click();
    await row('first of all').getByText('verified').waitFor();
    await row('second to none').getByText('verified').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('first of all').getByText('verified').waitFor({ state: 'detached' });
    await row('second to none').getByText('verified').waitFor({ state: 'detached' });
    expect(await eventDefinition('first of all')).toMatchObject({ verified: false });
  });
});

test('properties of persons and of groups are on their own tabs, reached by keyboard', async () => {
  view = await openConsole();
  await view.capture(
    { event: '$identify', properties: { $set: { plan: 'studio' } } },
    {
      event: '$groupidentify',
      properties: { $group_type: 'company', $group_key: 'acme', $group_set: { seats: 12 } },
    },
  );
  await view.page.goto(view.at('/data/person-properties'));
  await row('plan').getByText('Text').waitFor();
  await keyboardOf(view.page).enter('Group properties');
  await row('seats').getByText('Number').waitFor();
  expect(await row('plan').count()).toBe(0);
});

test('axe reports no violations, in either theme, wide or narrow', async () => {
  view = await openConsole();
  await view.page.goto(view.at('/data/events'));
  await view.page.getByText('No events yet').waitFor();
  expect(await view.violationsInEveryLook('data-empty')).toEqual([]);
  await view.capture(INVOICE, { event: '$pageview' });
  await view.page.goto(view.at('/data/events?open=invoice+sent'));
  await panel('invoice sent').getByRole('link', { name: 'amount' }).waitFor();
  expect(await view.violationsInEveryLook('data-event')).toEqual([]);
  await view.page.goto(view.at('/data/properties?open=amount'));
  await panel('amount').getByRole('link', { name: 'invoice sent' }).waitFor();
  expect(await view.violationsInEveryLook('data-property')).toEqual([]);
});
