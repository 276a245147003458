// @module-tag browser
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;

beforeEach(async () => {
  view = await openConsole();
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const heading = (name: string) => view.page.getByRole('heading', { name, exact: true });

test('an unknown URL has a not-found page and stays; Home is one key away, and Back leads back', async () => {
  const { page } = view;
  await page.goto(view.at('/dashboard/7?from=mail'));
  await page.getByText('Page not found').waitFor();
  await page.getByText(`There is no page at /project/${view.server.projectId}/dashboard/7.`).waitFor();
  expect(await page.title()).toMatch(/^Not found · /);
  expect(new URL(page.url()).pathname).toBe(new URL(view.at('/dashboard/7')).pathname);
  expect(await view.violationsInEveryLook('not-found')).toEqual([]);

  await keyboardOf(page).enter('Go to Home');
  await heading('Waiting for the first event').waitFor();
  await page.goBack();
  await page.getByText('Page not found').waitFor();
});

test('a missing project is named, and the sidebar shows an existing one', async () => {
  const { page } = view;
  await page.goto(`${view.server.url}/project/4711/live`);
  await page.getByText('Project not found').waitFor();
  await page.getByText('Project 4711 does not exist').waitFor();
  expect(new URL(page.url()).pathname).toBe('/project/4711/live');
  await page.keyboard.press('g');
  await page.keyboard.press('l');
  await heading('Live').waitFor();
  expect(page.url()).not.toContain('4711');
});

test('an address without a project leads to the page of the project that was shown last', async () => {
  const { page } = view;
  await page.goto(view.at('/live'));
  await heading('Live').waitFor();
  await page.goto(`${view.server.url}/settings/storage?from=chat`);
  await heading('Storage').waitFor();
  expect(page.url()).toBe(view.at('/settings/storage?from=chat'));
  await page.goto(`${view.server.url}/project`);
  await page.getByText('Page not found').waitFor();
});
