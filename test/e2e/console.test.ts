import { describe, expect, test } from 'vitest';
import { useConsoleTab } from '../support/console-tab.ts';

const tab = useConsoleTab();
const { heading, openLive, row, send } = tab;

describe('Connect', () => {
  test('turns to “first event received” by itself, and leads to the event under Live', async () => {
    await tab.page.goto(tab.server.consoleUrl);
    await heading('Waiting for the first event').waitFor();
    expect(await send({ event: 'invoice sent', properties: { amount: 480 } })).toBe(200);
    await heading('First event received').waitFor();
    await tab.page.getByText('invoice sent', { exact: true }).waitFor();
    await tab.page.getByRole('button', { name: 'See it live' }).click();
    await row('invoice sent').waitFor();
    await send({ event: 'invoice paid' });
    await row('invoice paid').waitFor();
  });

  test('the test event goes through the same door', async () => {
    await tab.page.goto(tab.server.consoleUrl);
    await tab.page.getByRole('button', { name: 'Send a test event' }).click();
    await heading('First event received').waitFor();
    await tab.page.getByText('test event', { exact: true }).waitFor();
    await tab.page.goto(`${tab.server.url}/`);
    await row('test event').waitFor();
    expect(new URL(tab.page.url()).pathname).toBe(`/project/${tab.server.projectId}/live`);
  });

  test('every snippet can be copied, with this host and token', async () => {
    await tab.page.goto(tab.server.consoleUrl);
    const tabs = tab.page.getByRole('tab');
    await tabs.first().waitFor();
    for (const language of await tabs.all()) {
      await language.click();
      await tab.page.getByRole('button', { name: 'Copy snippet' }).click();
      const text = await tab.page.evaluate<string>('navigator.clipboard.readText()');
      expect(text).toContain(tab.server.projectApiKey);
      expect(text).toContain(`:${tab.server.port}`);
    }
  });

  test('a refused request shows up with the reason', async () => {
    await tab.page.goto(tab.server.consoleUrl);
    await heading('Waiting for the first event').waitFor();
    expect(await send({ event: 'lost' }, 'phc_aKeyOfNoProjectAtAll')).toBe(401);
    await tab.page.getByText('belongs to no project here').waitFor();
    await tab.page.getByText('refused', { exact: true }).waitFor();
  });
});

describe('projects', () => {
  test('a new project has its own key and starts at Connect; the palette leads back', async () => {
    await openLive();
    await tab.page.getByRole('button', { name: /^Project:/ }).click();
    await tab.page.getByRole('menuitem', { name: 'New project' }).click();
    await tab.page.getByLabel('Name').fill('Paperboat');
    await tab.page.keyboard.press('Enter');
    await heading('Waiting for the first event').waitFor();
    await tab.page.getByRole('button', { name: 'Project: Paperboat' }).waitFor();
    expect(await tab.page.getByText(tab.server.projectApiKey).count()).toBe(0);

    await tab.page.keyboard.press('Control+k');
    await tab.page.keyboard.type('default');
    await tab.page.keyboard.press('Enter');
    await tab.page.waitForURL(`**/project/${tab.server.projectId}/**`);
  });
});

test('a chosen theme stands before anything of the console has run', async () => {
  await tab.page.goto(tab.server.consoleUrl);
  await heading('Waiting for the first event').waitFor();
  await tab.page.keyboard.press('Control+k');
  await tab.page.keyboard.type('dark theme');
  await tab.page.keyboard.press('Enter');
  await expect.poll(() => tab.page.locator('html').getAttribute('data-theme')).toBe('dark');
  await tab.page.route('**/assets/*.js', (route) => route.abort());
  await tab.page.reload();
  expect(await tab.page.locator('html').getAttribute('data-theme')).toBe('dark');
  tab.complaints = tab.complaints.filter((text) => !text.includes('ERR_FAILED'));
});
