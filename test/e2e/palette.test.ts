// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;
/** What a test makes the page complain about on purpose. */
let provoked: RegExp | null;

beforeEach(async () => {
  provoked = null;
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
});
afterEach(async () => {
  const complaints = await view.close();
  expect(complaints.filter((text) => !provoked?.test(text))).toEqual([]);
});

const option = (name: string | RegExp) => page.getByRole('option', { name });
const field = () => page.getByRole('textbox', { name: 'Search' });
const group = (name: string) => page.getByRole('group', { name, exact: true });
const highlighted = () => page.locator('[role=option][data-highlighted]');
const path = () => new URL(page.url()).pathname + new URL(page.url()).search;

const create = (kind: string, body: object) =>
  view.ask<{ id: number; short_id?: string }>(`/api/projects/${view.server.projectId}/${kind}/`, {
    method: 'POST',
    body,
  });

async function openPalette(text = ''): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await keys.press('Control+k');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  if (text !== '') await keys.type(text);
}

/** One of everything that is stored, each with a word of its own. */
async function createOneOfEach(): Promise<void> {
  const query = {
    kind: 'InsightVizNode',
    source: { kind: 'FunnelsQuery', series: [{ kind: 'EventsNode' }, { kind: 'EventsNode' }] },
  };
  await create('insights', { name: 'Checkout funnel', query });
  await create('dashboards', { name: 'Harbour board' });
  await create('feature_flags', { key: 'pier-lights', name: 'Lanterns', active: true });
  await create('cohorts', { name: 'Sailors', is_static: true });
  await create('actions', { name: 'Anchor dropped', steps: [] });
  await create('annotations', {
    content: 'Lighthouse lit',
    date_marker: '2024-05-01T00:00:00Z',
    scope: 'project',
  });
  const properties = {
    mooring_fee: 12,
    $set: { email: 'ana@reyes-studio.example', name: 'Ana Reyes', home_port: 'Cadiz' },
  };
  await view.capture({ event: 'ferry boarded', properties });
  const $group_set = { name: 'Boatyard Ltd', hull_count: 3 };
  await view.capture({
    event: '$groupidentify',
    properties: { $group_type: 'company', $group_key: 'c_1', $group_set },
  });
}

