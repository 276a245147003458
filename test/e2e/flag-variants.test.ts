// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { everyone, flagsBehind } from '../support/console-flags.ts';
import type { OpenConsole } from '../support/console.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;
let flags: ReturnType<typeof flagsBehind>;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
  flags = flagsBehind(view);
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const sharesOf = async (id: number) =>
  (await flags.read(id)).filters.multivariate?.variants.map(({ rollout_percentage: share }) => share);

async function openFlag(id: number): Promise<void> {
  await page.goto(view.at(`/flags/${id}`));
  await page.getByLabel('Description').waitFor();
}

describe('the variants of a flag', () => {
  test('are split by arrows, 100 at all times, and a payload that is not JSON is not saved', async () => {
    const { id } = await flags.create('tone');
    await openFlag(id);
    await keys.enter('Multivariate');
    const border = page.getByRole('slider', { name: 'Border between control and test' });
    await border.waitFor();
    await keys.tabTo('Border between control and test');
    await keys.press('ArrowRight', 'Shift+ArrowRight');
    await expect.poll(() => border.getAttribute('aria-valuetext')).toBe('61 and 39 percent');
    await keys.fill('Rollout of variant 1', '80');
    await expect.poll(() => border.getAttribute('aria-valuetext')).toBe('80 and 20 percent');
    await keys.tabTo('Payload of variant 1');
    await keys.type('{a: 1}');
    await page.getByText(/^Invalid JSON/).waitFor();
    await keys.press('Control+s');
    await page.getByText('1 problem to fix').waitFor();
    expect((await flags.read(id)).version).toBe(1);
    await keys.press('Control+a');
    await keys.type('{"a": 1}');
    await keys.press('Control+s');
    await expect.poll(() => sharesOf(id)).toEqual([80, 20]);
    expect(JSON.parse((await flags.read(id)).filters.payloads['control']!)).toEqual({ a: 1 });
  });

  test('are added, named, split evenly and removed by keyboard', async () => {
    const variants = ['a', 'b'].map((key, index) => ({ key, rollout_percentage: index * 100 }));
    const { id } = await flags.create('tone', { ...everyone(100), multivariate: { variants } });
    await openFlag(id);
    await keys.enter('Variant');
    await keys.type('c');
    await keys.fill('Rollout of variant 3', '90');
    await keys.enter('Distribute evenly');
    await keys.press('Control+s');
    await expect.poll(() => sharesOf(id)).toEqual([34, 33, 33]);
    await keys.enter('Remove variant b');
    await keys.press('Control+s');
    await expect.poll(async () => (await sharesOf(id))?.length).toBe(2);
    expect((await sharesOf(id))!.reduce((sum, share) => sum + share, 0)).toBe(100);
  });

  test('are split by dragging the border between two of them with the mouse', async () => {
    const variants = ['a', 'b'].map((key) => ({ key, rollout_percentage: 50 }));
    const { id } = await flags.create('tone', { ...everyone(100), multivariate: { variants } });
    await openFlag(id);
    const border = page.getByRole('slider', { name: 'Border between a and b' });
    await border.scrollIntoViewIfNeeded();
    const box = (await border.boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 120, y, { steps: 8 });
    await page.mouse.up();
    const [left, right] = (await border.getAttribute('aria-valuetext'))!.match(/[\d.]+/g)!.map(Number);
    expect(left! + right!).toBe(100);
    expect(left).toBeGreaterThan(55);
    await keys.press('Control+s');
    await expect.poll(() => sharesOf(id)).toEqual([left, right]);
  });
});
