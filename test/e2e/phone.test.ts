// @module-tag browser
import { expect, test } from 'vitest';
import { expectSeen } from '../support/expect-seen.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();
const PHONE = { width: 390, height: 844 };

test('a phone has its navigation in a drawer, which closes when a screen was chosen', async () => {
  const view = await openConsole();
  const { page } = view;
  await page.setViewportSize(PHONE);
  await page.goto(view.at('/home'));
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  await menu.click();
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await expectSeen(drawer.getByRole('link', { name: 'Persons' }));
  expect(await view.violations()).toEqual([]);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  expect(await menu.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);

  await menu.click();
  await drawer.getByRole('link', { name: 'Persons' }).click();
  await page.waitForURL(/\/persons$/);
  await drawer.waitFor({ state: 'detached' });
  expect(await view.close()).toEqual([]);
});

test('rows of a list are cards on a phone: the name in full, and below it what the columns say', async () => {
  const view = await openConsole();
  const { page } = view;
  await view.capture(
    ...['ana', 'ben'].map((name) => ({
      event: 'looked',
      distinct_id: name,
      properties: { $set: { email: `${name}.with.a.rather.long.name@example.com`, plan: 'enterprise' } },
    })),
  );
  await page.setViewportSize(PHONE);
  await page.goto(view.at('/persons'));
  const row = page.getByRole('row').filter({ hasText: 'ana.with' });
  await expectSeen(row.getByText('ana.with.a.rather.long.name@example.com').first());
  await expectSeen(row.locator('[data-label="First seen"]'));
  const boxes = await row.getByRole('cell').evaluateAll((cells) =>
    cells
      .map((cell) => cell.getBoundingClientRect())
      .filter(({ width }) => width > 0)
      .map(({ left, right }) => ({ left, right })),
  );
  for (const { left, right } of boxes) {
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(PHONE.width);
  }
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(overflow).toBe(0);
  await row.click();
  await page.waitForURL(/\/persons\/.+/);
  expect(await view.close()).toEqual([]);
});
