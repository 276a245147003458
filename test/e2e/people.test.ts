// @module-tag browser
import { afterEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareBrowser } from '../support/shared-console.ts';

const openConsole = shareBrowser();

let view: OpenConsole;
/** Expected error responses, which Chromium logs as failed resources. */
let refusals: string[] = [];

afterEach(async () => {
  const complaints = await view.close();
  expect(complaints.filter((text) => !refusals.some((status) => text.includes(status)))).toEqual([]);
  refusals = [];
});

/** Sends a request with a key, as a script does. */
async function statusWith(key: string, path: string, method = 'GET'): Promise<number> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const body = method === 'GET' ? {} : { body: '{}' };
  return (await fetch(view.server.url + path, { method, headers, ...body })).status;
}

const shownKey = async () => (await view.page.locator('.once .value').innerText()).trim();

describe('members', () => {
  test('an added member signs in with the shown key, and sees only what members may do', async () => {
    view = await openConsole();
    refusals = ['status of 401'];
    const { page } = view;
    await page.goto(view.at('/settings/members'));
    await page.getByRole('button', { name: 'Add member' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add member' });
    await dialog.getByLabel('Email address').fill('grace@paperboat.example');
    await dialog.getByLabel('First name').fill('Grace');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Grace can sign in with this API key. It is only shown once.').waitFor();
    const key = await shownKey();
    expect(await statusWith(key, '/api/users/@me/')).toBe(200);

    await page.context().clearCookies();
    await page.goto(view.at('/settings/members'));
    await page.getByLabel('Personal API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('row').filter({ hasText: 'Grace' }).getByText('you', { exact: true }).waitFor();
    expect(await page.getByText(key).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Add member' }).count()).toBe(0);
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.getByText('Next member').waitFor();
    expect(await keys.getByText('Add member').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Owner/ }).click();
    await page.getByText('Only admins can change roles').waitFor();
    await page.goto(view.at('/settings/projects'));
    await page
      .getByRole('button', { name: /^Default/ })
      .last()
      .click();
    await page.getByText('Only project admins can change it.').waitFor();
    expect(await page.getByRole('button', { name: 'Delete project' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Switch project' }).click();
    await page.getByRole('menuitem', { name: 'Copy project API key' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'New project' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('project');
    await page.getByRole('option', { name: 'Copy project API key' }).waitFor();
    expect(await page.getByRole('option', { name: 'New project' }).count()).toBe(0);
  });

  test('Esc leaves a field, then closes the panel, and the row is focused again', async () => {
    view = await openConsole();
    const { page } = view;
    await view.ask('/api/personal_api_keys/', { method: 'POST', body: { label: 'ci', scopes: ['*'] } });
    await page.goto(view.at('/settings/keys'));
    await page.getByRole('row').filter({ hasText: 'ci' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('ci of today');
    await page.keyboard.press('Escape');
    await expect.poll(() => name.inputValue()).toBe('ci of today');
    await page.keyboard.press('Escape');
    await name.waitFor({ state: 'detached' });
    const focused = page.locator(':focus');
    await expect.poll(() => focused.getAttribute('class')).toContain('row-link');
    await expect.poll(() => focused.innerText()).toContain('ci');
  });

  test('a changed level applies immediately, and the key of a removed member is refused', async () => {
    view = await openConsole();
    const { page } = view;
    const added = await view.ask<{ personal_api_key: string }>('/api/organizations/@current/members/', {
      method: 'POST',
      body: { email: 'grace@paperboat.example', first_name: 'Grace' },
    });
    await page.goto(view.at('/settings/members'));
    const row = page.getByRole('row').filter({ hasText: 'Grace' });
    await row.getByRole('button').click();
    await page.getByRole('radio', { name: /^Admin/ }).click();
    await page.getByText('Grace is now admin.').waitFor();
    await row.getByText('Admin', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Grace removed').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    expect(await statusWith(added.personal_api_key, '/api/users/@me/')).toBe(401);
  });

  test('an existing email address is refused beside its field', async () => {
    view = await openConsole();
    refusals = ['status of 400'];
    const { page } = view;
    await page.goto(view.at('/settings/members'));
    await page.getByRole('row').filter({ hasText: 'Owner' }).waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Email address').fill('owner@burrow.localhost');
    await page.keyboard.press('Enter');
    await expectSeen(page.getByRole('alert').filter({ hasText: 'A member with this email address' }));
    await expect.poll(() => page.getByLabel('Email address').getAttribute('aria-invalid')).toBe('true');
  });
});

describe('personal keys', () => {
  test('a key with one scope is created, shown once, limited to its scope, and stops working when it is deleted', async () => {
    view = await openConsole();
    const { page } = view;
    await page.goto(view.at('/settings/keys'));
    await page.getByText('No API keys yet').waitFor();
    await page.keyboard.press('n');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Select at least one scope.').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Release bot');
    await page.getByRole('button', { name: 'Write: Annotations' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Release bot created. It is only shown once.').waitFor();
    const key = await shownKey();
    const annotations = `/api/projects/${view.server.projectId}/annotations/`;
    expect(await statusWith(key, annotations, 'POST')).toBe(201);
    expect(await statusWith(key, annotations)).toBe(200);
    expect(await statusWith(key, `/api/projects/${view.server.projectId}/actions/`)).toBe(403);

    await page.reload();
    const row = page.getByRole('row').filter({ hasText: 'Release bot' });
    await row.getByText('write 1').waitFor();
    expect(await page.getByText(key).count()).toBe(0);
    // The mask is removed when the panel opens: a click on it opens the key as well.
    await row.getByText('phx_').click();
    await page.getByRole('button', { name: 'Read: Actions' }).click();
    await page.keyboard.press('Control+s');
    await row.getByText('read 1, write 1').waitFor();
    expect(await statusWith(key, `/api/projects/${view.server.projectId}/actions/`)).toBe(200);

    await row.getByRole('button').click();
    await page.getByRole('button', { name: 'Delete key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete key' }).click();
    await page.getByText('No API keys yet').waitFor();
    expect(await statusWith(key, annotations)).toBe(401);
  });
});

test('a key for chosen projects is refused while none is chosen', async () => {
  view = await openConsole();
  const { page } = view;
  await page.goto(view.at('/settings/keys'));
  await page.getByText('No API keys yet').waitFor();
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Name' }).fill('Release bot');
  await page.getByRole('button', { name: 'Write: Annotations' }).click();
  await page.getByRole('group', { name: 'Projects' }).getByRole('button', { name: 'Selected' }).click();
  await page.keyboard.press('Control+s');
  await page.getByText('Select at least one project, or all projects.').waitFor();
  expect(await view.ask('/api/personal_api_keys/')).toEqual([]);
  await page.getByText('Default', { exact: true }).last().click();
  await page.keyboard.press('Control+s');
  await page.getByText('Release bot created.').waitFor();
  const [key] = await view.ask<{ scoped_teams: number[] }[]>('/api/personal_api_keys/');
  expect(key?.scoped_teams).toEqual([view.server.projectId]);
});

describe('projects', () => {
  test('a project is created, renamed, given a new key, and deleted once its name is typed', async () => {
    view = await openConsole();
    const { page } = view;
    await page.goto(view.at('/settings/projects'));
    await page.getByRole('button', { name: 'New project' }).click();
    const dialog = page.getByRole('dialog', { name: 'New project' });
    await expectSeen(dialog);
    await dialog.getByLabel('Name').fill('Paperboat');
    await dialog.getByLabel('Time zone').selectOption('Europe/Berlin');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    const panel = page.getByRole('complementary', { name: 'Paperboat' });
    await panel.getByRole('button', { name: 'Replace' }).waitFor();
    await panel.getByRole('textbox', { name: 'Name' }).fill('Paper boat');
    await page.keyboard.press('Control+s');
    const renamed = page.getByRole('complementary', { name: 'Paper boat' });
    await renamed.waitFor();
    const { results } = await view.ask<{ results: any[] }>('/api/projects/');
    const made = results.find(({ name }) => name === 'Paper boat');
    expect(made).toMatchObject({ timezone: 'Europe/Berlin' });

    await renamed.getByText(made.api_token).waitFor();
    await renamed.getByRole('button', { name: 'Replace' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
    await page.getByText('Project API key replaced').waitFor();
    expect(await page.getByText(made.api_token).count()).toBe(0);

    await renamed.getByRole('button', { name: 'Delete project' }).click();
    const confirm = page.getByRole('dialog', { name: 'Delete Paper boat and all of its data?' });
    const button = confirm.getByRole('button', { name: 'Delete project' });
    await expect.poll(() => button.isDisabled()).toBe(true);
    await confirm.getByLabel('Type Paper boat to confirm').fill('Paper boat');
    await button.click();
    await page.getByText('Paper boat deleted').waitFor();
    expect((await view.ask<{ count: number }>('/api/projects/')).count).toBe(1);
  });

  test('its secret key is created, replaced and removed by keyboard alone, and shown once', async () => {
    view = await openConsole();
    const { page } = view;
    const { id } = await view.ask<{ id: number }>(`/api/projects/${view.server.projectId}/`);
    await page.goto(view.at('/settings/projects'));
    await page
      .getByRole('button', { name: /^Default/ })
      .last()
      .focus();
    await page.keyboard.press('Enter');
    const section = page.getByRole('region', { name: 'Secret API key' });
    const press = async (name: string) => {
      await section.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
    };
    const definitions = (key: string) => statusWith(key, '/flags/definitions');

    await press('Create secret key');
    const first = await shownKey();
    expect(await definitions(first)).toBe(200);
    await press('Done');
    await page.getByText(first).waitFor({ state: 'detached' });
    await press('Rotate key');
    const second = await shownKey();
    expect(await view.violationsInEveryLook('settings-secret-key')).toEqual([]);
    expect([await definitions(first), await definitions(second)]).toEqual([200, 200]);
    await press('Remove previous key');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Previous secret key removed').waitFor();
    expect([await definitions(first), await definitions(second)]).toEqual([401, 200]);
    await press('Remove secret key');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).focus();
    await page.keyboard.press('Enter');
    await section.getByRole('button', { name: 'Create secret key' }).waitFor();
    expect(await definitions(second)).toBe(401);
    expect(await view.ask(`/api/projects/${id}/burrow/secret_token/`)).toMatchObject({ current: null });
  });
});

describe('the activity log', () => {
  test('by keyboard shows added members, created keys, and the values before and after a change', async () => {
    view = await openConsole();
    const { page } = view;
    const project = `/api/projects/${view.server.projectId}`;
    await view.ask('/api/organizations/@current/members/', {
      method: 'POST',
      body: { email: 'grace@paperboat.example' },
    });
    await view.ask('/api/personal_api_keys/', {
      method: 'POST',
      body: { label: 'ci', scopes: ['action:read'] },
    });
    const { id } = await view.ask<{ id: number }>(`${project}/actions/`, {
      method: 'POST',
      body: { name: 'Signed up' },
    });
    await view.ask(`${project}/actions/${id}/`, { method: 'PATCH', body: { name: 'Joined' } });

    await page.goto(view.at('/activity'));
    const change = page.getByRole('button', { name: 'Owner renamed the action Joined, formerly Signed up' });
    await change.waitFor();
    const keys = keyboardOf(page);
    await keys.enter('Owner renamed the action Joined, formerly Signed up');
    const shown = page.getByRole('row').filter({ hasText: 'name' }).last();
    await expect.poll(() => shown.getByRole('cell').allInnerTexts()).toEqual(['Signed up', 'Joined']);
    expect(await page.getByRole('button', { name: /created the API key/ }).count()).toBe(0);

    await keys.enter('All projects');
    await page.getByRole('button', { name: 'Owner created the API key ci' }).waitFor();
    await page.getByRole('button', { name: 'Owner added grace@paperboat.example as member' }).waitFor();

    await keys.pick('Type: All types', 'API keys');
    await expect.poll(() => page.getByRole('button', { name: /added grace/ }).count()).toBe(0);
    await keys.press('/');
    await keys.type('nobody');
    await page.getByText('No matching activity').waitFor();
    await keys.enter('Clear search and filters');
    await page.getByRole('button', { name: /added grace/ }).waitFor();
  });
});

test('people, keys and changes are accessible, in either theme, wide or narrow', async () => {
  view = await openConsole();
  const { page } = view;
  await page.goto(view.at('/settings/projects'));
  await page
    .getByRole('row')
    .filter({ hasText: 'Default' })
    .getByRole('button', { name: /^Default/ })
    .click();
  await page.getByRole('button', { name: 'Delete project' }).waitFor();
  expect(await view.violationsInEveryLook('projects')).toEqual([]);
  await page.goto(view.at('/settings/members'));
  await page.getByRole('button', { name: /^Owner/ }).click();
  expect(await view.violationsInEveryLook('members')).toEqual([]);
  await page.goto(view.at('/settings/keys'));
  await page.getByRole('button', { name: 'New personal API key' }).click();
  await page.getByRole('button', { name: 'Write: Annotations' }).click();
  expect(await view.violationsInEveryLook('keys')).toEqual([]);
  await view.ask(`/api/projects/${view.server.projectId}/annotations/`, {
    method: 'POST',
    body: { content: 'A' },
  });
  await page.goto(view.at('/activity'));
  await page.getByRole('button', { name: /created the annotation/ }).click();
  expect(await view.violationsInEveryLook('activity')).toEqual([]);
});
