import type { Locator } from 'playwright-core';
import { flagsBehind } from './console-flags.ts';
import type { OpenConsole } from './console.ts';
import { keyboardOf, type Keyboard } from './keyboard.ts';

const identify = (id: string, set: object) => ({
  event: '$identify',
  distinct_id: id,
  properties: { $anon_distinct_id: `before-${id}`, $set: set },
});
const person = (key: string, operator: string, value: unknown) => ({ type: 'person', key, operator, value });

/** Sends Ana, whose company has four seats, and Greta. */
export async function sendAnaAndGreta(view: OpenConsole): Promise<void> {
  await view.capture(
    identify('u_1', { name: 'Ana Reyes', email: 'ana@reyes.example', plan: 'studio', country: 'Spain' }),
    identify('u_2', { name: 'Greta Holm', email: 'greta@holm.example', plan: 'solo', country: 'Sweden' }),
    {
      event: '$groupidentify',
      distinct_id: 'u_1',
      properties: { $group_type: 'company', $group_key: 'w_1', $group_set: { seats: 4 } },
    },
  );
}

/** Ana and Greta, and flags that tell them apart: `reminder-tone`, `pay-by-bank` and, for companies, `roles`. */
export async function fillPlayground(view: OpenConsole): Promise<void> {
  const { create } = flagsBehind(view);
  await sendAnaAndGreta(view);
  await create('reminder-tone', {
    groups: [
      { properties: [person('email', 'icontains', '@paperboat')], rollout_percentage: 100 },
      { properties: [person('plan', 'exact', ['solo', 'studio'])], rollout_percentage: 99 },
    ],
    multivariate: {
      variants: [
        { key: 'control', rollout_percentage: 0 },
        { key: 'friendly', rollout_percentage: 100 },
      ],
    },
    payloads: { control: '{"tone":"plain"}', friendly: '{"tone":"warm"}' },
  });
  await create('pay-by-bank', {
    groups: [{ properties: [person('country', 'exact', ['Sweden', 'Germany'])], rollout_percentage: 100 }],
  });
  await create('roles', {
    groups: [
      {
        properties: [{ type: 'group', group_type_index: 0, key: 'seats', operator: 'gte', value: '3' }],
        rollout_percentage: 100,
      },
    ],
    aggregation_group_type_index: 0,
  });
}

/** The playground of a console, by its keys. */
export interface Playground {
  keys: Keyboard;
  region(name: string): Locator;
  /** The line of a flag among the answers. */
  flagLine(key: string): Locator;
  /** Fills the project and opens the playground with a query that has a distinct id. */
  openFor(query: string): Promise<void>;
  /** Opens the playground without a distinct id. */
  openEmpty(): Promise<void>;
  changeProperty(name: string, value: string): Promise<void>;
  clipboard(): Promise<string>;
  /** What the address says. */
  search(): URLSearchParams;
}

/** The playground of a console. */
export function playgroundOf(view: OpenConsole): Playground {
  const { page } = view;
  const keys = keyboardOf(page);
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const flagLine = (key: string) => region('Flags').getByRole('button', { name: new RegExp(`^${key}\\b`) });
  return {
    keys,
    region,
    flagLine,
    async openFor(query) {
      await fillPlayground(view);
      await page.goto(view.at(`/playground?${query}`));
      await flagLine('pay-by-bank').waitFor();
    },
    async openEmpty() {
      await page.goto(view.at('/playground'));
      await page.getByText('Select a person').waitFor();
    },
    async changeProperty(name, value) {
      await keys.enter(new RegExp(`^${name}`));
      await page.getByLabel(`Value of ${name}`).waitFor();
      await keys.press('Control+a');
      await keys.type(value);
      await keys.press('Enter');
    },
    clipboard: () => page.evaluate<string>('navigator.clipboard.readText()'),
    search: () => new URL(page.url()).searchParams,
  };
}