describe('everything that exists is found', () => {
  /** What is typed, the line, and where Enter leads. */
  const THINGS: readonly [text: string, line: RegExp, leads: RegExp][] = [
    ['checkout', /Checkout funnel/, /\/insights\/[\w-]+$/],
    ['harbour board', /Harbour board/, /\/dashboards\/\d+$/],
    ['lanterns', /pier-lights/, /\/flags\/\d+$/],
    ['sailors', /Sailors/, /\/cohorts\/\d+$/],
    ['anchor', /Anchor dropped/, /\/actions\/\d+$/],
    ['lighthouse', /Lighthouse lit/, /\/annotations\?open=\d+$/],
    ['ferry', /ferry boarded/, /\/data\/events\?search=ferry.boarded&open=ferry.boarded$/],
    ['mooring', /mooring_fee/, /\/data\/properties\?.*open=mooring_fee/],
    ['home_port', /home_port/, /\/data\/person-properties\?.*open=home_port/],
    ['hull', /hull_count/, /\/data\/group-properties\?.*open=hull_count/],
    ['ana@reyes', /Ana Reyes/, /\/persons\/[\w-]+$/],
    ['boatyard', /Boatyard Ltd/, /\/groups\/0\/c_1$/],
  ];

  test('objects of every kind are the first line, and Enter opens them', async () => {
    await createOneOfEach();
    for (const [text, line, leads] of THINGS) {
      await page.goto(view.at('/live'));
      await openPalette(text);
      await option(line).waitFor();
      await expect.poll(() => highlighted().textContent(), { message: text }).toMatch(line);
      await keys.press('Enter');
      await expect.poll(path, { message: text }).toMatch(leads);
    }
  });

  test('a found object has its main number: of an insight the last result, which is not computed for it', async () => {
    await createOneOfEach();
    await view.capture({ event: 'moored', properties: { $groups: { company: 'c_1' } } });
    const node = { kind: 'EventsNode', event: 'ferry boarded' };
    const query = { kind: 'InsightVizNode', source: { kind: 'TrendsQuery', series: [node] } };
    const { id } = await create('insights', { name: 'Ferry trips', query });
    const groups = [{ properties: [], rollout_percentage: 25 }];
    await create('feature_flags', { key: 'tram-lights', filters: { groups }, active: true });
    await create('insights', { name: 'Ferry trips by hour', query: { ...query.source, interval: 'hour' } });
    await view.ask(`/api/projects/${view.server.projectId}/insights/${id}/?refresh=blocking`);
    await page.goto(view.at('/live'));
    await openPalette('ferry');
    await option(/^Ferry trips\s*Trend\s*1 today/).waitFor();
    await option(/^ferry boarded\s*1 in 30 days/).waitFor();
    // What was never computed has none.
    await expect.poll(() => option(/^Ferry trips by hour\s*Trend$/).count()).toBe(1);
    const FACTS = [
      ['ana@reyes', /^Ana Reyes.*seen/],
      ['boatyard', /^Boatyard Ltd.*1 person in 30 days/],
      ['tram', /^tram-lights\s*on for 25%/],
      ['sailors', /^Sailors\s*0 persons/],
      ['harbour', /^Harbour board\s*0 tiles/],
    ] as const;
    for (const [text, line] of FACTS) {
      await field().fill(text);
      await option(line).waitFor();
    }
  });

  /** Words that people type who call a place otherwise. */
  const PLACES: readonly [text: string, line: RegExp, leads: RegExp][] = [
    ['users', /^Persons/, /\/persons$/],
    ['segments', /^Cohorts/, /\/cohorts$/],
    ['trash', /^Deleted/, /\?deleted=?$/],
    ['backup', /^Storage/, /\/settings\/storage$/],
    ['token', /^API keys/, /\/settings\/keys$/],
    ['invite', /^Members/, /\/settings\/members$/],
    ['audit', /^Activity log/, /\/activity$/],
    ['country', /^GeoIP/, /\/settings\/geoip$/],
  ];

  test('places are found by other words for them; the port of the desktop app only in its window', async () => {
    await page.goto(view.at('/live'));
    for (const [text, line, leads] of PLACES) {
      await openPalette(text);
      await option(line).first().waitFor();
      await expect.poll(() => highlighted().textContent(), { message: text }).toMatch(line);
      await keys.press('Enter');
      await expect.poll(path, { message: text }).toMatch(leads);
      await keys.press('Escape');
    }
    await openPalette('documentation');
    await option(/^Open API reference/).waitFor();
    await field().fill('tray');
    await page.getByText('No results for “tray”.').waitFor();
  });

  test('a member of the organization is found by the email address', async () => {
    const { email } = await view.ask<{ email: string }>('/api/users/@me/');
    await page.goto(view.at('/live'));
    await openPalette(email);
    await group('Members').getByRole('option').first().waitFor();
    await group('Members').getByRole('option').first().click();
    await expect.poll(path).toMatch(/\/settings\/members$/);
  });

  test('deleted flags are opened from the palette, and Esc leaves the list', async () => {
    const { id } = await create('feature_flags', { key: 'old-pier', name: '' });
    const flag = `/api/projects/${view.server.projectId}/feature_flags/${id}/`;
    await view.ask(flag, { method: 'PATCH', body: { deleted: true } });
    await page.goto(view.at('/live'));
    await openPalette('deleted flags');
    await expect.poll(() => highlighted().textContent()).toContain('Deleted flags');
    await keys.press('Enter');
    await expect.poll(path).toMatch(/deleted/);
    const dialog = page.getByRole('dialog', { name: 'Deleted flags' });
    await dialog.getByText('old-pier').waitFor();
    await keys.press('Escape');
    await expect.poll(path).toMatch(/\/flags$/);
  });
});

