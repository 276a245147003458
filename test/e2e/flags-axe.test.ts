// @module-tag browser
import { expect, test } from 'vitest';
import { expectSeen } from '../support/expect-seen.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

test('axe reports no violations on the flag screens, in either theme, wide or narrow', async () => {
  const view = await openConsole();
  const { page } = view;
  const flags = `/api/projects/${view.server.projectId}/feature_flags/`;
  const plan = { key: 'plan', type: 'person', operator: 'exact', value: ['Solo', 'Studio'] };
  const variants = ['control', 'test'].map((key) => ({ key, rollout_percentage: 50 }));
  await view.capture({ event: '$identify', properties: { $set: { plan: 'Solo' } } });
  const groups = [
    { properties: [plan], rollout_percentage: 25 },
    { properties: [], rollout_percentage: 5 },
  ];
  const body = { key: 'tone', name: 'Tone', filters: { groups, multivariate: { variants } } };
  const { id } = await view.ask<{ id: number }>(flags, { method: 'POST', body });

  await page.goto(view.at('/flags'));
  await page.getByRole('link', { name: /tone/ }).waitFor();
  expect(await view.violationsInEveryLook('flags')).toEqual([]);
  await page.goto(view.at(`/flags/${id}`));
  await page.getByRole('slider', { name: 'Rollout of set 2' }).waitFor();
  await page.getByText(/persons get the flag|person gets the flag/).waitFor();
  expect(await view.violationsInEveryLook('flag')).toEqual([]);
  await page.getByRole('button', { name: 'Add a condition to set 1' }).click();
  await page.getByRole('option', { name: /^plan/ }).waitFor();
  expect(await view.violationsInEveryLook('flag-condition')).toEqual([]);
  await page.keyboard.press('Escape');
  // The part beside the form is behind a button on a narrow page.
  await page.setViewportSize({ width: 800, height: 900 });
  await page.getByRole('button', { name: 'Effect' }).click();
  expect(await view.violationsInEveryLook('flag-effect', [800])).toEqual([]);
  await page.goto(view.at('/flags/new'));
  await page.getByLabel('Description').waitFor();
  await page.keyboard.press('Control+s');
  await expectSeen(page.getByRole('alert').first());
  expect(await view.violationsInEveryLook('flag-new')).toEqual([]);
  expect(await view.close()).toEqual([]);
});
