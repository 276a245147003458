// @module-tag browser
import { afterEach, expect, test } from 'vitest';
import { flagsBehind } from '../support/console-flags.ts';
import type { OpenConsole } from '../support/console.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;

afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

test('where and how a flag is evaluated, and its tags, are set by keyboard alone', async () => {
  view = await openConsole();
  const { page } = view;
  const keys = keyboardOf(page);
  const flags = flagsBehind(view);
  const { id } = await flags.create('settings', undefined, { tags: ['old'] });
  const saved = async (): Promise<unknown> => {
    const flag = await flags.read(id);
    const { evaluation_runtime, bucketing_identifier, ensure_experience_continuity, tags } =
      flag as unknown as Record<string, unknown>;
    return { evaluation_runtime, bucketing_identifier, ensure_experience_continuity, tags };
  };
  const save = async (): Promise<void> => {
    const { version } = await flags.read(id);
    await keys.press('Control+s');
    await expect.poll(async () => (await flags.read(id)).version).toBe(version + 1);
  };
  await page.goto(view.at(`/flags/${id}`));
  await page.getByLabel('Description').waitFor();

  await keys.enter('Server only');
  await keys.tabTo('Persist across login');
  await keys.press('Space');
  await keys.enter('Remove the tag old');
  await keys.tabTo('Add a tag');
  await keys.type('billing');
  await keys.press('Enter');
  await save();
  expect(await saved()).toEqual({
    evaluation_runtime: 'server',
    bucketing_identifier: null,
    ensure_experience_continuity: true,
    tags: ['billing'],
  });

  await keys.enter('Client only');
  await keys.enter('Device');
  // Rollouts by device are the same for all users of the device.
  expect(await page.getByRole('switch', { name: 'Persist across login' }).count()).toBe(0);
  await save();
  expect(await saved()).toMatchObject({ evaluation_runtime: 'client', bucketing_identifier: 'device_id' });
});