describe('the field', () => {
  test('a synonym is shown beside the command it belongs to', async () => {
    await page.goto(view.at('/live'));
    await openPalette('users');
    expect(await option(/^Persons/).textContent()).toContain('also: users');
    await expect.poll(() => highlighted().textContent()).toContain('Persons');
    expect(await view.violations()).toEqual([]);
  });

  test('> finds commands only, @ persons and # events, each also before a letter is typed', async () => {
    await view.capture({ event: 'dark mode on', properties: { $set: { name: 'Darko Novak' } } });
    await page.goto(view.at('/live'));
    await openPalette('> dark');
    await option(/^Dark theme/).waitFor();
    expect(await option(/dark mode on|Darko/).count()).toBe(0);
    await field().fill('@');
    await option(/Darko Novak/).waitFor();
    expect(await option(/dark/i).count()).toBe(1);
    await field().fill('#');
    await option(/^dark mode on/).waitFor();
    expect(await page.getByRole('option', { name: /Darko|Dark theme/ }).count()).toBe(0);
    await field().fill('#nothing like it');
    await page.getByText('No results for “nothing like it”.').waitFor();
    await page.getByText(/Only events are searched/).waitFor();
  });

  test('arrows, Home and End move the line; Tab turns to the next kind; Esc closes', async () => {
    for (let n = 0; n < 6; n++) await create('dashboards', { name: `Quay ${n}` });
    await view.capture({ event: 'quay left' });
    await page.goto(view.at('/live'));
    await openPalette('quay');
    await option(/^quay left/).waitFor();
    await option('Show all 6 dashboards').waitFor();
    await expect.poll(() => highlighted().textContent()).toContain('Quay');
    await keys.press('End');
    await expect.poll(() => highlighted().textContent()).toContain('quay left');
    await keys.press('ArrowUp');
    await expect.poll(() => highlighted().textContent()).toContain('Show all 6 dashboards');
    await keys.press('Home');
    await expect.poll(() => highlighted().textContent()).toContain('Quay');
    await keys.press('Tab');
    await page.getByRole('button', { name: 'Dashboards 6', pressed: true }).waitFor();
    await expect.poll(() => option(/^Quay/).count()).toBe(6);
    expect(await option(/quay left/).count()).toBe(0);
    await keys.press('Shift+Tab');
    await option('Show all 6 dashboards').click();
    await expect.poll(path).toMatch(/\/dashboards\?search=quay$/);
    await openPalette();
    await keys.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('what was opened before is first while the field is empty, after a reload too', async () => {
    await create('dashboards', { name: 'Harbour board' });
    await page.goto(view.at('/live'));
    await openPalette('harbour b');
    await option(/Harbour board/).waitFor();
    await keys.press('Enter');
    await page.waitForURL(/\/dashboards\/\d+$/);
    await page.goto(view.at('/live'));
    await openPalette();
    await group('Recent')
      .getByRole('option', { name: /Harbour board/ })
      .waitFor();
    await expect.poll(() => highlighted().textContent()).toContain('Harbour board');
    expect(await view.violationsInEveryLook('palette-recent', [1440, 800, 390])).toEqual([]);
    await keys.press('Enter');
    await page.waitForURL(/\/dashboards\/\d+$/);
  });

  test('Ctrl+Enter opens a new tab', async () => {
    await page.goto(view.at('/live'));
    await openPalette('cohorts');
    await expect.poll(() => highlighted().textContent()).toContain('Cohorts');
    const opened = page.context().waitForEvent('page');
    await keys.press('Control+Enter');
    const tab = await opened;
    await tab.waitForURL(/\/cohorts$/);
    expect(path()).toMatch(/\/live$/);
    await tab.close();
  });
});

describe('the server', () => {
  test('a slow answer for fewer letters never replaces the answer for more', async () => {
    await create('dashboards', { name: 'Quay north' });
    await create('dashboards', { name: 'Quay south' });
    await page.goto(view.at('/live'));
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/search\/\?.*q=quay&/, async (route) => {
      await held;
      await route.continue().catch(() => {});
    });
    const asked = page.waitForRequest(/\/search\/\?.*q=quay&/);
    await openPalette('quay');
    await asked;
    await keys.type(' south');
    await option(/Quay south/).waitFor();
    release();
    await page.unrouteAll({ behavior: 'wait' });
    expect(await option(/Quay/).allTextContents()).toHaveLength(1);
  });

  test('while it does not answer, commands work and a line says so, with a button to retry', async () => {
    provoked = /Failed to load resource/;
    await create('dashboards', { name: 'Quay north' });
    await page.goto(view.at('/live'));
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.route(/\/search\//, (route) => route.abort());
    await openPalette('quay');
    await page.getByText('Burrow could not be searched').waitFor();
    expect(await view.violationsInEveryLook('palette-failed', [1440, 390])).toEqual([]);
    await page.unroute(/\/search\//);
    await page.getByRole('button', { name: 'Retry' }).click();
    await option(/Quay north/).waitFor();
  });
});

test('with results of many kinds it passes axe in either theme, wide, narrow and on a phone, where it fills the screen', async () => {
  await createOneOfEach();
  for (const name of ['Checkout board', 'Checkout errors']) await create('dashboards', { name });
  await create('feature_flags', { key: 'new-checkout-page', name: 'A checkout with one step' });
  await view.capture({ event: 'checkout started', properties: { checkout_step: 1 } });
  await page.goto(view.at('/live'));
  await openPalette('checkout');
  await option(/checkout started/).waitFor();
  await option(/checkout_step/).waitFor();
  expect(await view.violationsInEveryLook('palette-results', [1440, 800, 390])).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  const box = await page.getByRole('dialog', { name: 'Search' }).boundingBox();
  expect(box).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});
