// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf, type Keyboard } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;
let keys: Keyboard;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
  keys = keyboardOf(page);
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

const chip = (name: string | RegExp) => page.getByRole('group', { name, exact: true });
const option = (name: string | RegExp) => page.getByRole('option', { name });
const dialog = () => page.getByRole('dialog', { name: 'Filter' });
const total = (count: string) => page.getByRole('table').getByText(count, { exact: true }).first().waitFor();

/** Whether a request asks for what can be chosen; the page asks for its state as well. */
const isLookUp = (url: string) => /definitions|values|query/.test(url);

/** Waits longer than the pause in typing after which a picker searches the server. */
const pauseTyping = () => page.evaluate('new Promise((done) => setTimeout(done, 500))');

/** Six events of three plans, of which one is the beginning of another, by persons of two groups. */
async function openInsight(): Promise<void> {
  const plans = ['business', 'business', 'business', 'bus', 'bus', 'solo'];
  await view.capture(
    {
      event: '$groupidentify',
      properties: { $group_type: 'firm', $group_key: 'a', $group_set: { field: 'law' } },
    },
    {
      event: '$groupidentify',
      properties: { $group_type: 'firm', $group_key: 'b', $group_set: { field: 'art' } },
    },
  );
  await view.capture(
    ...plans.map((plan, index) => ({
      event: 'bought',
      distinct_id: `p${index}`,
      properties: {
        plan,
        amount: 10 * (index + 1),
        $groups: { firm: index < 2 ? 'a' : 'b' },
        '$feature/tone': index < 4 ? 'kind' : 'plain',
        $elements_chain: `button:text="${index < 5 ? 'Pay now' : 'Later'}"nth-child="1"`,
      },
    })),
  );
  const source = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'bought' }] };
  const { short_id: id } = await view.ask<{ short_id: string }>(
    `/api/projects/${view.server.projectId}/insights/`,
    { method: 'POST', body: { name: 'Bought', query: { kind: 'InsightVizNode', source } } },
  );
  await page.goto(view.at(`/insights/${id}`));
  await total('6');
}

/** Opens the values of a new condition on the plan. */
async function openPlans(): Promise<void> {
  await keys.press('f');
  await keys.type('plan');
  await keys.choose(/^plan/);
  await keys.choose(/^is$/);
  await option(/^business\s*3$/).waitFor();
}

describe('a filter, by keyboard alone', () => {
  test('Enter takes the highlighted value, not the typed beginning of it', async () => {
    await openInsight();
    await openPlans();
    await keys.type('busi');
    await keys.choose(/^business/);
    await expect.poll(() => chip('plan is business').count()).toBe(1);
    await total('3');
  });

  test('a text is used as typed when that is chosen', async () => {
    await openInsight();
    await openPlans();
    await keys.type('busi');
    await option('Use “busi”').waitFor();
    await keys.press('ArrowDown', 'Enter');
    await expect.poll(() => chip('plan is busi').count()).toBe(1);
  });

  test('values have their counts in the date range, Space ticks, Enter applies', async () => {
    await openInsight();
    await openPlans();
    await option(/^bus\s*2$/).waitFor();
    await keys.press('Space', 'ArrowDown', 'Space');
    await dialog().getByText('2 selected').waitFor();
    await expectSeen(dialog());
    expect(await view.violations()).toEqual([]);
    await keys.press('Enter');
    await chip('plan is any of business, bus').waitFor();
    await total('5');
  });

  test('(none) is a value: it compares with no value at all', async () => {
    await openInsight();
    await openPlans();
    await keys.type('none');
    await keys.choose(/^\(none\)/);
    await page.getByText('No matching events').waitFor();
    await expectSeen(chip('plan is not set'));
  });

  test('a chip is edited part by part, and the focus returns to the part', async () => {
    await openInsight();
    await openPlans();
    await keys.press('Enter');
    await expect.poll(() => chip('plan is business').count()).toBe(1);
    await total('3');
    await keys.tabTo('Operator: is');
    await keys.press('Enter');
    await expect
      .poll(() => page.getByRole('button', { name: 'Operator: is' }).getAttribute('aria-expanded'))
      .toBe('true');
    await keys.type('is not');
    await keys.choose(/^is not$/);
    await chip('plan is not business').waitFor();
    await keys.enter('Value: business');
    await option(/^bus\s*2/).waitFor();
    await keys.press('Escape');
    await expect
      .poll(() => page.evaluate('document.activeElement?.getAttribute("aria-label")'))
      .toBe('Value: business');
    await keys.press('Shift+Tab', 'Shift+Tab', 'Enter');
    await keys.type('amount');
    await keys.choose(/^amount/);
    await keys.type('60');
    await keys.choose(/^60/);
    await chip('amount is not 60').waitFor();
    await total('5');
  });

  test('a range needs both bounds', async () => {
    await openInsight();
    await keys.press('f');
    await keys.type('amount');
    await keys.choose(/^amount/);
    await keys.type('between');
    await keys.choose('is between');
    await keys.type('20');
    await keys.press('Enter');
    await keys.type('40');
    await keys.press('Enter');
    await expect.poll(() => chip('amount is between 20 and 40').count()).toBe(1);
    await total('3');
  });
});

