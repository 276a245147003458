// @module-tag browser
import { describe, expect, test } from 'vitest';
import { useConsoleTab } from '../support/console-tab.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf } from '../support/keyboard.ts';

const tab = useConsoleTab();
const { heading, openContext } = tab;

describe('signing in', () => {
  test('a console link opens Connect, and its token is removed from the URL', async () => {
    await tab.page.goto(tab.server.consoleUrl);
    await heading('Waiting for the first event').waitFor();
    expect(tab.page.url()).toBe(`${tab.server.url}/project/${tab.server.projectId}/connect`);
    const cookies = await tab.context.cookies();
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatchObject({
      name: `burrow_${tab.server.port}`,
      httpOnly: true,
      sameSite: 'Strict',
    });
    await tab.page.reload();
    await heading('Waiting for the first event').waitFor();
  });

  test(
    'by keyboard: a used link is reported; a personal key signs in, signing out ends the session',
    { tags: ['journey'] },
    async () => {
      await tab.page.goto(tab.server.consoleUrl);
      await heading('Waiting for the first event').waitFor();

      const second = await (await openContext()).newPage();
      await second.goto(tab.server.consoleUrl);
      await heading('This link was already used', second).waitFor();
      expect(second.url()).not.toContain('token');

      const keys = keyboardOf(second);
      await keys.fill('Personal API key', 'phx_nobody');
      await keys.enter('Sign in');
      await expectSeen(second.getByRole('alert').filter({ hasText: 'This key is not valid' }));
      await keys.fill('Personal API key', tab.server.personalApiKey);
      await keys.press('Enter');
      await heading('Waiting for the first event', second).waitFor();

      await keys.pick(/^Project:/, 'Sign out');
      await heading('You are signed out', second).waitFor();
      await second.goto(`${tab.server.url}/project/${tab.server.projectId}/live`);
      await heading('Sign in to Burrow', second).waitFor();
    },
  );

  test('a link opened again in the browser that it signed in continues there', async () => {
    await tab.page.goto(tab.server.consoleUrl);
    await heading('Waiting for the first event').waitFor();
    const again = await tab.context.newPage();
    await again.goto(tab.server.consoleUrl);
    await heading('This link was already used', again).waitFor();
    await again.getByRole('button', { name: /^Continue as/ }).waitFor();
    await keyboardOf(again).enter(/^Continue as/);
    await heading('Waiting for the first event', again).waitFor();
    expect(again.url()).toBe(tab.page.url());
  });

  test('a link of another server is distinguished from a used one', async () => {
    await tab.page.goto(`${tab.server.url}/#token=aTokenOfAnotherServer`);
    await heading('This link is not valid').waitFor();
    expect(await tab.page.getByRole('button', { name: /^Continue as/ }).count()).toBe(0);
  });

  test('after signing in the user is at the requested URL', async () => {
    await tab.page.goto(`${tab.server.url}/project/${tab.server.projectId}/live?ingestion=closed`);
    await tab.page.getByLabel('Personal API key').fill(tab.server.personalApiKey);
    await tab.page.keyboard.press('Enter');
    await heading('No events yet').or(tab.page.getByText('No events yet')).first().waitFor();
    expect(tab.page.url()).toBe(`${tab.server.url}/project/${tab.server.projectId}/live?ingestion=closed`);
  });
});
