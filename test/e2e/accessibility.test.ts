import { describe, expect, test } from 'vitest';
import { useConsoleTab } from '../support/console-tab.ts';

const tab = useConsoleTab();
const { heading, openContext, openLive, row, send, violations } = tab;

describe('without a mouse', () => {
  test('palette, screens, rows, event and help by keyboard alone', async () => {
    await openLive();
    await tab.page.keyboard.press('g');
    await tab.page.keyboard.press('c');
    await heading('Connect').waitFor();
    await tab.page.keyboard.press('Control+k');
    await tab.page
      .getByRole('textbox', { name: 'Find or jump' })
      .or(tab.page.getByRole('combobox', { name: 'Find or jump' }))
      .first()
      .waitFor();
    await tab.page.keyboard.type('liv');
    await tab.page.keyboard.press('Enter');
    await heading('Live').waitFor();
    await row('earlier').waitFor();

    await tab.page.keyboard.press('j');
    await tab.page.keyboard.press('Enter');
    await tab.page.getByRole('tab', { name: /Properties/ }).waitFor();
    await tab.page.keyboard.press('Escape');
    await tab.page.getByRole('tab', { name: /Properties/ }).waitFor({ state: 'detached' });

    await tab.page.keyboard.press('?');
    await tab.page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await tab.page.keyboard.press('Escape');
    await tab.page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
    expect(await row('earlier').getByRole('button').getAttribute('aria-expanded')).toBe('false');
  });

  test('Tab reaches every control of Connect, each with a visible ring', async () => {
    await tab.page.goto(tab.server.consoleUrl);
    await tab.page.getByRole('button', { name: 'Send a test event' }).waitFor();
    const names: string[] = [];
    for (let step = 0; step < 30; step += 1) {
      await tab.page.keyboard.press('Tab');
      const focused = await tab.page.evaluate<Focused>(FOCUSED);
      if (focused.isPage) break;
      expect(focused).toMatchObject({ isRinged: true });
      names.push(focused.name);
    }
    for (const name of [
      'Find or jump',
      'Live',
      'Connect',
      'Browser',
      'Copy snippet',
      'Copy project key',
      'Send a test event',
    ]) {
      expect(names.some((found) => found.includes(name))).toBe(true);
    }
  });
});

describe.each(['light', 'dark'] as const)('for everybody, in the %s theme', (theme) => {
  test('axe finds nothing on Connect, Live, the palette and sign-in', async () => {
    const themed = await openContext(theme);
    tab.page = await themed.newPage();
    await tab.page.goto(`${tab.server.url}/#token=foreign`);
    await heading('This link is not known here').waitFor();
    expect(await violations()).toEqual([]);

    await tab.page.goto(tab.server.consoleUrl);
    await heading('Waiting for the first event').waitFor();
    await send({ event: 'refused' }, 'phc_aKeyOfNoProjectAtAll');
    await tab.page.getByText('belongs to no project here').waitFor();
    expect(await violations()).toEqual([]);

    for (const event of ['$pageview', 'invoice sent', undefined]) {
      await send({
        ...(event ? { event } : {}),
        properties: { $current_url: 'https://app.example/invoices' },
      });
    }
    await heading('First event received').waitFor();
    expect(await violations()).toEqual([]);
    await tab.page.getByRole('button', { name: 'See it live' }).click();
    await row('invoice sent').click();
    await tab.page.getByText('No event name').waitFor();
    await tab.page.getByRole('tab', { name: 'JSON' }).click();
    expect(await violations()).toEqual([]);
    await tab.page.keyboard.press('Escape');
    await tab.page.keyboard.press('f');
    await tab.page.getByRole('option').first().waitFor();
    expect(await violations()).toEqual([]);
    await tab.page.keyboard.press('Escape');
    await tab.page.keyboard.press('Control+k');
    await tab.page.getByRole('option').first().waitFor();
    expect(await violations()).toEqual([]);
  });

  test('axe finds nothing at 800 pixels', async () => {
    const themed = await openContext(theme, 800);
    tab.page = await themed.newPage();
    await tab.page.goto(tab.server.consoleUrl);
    await heading('Waiting for the first event').waitFor();
    expect(await violations()).toEqual([]);
    await send({ event: 'invoice sent' });
    await tab.page.getByRole('button', { name: 'See it live' }).click();
    await row('invoice sent').waitFor();
    expect(await violations()).toEqual([]);
    await tab.page.getByRole('button', { name: 'Ingestion' }).click();
    await tab.page.getByRole('complementary', { name: 'Ingestion' }).getByText('Pipeline').waitFor();
    expect(await violations()).toEqual([]);
  });
});

interface Focused {
  name: string;
  isPage: boolean;
  isRinged: boolean;
}

/** Describes the element that has the focus; text, because these tests are not compiled for a tab.page. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return {
    name: element.getAttribute('aria-label') ?? element.innerText ?? '',
    isPage: element === document.body,
    isRinged: outlineStyle !== 'none' && outlineWidth !== '0px',
  };
})()`;