test('a click outside applies what was typed, or ticked, and Esc does not', async () => {
  await openInsight();
  await openPlans();
  await keys.type('solo');
  await page.getByRole('heading', { name: 'Query' }).click();
  await chip('plan is solo').waitFor();
  await total('1');
  await page.getByRole('button', { name: 'Value: solo' }).click();
  await option(/^business/).click();
  await page.getByRole('heading', { name: 'Query' }).click();
  await chip('plan is any of solo, business').waitFor();
  await total('4');
  await page.getByRole('button', { name: 'Value: solo, business' }).click();
  await option(/^solo/).click();
  await keys.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  expect(await chip('plan is any of solo, business').count()).toBe(1);
});

test('groups, flags, elements and HogQL filter an insight', async () => {
  await view.ask(`/api/projects/${view.server.projectId}/feature_flags/`, {
    method: 'POST',
    body: {
      key: 'tone',
      filters: {
        groups: [{ rollout_percentage: 100 }],
        multivariate: { variants: [{ key: 'kind', rollout_percentage: 100 }] },
      },
    },
  });
  await openInsight();
  const removeAll = async () => {
    await page.getByRole('button', { name: /^Remove filter/ }).click();
    await total('6');
  };
  await keys.press('f');
  await keys.type('field');
  await keys.choose(/^field/);
  await keys.choose(/^is$/);
  await keys.type('law');
  await keys.choose(/^law/);
  await expect.poll(() => chip('field is law').count()).toBe(1);
  await total('2');
  await removeAll();

  await keys.press('f');
  await dialog().getByRole('button', { name: /^Flag/ }).click();
  await keys.type('tone');
  await keys.choose(/^tone/);
  await keys.type('kind');
  await keys.choose(/^kind/);
  await chip('tone evaluates to kind').waitFor();
  await total('4');
  await removeAll();

  await keys.press('f');
  await dialog()
    .getByRole('button', { name: /^Element/ })
    .click();
  await option(/^text/).click();
  await keys.choose(/^is$/);
  await keys.type('later');
  await keys.press('Escape');
  await keys.press('f');
  await dialog()
    .getByRole('button', { name: /^Element/ })
    .click();
  await option(/^text/).click();
  await keys.type('contains');
  await keys.choose(/^contains$/);
  await keys.type('Pay');
  await keys.choose('Use “Pay”');
  await chip('text contains Pay').waitFor();
  await total('5');
  await removeAll();

  await keys.press('f');
  await keys.type('HogQL');
  await keys.choose(/^HogQL expression/);
  await keys.type('properties.amount > nothing');
  await dialog().getByText('Line 1, column 21').waitFor();
  await keys.press('Control+a');
  await keys.type("properties.amount > 10 AND properties.plan != 'solo'");
  await dialog().getByText('Valid. 4 events match.').waitFor();
  await keys.press('Control+Enter');
  await chip(/^HogQL properties/)
    .getByRole('button', { name: 'HogQL', exact: true })
    .waitFor();
  await total('4');
});

test('of a thousand properties fifty are on the page, and the others are found without the server', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [`property_${String(index).padStart(4, '0')}`, index]),
  );
  await view.capture({ event: 'wide', properties: many });
  await openInsight();
  await keys.press('f');
  await dialog()
    .getByRole('button', { name: /^Event\s*1,\d+$/ })
    .waitFor();
  expect(await page.getByRole('option').count()).toBe(50);
  const asked: string[] = [];
  page.on('request', (request) => isLookUp(request.url()) && asked.push(request.url()));
  await keys.type('0987');
  await option(/^property_0987/).waitFor();
  expect(await page.getByRole('option').count()).toBeLessThan(5);
  await pauseTyping();
  expect(asked).toEqual([]);
});

test('events and breakdowns are narrowed without the server too, while one types', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [`property_${String(index).padStart(4, '0')}`, index]),
  );
  await view.capture({ event: 'wide', properties: many }, { event: 'narrow' });
  await openInsight();
  const open = [
    [page.getByRole('button', { name: 'Breakdown', exact: true }), 'PROPERTY_0987', /^property_0987/],
    [
      page
        .getByRole('region', { name: 'Query' })
        .getByRole('button', { name: /bought/ })
        .first(),
      'narr',
      /^narrow/,
    ],
  ] as const;
  for (const [button, text, wanted] of open) {
    await button.click();
    await page.getByRole('option').nth(1).waitFor();
    const asked: string[] = [];
    const note = (request: { url(): string }) => isLookUp(request.url()) && asked.push(request.url());
    page.on('request', note);
    await keys.type(text);
    await option(wanted).first().waitFor();
    expect(await page.getByRole('option').count()).toBeLessThan(5);
    await pauseTyping();
    page.off('request', note);
    expect(asked).toEqual([]);
    await keys.press('Escape');
  }
});

test('at the top of a phone the values of a filter are seen', async () => {
  await view.capture({ event: 'bought', properties: { $set: { plan: 'solo', email: 'ana@example.com' } } });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(view.at(`/persons?filters=${encodeURIComponent('[["plan","exact","solo"]]')}`));
  await page.getByRole('button', { name: 'Value: solo' }).click();
  await option(/^solo\s*1$/).waitFor();
  await expectSeen(dialog());
  await expectSeen(dialog().getByRole('button', { name: 'Apply' }));
});
