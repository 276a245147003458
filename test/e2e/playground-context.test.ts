// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { flagsBehind } from '../support/console-flags.ts';
import { fillPlayground, playgroundOf, type Playground } from '../support/console-playground.ts';
import type { OpenConsole } from '../support/console.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let play: Playground;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
  play = playgroundOf(view);
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

describe('the context of the playground, by keyboard alone', () => {
  test('a distinct id is typed; for an unknown person, flags use the given values', async () => {
    const { keys, flagLine, search } = play;
    await fillPlayground(view);
    await play.openEmpty();
    await keys.press('i');
    await keys.type('somebody-new');
    await page.getByText('No stored person has this ID').waitFor();
    await flagLine('reminder-tone').getByText('false').waitFor();
    await play.changeProperty('plan', 'solo');
    await flagLine('reminder-tone').getByText('was false').waitFor();
    expect(search().get('props')).toBe('{"plan":"solo"}');
  });

  test('an edited value changes results, shows the previous ones, and is reset', async () => {
    const { keys, region, flagLine, search } = play;
    await play.openFor('id=u_1&flag=pay-by-bank');
    await play.changeProperty('country', 'Germany');
    await flagLine('pay-by-bank').getByText('was false').waitFor();
    await region('Person').getByText('1 value edited').waitFor();
    const row = region('Why').getByRole('row').filter({ hasText: 'country' });
    await row.getByText('request', { exact: true }).waitFor();
    await keys.enter('Use the stored value of country');
    await flagLine('pay-by-bank').getByText('was false').waitFor({ state: 'detached' });
    await row.getByText('stored', { exact: true }).waitFor();
    expect(search().get('props')).toBeNull();
  });

  test('a group is given by its key, and its properties are used', async () => {
    const { keys, region, flagLine, search } = play;
    await play.openFor('id=u_1&flag=roles');
    await region('Why').getByText('no company is set').waitFor();
    await keys.fill('Key of the company', 'w_1');
    await flagLine('roles').getByText('true').waitFor();
    await play.changeProperty('seats', '1');
    await flagLine('roles').getByText('was true').waitFor();
    expect(JSON.parse(search().get('group_props')!)).toEqual({ company: { seats: 1 } });
  });

  test('an IP address sets the location', async () => {
    const { keys, region, flagLine } = play;
    const inSpain = { type: 'person', key: '$geoip_country_code', operator: 'exact', value: ['ES'] };
    await flagsBehind(view).create('in-spain', {
      groups: [{ properties: [inSpain], rollout_percentage: 100 }],
    });
    await play.openFor('id=u_2&flag=in-spain');
    await keys.fill('IP address', '2.136.0.1');
    await region('Person').getByText('Spain', { exact: true }).waitFor();
    await flagLine('in-spain').getByText('true').waitFor();
    const row = region('Why').getByRole('row').filter({ hasText: '$geoip_country_code' });
    await row.getByText('address').waitFor();
    // After the field there is a button, where a letter is a hotkey again.
    await keys.press('Tab', 'c');
    await page.getByText('Request as curl copied').waitFor();
    expect(await play.clipboard()).toContain('X-Forwarded-For: 2.136.0.1');
  });

  test('an anonymous id and a device id are given, and decide the flags that use them', async () => {
    const { keys, region, flagLine, search } = play;
    const half = { groups: [{ properties: [], rollout_percentage: 50 }] };
    await flagsBehind(view).create('sticky', half, { ensure_experience_continuity: true });
    await flagsBehind(view).create('by-device', half, { bucketing_identifier: 'device_id' });
    await play.openFor('id=u_1&flag=by-device');
    await flagLine('by-device').getByText('false').waitFor();
    await region('Why')
      .getByText(/there is no ID to hash/)
      .waitFor();
    await keys.enter('Anonymous ID and device');
    await keys.fill('Device ID', 'device-1');
    await region('Why')
      .getByText(/by-device.device-1/)
      .waitFor();
    await keys.fill('Anonymous ID', 'before-sign-in');
    await expect
      .poll(() => [search().get('anon'), search().get('device')])
      .toEqual(['before-sign-in', 'device-1']);
    await page.goto(page.url().replace('flag=by-device', 'flag=sticky'));
    await region('Why')
      .getByText(/sticky.before-sign-in/)
      .waitFor();
  });

  test('is one press away from the page of a person', async () => {
    const { keys, region, flagLine, search } = play;
    await fillPlayground(view);
    await page.goto(view.at('/persons?search=reyes'));
    await page.getByRole('link', { name: /Ana Reyes/ }).waitFor();
    await keys.press('j', 'Enter');
    await page.getByRole('link', { name: 'Test flags' }).waitFor();
    await keys.enter('Test flags');
    await flagLine('reminder-tone').waitFor();
    await region('Person')
      .getByRole('link', { name: /Ana Reyes/ })
      .waitFor();
    expect(search().get('id')).toBe('u_1');
  });
});
